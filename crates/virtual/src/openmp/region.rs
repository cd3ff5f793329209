//! Parallel regions: how teams come and go.

use ats_model::CallPathId;
use ats_model::event::Event;
use ats_model::openmp::Construct;

use crate::kernel::call::Frame;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::openmp::body::Body;
use crate::openmp::rules::{Cause, wait_state};
use crate::openmp::state::Omp;
use crate::openmp::team::{Member, Team};

impl Omp {
    /// The thread that runs starts a team; all its members will execute `body`.
    pub(crate) fn fork(&mut self, kernel: &mut Kernel<'_>, threads: u32, body: Body) {
        let (master, rank) = (kernel.number(), kernel.rank() as u32);
        let thread = self.here(kernel);
        // A worker's path ends with its number in the first of its teams.
        let level = thread.path.len().saturating_sub(1) + thread.member_of.len();
        let mut base = thread.path.clone();
        base.resize(level, 0);
        let mut members = vec![master];
        for number in 1..threads {
            let mut path = base.clone();
            path.push(number);
            members.push(self.location_of(kernel, rank, path));
        }
        kernel.event(Event::ThreadFork { requested: threads });
        let (forked, call_path) = (kernel.now(), kernel.here().call_path);
        let team = Team::new(self.define_team(&members), members.clone());
        let number = self.free.pop().unwrap_or(self.teams.len() as u32);
        match self.teams.get_mut(number as usize) {
            Some(gone) => *gone = team,
            None => self.teams.push(team),
        }
        for &location in &members[1..] {
            let worker = &mut kernel.locations[location as usize];
            (worker.clock, worker.call_path) = (forked, call_path);
            self.threads[location as usize].body = Some(body);
            kernel.ready(location);
        }
        for (at, &location) in (0..).zip(&members) {
            let task = self.tasks.implicit(at);
            let member = Member { team: number, number: at, encountered: 0, task, created: 0 };
            self.threads[location as usize].member_of.push(member);
        }
    }

    /// The thread that runs begins its part of the region. Returns its team, its number there and the size of the team.
    pub(crate) fn begin_member(&mut self, kernel: &mut Kernel<'_>) -> (u32, u32, u32) {
        let Member { team, number, .. } = *self.member(kernel).expect("was made a member by the fork");
        let cost = if number > 0 && !kernel.replays() { self.fork } else { 0 };
        kernel.here().clock += cost;
        self.team_event(kernel, |team| Event::ThreadTeamBegin { team });
        let region = kernel.regions.get(Construct::Parallel.region());
        kernel.enter_region(region);
        if cost > 0 {
            let path = kernel.here().call_path;
            self.charge_management(kernel, path, cost);
        }
        if self.here(kernel).member_of.len() == 1 {
            self.enter_outermost(kernel);
        }
        self.begin_as_stamped(kernel);
        if number > 0 {
            // The master's visit was counted before the fork.
            kernel.count(region).calls += 1;
        }
        (team, number, self.teams[team as usize].members.len() as u32)
    }

    /// In a real run a thread began some time after the fork.
    fn begin_as_stamped(&mut self, kernel: &mut Kernel<'_>) {
        let here = kernel.here();
        let Some(begin) = here.pins.as_mut().and_then(|pins| pins.next_begin()) else { return };
        let (path, ticks) = (here.call_path, begin.saturating_sub(here.clock));
        here.clock += ticks;
        self.charge_management(kernel, path, ticks);
    }

    fn charge_management(&mut self, kernel: &mut Kernel<'_>, path: CallPathId, ticks: Picoseconds) {
        let state = wait_state(Construct::Parallel, Cause::TeamManagement);
        self.charge_at(kernel, path, state, ticks, false);
    }

    /// A worker leaves the region. Its master can go on when all have.
    pub(crate) fn end_worker(&mut self, kernel: &mut Kernel<'_>) {
        let region = kernel.regions.get(Construct::Parallel.region());
        kernel.leave_region(region);
        self.team_event(kernel, |team| Event::ThreadTeamEnd { team });
        let Some(Member { team, .. }) = self.here(kernel).member_of.pop() else { return };
        let team = &mut self.teams[team as usize];
        team.workers -= 1;
        if team.is_left() {
            kernel.ready(team.members[0]);
        }
    }

    /// The thread that runs leaves the region of the team that it has started.
    pub(crate) fn join(&mut self, kernel: &mut Kernel<'_>, frame: &Frame) {
        self.leave_parallel(kernel, frame);
        kernel.leave(frame);
        self.team_event(kernel, |team| Event::ThreadTeamEnd { team });
        kernel.event(Event::ThreadJoin);
        let gone = self.here(kernel).member_of.pop().map(|member| member.team);
        self.free.extend(gone);
    }

    /// The thread that runs has entered an outermost parallel region: the other threads of a master's process do not idle
    /// because of serial code.
    fn enter_outermost(&mut self, kernel: &mut Kernel<'_>) {
        if let Some(regions) = self.regions.get_mut(kernel.current) {
            regions.now = Some(kernel.here().call_path);
            kernel.profiles[kernel.current].suspend();
        }
    }

    /// Counts how long the members of the innermost team of the thread that runs were in its region.
    fn leave_parallel(&mut self, kernel: &mut Kernel<'_>, frame: &Frame) {
        let rank = kernel.rank();
        let thread = &self.threads[kernel.current];
        let is_outermost = thread.path.is_empty() && thread.member_of.len() == 1;
        let Some(&Member { team, .. }) = thread.member_of.last() else { return };
        let leave = frame.pinned_leave().unwrap_or(kernel.now());
        let ticks = leave.saturating_sub(frame.enter);
        let Some(regions) = self.regions.get_mut(rank) else { return };
        let Some(path) = regions.now else { return };
        for &member in &self.teams[team as usize].members[1..] {
            self.threads[member as usize].busy_now += ticks;
            regions.members.push(member);
        }
        if is_outermost {
            for member in regions.members.drain(..) {
                let thread = &mut self.threads[member as usize];
                let busy_now = std::mem::take(&mut thread.busy_now);
                let busy = thread.busy.entry(path).or_default();
                busy.ticks += busy_now;
                busy.instances += u64::from(busy_now > 0 && busy_now >= ticks);
            }
            regions.spent.entry(path).or_default().add(ticks);
            regions.now = None;
            kernel.profiles[rank].resume(leave);
        }
    }
}
