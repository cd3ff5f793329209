//! Communicators that are made of others.

use ats_model::mpi::Function;
use ats_mpi::Communicator;

use super::{VirtualCommunicator, misuse};
use crate::mpi::part::Part;
use crate::world::mpi;

impl VirtualCommunicator {
    /// The rank that this member gets among those listed; `None` if it is not there.
    pub(super) fn rank_among(&self, ranks: &[usize]) -> Option<i32> {
        let fix = "list each rank of the communicator at most once";
        let mut listed = vec![false; self.size as usize];
        for &rank in ranks {
            match listed.get_mut(rank) {
                Some(is_listed) if !*is_listed => *is_listed = true,
                Some(_) => misuse(format!("{} names rank {rank} twice; {fix}", Function::Comm_create)),
                None => misuse(format!(
                    "{} names rank {rank} of a communicator of {} ranks; {fix}",
                    Function::Comm_create,
                    self.size
                )),
            }
        }
        ranks.iter().position(|&rank| rank == self.rank as usize).map(|rank| rank as i32)
    }

    /// Splits it; the new communicator, if this rank is in one.
    pub(super) fn split_by(
        &self,
        function: Function,
        color: Option<u32>,
        key: i32,
    ) -> Option<Box<dyn Communicator>> {
        self.call_collective(&Part::split(function, color, key));
        mpi(|mpi, kernel| {
            let (group, rank) = mpi.caller(kernel.number()).made.take()?;
            let size = mpi.groups[group as usize].members.len() as u32;
            Some(Box::new(VirtualCommunicator { group, rank, size }) as Box<dyn Communicator>)
        })
    }
}
