//! Threads that have nothing to do: their master executes serial code, or a region that they are not in.

use ats_model::{CallPathId, WaitState};
use rustc_hash::FxHashMap;

use crate::account::{Sum, TEAM};
use crate::call::Frame;
use crate::team::Member;
use crate::time::Picoseconds;
use crate::world::{Location, World};

/// How long something took, and how often it was there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Time {
    ticks: Picoseconds,
    instances: u64,
}

impl Time {
    fn add(&mut self, ticks: Picoseconds) {
        self.ticks += ticks;
        self.instances += u64::from(ticks > 0);
    }
}

/// What a master does outside and inside parallel regions.
#[derive(Debug)]
pub(crate) struct Serial {
    last: Picoseconds,
    /// Call path of the outermost parallel region that it is in.
    region: Option<CallPathId>,
    exclusive: FxHashMap<CallPathId, Time>,
    regions: FxHashMap<CallPathId, Time>,
    /// Threads that have worked in teams in the region that it is in.
    members: Vec<u32>,
}

impl Serial {
    /// Of a master that begins at `begin`.
    pub(crate) fn new(begin: Picoseconds) -> Self {
        Serial {
            last: begin,
            region: None,
            exclusive: FxHashMap::default(),
            regions: FxHashMap::default(),
            members: Vec::new(),
        }
    }

    /// Until `now` it was at this call path.
    pub(crate) fn pass(&mut self, path: CallPathId, now: Picoseconds) {
        if self.region.is_none() && now > self.last {
            self.exclusive.entry(path).or_default().add(now - self.last);
        }
        self.last = now;
    }
}

impl World<'_> {
    /// The thread that runs has entered an outermost parallel region.
    pub(crate) fn enter_parallel(&mut self) {
        let path = self.here().call_path;
        if let Some(serial) = self.serial.get_mut(self.current) {
            serial.region = Some(path);
        }
    }

    /// The thread that runs leaves the region of a team that it has started.
    pub(crate) fn leave_parallel(&mut self, frame: &Frame) {
        let thread = &self.threads.of[self.current];
        let (rank, is_outermost) =
            (thread.rank as usize, thread.path.is_empty() && thread.member_of.len() == 1);
        let Some(&Member { team, .. }) = thread.member_of.last() else { return };
        let leave = frame.pinned_leave().unwrap_or(self.here().clock);
        let ticks = leave.saturating_sub(frame.enter);
        let Some(serial) = self.serial.get_mut(rank) else { return };
        let Some(path) = serial.region else { return };
        for &member in &self.threads.teams[team as usize].members[1..] {
            self.threads.of[member as usize].busy_now += ticks;
            serial.members.push(member);
        }
        if is_outermost {
            for member in serial.members.drain(..) {
                let thread = &mut self.threads.of[member as usize];
                let busy_now = std::mem::take(&mut thread.busy_now);
                let busy = thread.busy.entry(path).or_default();
                busy.ticks += busy_now;
                busy.instances += u64::from(busy_now > 0 && busy_now >= ticks);
            }
            serial.regions.entry(path).or_default().add(ticks);
            serial.region = None;
            serial.last = leave;
        }
    }

    /// The program of the location that runs is done, or its measured part is.
    pub(crate) fn end_serial(&mut self, rank: usize) {
        let Location { call_path, clock, .. } = self.locations[rank];
        if let Some(serial) = self.serial.get_mut(rank) {
            serial.pass(call_path, clock);
        }
    }

    /// What a location idles.
    pub(crate) fn idle_sums(&self, location: usize) -> Vec<Sum> {
        let Some(thread) = self.threads.of.get(location).filter(|thread| thread.number > 0) else {
            return Vec::new();
        };
        let Some(serial) = self.serial.get(thread.rank as usize) else { return Vec::new() };
        let sum = |state, call_path, ticks, instances| Sum {
            call_path,
            communicator: TEAM,
            state: Some(state),
            waiting: ticks,
            physical: ticks,
            instances,
        };
        let outside = serial
            .exclusive
            .iter()
            .map(|(&path, time)| sum(WaitState::IdleThreads, path, time.ticks, time.instances));
        let lacking = serial.regions.iter().filter_map(|(&path, time)| {
            let busy = thread.busy.get(&path).copied().unwrap_or_default();
            let (ticks, instances) =
                (time.ticks.saturating_sub(busy.ticks), time.instances.saturating_sub(busy.instances));
            (ticks > 0).then(|| sum(WaitState::LimitedParallelism, path, ticks, instances))
        });
        outside.chain(lacking).collect()
    }
}
