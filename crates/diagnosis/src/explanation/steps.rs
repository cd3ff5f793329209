//! The passes in which a location is late, if it is not late in all: its waits tell when.
//!
//! A profile knows how often code is passed, and not when. But each late pass makes others wait, so the ends of these
//! waits are those of late passes, and the time that is left before and after them is that of the others.

use super::case::Case;
use super::waits::Span;

/// The late passes of a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LatePasses {
    /// All of them, as far as the waits show.
    All,
    /// So many of them.
    Some(usize, When),
    /// Not all, or by very different times, and the waits do not show which.
    Unknown,
}

/// The times of late passes, in seconds since the first event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum When {
    /// The last ones, from a time on.
    From(f64),
    /// The first ones, until a time.
    Until(f64),
    /// In a row, between two times.
    Between(f64, f64),
    /// One of so many.
    OneOf(usize),
    /// In no order that the waits show.
    Scattered,
}

/// The least part of the longest waits, but for a tenth of them, that makes a pass a late one. A location whose lateness
/// varies by a half is late each time; what noise adds to other passes is less.
const LATE: f64 = 0.5;

/// The largest part of a late pass's wait that is waited in another one. With a higher value passes that all are late, by more and
/// by less on a busy machine, are divided somewhere; with a lower one noise in the others hides those that are late.
const APART: f64 = 0.5;

/// The part of all passes from which a location is late in each: a few that another location delayed more do not count, nor
/// does one of a few, since others have to start before they wait. With a lower value a location that is late from its third
/// step on is late in each, with a higher one noise makes it late in some.
const ALL: f64 = 0.9;

/// The fewest late passes that show an order.
const FEWEST: usize = 3;

/// The largest ratio between the time from a late pass to the next and the median one, if they come in a row or regularly: but
/// for a tenth of the shortest and of the longest, since other programs delay a pass now and then. A pass that is left out
/// makes it 2.
const REGULAR: f64 = 1.5;

/// The part of the time that the other passes need at least before or after late ones in a row: half, since the length of
/// those is estimated from that of the late ones.
const OTHERS: f64 = 0.5;

/// The largest growth of the waits, from the mean of the first third to that of the last, of passes that are late by as
/// much. Where it grows further, late passes are only the larger ones.
const GROWS: f64 = 1.25;

/// The part of all passes that are late at least on a busy machine if all are: in a third, others come last or the late one is
/// early for what the others lack. With a higher value the noise of a machine hides that a location is late each time, with a
/// lower one a location that is late from the middle on is late in each.
const MOST: f64 = 2.0 / 3.0;

/// The late passes of the worst culprit, of so many passes.
pub(super) fn late_passes(case: &Case<'_>, passes: f64) -> LatePasses {
    let facts = case.facts;
    let Some(steps) = steps(case) else { return LatePasses::All };
    let mut longest: Vec<u64> = steps.iter().map(Span::ticks).collect();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&usual) = longest.get(longest.len() / 10) else { return LatePasses::All };
    let usual = usual as f64;
    let late: Vec<Span> = steps.into_iter().filter(|step| step.ticks() as f64 >= LATE * usual).collect();
    let number = late.len();
    if number < FEWEST || number as f64 >= (ALL * passes).min(passes - 1.0) || grows(&late) {
        return LatePasses::All;
    }
    // On a busy machine, others come last now and then, and it is late in these passes as well.
    let is_busy = facts.lacks_processors;
    let all_or_unknown = match is_busy && (number as f64) < MOST * passes {
        true => LatePasses::Unknown,
        false => LatePasses::All,
    };
    if case.only_unit().is_none() || !are_apart(&longest, number) {
        return all_or_unknown;
    }
    let mut gaps: Vec<u64> = late.windows(2).map(|pair| pair[1].end - pair[0].end).collect();
    gaps.sort_unstable();
    let gap = gaps[gaps.len() / 2] as f64;
    let tenth = gaps.len() / 10;
    let [shortest, longest] = [gaps[tenth], gaps[gaps.len() - 1 - tenth]].map(|gap| gap as f64);
    let are_regular = shortest * REGULAR >= gap && longest <= REGULAR * gap;
    let scattered = if is_busy { all_or_unknown } else { LatePasses::Some(number, When::Scattered) };
    if !are_regular {
        return scattered;
    }
    let (first, last) = (late[0].begin, late[number - 1].end);
    let (begin, end) = facts.span;
    let others = (passes - number as f64) * (gap - usual).max(0.0);
    let is_time = |from: u64, to: u64| to.saturating_sub(from) as f64 >= OTHERS * others;
    let seconds = |ticks: u64| facts.clock.seconds(ticks.saturating_sub(facts.clock.offset));
    let of = (passes / number as f64).round() as usize;
    let when = match (is_time(begin, first), is_time(last, end)) {
        _ if others == 0.0 => return scattered,
        (true, true) => When::Between(seconds(first), seconds(last)),
        (true, false) => When::From(seconds(first)),
        (false, true) => When::Until(seconds(last)),
        (false, false) if of > 1 => When::OneOf(of),
        (false, false) => return scattered,
    };
    LatePasses::Some(number, when)
}

