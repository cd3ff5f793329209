//! The truth in a file: the waiting ranks and threads, their times, and the places.

use std::collections::BTreeMap;

use ats_documents::finding::LocationShare;
use ats_documents::{Finding, Truth};

/// The truth, line by line.
pub(super) fn lines(truth: &Truth) -> Vec<String> {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for finding in &truth.findings {
        let place = finding.call_path.join("/");
        if !finding.unit().is_time() {
            rows.push([
                finding.quantity().value.to_string(),
                finding.name().to_owned(),
                String::new(),
                place,
            ]);
            continue;
        }
        for (seconds, shares) in equal(finding) {
            let each = if shares.len() > 1 { " each" } else { "" };
            rows.push([format!("{seconds} s{each}"), finding.name().to_owned(), who(&shares), place.clone()]);
        }
    }
    if rows.is_empty() {
        return [vec!["Nothing.".to_owned()], skew(truth)].concat();
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths = [0, 1, 2].map(width);
    let line = |row: &[String; 4]| {
        let columns = row.iter().zip(widths.iter().chain(&[0]));
        let padded = columns.filter(|(text, width)| **width > 0 || !text.is_empty());
        let text: Vec<String> =
            padded.map(|(text, width)| format!("{text:<width$}", width = *width)).collect();
        text.join("  ").trim_end().to_owned()
    };
    [rows.iter().map(line).collect(), skew(truth)].concat()
}

/// Locations that wait equally long, the shortest first, by seconds.
fn equal(finding: &Finding) -> Vec<(String, Vec<&LocationShare>)> {
    let mut equal: BTreeMap<u64, Vec<&LocationShare>> = BTreeMap::new();
    for share in &finding.locations {
        equal.entry((share.waiting_time * 1e6).round() as u64).or_default().push(share);
    }
    let in_seconds = |(microseconds, shares)| (seconds(microseconds as f64 * 1e-6), shares);
    equal.into_iter().map(in_seconds).collect()
}

/// Seconds rounded to the microsecond.
fn seconds(seconds: f64) -> String {
    let text = format!("{seconds:.6}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// The ranks, and the threads of each if other threads than the masters wait.
fn who(shares: &[&LocationShare]) -> String {
    if shares.iter().all(|share| share.thread == 0) {
        return named("rank", &shares.iter().map(|share| share.rank).collect::<Vec<_>>());
    }
    let mut threads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    shares.iter().for_each(|share| threads.entry(share.rank).or_default().push(share.thread));
    let of_rank = |(rank, threads): (&u32, &Vec<u32>)| format!("rank {rank}: {}", named("thread", threads));
    threads.iter().map(of_rank).collect::<Vec<_>>().join("; ")
}

/// Numbers in words; neighbours form a range.
fn named(what: &str, numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    let ranges: Vec<String> = ranges.iter().map(range).collect();
    format!("{what}{} {}", if numbers.len() > 1 { "s" } else { "" }, ranges.join(", "))
}

/// The ranks that are done before the others and wait for them at the end.
fn skew(truth: &Truth) -> Vec<String> {
    let mut early: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (rank, skew) in (0..).zip(&truth.skew_left) {
        early.entry((skew * 1e6).round() as u64).or_default().push(rank);
    }
    early.remove(&0);
    let line = |(microseconds, ranks): (u64, Vec<u32>)| {
        let verb = if ranks.len() > 1 { "are" } else { "is" };
        let seconds = seconds(microseconds as f64 * 1e-6);
        format!("At the end {} {verb} {seconds} s ahead of the last.", named("rank", &ranks))
    };
    early.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_a_range() {
        for (numbers, text) in [
            (&[3][..], "rank 3"),
            (&[0, 1], "ranks 0, 1"),
            (&[0, 1, 2, 5], "ranks 0 to 2, 5"),
            (&[1, 3, 4, 5, 6], "ranks 1, 3 to 6"),
        ] {
            assert_eq!(named("rank", numbers), text);
        }
    }
}
