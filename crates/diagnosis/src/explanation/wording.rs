//! The words of explanations.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Finding;
use ats_documents::explanation::SourceLine;
use ats_documents::profile::FunctionShare;
use ats_model::CallSite;
use ats_model::locations::{Location, in_a_sentence};
use ats_model::openmp::without_place;
use ats_model::signature::short;

use super::case::Case;
use super::facts::{Facts, Place};
use super::fit::Fit;
use super::key::{before, begin_of_segment, callers, in_common, shown};
use super::mechanism::Mechanism;

/// A problem in a few sentences: what happens, who waits where, and the advice of the first cause.
/// `apart` tells it from other problems.
pub(super) fn text(
    case: &Case<'_>,
    causes: &[Fit],
    functions: &[FunctionShare],
    apart: Option<String>,
) -> String {
    let Some(first) = causes.first() else { return String::new() };
    let waiting = case.transfers.is_none().then(|| waiting(case));
    let sentences = [
        Some(first.what.clone()),
        called(case).or(apart),
        inside(case, functions),
        waiting,
        Some(first.advice.clone()),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Sentence about the callers of code that has several: `It is called in 24 regions: phase_0, phase_1 and 22 others.`
fn called(case: &Case<'_>) -> Option<String> {
    // Of all calls of a thread, and of all code that holds a lock, the callers do not matter.
    let is_of_several = match case.mechanism {
        Mechanism::Serial => case.call().is_some(),
        Mechanism::Lock | Mechanism::Runtime => true,
        _ => false,
    };
    let path = case.path.filter(|&path| !case.facts.is_segment(path) && !is_of_several)?;
    let mut of_code: Vec<Place<'_>> =
        case.paths.iter().filter(|of| of.names.last() == path.names.last()).copied().collect();
    of_code.sort_by_key(|&path| case.facts.first_number(path));
    let callers = callers(of_code.iter().map(|path| path.names));
    let name = |path: &String| match path.as_str() {
        "" => "outside of them".to_owned(),
        path => format!("`{path}`"),
    };
    match &callers[..] {
        [] | [_] => None,
        [one, other] => Some(format!("It is called in {} and {}.", name(one), name(other))),
        [one, other, others @ ..] => Some(format!(
            "It is called in {} regions: {}, {} and {} more.",
            callers.len(),
            name(one),
            name(other),
            others.len()
        )),
    }
}

/// Sentences about the callers of code that several problems name with the same words, where they differ.
pub(super) fn apart(cases: &[Case<'_>]) -> Vec<Option<String>> {
    let words: Vec<(String, Option<String>)> = cases.iter().map(|case| (region(case), place(case))).collect();
    let of = |(case, own): (&Case<'_>, &(String, Option<String>))| {
        let same = cases.iter().zip(&words).filter(|(_, other)| own.0 == other.0);
        let late = same.clone().filter_map(|(case, _)| late_in(case));
        if let Some(caller) = late_in(case).and_then(|names| differing(names, late)) {
            let is =
                if case.path.is_some_and(|path| case.facts.is_segment(path)) { "is" } else { "is called" };
            return Some(format!("It {is} in `{caller}`."));
        }
        let waits = same.filter(|(_, other)| own.1 == other.1).filter_map(|(case, _)| waits_in(case));
        let caller = differing(waits_in(case)?, waits)?;
        Some(format!("They wait for it in `{caller}`."))
    };
    cases.iter().zip(&words).map(of).collect()
}

/// The call path that is late. Locks have none of their own: all that hold one are late.
fn late_in<'a>(case: &Case<'a>) -> Option<&'a [String]> {
    Some(case.path.filter(|_| case.mechanism != Mechanism::Lock)?.names)
}

/// The call path of the call that waits the most.
fn waits_in<'a>(case: &Case<'a>) -> Option<&'a [String]> {
    Some(&case.findings().next()?.call_path)
}

/// The callers of a call path that not all of these call paths have; none if all have the same.
fn differing<'a>(path: &[String], all: impl Iterator<Item = &'a [String]> + Clone) -> Option<String> {
    let own = &before(path)[in_common(all.clone())..];
    (callers(all).len() > 1 && !own.is_empty()).then(|| shown(own))
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
        format!("in `{}`{place}", short(&of.function))
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
    let (lost, all) = (duration(case.seconds()), duration(facts.analysis.basis.location_seconds));
    if let Some(idle) = &case.idle {
        let barrier =
            idle.barriers.first().and_then(|&(barrier, _)| region_at(facts, barrier)).unwrap_or_default();
        let units: Vec<u32> = idle.units.keys().copied().collect();
        let who = subject(facts, &units);
        let stay = match (idle.tasks.is_empty(), case.effects.is_empty()) {
            (true, _) => agree(&units, "stays", "stay").to_owned(),
            (false, true) => format!("{} without a task", agree(&units, "is", "are")),
            (false, false) => {
                format!(
                    "{}, or {} without a task,",
                    agree(&units, "waits", "wait"),
                    agree(&units, "is", "are")
                )
            }
        };
        let others = idle.barriers.iter().skip(1).filter(|(_, seconds)| *seconds > 0.0).count();
        let more = others_in_words(" and", others);
        return format!("{who} {stay} in {barrier}{more}: {lost} of {all}.");
    }
    let Some(first) = case.findings().next() else { return String::new() };
    let place = match place(case) {
        // The sentence before has named it.
        Some(place) if case.mechanism == Mechanism::Lock && place == region(case) => "there".to_owned(),
        Some(place) => format!("in {place}"),
        None if case.mechanism == Mechanism::Serial => "outside of parallel regions".to_owned(),
        None => "in the program".to_owned(),
    };
    let (here, elsewhere) = case.waiting_in(|finding| call(finding) == call(first));
    let others = case.findings().map(call).collect::<BTreeSet<_>>().len() - 1;
    let them = match elsewhere.iter().all(|unit| here.contains(unit)) {
        true => " and".to_owned(),
        false => format!(", {} in", object(facts, &elsewhere)),
    };
    let more = others_in_words(&them, others);
    let wait = agree(&here, "waits", "wait");
    format!("{} {wait} {place}{more}: {lost} of {all}.", subject(facts, &here))
}

