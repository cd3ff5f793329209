//! Who waits for whom, when nobody can go on.

use crate::barrier::Point;
use crate::point_to_point::Kind;
use crate::team::WaitsFor;
use crate::world::World;
use crate::{BlockedLocation, SimulationError};

impl World<'_> {
    /// Who waits for whom, when nobody can go on. Since a run that is replayed has come to its end, its witness is then not
    /// of this program.
    pub(crate) fn deadlock(&self) -> SimulationError {
        let mut blocked = Vec::new();
        for (number, location) in self.locations.iter().enumerate() {
            let awaited = location.operations.iter().filter(|operation| operation.awaited);
            let mut waits_for: Vec<String> =
                awaited.map(|operation| self.describe(operation.group, &operation.kind)).collect();
            if waits_for.is_empty() && location.awaits_message {
                waits_for.push("a message to probe".to_owned());
            }
            if self.aligned.contains(&(number as u32)) {
                waits_for.push("all ranks to be aligned".to_owned());
            }
            if waits_for.is_empty() {
                waits_for.extend(self.waits_for_threads(number));
            }
            if !waits_for.is_empty() {
                let (place, call_path) = (self.place(number), self.path(location.call_path));
                blocked.push(BlockedLocation { place, call_path, waits_for });
            }
        }
        blocked.sort_by_key(|location| location.place);
        let first = blocked.first().map(|location| location.place);
        let deadlock = SimulationError::Deadlock { ranks: self.ranks, blocked };
        match first {
            Some(place) if self.locations.iter().any(|location| location.pins.is_some()) => {
                SimulationError::Replay { place, reason: deadlock.to_string() }
            }
            _ => deadlock,
        }
    }

    /// What a location waits for in its process.
    fn waits_for_threads(&self, location: usize) -> Option<String> {
        let thread = self.threads.of.get(location)?;
        match thread.waits_for {
            Some(WaitsFor::Lock(lock)) => {
                return Some(match self.threads.locks.holder(lock) {
                    Some(holder) if holder as usize == location => "a lock that it has itself".to_owned(),
                    Some(holder) => {
                        format!("a lock that thread {} has", self.threads.of[holder as usize].number)
                    }
                    None => "a lock that another thread has first in the witness".to_owned(),
                });
            }
            Some(WaitsFor::Turn(iteration)) => {
                return Some(format!("iteration {} of the ordered loop to be done", iteration - 1));
            }
            None => {}
        }
        let team = &self.threads.teams[thread.member_of.last()?.team as usize];
        match thread.rest.point? {
            Point::TaskWait(_) => Some("a task to be complete".to_owned()),
            point => {
                let at = |location: u32| self.threads.of[location as usize].rest.point == Some(point);
                let missing = team.members.iter().filter(|&&member| !at(member));
                let missing: Vec<String> =
                    missing.map(|&member| self.threads.of[member as usize].number.to_string()).collect();
                if missing.is_empty() {
                    return Some("a task to be complete".to_owned());
                }
                Some(format!("thread {} of its team", missing.join(", ")))
            }
        }
    }

    fn describe(&self, group: u32, kind: &Kind) -> String {
        let group = &self.groups[group as usize];
        match kind {
            Kind::Send { to, tag, .. } => format!("rank {to} of {} to receive tag {tag}", group.name),
            Kind::Recv { from, tag, .. } => {
                let from = match from {
                    ats_mpi::Source::Rank(rank) => format!("rank {rank}"),
                    ats_mpi::Source::Any => "any rank".to_owned(),
                };
                let tag = match tag {
                    ats_mpi::Tag::Is(tag) => format!("tag {tag}"),
                    ats_mpi::Tag::Any => "any tag".to_owned(),
                };
                format!("{from} of {} to send {tag}", group.name)
            }
            Kind::Collective { instance, .. } => {
                let missing = group.missing(*instance);
                let mut ranks: Vec<String> = missing.iter().take(8).map(u32::to_string).collect();
                if missing.len() > ranks.len() {
                    ranks.push(format!("{} more", missing.len() - ranks.len()));
                }
                format!("rank {} to enter {} on {}", ranks.join(", "), group.call(*instance), group.name)
            }
        }
    }
}
