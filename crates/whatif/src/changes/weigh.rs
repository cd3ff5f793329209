//! The work of the visits to balanced regions, as a trace has it.

use ats_model::event::RegionRef;
use ats_model::{Event, EventSource};

use super::plan::{Group, Plan, Selected};
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
                let mut scale = match &self.calls {
                    Some(calls) if selected.segment().is_some() => {
                        Scale::Segments(BetweenCalls::new(selected, calls))
                    }
                    _ => Scale::Regions(InRegions::new(selected, tables, definition.rank)),
                };
                // Damage is known from the first look.
                let _ = source.read_location(location, |time, event| {
                    if let Some((group, visit, work)) = scale.weigh(clocks[location].picoseconds(time), event)
                    {
                        visits.add(location, group, visit, work);
                    }
                });
                if let Scale::Segments(mut scale) = scale
                    && let Some((group, visit, work)) = scale.end()
                {
                    visits.add(location, group, visit, work);
                }
            }
        }
    }
}

/// Adds up the work of a location in each visit.
enum Scale<'p> {
    Regions(InRegions<'p>),
    Segments(BetweenCalls<'p>),
}

/// A visit that ends: its group, its number and its work.
type Weighed = (Group, u32, u64);

impl Scale<'_> {
    /// The visit that ends with an event.
    fn weigh(&mut self, time: u64, event: Event) -> Option<Weighed> {
        match self {
            Scale::Regions(scale) => scale.weigh(time, event),
            Scale::Segments(scale) => scale.weigh(time, event),
        }
    }
}

/// Adds up work between calls.
struct BetweenCalls<'p> {
    selected: &'p Selected,
    calls: &'p [bool],
    /// The regions that the location is in, from the outermost, and the number of calls among them.
    stack: Vec<RegionRef>,
    depth: u32,
    /// The call that was left last, and when: at first none, and the begin of the location.
    from: Option<RegionRef>,
    since: Option<u64>,
    last: u64,
    made: u32,
}

impl<'p> BetweenCalls<'p> {
    fn new(selected: &'p Selected, calls: &'p [bool]) -> Self {
        let stack = Vec::new();
        BetweenCalls { selected, calls, stack, depth: 0, from: None, since: None, last: 0, made: 0 }
    }

    fn is_call(&self, region: RegionRef) -> bool {
        self.calls.get(region.0 as usize).copied().unwrap_or(false)
    }

    fn weigh(&mut self, time: u64, event: Event) -> Option<Weighed> {
        self.last = time;
        let since = *self.since.get_or_insert(time);
        match event {
            Event::Enter { region } => {
                self.stack.push(region);
                if !self.is_call(region) {
                    return None;
                }
                self.depth += 1;
                if self.depth == 1 { self.pass(Some(region), time - since) } else { None }
            }
            Event::Leave { .. } => {
                let left = self.stack.pop().filter(|&left| self.is_call(left))?;
                self.depth -= 1;
                if self.depth == 0 {
                    (self.from, self.since) = (Some(left), Some(time));
                }
                None
            }
            _ => None,
        }
    }

    /// The visit that ends with the location.
    fn end(&mut self) -> Option<Weighed> {
        if self.depth == 0 { self.pass(None, self.last - self.since?) } else { None }
    }

    /// The location has come to a call, or its end.
    fn pass(&mut self, to: Option<RegionRef>, work: u64) -> Option<Weighed> {
        if !self.selected.segment()?.is_between(self.from, to) {
            return None;
        }
        self.made += 1;
        Some((Group::Processes, self.made - 1, work))
    }
}

/// Adds up work in regions.
struct InRegions<'p> {
    selected: &'p Selected,
    tables: &'p Tables<'p>,
    rank: u32,
    /// The number of selected regions around it, of calls and barriers, and of teams.
    selected_depth: u32,
    waiting_depth: u32,
    teams: u32,
    /// The number of teams that it has begun to work in.
    begun: u32,
    stack: Vec<(bool, bool)>,
    made: [u32; 2],
    last: u64,
    work: u64,
}

impl<'p> InRegions<'p> {
    fn new(selected: &'p Selected, tables: &'p Tables<'p>, rank: u32) -> Self {
        InRegions {
            selected,
            tables,
            rank,
            selected_depth: 0,
            waiting_depth: 0,
            teams: 0,
            begun: 0,
            stack: Vec::new(),
            made: [0; 2],
            last: 0,
            work: 0,
        }
    }

    fn weigh(&mut self, time: u64, event: Event) -> Option<Weighed> {
        if self.selected_depth > 0 && self.waiting_depth == 0 {
            self.work = self.work.saturating_add(time.saturating_sub(self.last));
        }
        self.last = time;
        match event {
            Event::Enter { region } => {
                let is_selected = self.selected.has_region(region);
                // Tasks are executed in waits; what counts is whether there are waits in what is selected.
                let waits =
                    self.tables.kind(region) != RegionKind::Plain && (is_selected || self.selected_depth > 0);
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
                let (group, work) = (Group::new(self.rank, in_team), std::mem::take(&mut self.work));
                if self.selected.has_tasks() {
                    return Some((group, self.begun, work));
                }
                let made = &mut self.made[usize::from(in_team)];
                *made += 1;
                Some((group, *made - 1, work))
            }
            Event::ThreadTeamBegin { .. } => {
                self.teams += 1;
                self.begun += 1;
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
