//! Loss of parallelism: work of some units while the others have none.

use std::ops::AddAssign;

use ats_model::definitions::RegionRole;

use crate::spending::{Path, Spending};

/// Differences below this share of the work are not a pattern.
const ALIKE: f64 = 0.01;

/// Seconds that all units wait at barriers, because not all of them have work.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lost {
    /// Seconds that others may wait for the work of one unit.
    pub(crate) alone: f64,
    /// Seconds that others may wait for the work of some units.
    pub(crate) partial: f64,
}

impl Lost {
    /// Seconds that may be lost by the work of a call path, estimated from its distribution over the units.
    pub(crate) fn estimate(path: &Path, spending: &Spending) -> Self {
        if !path.is_code() {
            return Lost::default();
        }
        match path.construct {
            None => Lost::outside_teams(path, spending),
            Some(RegionRole::SingleSblock | RegionRole::Master) => {
                let others = path.time.iter().map(|&(unit, of)| of * spending.others(unit));
                Lost { alone: others.sum(), partial: 0.0 }
            }
            // Critical sections are synchronisation.
            Some(
                RegionRole::Critical
                | RegionRole::CriticalSblock
                | RegionRole::Ordered
                | RegionRole::OrderedSblock,
            ) => Lost::default(),
            Some(_) => Lost::in_teams(path, spending),
        }
    }

    /// The pattern over the processes.
    fn outside_teams(path: &Path, spending: &Spending) -> Self {
        let mut of_ranks = vec![0.0; spending.ranks];
        let mut threads = 1;
        for &(unit, seconds) in &path.time {
            let rank = spending.profile.units[unit as usize].rank as usize;
            if let Some(of_rank) = of_ranks.get_mut(rank) {
                *of_rank += seconds;
            }
            threads = threads.max(spending.threads[unit as usize]);
        }
        let [alone, partial] = pattern(&of_ranks, true).map(|seconds| seconds * f64::from(threads));
        Lost { alone, partial }
    }

    /// The pattern over the threads of each team.
    fn in_teams(path: &Path, spending: &Spending) -> Self {
        let mut lost = Lost::default();
        for rank in 0..spending.ranks as u32 {
            let units = (0..).zip(&spending.profile.units).filter(|(_, unit)| unit.rank == rank);
            let seconds = |number: u32| path.time.iter().find(|of| of.0 == number).map_or(0.0, |of| of.1);
            let of_threads: Vec<f64> = units.map(|(number, _)| seconds(number)).collect();
            let [alone, partial] = pattern(&of_threads, false);
            lost.alone += alone;
            lost.partial += partial;
        }
        lost
    }

    /// Both together.
    pub(crate) fn sum(self) -> f64 {
        self.alone + self.partial
    }

    /// The same shares of another amount.
    pub(crate) fn scaled_to(self, seconds: f64) -> Self {
        let sum = self.sum();
        let share = if sum > 0.0 { seconds / sum } else { 0.0 };
        Lost { alone: self.alone * share, partial: self.partial * share }
    }
}

impl AddAssign for Lost {
    fn add_assign(&mut self, other: Lost) {
        self.alone += other.alone;
        self.partial += other.partial;
    }
}

/// The seconds that the others have less than one unit, and less than several units that share work. The others have
/// nothing; if `may_share`, those besides one unit may have equal shares of other work.
///
/// Of two units that share work, one always has more than all others. That is read as work of one unit only at the first,
/// where programs have their serial parts: input, output, the root of an operation. So work that grows with the rank stays
/// a wait, as it is among more units, and so does half of what noise does; a serial part of the second unit is missed, and
/// work that falls with the rank is taken for one.
fn pattern(seconds: &[f64], may_share: bool) -> [f64; 2] {
    let most = seconds.iter().copied().fold(0.0, f64::max);
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let difference = most - least;
    let is_most = |of: &f64| most - of <= ALIKE * difference;
    let is_least = |of: &f64| of - least <= ALIKE * difference;
    let busy = seconds.iter().filter(|of| is_most(of)).count();
    let is_pattern = difference > 0.0 && seconds.iter().all(|of| is_most(of) || is_least(of));
    let has_nothing = least <= ALIKE * most;
    let lost = seconds.iter().map(|of| most - of).sum();
    let is_told = seconds.len() > 2 || seconds.first().is_some_and(is_most);
    match busy {
        1 if is_pattern && (may_share && is_told || has_nothing) => [lost, 0.0],
        2.. if is_pattern && has_nothing => [0.0, lost],
        _ => [0.0, 0.0],
    }
}
