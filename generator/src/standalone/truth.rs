//! The truth in a file: the waiting ranks and threads, their times, and the places.

use std::collections::BTreeMap;

use ats_documents::Truth;
use ats_model::locations::{Location, equally_long, numbers_in_words};

/// The truth, line by line.
pub(super) fn lines(truth: &Truth) -> Vec<String> {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for finding in &truth.findings {
        let place = finding.call_path.join("/");
        if !finding.unit().is_time() {
            let quantity = match finding.at_least.filter(|&bound| bound > 0.0) {
                Some(bound) => format!("at least {bound}"),
                None => finding.quantity().value.to_string(),
            };
            rows.push([quantity, finding.name().to_owned(), String::new(), place]);
            continue;
        }
        let waits = finding.locations.iter().map(|share| (share.waiting_time, share.place()));
        for (waited, locations) in equally_long(waits) {
            let each = if locations.len() > 1 { " each" } else { "" };
            rows.push([
                format!("{} s{each}", seconds(waited)),
                finding.name().to_owned(),
                who(&locations),
                place.clone(),
            ]);
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

/// Seconds rounded to the microsecond.
fn seconds(seconds: f64) -> String {
    let text = format!("{seconds:.6}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// The ranks, and the threads of each if other threads than the masters wait.
fn who(locations: &[Location]) -> String {
    if locations.iter().all(|location| location.thread == 0) {
        return named("rank", &locations.iter().map(|location| location.rank).collect::<Vec<_>>());
    }
    let mut threads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    locations.iter().for_each(|location| threads.entry(location.rank).or_default().push(location.thread));
    let of_rank = |(rank, threads): (&u32, &Vec<u32>)| format!("rank {rank}: {}", named("thread", threads));
    threads.iter().map(of_rank).collect::<Vec<_>>().join("; ")
}

/// `rank 3`, `ranks 0-2,5`.
fn named(what: &str, numbers: &[u32]) -> String {
    format!("{what}{} {}", if numbers.len() > 1 { "s" } else { "" }, numbers_in_words(numbers))
}

/// The ranks that are done before the others and wait for them at the end.
fn skew(truth: &Truth) -> Vec<String> {
    let early = (0..).zip(&truth.skew_left).map(|(rank, &skew)| (skew, rank));
    let early = equally_long(early).into_iter().filter(|(skew, _)| *skew > 0.0);
    let line = |(skew, ranks): (f64, Vec<u32>)| {
        let verb = if ranks.len() > 1 { "are" } else { "is" };
        format!("At the end {} {verb} {} s ahead of the last.", named("rank", &ranks), seconds(skew))
    };
    early.map(line).collect()
}