/// Seconds that the only culprit is late by in its first pass and in its last, if it is later and later.
pub(super) fn growth(case: &Case<'_>) -> Option<[f64; 2]> {
    let steps = steps(case).filter(|_| case.only_unit().is_some())?;
    if steps.len() < 3 * FEWEST {
        return None;
    }
    let middle = (steps.len() - 1) as f64 / 2.0;
    let mean = steps.iter().map(|step| step.ticks() as f64).sum::<f64>() / steps.len() as f64;
    let (mut of_passes, mut of_waits, mut of_both) = (0.0, 0.0, 0.0);
    for (number, step) in steps.iter().enumerate() {
        let (pass, wait) = (number as f64 - middle, step.ticks() as f64 - mean);
        of_passes += pass * pass;
        of_waits += wait * wait;
        of_both += pass * wait;
    }
    let grown = of_both / of_passes * middle;
    let [first, last] = [(mean - grown).max(0.0), mean + grown];
    let is_line = of_both * of_both >= LINE * of_passes * of_waits;
    let clock = case.facts.clock;
    (is_line && last > GROWS * first).then(|| [first, last].map(|ticks| clock.seconds(ticks as u64)))
}

/// The least coefficient of determination of waits that grow in a line: those that are late from the middle on have 0.75.
/// With a higher value noise hides growth, with a lower one later passes that are late alike look as if they grew.
const LINE: f64 = 0.85;

/// The waits for the worst culprit in order, with those at the same time as one, as they are of one pass; `None` if they are
/// not all known.
fn steps(case: &Case<'_>) -> Option<Vec<Span>> {
    let &(worst, _) = case.units.first().filter(|_| case.facts.waits.one_of() == 1)?;
    let mut waits: Vec<Span> = case.waits().filter(|wait| wait.awaited() == Some(worst)).copied().collect();
    waits.sort_unstable_by_key(|wait| (wait.begin, wait.end));
    let mut steps: Vec<Span> = Vec::new();
    for wait in waits {
        match steps.last_mut().filter(|step| wait.begin < step.end) {
            Some(step) => step.end = step.end.max(wait.end),
            None => steps.push(wait),
        }
    }
    Some(steps)
}

/// Whether the first so many waits are longer than the others, but for a tenth of each.
fn are_apart(longest_first: &[u64], number: usize) -> bool {
    let (late, others) = longest_first.split_at(number);
    let other = others.get(others.len() / 10).copied().unwrap_or(0);
    other as f64 <= APART * late[number - 1 - number / 10] as f64
}

/// Whether passes are later and later.
fn grows(late: &[Span]) -> bool {
    let mean = |of: &[Span]| of.iter().map(Span::ticks).sum::<u64>() as f64 / of.len() as f64;
    let third = late.len() / 3;
    mean(&late[late.len() - third..]) > GROWS * mean(&late[..third])
}
