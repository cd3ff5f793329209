//! Teams: what a thread starts, and what it is a member of.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use ats_model::Event;
use ats_model::event::TeamRef;
use ats_model::openmp::Construct;

use super::{Membership, Thread, note_call};
use crate::numbers;
use crate::openmp::open::{Buffer, Open};
use crate::openmp::team::Team;

impl Thread {
    /// The thread starts a team, which stays at least until [`Buffer::joins`].
    pub(crate) fn forks(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        requested: u32,
        address: usize,
    ) -> *const Team {
        self.settle(buffer);
        let call = self.call_of_construct(buffer, Construct::Parallel, address, address);
        buffer.begin(ticks, Open::Fork);
        note_call(buffer, ticks, call);
        buffer.push(ticks, Event::ThreadFork { requested });
        let of_first_thread = self.number == 0 && self.teams.is_empty();
        if of_first_thread && requested > self.reserved {
            numbers::reserve(requested);
            self.reserved = requested;
        }
        let team = Arc::new(Team::new(address, of_first_thread, call));
        let identity = Arc::as_ptr(&team);
        self.started.push(ManuallyDrop::new(team));
        identity
    }

    /// The team that the thread started last is gone.
    pub(crate) fn joins(&mut self, buffer: &mut Buffer, ticks: u64) {
        let Some(team) = self.started.pop() else { return };
        drop(ManuallyDrop::into_inner(team));
        self.settle(buffer);
        if buffer.innermost() == Some(Open::Fork) {
            buffer.end(ticks);
        }
    }

    /// Begins to work as a member of a team.
    /// Says how much was open before, for [`Buffer::ends_in`].
    pub(crate) fn begins_in(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        team: Arc<Team>,
        index: u32,
        size: u32,
    ) -> usize {
        self.settle(buffer);
        team.begins(index, size, self.number);
        let depth = buffer.depth();
        let (number, place, call) = (team.number, team.place, team.call);
        self.teams.push(Membership { team, index, depth, had_barrier: false });
        buffer.begin(ticks, Open::Team(number));
        note_call(buffer, ticks, call);
        self.enter_construct(buffer, ticks, Construct::Parallel, place);
        depth
    }

    /// Ends the work as a member of the team, unless that has happened with its last barrier. A team of one has had none.
    pub(crate) fn ends_in(&mut self, buffer: &mut Buffer, ticks: u64, depth: usize) {
        self.settle(buffer);
        if let Some(membership) = self.teams.last()
            && membership.depth == depth
        {
            let place = membership.team.place;
            if !membership.had_barrier {
                self.enter_construct(buffer, ticks, Construct::ImplicitBarrier, place);
            }
            self.leave_team(buffer, ticks);
        }
    }

    pub(super) fn leave_team(&mut self, buffer: &mut Buffer, ticks: u64) {
        if let Some(membership) = self.teams.pop() {
            buffer.end_to(ticks, membership.depth);
        }
    }

    /// Whether the barrier that begins at `address` is that at the end of the team, as far as the address tells.
    pub(crate) fn is_at_end(&self, address: usize) -> bool {
        self.teams.last().is_some_and(|membership| address == 0 || address == membership.team.place)
    }

    /// Whether it is the member of its team that started it.
    pub(crate) fn is_master(&self) -> bool {
        self.teams.last().is_some_and(|membership| membership.index == 0)
    }

    /// Whether its team has not come to the barrier at its end.
    pub(crate) fn has_had_no_barrier(&self) -> bool {
        self.teams.last().is_some_and(|membership| !membership.had_barrier)
    }

    pub(super) fn place_in_team(&self) -> (Option<TeamRef>, u32) {
        self.teams.last().map_or((None, 0), |membership| (Some(membership.team.number), membership.index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::thread::barriers::Barrier;
    use crate::openmp::thread::listing::{Recorded, lines, listing};

    #[test]
    fn a_member_leaves_the_team_when_all_have_arrived_however_long_the_runtime_keeps_it() {
        let team = Arc::new(Team::new(0x100, false, None));
        let [mut master, mut worker] = [0, 1].map(Recorded::new);
        let depths = [
            master.thread.begins_in(&mut master.buffer, 1, team.clone(), 0, 2),
            worker.thread.begins_in(&mut worker.buffer, 2, team.clone(), 1, 2),
        ];
        assert!(
            master.thread.is_at_end(0x100) && worker.thread.is_at_end(0) && !worker.thread.is_at_end(0x200)
        );
        worker.thread.barrier_begins(&mut worker.buffer, 3, Barrier::OfTeam, 0);
        master.thread.barrier_begins(&mut master.buffer, 7, Barrier::OfTeam, 0x100);
        master.thread.barrier_ends(&mut master.buffer, 8);
        master.thread.ends_in(&mut master.buffer, 9, depths[0]);
        let of_worker = "\
parallel 2
  implicit barrier 3
  /implicit barrier 8
/parallel 8";
        assert_eq!(listing(worker), lines(of_worker), "it is still in the barrier for the runtime");
        let of_master = "\
parallel 1
  implicit barrier 7
  /implicit barrier 8
/parallel 9";
        assert_eq!(listing(master), lines(of_master));
    }
}
