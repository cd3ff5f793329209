//! Threads that have nothing to do: their master executes serial code, or a region that they are not in.

use ats_model::WaitState;

use crate::kernel::account::{Among, Sum, WaitKey};
use crate::kernel::location::Location;
use crate::kernel::profile::Spent;
use crate::kernel::state::Kernel;
use crate::openmp::state::Omp;

impl Omp {
    /// The idle times of a location; a master has none.
    pub(crate) fn idle_sums(&self, kernel: &Kernel<'_>, location: usize) -> Vec<Sum> {
        let Location { rank, thread, .. } = kernel.locations[location];
        let (Some(regions), 1..) = (self.regions.get(rank as usize), thread) else { return Vec::new() };
        let sum = |state, call_path, Spent { ticks, instances }| Sum {
            wait: WaitKey { call_path, among: Among::PROCESS, state: Some(state) },
            ticks,
            instances,
        };
        let exclusive = &kernel.profiles[rank as usize].exclusive;
        let outside = exclusive.iter().map(|(&path, &spent)| sum(WaitState::IdleThreads, path, spent));
        let lacking = regions.spent.iter().filter_map(|(&path, all)| {
            let busy = self.threads[location].busy.get(&path).copied().unwrap_or_default();
            let idle = Spent {
                ticks: all.ticks.saturating_sub(busy.ticks),
                instances: all.instances.saturating_sub(busy.instances),
            };
            (idle.ticks > 0).then(|| sum(WaitState::LimitedParallelism, path, idle))
        });
        outside.chain(lacking).collect()
    }

    /// Whether another thread could have waited in this one's place.
    pub(crate) fn is_exchangeable(&self, location: usize, wait: &WaitKey) -> bool {
        let thread = self.threads.get(location).filter(|_| wait.among == Among::PROCESS);
        thread.is_some_and(|thread| match wait.state {
            Some(WaitState::LimitedParallelism) => thread.is_nested(),
            _ => thread.exchangeable.contains(&wait.call_path),
        })
    }
}
