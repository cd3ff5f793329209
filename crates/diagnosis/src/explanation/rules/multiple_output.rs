//! A location sends to several others one after the other, and each waits for its turn.

use std::collections::BTreeMap;

use ats_documents::explanation::CauseKind;

use crate::explanation::case::{Case, NEARLY_ALL};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::waits::Span;
use crate::explanation::wording::{object, percent, subject};

/// The least difference between the waits of two receivers that take turns, as a part of an equal share of the longest wait.
/// Sends one after the other differ by all of it, and locations that wait for one event by what a wake-up takes. A lower value
/// takes that for turns, a higher one loses senders whose first message takes longest.
const STEP: f64 = 0.05;

/// Fits if receivers that wait for one location at the same time get their messages at different times.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Data {
        return None;
    }
    let sender = case.only_unit()?;
    let mut waits: Vec<&Span> = case.waits().filter(|wait| wait.awaited() == Some(sender)).collect();
    waits.sort_unstable_by_key(|wait| wait.begin);
    let all: u64 = case.waits().map(Span::ticks).sum();
    let in_turns: u64 =
        groups(&waits).into_iter().filter(|group| is_in_turns(group)).flatten().map(Span::ticks).sum();
    let share = in_turns as f64 / all.max(1) as f64;
    (share >= 0.5).then(|| Fit {
        cause: CauseKind::MultipleOutput,
        confidence: NEARLY_ALL * share,
        what: format!("{} sends to one location after the other, and each waits for its turn.", subject(case.facts, &[sender])),
        evidence: vec![format!(
            "In {} of the time, several locations wait for {} and are served at different times.",
            percent(share),
            object(case.facts, &[sender])
        )],
        advice: "Send with a broadcast, or with a scatter if the contents differ; prepare messages before the first is \
                 due."
            .to_owned(),
    })
}

/// Waits, by begin, in groups: those of a group all begin before the first of them ends.
fn groups<'w>(waits: &[&'w Span]) -> Vec<Vec<&'w Span>> {
    let mut groups: Vec<Vec<&Span>> = Vec::new();
    let mut first_end = 0;
    for &wait in waits {
        match groups.last_mut().filter(|_| wait.begin < first_end) {
            Some(group) => {
                group.push(wait);
                first_end = first_end.min(wait.end);
            }
            None => {
                groups.push(vec![wait]);
                first_end = wait.end;
            }
        }
    }
    groups
}

/// Whether several locations wait, and their waits end one after the other.
fn is_in_turns(group: &[&Span]) -> bool {
    let longest = group.iter().map(|wait| wait.ticks()).max().unwrap_or(0) as f64;
    let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
    group.iter().for_each(|wait| *ends.entry(wait.location).or_default() = wait.end);
    let mut ends: Vec<u64> = ends.into_values().collect();
    ends.sort_unstable();
    let steps = ends
        .windows(2)
        .filter(|pair| (pair[1] - pair[0]) as f64 > STEP * longest / ends.len() as f64)
        .count();
    ends.len() > 1 && steps + 1 == ends.len()
}
