//! The part of pass 1 that names the code of a program that marks no regions: by the calls before and after it.
//!
//! Time between two calls outside all regions belongs to a segment, a region of its own below the root of all call
//! paths. It is named when the second call is entered. Events that come just before it, such as the fork of a parallel
//! region, are held until then.

use ats_model::{CallPathId, Event, event::RegionRef};
use rustc_hash::FxHashMap;

use super::Scanner;
use crate::{
    records::threads::Serial,
    words::{regions::Ends, visits::Visits},
};

/// The code that a location is in, if it is outside all regions.
#[derive(Debug, Default)]
pub(super) struct Code {
    since: Option<Since>,
    /// Events that wait for the next region.
    held: Vec<(u64, Event)>,
    /// The call paths of the segments that the location has passed through.
    segments: FxHashMap<Ends, CallPathId>,
}

/// The begin of a segment.
#[derive(Clone, Copy, Debug)]
struct Since {
    /// The region that was left; none at the begin of the location.
    region: Option<RegionRef>,
    /// None before the first event.
    time: Option<u64>,
}

impl Code {
    /// The state before the first event: the main thread of a process is in code.
    pub(super) fn at_begin(is_main: bool) -> Self {
        let since = is_main.then_some(Since { region: None, time: None });
        Code { since, ..Code::default() }
    }

    /// Whether the location is outside all regions, behind one whose place is known, or at its begin.
    #[inline(always)]
    pub(super) fn is_between(&self) -> bool {
        self.since.is_some()
    }
}

impl Scanner<'_> {
    /// A region is left: code begins if it was the outermost one on the main thread, outside teams.
    #[inline]
    pub(super) fn code_begins(&mut self, time: u64, region: RegionRef) {
        if self.stack.is_empty()
            && self.regions.traits(region).has_place
            && self.open.base.is_phase()
            && !self.open.is_in_team()
            && self.definitions.locations[self.location].thread == 0
        {
            self.code.since = Some(Since { region: Some(region), time: Some(time) });
        }
    }

    /// Takes an event that comes in such code. Returns whether it is held.
    pub(super) fn passes_code(&mut self, time: u64, event: Event) -> bool {
        if let Some(since) = &mut self.code.since {
            since.time.get_or_insert(time);
        }
        match event {
            Event::ProgramBegin { .. } => return false,
            Event::Metric { .. } if self.code.held.is_empty() => return false,
            Event::ThreadFork { .. }
            | Event::ThreadTeamBegin { .. }
            | Event::Metric { .. }
            | Event::Attribute { .. } => {
                self.code.held.push((time, event));
                return true;
            }
            Event::Enter { region } if self.regions.traits(region).has_place => {
                self.end_segment(time, Some(region));
            }
            Event::ProgramEnd { .. } => self.end_segment(time, None),
            _ => {}
        }
        self.release_held();
        false
    }

    /// The location has ended: so has the code that it was in.
    pub(super) fn close_code(&mut self) {
        self.end_segment(self.last_time, None);
        self.release_held();
    }

    /// Takes the events that were held. What comes after them is not behind a known region.
    fn release_held(&mut self) {
        self.code.since = None;
        // The buffer is used again.
        let mut held = std::mem::take(&mut self.code.held);
        held.drain(..).for_each(|(time, event)| self.take(time, event));
        self.code.held = held;
    }

    /// A segment ends at a region, or with the location, unless nothing is known of either end.
    fn end_segment(&mut self, time: u64, region: Option<RegionRef>) {
        let end = self.code.held.first().map_or(time, |&(first, _)| first);
        if let Some(Since { region: from, time: Some(begin) }) = self.code.since
            && (from, region) != (None, None)
            && end > begin
        {
            self.pass_segment([from, region], begin, end);
        }
    }

    /// The location was in a segment for this time.
    fn pass_segment(&mut self, ends: Ends, begin: u64, end: u64) {
        let path = match self.code.segments.get(&ends) {
            Some(&path) => path,
            None => {
                let path = self.child(CallPathId::ROOT, self.regions.segment(ends));
                self.code.segments.insert(ends, path);
                path
            }
        };
        let base = self.open.base;
        let ticks = end.saturating_sub(begin);
        self.count_visit(path, Visits::one(ticks));
        if self.is_main_of_several {
            if ticks > 0 {
                self.scan.threads.serial.add(base, path, Serial { ticks, stretches: 1 });
            }
            self.open.serial_until = end;
        }
        if let Some(stops) = &mut self.scan.stops {
            let at = stops.at.replace((base, path));
            stops.spend(end);
            stops.at = at;
        }
    }
}
