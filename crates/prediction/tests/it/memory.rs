//! Stack distances, misses and traces of references.

use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;

use ats_documents::Memory;
use ats_documents::memory::{Cache, Penalty, References};
use ats_prediction::memory::{
    Distances, Histogram, MemoryError, OTHER, Options, SimulatedCache, Symbols, analyze,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A random trace of lines, of several mixed patterns.
fn random_lines(seed: u64, length: usize, lines: u64) -> Vec<u64> {
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut line = 0;
    let mut one = || {
        let number = random.next_u64();
        let value = number >> 8;
        line = match number % 4 {
            0 => value % lines,
            // Nearby, again and again.
            1 => value % lines.min(8),
            2 => (line + 1) % lines,
            _ => line,
        };
        line
    };
    (0..length).map(|_| one()).collect()
}

/// Counts distances with a list of lines, the last used first.
#[derive(Default)]
struct BruteForce(Vec<u64>);

impl BruteForce {
    fn count(&mut self, line: u64) -> Option<u64> {
        let there = self.0.iter().position(|&other| other == line);
        match there {
            Some(at) => self.0[..=at].rotate_right(1),
            None => self.0.insert(0, line),
        }
        there.map(|at| at as u64)
    }
}

#[test]
fn distances_are_those_of_a_brute_force_count() {
    for seed in ats_testing::seeds(1000) {
        // Now and then more uses than there are slots, so that marks move together.
        let (length, lines) = if seed % 50 == 0 { (150_000, 200) } else { (300, 1 + seed % 150) };
        let (mut counted, mut expected) = (Distances::default(), BruteForce::default());
        for (at, line) in random_lines(seed, length, lines).into_iter().enumerate() {
            assert_eq!(counted.count(line), expected.count(line), "seed {seed}, reference {at}");
        }
    }
}

#[test]
fn long_distances_are_those_of_a_brute_force_count() {
    // Marks lie in more words than are counted one by one.
    let (mut counted, mut expected) = (Distances::default(), BruteForce::default());
    for line in random_lines(1, 40_000, 5_000).into_iter().chain((0..5_000).rev()).chain(0..5_000) {
        assert_eq!(counted.count(line), expected.count(line));
    }
}

#[test]
fn forgotten_lines_do_not_count() {
    let (mut counted, mut expected) = (Distances::default(), BruteForce::default());
    let lines = random_lines(2, 5_000, 300);
    for &line in &lines {
        counted.count(line);
        expected.count(line);
    }
    counted.retain(|line| line % 3 == 0);
    expected.0.retain(|line| line % 3 == 0);
    for line in lines.into_iter().filter(|line| line % 3 == 0) {
        assert_eq!(counted.count(line), expected.count(line));
    }
}

fn histogram(lines: &[u64]) -> Histogram {
    let (mut distances, mut histogram) = (Distances::default(), Histogram::default());
    lines.iter().for_each(|&line| histogram.add(distances.count(line)));
    histogram
}

fn simulated(lines: &[u64], sets: u64, ways: u64) -> f64 {
    let mut cache = SimulatedCache::new(&Cache { bytes: sets * ways * 64, ways, sets });
    lines.iter().filter(|&&line| cache.misses(line)).count() as f64
}

#[test]
fn fully_associative_misses_are_those_of_simulated_caches() {
    for seed in 0..20 {
        let lines = random_lines(seed, 5_000, 400);
        let misses = histogram(&lines).misses();
        for ways in [1, 2, 3, 10, 64, 100, 399, 400, 1000] {
            assert_eq!(
                misses.fully_associative(ways).value,
                simulated(&lines, 1, ways),
                "seed {seed}, {ways}"
            );
            assert_eq!(misses.set_associative(1, ways), misses.fully_associative(ways));
        }
        let mut distinct = lines.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(misses.cold().value, distinct.len() as f64);
        assert_eq!(misses.fully_associative(misses.enough_lines()), misses.cold());
    }
}

#[test]
fn set_associative_misses_of_scattered_lines_are_those_of_simulated_caches() {
    // A bijection of 64 bits scatters the lines over the sets.
    let scattered = |line: u64| line.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let lines: Vec<u64> = random_lines(3, 400_000, 6_000).into_iter().map(scattered).collect();
    let misses = histogram(&lines).misses();
    for (sets, ways) in [(64, 8), (128, 4), (512, 2), (1024, 16)] {
        let (estimate, expected) = (misses.set_associative(sets, ways).value, simulated(&lines, sets, ways));
        assert!((estimate / expected - 1.0).abs() < 0.02, "{sets} × {ways}: {estimate}, {expected}");
    }
}

/// The text of lackey for loads of lines of 64 bytes.
fn loads(lines: &[u64]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        writeln!(text, " L {:08x},8", line * 64).unwrap();
        text
    })
}

