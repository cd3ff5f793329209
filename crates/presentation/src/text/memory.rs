//! Misses of caches as text.

use ats_documents::Memory;
use ats_documents::memory::{Capacity, Estimate, Locality, References};

use super::grid::Grid;
use crate::printable::printable;
use crate::words::percent;

/// The smallest capacity that is shown, in lines: there are no smaller caches.
const SMALLEST: u64 = 16;

/// The least share of the references, or of the misses of a cache, of a region that is shown.
const LEAST_SHARE: f64 = 0.01;

/// The capacities that stand for caches if none was asked for: those of usual first and second ones.
const USUAL: [u64; 2] = [32 << 10, 1 << 20];

/// The misses of fully associative caches, those of the caches that were asked for, and those of regions.
pub fn memory(document: &Memory, width: Option<u16>) -> String {
    let tables = [
        head(document),
        curve(document, width),
        caches(document, width),
        seconds(document),
        regions(document, width),
    ];
    tables.into_iter().filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n")
}

fn head(document: &Memory) -> String {
    let Locality { references, cold, .. } = &document.total;
    let kind = match document.references {
        References::Data => "loads and stores",
        References::Instructions => "instructions",
        References::All => "instructions, loads and stores",
    };
    let sampled = document
        .sampled
        .map_or_else(String::new, |share| format!(", one in {:.0} sampled; bounds are of 95 %", 1.0 / share));
    let cut = if document.is_complete { "" } else { ", which is cut" };
    let (lines, size) = (estimate(cold), document.line);
    let trace = printable(&document.trace);
    format!("{references} {kind} in {trace}{cut}: {lines} lines of {size} bytes{sampled}\n")
}

fn curve(document: &Memory, width: Option<u16>) -> String {
    let total = &document.total;
    let mut table = Grid::new(&["fully associative", "misses", "of references"], &[0, 1, 2], width);
    let last = total.curve.last().map_or(0, |last| last.bytes);
    let capacities = (0..).map(|power| (SMALLEST * document.line) << power);
    for capacity in capacities.take_while(|capacity| *capacity < 2 * last.max(SMALLEST * document.line)) {
        let misses = misses(&total.curve, capacity);
        table.row([size(capacity), estimate(&misses), percent(misses.value / total.references as f64)]);
    }
    table.text()
}

fn caches(document: &Memory, width: Option<u16>) -> String {
    let mut table = Grid::new(
        &["cache", "ways", "misses", "of references", "with random sets", "fully associative"],
        &[0, 1, 2, 3, 4, 5],
        width,
    );
    for (cache, misses) in document.caches.iter().zip(&document.total.caches) {
        table.row([
            size(cache.bytes),
            cache.ways.to_string(),
            misses.simulated.to_string(),
            percent(misses.simulated as f64 / document.total.references as f64),
            estimate(&misses.set_associative),
            estimate(&misses.fully_associative),
        ]);
    }
    if table.is_empty() { String::new() } else { table.text() }
}

fn seconds(document: &Memory) -> String {
    let Some(seconds) = document.total.seconds else { return String::new() };
    let costs =
        document.penalties.iter().map(|penalty| format!("{} {:e} s", size(penalty.bytes), penalty.seconds));
    let costs = costs.collect::<Vec<_>>().join(", ");
    format!("memory term: {} s, if a miss costs {costs}\n", bounded(&seconds, 9))
}

