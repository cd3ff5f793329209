//! The words of explanations.

use ats_documents::explanation::SourceLine;
use ats_documents::profile::FunctionShare;
use ats_model::locations::{Location, in_a_sentence};
use ats_model::openmp::without_place;

use super::case::Case;
use super::facts::{Facts, Place};
use super::fit::Fit;

/// A problem in a few sentences: what happens, who waits where, and the advice of the first cause.
pub(super) fn text(case: &Case<'_>, causes: &[Fit], functions: &[FunctionShare]) -> String {
    let Some(first) = causes.first() else { return String::new() };
    let waiting = case.transfers.is_none().then(|| waiting(case));
    let sentences = [Some(first.what.clone()), inside(case, functions), waiting, Some(first.advice.clone())];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The functions that a sentence names at most, and the least share of each.
const NAMED: usize = 3;
const LEAST_NAMED: f64 = 0.05;

/// Sentence about the functions that the time of the culprits goes into: `By 214 samples, 70 % of its time there is in
/// `relax` (solver.c:88), 25 % in `norm` (solver.c:40).`
fn inside(case: &Case<'_>, functions: &[FunctionShare]) -> Option<String> {
    let all: u64 = functions.iter().map(|of| of.samples).sum();
    let named = functions.iter().filter(|of| of.share >= LEAST_NAMED).take(NAMED);
    let part = |of: &FunctionShare| {
        let place = of.place().map_or_else(String::new, |place| format!(" ({place})"));
        format!("in `{}`{place}", of.function)
    };
    let mut parts = named.map(|of| (percent(of.share), part(of)));
    let (share, first) = parts.next()?;
    let by = match all {
        1 => "one sample only".to_owned(),
        few @ ..FEW => format!("{few} samples only"),
        many => format!("{many} samples"),
    };
    let whose = agree(&case.main_units(), "its", "their");
    let first = format!("By {by}, {share} of {whose} time there is {first}");
    let more = parts.map(|(share, part)| format!(", {share} {part}"));
    Some(first + &more.collect::<String>() + ".")
}

/// With fewer samples, a share of a half may be off by a quarter of all.
const FEW: u64 = 20;

/// Sentence about those that wait, where and how long: `Ranks 1-3 wait for it in MPI_Barrier (heat.c:130): 3.50 s of 10.0 s.`
fn waiting(case: &Case<'_>) -> String {
    let facts = case.facts;
    let Some(&(finding, _)) = case.effects.first() else { return String::new() };
    let finding = &facts.analysis.findings[finding];
    let call = at(facts, Place::of(finding)).unwrap_or_else(|| "the program".to_owned());
    let more = match case.effects.len() - 1 {
        0 => String::new(),
        1 => " and one other call".to_owned(),
        more => format!(" and {more} other calls"),
    };
    let waiting = case.waiting();
    let wait = agree(&waiting, "waits", "wait");
    let (lost, all) = (duration(case.seconds()), duration(facts.analysis.basis.location_seconds));
    format!("{} {wait} in {call}{more}: {lost} of {all}.", subject(facts, &waiting))
}

/// One of two forms of a word: that for one location, or that for several.
pub(super) fn agree<'w>(units: &[u32], one: &'w str, several: &'w str) -> &'w str {
    if units.len() == 1 { one } else { several }
}

/// Locations at the start of a sentence: `Ranks 1-3`.
pub(super) fn subject(facts: &Facts<'_>, units: &[u32]) -> String {
    let words = object(facts, units);
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Locations inside a sentence: `rank 0`, `ranks 1-3`, `threads 1-3 of rank 0`.
pub(super) fn object(facts: &Facts<'_>, units: &[u32]) -> String {
    let locations: Vec<Location> = units.iter().map(|&unit| facts.location(unit)).collect();
    let has_threads = facts.profile.units.iter().any(|unit| unit.thread > 0);
    let has_ranks = facts.profile.units.iter().any(|unit| unit.rank > 0);
    in_a_sentence(&locations, has_ranks, has_threads)
}

/// The region that the culprits are late in: `` `solve` (heat.c:112) ``.
pub(super) fn region(case: &Case<'_>) -> String {
    match case.path {
        None => "a place that the trace does not show".to_owned(),
        Some(path) => at(case.facts, path).unwrap_or_else(|| "code outside all recorded regions".to_owned()),
    }
}

/// The last region of a call path and its place in the source; `None` outside all regions.
pub(super) fn at(facts: &Facts<'_>, path: Place<'_>) -> Option<String> {
    let last = path.names.last()?;
    if facts.is_segment(path) {
        return Some(segment(last));
    }
    Some(match (facts.source(path), path.site) {
        (None, Some(site)) => format!("`{last}` ({})", site.short()),
        (source, _) => named(last, source),
    })
}

/// A segment of code, with its function in backticks: `` `step` between halo.c:31 and norm.c:12 ``.
fn segment(name: &str) -> String {
    const ENDS: [&str; 2] = [" or its callers between ", " between "];
    let parts = ENDS.iter().find_map(|ends| Some((name.split_once(ends)?, ends)));
    match parts {
        Some(((function, rest), ends)) if function != "code" => format!("`{function}`{ends}{rest}"),
        _ => name.to_owned(),
    }
}

/// A region and its place in the source, if that is known: `` `solve` (heat.c:112) ``.
fn named(region: &str, source: Option<SourceLine>) -> String {
    match source {
        None => format!("`{region}`"),
        Some(SourceLine { file, line }) => {
            let file = file.rsplit('/').next().unwrap_or(&file);
            format!("`{}` ({file}:{line})", without_place(region))
        }
    }
}

/// Seconds with three digits: `3.50 s`, `50.0 ms`.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        1e-3.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "us"),
    };
    format!("{} {unit}", three_digits(value))
}

fn three_digits(value: f64) -> String {
    let digits = match value {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// Bytes, exactly if they are few: `4097 bytes`, `64.0 KiB`.
pub(super) fn size(bytes: f64) -> String {
    const KIB: f64 = 1024.0;
    let (size, unit) = match bytes {
        ..10_240.0 => return format!("{bytes:.0} bytes"),
        ..1_048_576.0 => (bytes / KIB, "KiB"),
        ..1_073_741_824.0 => (bytes / KIB / KIB, "MiB"),
        _ => (bytes / KIB / KIB / KIB, "GiB"),
    };
    format!("{} {unit}", three_digits(size))
}

/// A share in per cent: `58 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