fn read(text: &str) -> Result<Memory, MemoryError> {
    analyze("t", text.as_bytes(), &Options::default(), None)
}

/// The misses of a capacity by a curve.
fn by_curve(memory: &Memory, bytes: u64) -> [f64; 3] {
    let at = memory.total.curve.partition_point(|of| of.bytes <= bytes);
    let misses = memory.total.curve[at - 1].misses;
    [misses.value, misses.least, misses.most]
}

#[test]
fn the_curve_has_every_capacity() {
    let lines = random_lines(4, 20_000, 3_000);
    let memory = read(&loads(&lines)).unwrap();
    assert_eq!((memory.total.references, memory.is_complete, memory.sampled), (20_000, true, None));
    for capacity in (1..64).chain([64, 68, 96, 128, 1024, 2048, 2944, 4096]) {
        let expected = simulated(&lines, 1, capacity);
        assert_eq!(by_curve(&memory, capacity * 64), [expected; 3], "{capacity} lines");
    }
}

#[test]
fn sampled_misses_hold_the_exact_ones() {
    let (mut inside, mut number) = (0, 0);
    for seed in 0..10 {
        // Loops over different parts, and random references to all lines.
        let mut random = SplitMix64::seed_from_u64(seed);
        let mut lines: Vec<u64> = Vec::new();
        while lines.len() < 300_000 {
            let (begin, length) = (random.next_u64() % 30_000, 1 + random.next_u64() % 3_000);
            for _ in 0..random.next_u64() % 4 {
                lines.extend(begin..begin + length);
            }
            lines.extend((0..length).map(|_| random.next_u64() % 33_000));
        }
        let text = loads(&lines);
        let exact = read(&text).unwrap();
        // 128 bytes for each line.
        let options = Options { memory: 128 * 4096, ..Options::default() };
        let sampled = analyze("t", text.as_bytes(), &options, None).unwrap();
        assert_eq!(sampled.total.references, exact.total.references);
        assert!(sampled.sampled.is_some_and(|share| (0.05..=0.25).contains(&share)), "{:?}", sampled.sampled);
        for power in 8..16 {
            let [truth, ..] = by_curve(&exact, 64 << power);
            let [value, least, most] = by_curve(&sampled, 64 << power);
            assert!(least <= value && value <= most);
            assert!(most - least < 0.3 * lines.len() as f64, "{least}, {most}: the bounds say something");
            number += 1;
            inside += u32::from((least..=most).contains(&truth));
        }
        number += 1;
        let cold = sampled.total.cold;
        inside += u32::from((cold.least..=cold.most).contains(&exact.total.cold.value));
    }
    assert!(f64::from(inside) >= 0.9 * f64::from(number), "{inside} of {number} are inside");
}

#[test]
fn references_are_counted_by_their_kind_and_once_if_they_cross_lines() {
    let text = "==1== Lackey, an example Valgrind tool\nI  00400000,4\n S 0000103c,8\nI  00400004,4\n M 00001040,4\n \
                L 00001000,1\n==1== Exit code:       0\n";
    let counts = |references| {
        let options = Options { references, ..Options::default() };
        let total = analyze("t", text.as_bytes(), &options, None).unwrap().total;
        (total.references, total.cold.value)
    };
    assert_eq!(counts(References::Data), (3, 1.0));
    assert_eq!(counts(References::Instructions), (2, 1.0));
    assert_eq!(counts(References::All), (5, 2.0));
}

#[test]
fn penalties_are_of_the_caches_that_were_asked_for() {
    // Eight lines of one set of four ways, and of another size.
    let lines: Vec<u64> = (0..100).flat_map(|_| (0..8).map(|line| line * 64)).collect();
    let caches = vec![Cache { bytes: 4 * 64 * 64, ways: 4, sets: 64 }];
    let penalty = |bytes, seconds| Penalty { bytes, seconds };
    let penalties = vec![penalty(4 * 64 * 64, 1.0), penalty(4 * 64, 0.01), penalty(1 << 20, 0.5)];
    let options = Options { caches, penalties, ..Options::default() };
    let total = analyze("t", loads(&lines).as_bytes(), &options, None).unwrap().total;
    let [cache] = &total.caches[..] else { panic!("{total:?}") };
    assert_eq!((cache.simulated, cache.fully_associative.value), (800, 8.0));
    assert!((total.seconds.unwrap().value - (800.0 + 8.0 + 4.0)).abs() < 1e-9);
}

