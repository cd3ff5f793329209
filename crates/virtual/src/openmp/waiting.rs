//! Descriptions of what a thread waits for.

use crate::kernel::state::Kernel;
use crate::openmp::rest::Point;
use crate::openmp::state::Omp;
use crate::openmp::thread::WaitsFor;

impl Omp {
    /// The reason, in words, why a location waits within its process, if it does.
    pub(crate) fn waits_for(&self, kernel: &Kernel<'_>, location: usize) -> Option<String> {
        let thread = self.threads.get(location)?;
        let number = |location: u32| kernel.locations[location as usize].thread;
        match thread.waits_for {
            Some(WaitsFor::Lock(lock)) => {
                return Some(match self.locks.get(lock).holder {
                    Some(holder) if holder as usize == location => "a lock that it has itself".to_owned(),
                    Some(holder) => format!("a lock that thread {} has", number(holder)),
                    None => "a lock that another thread has first in the witness".to_owned(),
                });
            }
            Some(WaitsFor::Turn(iteration)) => {
                return Some(format!("iteration {} of the ordered loop to be done", iteration - 1));
            }
            None => {}
        }
        let team = &self.teams[thread.member_of.last()?.team as usize];
        let point = thread.rest.point?;
        let at = |location: u32| self.threads[location as usize].rest.point == Some(point);
        let missing = team.members.iter().filter(|&&member| !at(member));
        let missing: Vec<String> = missing.map(|&member| number(member).to_string()).collect();
        if missing.is_empty() || matches!(point, Point::TaskWait(_)) {
            return Some("a task to be complete".to_owned());
        }
        Some(format!("thread {} of its team", missing.join(", ")))
    }
}