/// The number of other calls: ` and 2 other calls`.
fn others_in_words(them: &str, others: usize) -> String {
    match others {
        0 => String::new(),
        1 => format!("{them} one other call"),
        more => format!("{them} {more} other calls"),
    }
}

/// The places that most of the seconds are lost in, the largest first: `3.00 s in f (a.c:1), 2.00 s in g (a.c:9) and
/// 500 ms in 7 others`; none if there is only one.
pub(super) fn most(places: impl Iterator<Item = (Option<String>, f64)>) -> Option<String> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (place, seconds) in places.filter(|(_, seconds)| *seconds > 0.0) {
        *sums.entry(place?).or_default() += seconds;
    }
    let mut places: Vec<(String, f64)> = sums.into_iter().collect();
    places.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let (named, others) = places.split_at(places.len().min(NAMED));
    let mut parts: Vec<String> =
        named.iter().map(|(place, seconds)| format!("{} in {place}", duration(*seconds))).collect();
    if !others.is_empty() {
        let seconds = others.iter().fold(0.0, |sum, (_, seconds)| sum + seconds);
        let plural = if others.len() == 1 { "" } else { "s" };
        parts.push(format!("{} in {} other{plural}", duration(seconds), others.len()));
    }
    let (last, first) = parts.split_last().filter(|(_, first)| !first.is_empty())?;
    Some(format!("{} and {last}", first.join(", ")))
}

/// The call that waits the most, and its place in the source; none outside all calls.
fn place(case: &Case<'_>) -> Option<String> {
    region_at(case.facts, Place::of_finding(case.findings().next()?))
}

/// Identity of a call that waits: one at several call paths is one, if the trace has its place.
fn call(finding: &Finding) -> (Option<&CallSite>, &[String], &str) {
    let path = &finding.call_path[..];
    match &finding.call_site {
        Some(site) => (Some(site), &path[path.len().saturating_sub(1)..], ""),
        None => (None, path, &finding.id),
    }
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

/// The region that the culprits are late in: `` `solve` (heat.c:112) ``; of a lock, the call or construct that gets it.
pub(super) fn region(case: &Case<'_>) -> String {
    let lock = case.findings().next().filter(|_| case.mechanism == Mechanism::Lock).map(Place::of_finding);
    match lock.or(case.path) {
        None => "a place that the trace does not show".to_owned(),
        Some(path) if case.facts.is_segment(path) => segment(&with_begins(case, path)),
        Some(path) => code(case.facts, path),
    }
}

/// The last region of a call path and its place in the source.
pub(super) fn code(facts: &Facts<'_>, path: Place<'_>) -> String {
    region_at(facts, path).unwrap_or_else(|| "code outside all recorded regions".to_owned())
}

/// The word for visits to the end of a call path.
pub(super) fn visits(facts: &Facts<'_>, path: Place<'_>) -> &'static str {
    if facts.is_segment(path) { "passes through" } else { "calls of" }
}

/// The name of a segment with all places that it begins at: `step between halo.c:31 (or init.c:8) and norm.c:12`.
fn with_begins(case: &Case<'_>, path: Place<'_>) -> String {
    let Some((name, end)) = path.names.last().and_then(|name| name.rsplit_once(" and ")) else {
        return path.names.last().cloned().unwrap_or_default();
    };
    let first = begin_of_segment(path.names.last().map_or("", String::as_str)).unwrap_or_default();
    let names = case.paths.iter().filter_map(|path| path.names.last());
    let begins: BTreeSet<&str> = names.map(|name| begin_of_segment(name).unwrap_or_default()).collect();
    let others: Vec<&str> = begins.into_iter().filter(|begin| *begin != first).collect();
    match others[..] {
        [] => format!("{name} and {end}"),
        [""] => format!("{name} (or the begin) and {end}"),
        [other] => format!("{name} (or {other}) and {end}"),
        [..] => format!("{name} (or {} other calls) and {end}", others.len()),
    }
}

/// The last region of a call path and its place in the source; `None` outside all regions.
pub(super) fn region_at(facts: &Facts<'_>, path: Place<'_>) -> Option<String> {
    let last = path.names.last()?;
    if facts.is_segment(path) {
        return Some(segment(last));
    }
    Some(match (facts.source(path), path.site) {
        (None, Some(site)) => format!("`{}` ({})", short(last), site.short()),
        (source, _) => named(last, source),
    })
}

/// A segment of code, with its function in backticks: `` `step` between halo.c:31 and norm.c:12 ``.
fn segment(name: &str) -> String {
    const ENDS: [&str; 2] = [" or its callers between ", " between "];
    let parts = ENDS.iter().find_map(|ends| Some((name.split_once(ends)?, ends)));
    match parts {
        Some(((function, rest), ends)) if function != "code" => format!("`{}`{ends}{rest}", short(function)),
        _ => name.to_owned(),
    }
}

/// A region and its place in the source, if that is known: `` `solve` (heat.c:112) ``.
fn named(region: &str, source: Option<SourceLine>) -> String {
    match source {
        None => format!("`{}`", short(region)),
        Some(SourceLine { file, line }) => {
            let file = file.rsplit('/').next().unwrap_or(&file);
            format!("`{}` ({file}:{line})", short(without_place(region)))
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
