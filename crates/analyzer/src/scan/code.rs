//! The part of pass 1 that names the code of a program that marks no regions: by the calls before and after it.
//!
//! Time between two calls outside all regions belongs to a segment, a region of its own below the root of all call
//! paths. It is named when the second call is entered. Events that come just before it, such as the fork of a parallel
//! region, are held until then.
//!
//! If the trace has the calls that lead to a call, their functions are regions around it, and the segment is in the
//! innermost function that contains both calls. Functions between a construct of OpenMP and what is entered in it are regions,
//! too, where the calling contexts of both are known, and so are functions between one that is recorded as a region and what is
//! entered in it.

use ats_model::{
    CallPathId, Event, definitions::CallingContext, event::CallingContextRef, event::RegionRef,
    own_attribute::Own,
};
use rustc_hash::FxHashMap;

use super::{Frame, Scanner};
use crate::{
    records::threads::Serial,
    words::{
        regions::{Around, Segment},
        visits::Visits,
    },
};

/// No calling context.
const NONE: u32 = u32::MAX;

/// The regions at the ends of a segment, each with its calling context.
type Ends = [(Option<RegionRef>, Option<u32>); 2];

/// The code that a location is in, if it is outside all regions.
#[derive(Debug, Default)]
pub(super) struct Code {
    since: Option<Since>,
    /// Events that wait for the next region.
    held: Vec<(u64, Event)>,
    /// Samples that wait for the name of the code.
    pub(super) samples: Vec<CallingContextRef>,
    /// The calling context of the region that is entered next, and that of the outermost one that was entered last.
    next: Option<u32>,
    last: Option<u32>,
    /// The call paths of the functions of calling contexts.
    functions: FxHashMap<u32, CallPathId>,
    /// The call paths around regions in others, and the calling contexts whose functions they have: by the call path of the
    /// other, the context whose functions that has, or [`NONE`] in a function that is a region, and the context of the region.
    within: FxHashMap<(CallPathId, u32, u32), (CallPathId, Option<u32>)>,
    /// The call paths of the segments that the location has passed through, by their ends and calling contexts.
    segments: FxHashMap<Ends, CallPathId>,
}

/// The begin of a segment.
#[derive(Clone, Copy, Debug)]
struct Since {
    /// The region that was left, and its calling context; none at the begin of the location.
    region: Option<RegionRef>,
    context: Option<u32>,
    /// None before the first event.
    time: Option<u64>,
}

impl Code {
    /// The state before the first event: the main thread of a process is in code.
    pub(super) fn at_begin(is_main: bool) -> Self {
        let since = is_main.then_some(Since { region: None, context: None, time: None });
        Code { since, ..Code::default() }
    }

