//! Parts of a run that changes concern: regions, ranks, threads, a span of time.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use glob::Pattern;
use thiserror::Error;

use super::segment::{Segment, SegmentError};

/// A part of a run. It is what all of its conditions hold for; without any, it is the whole run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The names of the regions; what happens inside of one belongs to it.
    pub regions: Option<Pattern>,
    /// The names of the regions around these; anywhere if they are not given.
    pub within: Option<Pattern>,
    /// The code between two calls, outside of teams; in the place of regions.
    pub segment: Option<Segment>,
    /// The ranks.
    pub ranks: Option<RangeInclusive<u32>>,
    /// The threads, by their number in the process.
    pub threads: Option<RangeInclusive<u32>>,
    /// The time from the begin of the trace, in seconds.
    pub seconds: Option<(f64, f64)>,
}

/// A selection that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// It is empty.
    #[error(
        "nothing is selected; name a region, between:PLACE..PLACE, in:REGION, rank:FIRST-LAST, \
         thread:FIRST-LAST or time:FROM-TO"
    )]
    Empty,
    /// A pattern of regions is malformed.
    #[error(
        "`{pattern}` is no pattern of regions: {reason}; `*` and `?` stand for any text and any character"
    )]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The mistake.
        reason: String,
    },
    /// A range of numbers is malformed.
    #[error("`{0}` is no range of numbers; write one such as 3 or 0-7")]
    Range(String),
    /// A span of time is malformed.
    #[error("`{0}` is no span of time; write seconds from the begin of the trace, such as 1.5-2")]
    Time(String),
    /// A segment cannot be read.
    #[error(transparent)]
    Segment(#[from] SegmentError),
    /// There are both regions and a segment.
    #[error(
        "code between two calls is no region; give `between:` or regions, or `in:` for what is around it"
    )]
    RegionsAndSegment,
    /// The same condition is given twice.
    #[error("`{0}` is given twice; give each condition once")]
    Twice(&'static str),
}

fn range(text: &str) -> Result<RangeInclusive<u32>, SelectionError> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>();
    match (number(first), number(last)) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err(SelectionError::Range(text.to_owned())),
    }
}

fn seconds(text: &str) -> Result<(f64, f64), SelectionError> {
    let wrong = || SelectionError::Time(text.to_owned());
    let (from, to) = text.split_once('-').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().trim_end_matches('s').parse::<f64>().map_err(|_| wrong());
    let (from, to) = (number(from)?, number(to)?);
    if from >= 0.0 && from < to { Ok((from, to)) } else { Err(wrong()) }
}

fn pattern(text: &str) -> Result<Pattern, SelectionError> {
    Pattern::new(text)
        .map_err(|error| SelectionError::Pattern { pattern: text.to_owned(), reason: error.msg.to_owned() })
}

/// Puts a condition where there is none yet.
fn set<T>(place: &mut Option<T>, value: T, name: &'static str) -> Result<(), SelectionError> {
    if place.replace(value).is_some() { Err(SelectionError::Twice(name)) } else { Ok(()) }
}

impl FromStr for Selection {
    type Err = SelectionError;

    /// Reads conditions between semicolons, such as `solve*;rank:0-3`.
    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let mut selection = Selection::default();
        for condition in text.split(';').map(str::trim) {
            match condition.split_once(':') {
                Some(("rank", ranks)) => set(&mut selection.ranks, range(ranks)?, "rank")?,
                Some(("thread", threads)) => set(&mut selection.threads, range(threads)?, "thread")?,
                Some(("between", ends)) => set(&mut selection.segment, ends.parse::<Segment>()?, "between")?,
                Some(("in", regions)) => set(&mut selection.within, pattern(regions)?, "in")?,
                Some(("time", span)) => set(&mut selection.seconds, seconds(span)?, "time")?,
                _ if condition.is_empty() => return Err(SelectionError::Empty),
                _ => set(&mut selection.regions, pattern(condition)?, "a pattern of regions")?,
            }
        }
        if selection.regions.is_some() && selection.segment.is_some() {
            return Err(SelectionError::RegionsAndSegment);
        }
        if selection.regions.is_none() && selection.segment.is_none() {
            // All that is inside of a region is the region.
            selection.regions = selection.within.take();
        }
        Ok(selection)
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &RangeInclusive<u32>| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let conditions = [
            self.regions.as_ref().map(Pattern::to_string),
            self.segment.as_ref().map(|segment| format!("between:{segment}")),
            self.within.as_ref().map(|regions| format!("in:{regions}")),
            self.ranks.as_ref().map(|ranks| format!("rank:{}", range(ranks))),
            self.threads.as_ref().map(|threads| format!("thread:{}", range(threads))),
            self.seconds.map(|(from, to)| format!("time:{from}-{to}")),
        ];
        let conditions: Vec<String> = conditions.into_iter().flatten().collect();
        f.write_str(&conditions.join(";"))
    }
}
