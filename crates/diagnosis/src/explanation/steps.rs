//! The passes in which a location is late, if it is not late in all: its waits tell when.
//!
//! A profile knows how often code is passed, and not when. But each late pass makes others wait, so the ends of these
//! waits are those of late passes, and the time that is left before and after them is that of the others.

use super::case::Case;
use super::waits::Span;

/// The late passes of a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LatePasses {
    /// Their number.
    pub(super) number: usize,
    pub(super) when: When,
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

/// The part of all passes from which a location is late in each: a few that another location delayed more do not count.
const ALL: f64 = 0.9;

/// The fewest late passes that show an order.
const FEWEST: usize = 3;

/// The largest ratio between the time from a late pass to the next and the median one, if they come in a row or regularly. A pass
/// that is left out makes it 2.
const REGULAR: f64 = 1.5;

/// The part of the time that the other passes need at least before or after late ones in a row: half, since the length of
/// those is estimated from that of the late ones.
const OTHERS: f64 = 0.5;

/// The largest growth of the waits, from the mean of the first third to that of the last, of passes that are late by as
/// much. Where it grows further, late passes are only the larger ones.
const GROWS: f64 = 1.25;

/// The late passes of the only culprit, of so many passes; `None` if all are late, or if it is not known.
pub(super) fn late_passes(case: &Case<'_>, passes: f64) -> Option<LatePasses> {
    let facts = case.facts;
    let worst = case.only_unit()?;
    if facts.waits.one_of() > 1 {
        return None;
    }
    let steps = steps(case.waits().filter(|wait| wait.awaited() == Some(worst)));
    let mut longest: Vec<u64> = steps.iter().map(Span::ticks).collect();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    let usual = *longest.get(longest.len() / 10)? as f64;
    let late: Vec<Span> = steps.into_iter().filter(|step| step.ticks() as f64 >= LATE * usual).collect();
    let number = late.len();
    if number < FEWEST || number as f64 >= ALL * passes || grows(&late) {
        return None;
    }
    let mut gaps: Vec<u64> = late.windows(2).map(|pair| pair[1].end - pair[0].end).collect();
    gaps.sort_unstable();
    let gap = gaps[gaps.len() / 2] as f64;
    let are_regular = gaps[0] as f64 * REGULAR >= gap && gaps[gaps.len() - 1] as f64 <= REGULAR * gap;
    // On a busy machine, others come last now and then, and it is late in these passes as well.
    let scattered = (!facts.lacks_processors).then_some(LatePasses { number, when: When::Scattered });
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
    Some(LatePasses { number, when })
}

/// The waits for a location in order, with those at the same time as one: they are of one pass.
fn steps<'w>(waits: impl Iterator<Item = &'w Span>) -> Vec<Span> {
    let mut waits: Vec<Span> = waits.copied().collect();
    waits.sort_unstable_by_key(|wait| (wait.begin, wait.end));
    let mut steps: Vec<Span> = Vec::new();
    for wait in waits {
        match steps.last_mut().filter(|step| wait.begin < step.end) {
            Some(step) => step.end = step.end.max(wait.end),
            None => steps.push(wait),
        }
    }
    steps
}

/// Whether passes are later and later.
fn grows(late: &[Span]) -> bool {
    let mean = |of: &[Span]| of.iter().map(Span::ticks).sum::<u64>() as f64 / of.len() as f64;
    let third = late.len() / 3;
    mean(&late[late.len() - third..]) > GROWS * mean(&late[..third])
}
