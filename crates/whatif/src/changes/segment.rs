//! Segments: the code between leaving one call and entering the next, by the places of the calls.

use std::fmt;
use std::str::FromStr;

use ats_model::Definitions;
use ats_model::definitions::Region;
use ats_model::event::RegionRef;
use ats_model::mpi::Function;
use ats_model::openmp::{self, Construct};
use thiserror::Error;

use crate::error::WhatIfError;

/// Code between two calls of MPI or constructs of OpenMP, outside of teams. Regions that a program marks may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The call that is left.
    pub from: End,
    /// The call that is entered next.
    pub to: End,
}

/// A segment that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` names no code between two calls; write between:FROM..TO with the places of the calls, such as \
     halo.c:31..norm.c:12, with `begin` or `end` for those of the run, or with nothing for any"
)]
pub struct SegmentError(String);

/// The end of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Whatever is there.
    #[default]
    Any,
    /// The begin or the end of the run.
    OfRun,
    /// A call at a place, such as `heat.c:12`; one whose line is unknown by its function, such as `halo+0x1c`.
    Call(String),
}

impl End {
    fn new(text: &str, of_run: &str) -> Self {
        match text.trim() {
            "" => End::Any,
            text if text == of_run => End::OfRun,
            place => End::Call(place.to_owned()),
        }
    }

    fn in_words<'a>(&'a self, of_run: &'a str) -> &'a str {
        match self {
            End::Any => "",
            End::OfRun => of_run,
            End::Call(place) => place,
        }
    }
}

const BEGIN: &str = "begin";
const END: &str = "end";

impl FromStr for Segment {
    type Err = SegmentError;

    fn from_str(text: &str) -> Result<Self, SegmentError> {
        let wrong = || SegmentError(text.to_owned());
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let (from, to) = (End::new(from, BEGIN), End::new(to, END));
        if (&from, &to) == (&End::Any, &End::Any) { Err(wrong()) } else { Ok(Segment { from, to }) }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from.in_words(BEGIN), self.to.in_words(END))
    }
}

/// The place of a call or construct in the source.
fn place(region: &Region) -> Option<String> {
    let stands_at = || {
        let (file, line) = openmp::place(&region.name)?;
        Some(format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)))
    };
    region.call_site.as_ref().map(|site| site.place()).or_else(stands_at)
}

/// By region, whether it is a call or construct between which segments are.
pub(crate) fn calls(definitions: &Definitions) -> Vec<bool> {
    let is_call = |region: &Region| {
        region.call_site.is_some()
            || Function::of_spelling(&region.name).is_some()
            || Construct::of_region(&region.name).is_some()
    };
    definitions.regions.iter().map(is_call).collect()
}

/// A segment in one trace.
#[derive(Debug)]
pub(crate) struct Between {
    from: EndInTrace,
    to: EndInTrace,
}

#[derive(Debug)]
enum EndInTrace {
    Any,
    OfRun,
    /// By region, whether it is a call there.
    Calls(Vec<bool>),
}

impl Between {
    pub(crate) fn new(segment: &Segment, definitions: &Definitions) -> Result<Self, WhatIfError> {
        let end = |end: &End| match end {
            End::Any => Ok(EndInTrace::Any),
            End::OfRun => Ok(EndInTrace::OfRun),
            End::Call(at) => {
                let places = definitions.regions.iter().map(place);
                let calls: Vec<bool> = places.clone().map(|place| place.as_ref() == Some(at)).collect();
                if calls.contains(&true) {
                    Ok(EndInTrace::Calls(calls))
                } else {
                    Err(WhatIfError::unknown_place(at, places.flatten()))
                }
            }
        };
        Ok(Between { from: end(&segment.from)?, to: end(&segment.to)? })
    }

    /// Whether it is the code between these two; none is the begin, or the end, of the location.
    pub(crate) fn is_between(&self, from: Option<RegionRef>, to: Option<RegionRef>) -> bool {
        self.from.is_at(from) && self.to.is_at(to)
    }
}

impl EndInTrace {
    fn is_at(&self, call: Option<RegionRef>) -> bool {
        match (self, call) {
            (EndInTrace::Any, _) | (EndInTrace::OfRun, None) => true,
            (EndInTrace::Calls(calls), Some(call)) => calls.get(call.0 as usize).copied().unwrap_or(false),
            _ => false,
        }
    }
}
