//! The actions of a thread in OpenMP, as events in its buffer: its state here, its events by construct in the modules
//! below.
//!
//! Two things are known only later. A construct with a barrier at its end is over for the runtime before that barrier
//! begins, but for the trace after it: whether there is one shows the next event. And a request for a lock that is not
//! followed by having it was a test.

pub(crate) mod barriers;
mod constructs;
#[cfg(test)]
mod listing;
pub(crate) mod locks;
pub(crate) mod tasks;
mod teams;

use std::mem::ManuallyDrop;
use std::sync::Arc;

use ats_model::event::{RegionRef, TaskId, TeamRef};
use ats_model::openmp::Construct;
use ats_model::own_attribute::Own;
use ats_trace::parts::calling_context;
use rustc_hash::FxHashMap;

use super::lock::Lock;
use super::open::{After, Buffer, Open};
use super::team::Team;
use crate::call_site::{self, Caller};
use crate::stack::Entry;
use crate::{region, stack};

/// The state of a thread in OpenMP.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// In its process; 0 is the one that loaded the recorder.
    pub(crate) number: u32,
    /// From the outermost to the one it works in.
    teams: Vec<Membership>,
    /// Teams that it has started and that are not gone, from the outermost. When recording ends in the middle of a
    /// region, the runtime goes on naming its team, which therefore stays.
    started: Vec<ManuallyDrop<Arc<Team>>>,
    /// Explicit tasks that it has begun and not ended, each within the one before.
    tasks: Vec<Running>,
    held: Vec<Held>,
    unsettled: Option<Unsettled>,
    tasks_created: u32,
    /// So many numbers of threads are kept for its teams.
    reserved: u32,
    /// The calls that lead to its events.
    stacks: stack::Recent,
    regions: FxHashMap<(usize, Construct), RegionRef>,
    locks: FxHashMap<u64, &'static Lock>,
}

#[derive(Debug)]
struct Membership {
    team: Arc<Team>,
    index: u32,
    /// The number of things open before.
    depth: usize,
    had_barrier: bool,
}

/// A task as its creator made it.
#[derive(Debug)]
pub(crate) struct Task {
    /// None outside of parallel regions.
    team: Option<TeamRef>,
    id: TaskId,
    region: RegionRef,
}

#[derive(Debug)]
struct Running {
    task: *const Task,
    /// The number of things open before.
    depth: usize,
}

// SAFETY: the pointer is an identity; what it points to stays while the task runs, and is never changed.
#[allow(unsafe_code, reason = "buffers move between threads")]
unsafe impl Send for Running {}

/// A lock that this thread has.
#[derive(Debug)]
struct Held {
    identity: u64,
    order: u32,
}

#[derive(Clone, Copy, Debug)]
enum Unsettled {
    /// The construct that is innermost was over at this time, unless a barrier of it follows.
    Over(u64),
    /// A lock was requested at this time, with this call.
    Request(u64, Construct, Option<u32>),
}

impl Thread {
    pub(crate) fn new(number: u32) -> Self {
        Thread { number, ..Thread::default() }
    }

    pub(crate) fn forget_addresses(&mut self) {
        self.regions.clear();
        self.stacks = stack::Recent::default();
    }

    /// The number of a call that enters this region, with the calls that lead to it. On a worker of a team, those that lead
    /// to its parallel region are the master's.
    #[inline]
    pub(crate) fn call(&mut self, caller: Caller, region: RegionRef) -> Option<u32> {
        let started = self.started_by().flatten();
        self.stacks.call(Entry { caller, region, place: 0, started })
    }

    /// The call that started the outermost team that the thread works for, if it does; none if that has no stack.
    #[inline]
    fn started_by(&self) -> Option<Option<u32>> {
        self.teams.first().filter(|membership| membership.index > 0).map(|membership| membership.team.call)
    }

    /// As [`Thread::call`], of a construct that the thread comes to from this place, and whose region is that of `address`.
    ///
    /// None if stacks are not wanted, and within a region that the program marks, or a task, whose stack is that of the
    /// thread that executes it.
    #[inline]
    fn call_of_construct(
        &mut self,
        buffer: &Buffer,
        construct: Construct,
        address: usize,
        place: usize,
    ) -> Option<u32> {
        let is_marked = || buffer.has(|open| matches!(open, Open::Region(_)));
        if !call_site::are_stacks_wanted() || !self.tasks.is_empty() || is_marked() {
            return None;
        }
        let started = match self.started_by() {
            Some(None) => return None,
            started => started.flatten(),
        };
        let region = self.region(construct, address);
        self.stacks.call(Entry { caller: Caller::here(), region, place, started })
    }

    fn region(&mut self, construct: Construct, address: usize) -> RegionRef {
        let regions = &mut self.regions;
        *regions.entry((address, construct)).or_insert_with(|| region::of_construct(construct, address))
    }

    fn enter_construct(&mut self, buffer: &mut Buffer, ticks: u64, construct: Construct, address: usize) {
        let region = self.region(construct, address);
        buffer.begin(ticks, Open::Construct(construct, region));
    }

    /// Writes what was waiting for the next event, where that is of another kind.
    #[inline]
    pub(crate) fn settle(&mut self, buffer: &mut Buffer) {
        if self.unsettled.is_some() {
            self.settle_now(buffer);
        }
    }

    fn settle_now(&mut self, buffer: &mut Buffer) {
        match self.unsettled.take() {
            None => {}
            Some(Unsettled::Over(ticks)) => buffer.end(ticks),
            Some(Unsettled::Request(ticks, construct, call)) => {
                let test = match construct {
                    Construct::SetNestLock | Construct::TestNestLock => Construct::TestNestLock,
                    _ => Construct::TestLock,
                };
                note_call(buffer, ticks, call.filter(|_| construct == test));
                self.enter_construct(buffer, ticks, test, 0);
                buffer.end(ticks);
            }
        }
    }

    /// Writes all that is known. The thread must not go on.
    pub(crate) fn settle_all(&mut self, buffer: &mut Buffer) {
        self.settle(buffer);
        if let Some(Open::Barrier(_, After::TeamEnd)) = buffer.innermost()
            && let Some(end) = self.teams.last().and_then(|membership| membership.team.end())
        {
            self.leave_team(buffer, end);
        }
    }
}

/// Notes the call that the next event belongs to.
#[inline]
fn note_call(buffer: &mut Buffer, ticks: u64, call: Option<u32>) {
    if let Some(call) = call {
        let context = calling_context::of_call(call);
        buffer.push(ticks, Own::CallingContext.noted(context.into()));
    }
}

/// Leaves a construct, and the regions that were entered in it and never left.
fn leave_construct(buffer: &mut Buffer, ticks: u64, construct: Construct) {
    if let Some(depth) = buffer.find(|open| matches!(open, Open::Construct(of, _) if of == construct)) {
        buffer.end_to(ticks, depth);
    }
}
