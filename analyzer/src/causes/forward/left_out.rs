//! Threads that are left out of teams: the main thread's time from fork to join is their cause.

use std::io;

use ats_model::WaitState;

use super::WayForward;
use crate::causes::{
    marks::{Mark, MarkKind, Part},
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

impl WayForward<'_, '_> {
    /// Threads were left out up to the point that a location is at, if it is a join.
    pub(super) fn charge_for_left_out(&mut self, location: usize, time: u64) -> io::Result<()> {
        let line = &mut self.lines[location];
        let (Some((since, place)), Some((at, ticks))) = (line.left_out.since, line.left_out.until) else {
            return Ok(());
        };
        line.left_out = LeftOut::default();
        let Some(column) = line.places[place].column(WaitState::LimitedParallelism, self.places) else {
            return Ok(());
        };
        let more = &mut self.compared.more;
        more.clear();
        let mut waited: u64 = 0;
        for (path, time, wait) in line.sums.since(since) {
            waited = waited.saturating_add(wait);
            if time > wait {
                more.push(Part { path: path.into(), ticks: time - wait });
            }
        }
        let mark = Mark { column, waited, since, other_at: ticks, ..Mark::new(MarkKind::LEFT_OUT, time, at) };
        self.marks.mark(location, mark, &self.compared.more, &mut self.streams.store)
    }
}