fn regions(document: &Memory, width: Option<u16>) -> String {
    if document.regions.is_empty() {
        return String::new();
    }
    let has_caches = !document.caches.is_empty();
    let capacities: Vec<u64> =
        if has_caches { document.caches.iter().map(|cache| cache.bytes).collect() } else { USUAL.to_vec() };
    let of_caches = |region: &Locality| -> Vec<f64> {
        if has_caches {
            region.caches.iter().map(|misses| misses.simulated as f64).collect()
        } else {
            capacities.iter().map(|&bytes| misses(&region.curve, bytes).value).collect()
        }
    };
    let has_seconds = document.total.seconds.is_some();
    let misses = capacities.iter().map(|&bytes| format!("misses of {}", size(bytes)));
    let mut header: Vec<String> =
        ["references", "cold"].map(str::to_owned).into_iter().chain(misses).collect();
    header.extend(has_seconds.then(|| "seconds".to_owned()));
    header.push("region".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Grid::new(&header, &(0..header.len() - 1).collect::<Vec<_>>(), width);
    let total = of_caches(&document.total);
    let mut omitted = 0;
    for region in &document.regions {
        let misses = of_caches(region);
        let is_large = region.references as f64 >= LEAST_SHARE * document.total.references as f64
            || misses.iter().zip(&total).any(|(misses, total)| *misses > LEAST_SHARE * total);
        if !is_large {
            omitted += 1;
            continue;
        }
        let mut row = vec![region.references.to_string(), estimate(&region.cold)];
        row.extend(misses.iter().map(|misses| format!("{misses:.0}")));
        row.extend(region.seconds.map(|seconds| bounded(&seconds, 9)));
        row.push(region.name.clone());
        table.row(row);
    }
    let more = if omitted == 0 { String::new() } else { format!("and {omitted} more below 1 %\n") };
    table.text() + &more
}

/// The misses of a capacity by a curve: those of the largest one that is listed and not larger.
fn misses(curve: &[Capacity], bytes: u64) -> Estimate {
    let after = curve.partition_point(|of| of.bytes <= bytes);
    curve[..after].last().map(|of| of.misses).unwrap_or_default()
}

fn estimate(estimate: &Estimate) -> String {
    bounded(estimate, 0)
}

/// A number, with its bounds if it is not exact: `500 (480 to 520)`.
fn bounded(Estimate { value, least, most }: &Estimate, digits: usize) -> String {
    if least == most {
        format!("{value:.digits$}")
    } else {
        format!("{value:.digits$} ({least:.digits$} to {most:.digits$})")
    }
}

/// A number of bytes in the largest unit that divides it: `32 KiB`.
fn size(bytes: u64) -> String {
    let mut units = ["bytes", "KiB", "MiB", "GiB", "TiB"].into_iter();
    let mut number = bytes;
    let mut unit = units.next().unwrap_or_default();
    while number.is_multiple_of(1024) && number > 0 {
        let Some(larger) = units.next() else { break };
        (number, unit) = (number / 1024, larger);
    }
    format!("{number} {unit}")
}

#[cfg(test)]
mod tests {
    use ats_documents::memory::{Cache, CacheMisses, Penalty};

    use super::*;

    #[test]
    fn misses_stand_beside_their_capacity_cache_and_region() {
        let exact = Estimate::exact;
        let point = |bytes, misses| Capacity { bytes, misses: exact(misses) };
        let total = Locality {
            references: 1000,
            cold: exact(40.0),
            curve: vec![point(64, 900.0), point(1024, 500.0), point(2560, 40.0)],
            caches: vec![CacheMisses {
                fully_associative: exact(40.0),
                set_associative: exact(41.6),
                simulated: 44,
            }],
            seconds: Some(Estimate { value: 1.76e-7, least: 1e-7, most: 2e-7 }),
            ..Locality::default()
        };
        let region = Locality { name: "solve".to_owned(), ..total.clone() };
        let small =
            Locality { references: 1, curve: vec![point(64, 0.0)], caches: Vec::new(), ..region.clone() };
        let document = Memory {
            trace: "trace".to_owned(),
            line: 64,
            is_complete: true,
            caches: vec![Cache { bytes: 32 << 10, ways: 8, sets: 64 }],
            penalties: vec![Penalty { bytes: 32 << 10, seconds: 4e-9 }],
            total,
            regions: vec![region, small],
            ..Memory::default()
        };
        let expected = "\
1000 loads and stores in trace: 40 lines of 64 bytes

fully associative  misses  of references
            1 KiB     500        50.00 %
            2 KiB     500        50.00 %
            4 KiB      40         4.00 %

 cache  ways  misses  of references  with random sets  fully associative
32 KiB     8      44         4.40 %                42                 40

memory term: 0.000000176 (0.000000100 to 0.000000200) s, if a miss costs 32 KiB 4e-9 s

references  cold  misses of 32 KiB                                   seconds  region
      1000    40                44  0.000000176 (0.000000100 to 0.000000200)  solve
and 1 more below 1 %
";
        assert_eq!(memory(&document, None), expected);
        let cut = Memory { is_complete: false, sampled: Some(0.125), ..document };
        assert!(memory(&cut, None).starts_with(
            "1000 loads and stores in trace, which is cut: 40 lines of 64 bytes, one in 8 sampled; bounds are of 95 %\n"
        ));
    }

    #[test]
    fn sizes_have_the_unit_that_divides_them() {
        assert_eq!(
            [0, 96, 1024, 98_304, 3 << 20].map(size),
            ["0 bytes", "96 bytes", "1 KiB", "96 KiB", "3 MiB"]
        );
    }
}