#[test]
fn cut_and_foreign_lines_are_told_with_their_place() {
    let whole =
        "==1== Lackey, an example Valgrind tool\n L 00001000,8\n L 00002000,8\n==1== Exit code:       0\n";
    assert!(read(whole).unwrap().warnings.is_empty());
    let check = |text: &str, is_complete, references, warning: &str| {
        let memory = read(text).unwrap();
        assert_eq!((memory.is_complete, memory.total.references), (is_complete, references), "{text}");
        assert!(
            memory.warnings.len() == 1 && memory.warnings[0].starts_with(warning),
            "{:?}",
            memory.warnings
        );
    };
    check(
        &whole[..whole.find("8\n==").unwrap()],
        false,
        1,
        "t:3: it ends within a line; the counts are of the part",
    );
    check(&whole[..whole.find("==1== Exit").unwrap()], false, 2, "t:3: it ends without lackey's summary");
    let printed = whole.replacen(" L ", "sum = 4\n\nand more\n L ", 1);
    check(
        &printed,
        true,
        2,
        "t:2: `sum = 4` is no reference; 2 such lines are omitted; keep the program's output",
    );
    for wrong in
        [" L 1000,0", " L ,8", " L 1000,4097", " L 11112222333344445,8", " L ffffffffffffffff,2", " X 1,1"]
    {
        check(
            &format!(" L 1000,8\n{wrong}\n"),
            true,
            1,
            &format!("t:2: `{wrong}` is no reference; it is omitted"),
        );
    }
    let long = format!(" L 1000,8\n{}\n L 2000,8\n", "x".repeat(1 << 20));
    check(&long, true, 2, "t:2: `xxxx");
}

/// A trace that cannot be read to its end.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("the disk is gone")) } else { self.0.read(buffer) }
    }
}

#[test]
fn an_unreadable_end_is_told() {
    let broken = |text: &'static str| analyze("t", Broken(text.as_bytes()), &Options::default(), None);
    let memory = broken(" L 1000,8\n").unwrap();
    assert!(!memory.is_complete && memory.total.references == 1);
    assert!(memory.warnings[0].starts_with("t:1: it cannot be read further: the disk is gone"));
    assert_eq!(broken("").unwrap_err().to_string(), "cannot read t: the disk is gone");
}

#[test]
fn a_trace_without_references_is_refused() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert!(error("").starts_with("t is empty; make a trace with valgrind --tool=lackey"));
    assert!(error("==1== Lackey, an example Valgrind tool\n").starts_with("t is empty"));
    assert!(
        error("int main() {\n").starts_with("t:1: `int main() {` is no reference, nor is any other line")
    );
    let of_instructions = error("I  00400000,4\n");
    assert_eq!(
        of_instructions,
        "t has no references of the kind `data` in its 1 lines; choose another with --references"
    );
}

#[test]
fn references_are_of_the_function_of_their_instruction() {
    let symbols = Symbols::read(&std::env::current_exe().unwrap()).unwrap();
    let entry = symbols.entry();
    let (code, number) = symbols.function(entry);
    let start = symbols.names()[number].as_str();
    let text = format!(
        " L 00001000,8\nI  {entry:08x},4\n L 00001000,8\n S 00002000,8\nI  {:08x},4\n L 00003000,8\n",
        code.end - 1
    );
    let analyzed = |text: &str| analyze("t", text.as_bytes(), &Options::default(), Some(&symbols)).unwrap();
    let regions = analyzed(&text).regions;
    let counts: Vec<_> = regions.iter().map(|of| (of.name.as_str(), of.references, of.cold.value)).collect();
    assert_eq!(counts, [(start, 3, 2.0), (OTHER, 1, 1.0)]);
    // A trace of something else.
    let other = analyzed("I  00000010,4\n L 00001000,8\n");
    assert!(other.regions.is_empty() && other.warnings[0].contains("has not the first instruction"));
    let error = |path: &str| Symbols::read(Path::new(path)).unwrap_err().to_string();
    assert!(error("/nowhere").starts_with("cannot read the symbols of /nowhere: "));
    assert!(error(file!()).contains("name the program that was traced"));
}

#[test]
fn functions_have_the_names_of_their_sources() {
    for (name, expected) in [
        ("_ZN4grid5sweepEPdi", "grid::sweep(double*, int)"),
        ("_Z3sumIdET_S0_S0_", "sum<double>(double, double)"),
        ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
        ("multiply", "multiply"),
        ("_Z", "_Z"),
    ] {
        assert_eq!(Symbols::source_name(name), expected);
    }
}