    /// Takes the calling context that is noted for the region that is entered now.
    #[inline(always)]
    pub(super) fn take_context(&mut self) -> Option<u32> {
        self.next.take()
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
            let context = self.code.last;
            self.code.since = Some(Since { region: Some(region), context, time: Some(time) });
        }
    }

    /// Takes an event that comes in such code. Returns whether it is held.
    pub(super) fn passes_code(&mut self, time: u64, event: Event) -> bool {
        if let Some(since) = &mut self.code.since {
            since.time.get_or_insert(time);
        }
        match event {
            Event::ProgramBegin { .. } => return false,
            Event::Metric { .. } | Event::CallingContextSample { .. } if self.code.held.is_empty() => {
                return false;
            }
            // It names the code, so it is taken before the events that wait for the name.
            Event::Attribute { attribute, value }
                if self.messages.probes.meaning(attribute) == Some(Own::CallingContext) =>
            {
                self.note_context(value.bits);
                return true;
            }
            Event::ThreadFork { .. }
            | Event::ThreadTeamBegin { .. }
            | Event::Metric { .. }
            | Event::CallingContextSample { .. }
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
        self.count_waiting_samples(self.innermost_path());
        // The buffer is used again.
        let mut held = std::mem::take(&mut self.code.held);
        held.drain(..).for_each(|(time, event)| self.take(time, event));
        self.code.held = held;
    }

    /// A segment ends at a region, or with the location, unless nothing is known of either end.
    fn end_segment(&mut self, time: u64, region: Option<RegionRef>) {
        let end = self.code.held.first().map_or(time, |&(first, _)| first);
        if let Some(Since { region: from, context, time: Some(begin) }) = self.code.since
            && (from, region) != (None, None)
            && end > begin
        {
            let path = self.pass_segment([(from, context), (region, self.code.next)], begin, end);
            self.count_waiting_samples(path);
        }
    }

    /// The location was in a segment for this time. Returns its call path.
    fn pass_segment(&mut self, ends: Ends, begin: u64, end: u64) -> CallPathId {
        let path = match self.code.segments.get(&ends) {
            Some(&path) => path,
            None => {
                let path = self.segment(ends);
                self.code.segments.insert(ends, path);
                path
            }
        };
        let base = self.open.base;
        let ticks = end - begin;
        self.count_visit(path, Visits::one(ticks));
        if self.is_main_of_several {
            self.scan.threads.serial.add(base, path, Serial { ticks, stretches: 1 });
            self.open.serial_until = end;
        }
        if let Some(stops) = &mut self.scan.stops {
            let at = stops.at.replace((base, path));
            stops.spend(end);
            stops.at = at;
        }
        path
    }

    /// The call path of a segment.
    fn segment(&mut self, [(from, outer), (to, inner)]: Ends) -> CallPathId {
        let common = outer.zip(inner).and_then(|(outer, inner)| self.common(outer, inner));
        let function = common.map(|(context, is_forward)| {
            let &CallingContext { function, parent, .. } = self.context(context);
            Around { function, may_leave: !is_forward && parent.is_some() }
        });
        let parent = self.code_around(common.map(|(context, _)| context));
        self.child(parent, self.regions.segment(Segment { ends: [from, to], function }))
    }

    /// The calling context of the innermost function that contains two calls, and whether the second one stands behind the
    /// first there. If not, it is the next round of a loop, in this function or around a call of it.
    fn common(&self, one: u32, other: u32) -> Option<(u32, bool)> {
        let (one, other) = (self.chain(one), self.chain(other));
        let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        // The same function may make both calls on different lines.
        let differing = [&one, &other].map(|chain| Some(self.context(*chain.get(same)?)));
        match differing {
            [Some(from), Some(to)] if from.function == to.function => {
                Some((one[same], from.file == to.file && from.line < to.line))
            }
            _ => same.checked_sub(1).map(|last| (one[last], false)),
        }
    }

    fn context(&self, context: u32) -> &CallingContext {
        &self.definitions.calling_contexts[context as usize]
    }

    /// Notes the calling context of the region that is entered next.
    pub(super) fn note_context(&mut self, context: u64) {
        let number = u32::try_from(context).ok();
        let context = number.and_then(|number| self.definitions.calling_contexts.get(number as usize));
        self.code.next = match context {
            // That of the call itself, which is entered.
            Some(&CallingContext { function, parent, .. })
                if self.regions.traits(function).function.is_some() =>
            {
                parent
            }
            Some(_) => number,
            None => None,
        };
    }

    /// The call path around a region that is entered outside all others, by its calling context.
    #[inline]
    pub(super) fn enter_code(&mut self, context: Option<u32>) -> CallPathId {
        self.code.last = context;
        if context.is_none() { CallPathId::ROOT } else { self.code_around(context) }
    }

    /// The call path around the region that is entered next.
    pub(super) fn code_around_next(&mut self) -> CallPathId {
        match self.innermost() {
            Some(&frame) => self.enter_code_within(frame, self.code.next).0,
            None if self.open.base.is_phase() => self.code_around(self.code.next),
            None => CallPathId::ROOT,
        }
    }

    /// The call path around a region that is entered in another, by its calling context, and the calling context whose
    /// functions that path has.
    #[inline]
    pub(super) fn enter_code_within(
        &mut self,
        frame: Frame,
        context: Option<u32>,
    ) -> (CallPathId, Option<u32>) {
        let Frame { path, around, region, traits, .. } = frame;
        match (around, context) {
            (Some(around), Some(context)) => self.code_within(path, around, context),
            (None, Some(context)) if traits.is_function => self.code_behind(path, region, context),
            _ => (path, around),
        }
    }

    /// As [`Scanner::enter_code_within`], in a function that is a region itself, as are the functions around it, unless they
    /// are not instrumented: only functions behind the last call of it are new.
    #[inline(never)]
    fn code_behind(
        &mut self,
        path: CallPathId,
        region: RegionRef,
        context: u32,
    ) -> (CallPathId, Option<u32>) {
        let key = (path, NONE, context);
        if let Some(&known) = self.code.within.get(&key) {
            return known;
        }
        let functions = self.chain(context).into_iter().map(|context| self.context(context).function);
        let functions: Vec<RegionRef> = functions.collect();
        let own = functions.iter().rposition(|&function| function == region);
        let inner = own.map_or(&[][..], |own| &functions[own + 1..]);
        let found = (inner.iter().fold(path, |path, &function| self.child(path, function)), Some(context));
        self.code.within.insert(key, found);
        found
    }

    #[inline(never)]
    fn code_within(&mut self, path: CallPathId, around: u32, context: u32) -> (CallPathId, Option<u32>) {
        let key = (path, around, context);
        if let Some(&known) = self.code.within.get(&key) {
            return known;
        }
        let (outer, all) = (self.chain(around), self.chain(context));
        let function = |&context: &u32| self.context(context).function;
        let found = match all.split_at_checked(outer.len()) {
            Some((same, inner)) if same.iter().map(function).eq(outer.iter().map(function)) => {
                let inner: Vec<RegionRef> = inner.iter().map(function).collect();
                (inner.into_iter().fold(path, |path, function| self.child(path, function)), Some(context))
            }
            _ => (path, Some(around)),
        };
        self.code.within.insert(key, found);
        found
    }

    /// A calling context and those around it, the outermost first.
    fn chain(&self, context: u32) -> Vec<u32> {
        let mut chain: Vec<u32> =
            std::iter::successors(Some(context), |&context| self.context(context).parent).collect();
        chain.reverse();
        chain
    }

    /// The call path of the function of a calling context.
    fn code_around(&mut self, context: Option<u32>) -> CallPathId {
        let mut unknown = Vec::new();
        let (mut path, mut next) = (CallPathId::ROOT, context);
        while let Some(context) = next {
            if let Some(&known) = self.code.functions.get(&context) {
                path = known;
                break;
            }
            unknown.push(context);
            next = self.context(context).parent;
        }
        for context in unknown.into_iter().rev() {
            path = self.child(path, self.context(context).function);
            self.code.functions.insert(context, path);
        }
        path
    }
}
