//! Threads that are left out of teams: the main thread's time from fork to join is their cause.

use super::{
    places::Places,
    sums::Position,
    tape::{Group, Met},
};

/// The threads that are left out of the team of a location.
#[derive(Default)]
pub(super) struct LeftOut {
    /// The fork, and the number of the parallel region's place.
    since: Option<(Position, usize)>,
    /// The join, and the ticks of all of them up to there.
    until: Option<(Position, u64)>,
}

impl LeftOut {
    /// The location is at a point of such a team, in a `place`: its fork, or a join that one of them waited for.
    pub(super) fn take(&mut self, met: &Met, place: usize, places: &Places<'_>) {
        let Some((_, fork)) = met.led_by() else { return };
        if met.since_fork == 0 {
            *self = LeftOut { since: Some((fork, place)), until: None };
        } else if self.since.is_some_and(|(since, _)| since == fork)
            && matches!(met.partners(), Group::One(thread) if places.is_worker(thread))
        {
            let before = self.until.map_or(0, |(_, ticks)| ticks);
            self.until = Some((met.at, before.saturating_add(met.since_fork)));
        }
    }

    /// Takes what is known at a join: the fork, the number of the parallel region's place, the join, and the ticks of all
    /// threads that were left out.
    pub(super) fn of_join(&mut self) -> Option<(Position, usize, Position, u64)> {
        let ((since, place), (at, ticks)) = (self.since?, self.until?);
        *self = LeftOut::default();
        Some((since, place, at, ticks))
    }

    /// The positions that are needed, rising, with those of others.
    pub(super) fn needed(&self, mut others: Vec<Position>) -> Vec<Position> {
        if let Some((since, _)) = self.since
            && let Err(index) = others.binary_search(&since)
        {
            others.insert(index, since);
        }
        others
    }
}
