//! Comparison of a causer with the one that waits: the time and the waits that make it late.

use super::marks::{Part, WaitsInPart};

/// Ticks of a location in an interval, by call path.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// Time without waits.
    pub(super) work: Vec<Part>,
    pub(super) waits: Vec<Part>,
}

/// A causer and the one that waits, while they are compared.
#[derive(Default)]
pub(super) struct Compared {
    /// For each call path the ticks of the one that waits.
    of_waiting: Vec<u64>,
    pub(super) of_causer: Spent,
    /// The parts that the causer has worked more.
    pub(super) more: Vec<Part>,
    /// The ticks that the causer has waited more.
    pub(super) waited: u64,
    /// The causer's waits, if both have waited in one call path.
    pub(super) in_part: Vec<WaitsInPart>,
}

impl Compared {
    /// Compares them. If `waits` are not compared, all of the causer's count.
    pub(super) fn compare(&mut self, of_waiting: &Spent, paths: usize, waits: bool) {
        self.of_waiting.resize(paths, 0);
        self.more.clear();
        for part in &of_waiting.work {
            self.of_waiting[part.path as usize] = part.ticks;
        }
        for &Part { path, ticks } in &self.of_causer.work {
            let ticks = ticks.saturating_sub(self.of_waiting[path as usize]);
            if ticks > 0 {
                self.more.push(Part { path, ticks });
            }
        }
        of_waiting.work.iter().for_each(|part| self.of_waiting[part.path as usize] = 0);
        self.waited = 0;
        self.in_part.clear();
        let common = if waits { &of_waiting.waits[..] } else { &[] };
        common.iter().for_each(|part| self.of_waiting[part.path as usize] = part.ticks);
        for &Part { path, ticks: all } in &self.of_causer.waits {
            let more = all.saturating_sub(self.of_waiting[path as usize]);
            self.waited = self.waited.saturating_add(more);
            self.in_part.push(WaitsInPart { path, all, more });
        }
        common.iter().for_each(|part| self.of_waiting[part.path as usize] = 0);
        if self.in_part.iter().all(|waits| waits.more == waits.all) {
            self.in_part.clear();
        }
    }
}
