//! The work of the visits to balanced regions, as a trace has it.

use ats_model::{Event, EventSource};

use super::plan::{Group, Plan, Selected, Visits};
use crate::clock::ClockOfLocation;
use crate::tables::{RegionKind, Tables};

impl Plan {
    /// Finds how much work each visit to a balanced region has.
    pub(crate) fn weigh<S: EventSource>(
        &mut self,
        source: &S,
        tables: &Tables<'_>,
        clocks: &[ClockOfLocation],
    ) {
        for (selected, visits) in &mut self.balances {
            for (location, definition) in tables.definitions.locations.iter().enumerate() {
                if !selected.has_location(definition) {
                    continue;
                }
                let mut scale = Scale::new(selected, tables, definition.rank);
                let add = |event: Event, time: u64, scale: &mut Scale<'_>, visits: &mut Visits| {
                    if let Some((group, visit, work)) = scale.weigh(time, event) {
                        visits.add(location, group, visit, work);
                    }
                };
                // Damage is known from the first look.
                let _ = source.read_location(location, |time, event| {
                    add(event, clocks[location].picoseconds(time), &mut scale, visits);
                });
            }
        }
    }
}

/// Adds up the work of a location in each visit.
struct Scale<'p> {
    selected: &'p Selected,
    tables: &'p Tables<'p>,
    rank: u32,
    /// The number of selected regions around it, of calls and barriers, and of teams.
    selected_depth: u32,
    waiting_depth: u32,
    teams: u32,
    stack: Vec<(bool, bool)>,
    made: [u32; 2],
    last: u64,
    work: u64,
}

impl<'p> Scale<'p> {
    fn new(selected: &'p Selected, tables: &'p Tables<'p>, rank: u32) -> Self {
        Scale {
            selected,
            tables,
            rank,
            selected_depth: 0,
            waiting_depth: 0,
            teams: 0,
            stack: Vec::new(),
            made: [0; 2],
            last: 0,
            work: 0,
        }
    }

    /// The visit that ends with an event: its group, its number and its work.
    fn weigh(&mut self, time: u64, event: Event) -> Option<(Group, u32, u64)> {
        if self.selected_depth > 0 && self.waiting_depth == 0 {
            self.work = self.work.saturating_add(time.saturating_sub(self.last));
        }
        self.last = time;
        match event {
            Event::Enter { region } => {
                let is_selected = self.selected.has_region(region);
                let waits = self.tables.kind(region) != RegionKind::Plain;
                self.stack.push((is_selected, waits));
                self.selected_depth += u32::from(is_selected);
                self.waiting_depth += u32::from(waits);
                None
            }
            Event::Leave { .. } => {
                let (was_selected, waited) = self.stack.pop()?;
                self.waiting_depth -= u32::from(waited);
                self.selected_depth -= u32::from(was_selected);
                if !was_selected || self.selected_depth > 0 {
                    return None;
                }
                let in_team = self.teams > 0;
                let made = &mut self.made[usize::from(in_team)];
                *made += 1;
                Some((Group::new(self.rank, in_team), *made - 1, std::mem::take(&mut self.work)))
            }
            Event::ThreadTeamBegin { .. } => {
                self.teams += 1;
                None
            }
            Event::ThreadTeamEnd { .. } => {
                self.teams = self.teams.saturating_sub(1);
                None
            }
            _ => None,
        }
    }
}
