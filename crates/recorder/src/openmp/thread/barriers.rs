//! Barriers, and which constructs they end.

use ats_model::openmp::Construct;

use super::{Membership, Thread, Unsettled, note_call};
use crate::openmp::open::{After, Buffer, Open};

/// The barriers that a runtime tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    Explicit,
    /// At the end of a loop, sections or a single.
    OfConstruct,
    /// That the runtime needs for itself.
    OfRuntime,
    /// At the end of a parallel region.
    OfTeam,
}

impl Thread {
    pub(crate) fn barrier_begins(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        barrier: Barrier,
        address: usize,
    ) {
        let is_over = matches!(self.unsettled, Some(Unsettled::Over(_)));
        let after = match barrier {
            Barrier::OfConstruct if is_over => After::Leave,
            Barrier::OfRuntime if is_over => After::MayLeave,
            Barrier::OfTeam => After::TeamEnd,
            _ => After::Nothing,
        };
        match after {
            After::Leave | After::MayLeave => self.unsettled = None,
            After::TeamEnd | After::Nothing => self.settle(buffer),
        }
        let construct =
            if barrier == Barrier::Explicit { Construct::Barrier } else { Construct::ImplicitBarrier };
        let address = match self.teams.last_mut() {
            Some(membership) if barrier == Barrier::OfTeam => {
                membership.had_barrier = true;
                membership.team.place
            }
            _ => address,
        };
        if barrier == Barrier::Explicit {
            let call = self.call_of_construct(buffer, construct, address, address);
            note_call(buffer, ticks, call);
        }
        let region = self.region(construct, address);
        buffer.begin(ticks, Open::Barrier(region, after));
    }

    pub(crate) fn barrier_ends(&mut self, buffer: &mut Buffer, ticks: u64) {
        self.settle(buffer);
        let Some(Open::Barrier(_, after)) = buffer.innermost() else { return };
        match after {
            After::Nothing => buffer.end(ticks),
            After::Leave => {
                buffer.end(ticks);
                buffer.end(ticks);
            }
            After::MayLeave => {
                buffer.end(ticks);
                self.unsettled = Some(Unsettled::Over(ticks));
            }
            After::TeamEnd => match self.teams.last() {
                Some(Membership { team, index: 0, .. }) => {
                    team.ends(ticks);
                    buffer.end(ticks);
                }
                // The runtime keeps the others in the barrier until it has new work for them.
                Some(Membership { team, .. }) => {
                    let end = team.end().unwrap_or(ticks);
                    self.leave_team(buffer, end);
                }
                None => buffer.end(ticks),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::thread::listing::{Recorded, lines, listing};

    #[test]
    fn a_barrier_belongs_to_the_construct_before_it_unless_that_has_none() {
        let mut one = Recorded::new(0);
        for (begin, barrier) in [(10, Some(Barrier::OfConstruct)), (20, Some(Barrier::Explicit)), (30, None)]
        {
            one.thread.construct_begins(&mut one.buffer, begin, Construct::For, None, 0x100);
            one.thread.work_ends(&mut one.buffer, begin + 1, Construct::For);
            if let Some(barrier) = barrier {
                one.thread.barrier_begins(&mut one.buffer, begin + 2, barrier, 0x200);
                one.thread.barrier_ends(&mut one.buffer, begin + 3);
            }
        }
        one.thread.construct_begins(&mut one.buffer, 40, Construct::Master, None, 0x300);
        one.thread.construct_ends(&mut one.buffer, 41, Construct::Master);
        let expected = "\
for 10
  implicit barrier 12
  /implicit barrier 13
/for 13
for 20
/for 21
barrier 22
/barrier 23
for 30
/for 31
master 40
/master 41";
        assert_eq!(listing(one), lines(expected));
    }

    #[test]
    fn a_barrier_of_the_runtime_leaves_room_for_that_of_the_construct() {
        let mut one = Recorded::new(0);
        one.thread.construct_begins(
            &mut one.buffer,
            1,
            Construct::Single,
            Some(Construct::SingleBlock),
            0x100,
        );
        one.thread.work_ends(&mut one.buffer, 2, Construct::Single);
        for (begin, barrier) in [(3, Barrier::OfRuntime), (5, Barrier::OfConstruct)] {
            one.thread.barrier_begins(&mut one.buffer, begin, barrier, 0x200);
            one.thread.barrier_ends(&mut one.buffer, begin + 1);
        }
        let expected = "\
single 1
  single sblock 1
  /single sblock 2
  implicit barrier 3
  /implicit barrier 4
  implicit barrier 5
  /implicit barrier 6
/single 6";
        assert_eq!(listing(one), lines(expected));
    }
}
