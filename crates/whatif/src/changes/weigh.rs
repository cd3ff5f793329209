//! The work of the visits to balanced regions, as a trace has it.

use ats_model::definitions::{LocationDefinition, Members};
use ats_model::event::{CommunicatorRef, RegionRef, TeamRef};
use ats_model::{Event, EventSource};
use rustc_hash::FxHashMap;

use super::inside::{Inside, Position};
use super::plan::{Plan, Selected};
use super::visits::{Place, UsedTogether, Visit, Visits};
use crate::clock::ClockOfLocation;
use crate::tables::{RegionKind, Tables};

impl Plan {
    /// Finds how much work each visit to a balanced region has, and shares it.
    pub(crate) fn weigh<S: EventSource>(
        &mut self,
        source: &S,
        tables: &Tables<'_>,
        clocks: &[ClockOfLocation],
    ) {
        let Plan { balances, calls, .. } = self;
        for (selected, visits) in balances {
            *visits = weighed(source, (tables, clocks), selected, calls.as_deref());
        }
    }
}

/// The visits to what is selected.
fn weighed<S: EventSource>(
    source: &S,
    (tables, clocks): (&Tables<'_>, &[ClockOfLocation]),
    selected: &Selected,
    calls: Option<&[bool]>,
) -> Visits {
    let locations = &tables.definitions.locations;
    let mut shared = Shared::default();
    let mut all = vec![Vec::new(); locations.len()];
    // Masters come before those that work for them.
    let mut order: Vec<usize> = (0..locations.len()).collect();
    order.sort_by_key(|&location| locations[location].thread);
    for location in order {
        let mut scale = match calls {
            Some(calls) if selected.segment().is_some() => {
                Scale::Segments(BetweenCalls::new(selected, calls))
            }
            _ => Scale::Regions(InRegions::new(selected, tables, (location, &locations[location]))),
        };
        let visits = &mut all[location];
        // Damage is known from the first look.
        let _ = source.read_location(location, |time, event| {
            visits.extend(scale.weigh(clocks[location].picoseconds(time), event, &mut shared));
        });
        visits.extend(scale.end());
        if !selected.has_location(&locations[location]) {
            visits.clear();
        }
    }
    Visits::new(&all, &shared.communicators, selected.has_tasks(), tables.definitions)
}

/// Knowledge of one location that is needed at others.
#[derive(Default)]
struct Shared {
    communicators: UsedTogether,
    /// By team, and how often it was started: the position of its master.
    positions: FxHashMap<(TeamRef, u32), Position>,
}

/// Adds up the work of a location in each visit.
enum Scale<'p> {
    Regions(InRegions<'p>),
    Segments(BetweenCalls<'p>),
}

impl Scale<'_> {
    /// The visit that ends with an event.
    fn weigh(&mut self, time: u64, event: Event, shared: &mut Shared) -> Option<Visit> {
        match self {
            Scale::Regions(scale) => scale.weigh(time, event, shared),
            Scale::Segments(scale) => scale.weigh(time, event),
        }
    }

    /// The visit that ends with the location.
    fn end(&mut self) -> Option<Visit> {
        match self {
            Scale::Regions(_) => None,
            Scale::Segments(scale) => scale.end(),
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
}

impl<'p> BetweenCalls<'p> {
    fn new(selected: &'p Selected, calls: &'p [bool]) -> Self {
        let stack = Vec::new();
        BetweenCalls { selected, calls, stack, depth: 0, from: None, since: None, last: 0 }
    }

    fn is_call(&self, region: RegionRef) -> bool {
        self.calls.get(region.0 as usize).copied().unwrap_or(false)
    }

    fn weigh(&mut self, time: u64, event: Event) -> Option<Visit> {
        self.last = time;
        let since = *self.since.get_or_insert(time);
        match event {
            Event::Enter { region } => {
                self.stack.push(region);
                if !self.is_call(region) {
                    return None;
                }
                self.depth += 1;
                if self.depth == 1 { self.pass(Some(region), (since, time)) } else { None }
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
    fn end(&mut self) -> Option<Visit> {
        if self.depth == 0 { self.pass(None, (self.since?, self.last)) } else { None }
    }

    /// The location has come to a call, or its end.
    fn pass(&self, to: Option<RegionRef>, (begin, end): (u64, u64)) -> Option<Visit> {
        let mut visit = Visit::new(begin, Place::Process(None));
        visit.work(end.saturating_sub(begin));
        self.selected.segment()?.is_between(self.from, to).then_some(visit)
    }
}

/// Adds up work in regions.
struct InRegions<'p> {
    inside: Inside<'p>,
    tables: &'p Tables<'p>,
    location: usize,
    /// The regions that it is in, from the outermost, and whether each is a wait in what is selected.
    stack: Vec<(RegionRef, bool)>,
    waiting_depth: u32,
    /// The teams that it works in, from the outermost: how often each was started, and the visits made in it.
    teams: Vec<(TeamRef, u32, u32)>,
    started: FxHashMap<TeamRef, u32>,
    /// The visit that it makes.
    visit: Option<Visit>,
    last: u64,
}

impl<'p> InRegions<'p> {
    fn new(
        selected: &'p Selected,
        tables: &'p Tables<'p>,
        (location, definition): (usize, &LocationDefinition),
    ) -> Self {
        InRegions {
            inside: Inside::new(selected, definition),
            tables,
            location,
            stack: Vec::new(),
            waiting_depth: 0,
            teams: Vec::new(),
            started: FxHashMap::default(),
            visit: None,
            last: 0,
        }
    }

    fn weigh(&mut self, time: u64, event: Event, shared: &mut Shared) -> Option<Visit> {
        if let Some(visit) = &mut self.visit
            && self.waiting_depth == 0
        {
            visit.work(time.saturating_sub(self.last));
        }
        self.last = time;
        match event {
            Event::Enter { region } => {
                if self.inside.enter(region) {
                    self.visit = Some(Visit::new(time, self.place()));
                }
                // Tasks are executed in waits; what counts is whether there are waits in what is selected.
                let kind = self.tables.kind(region);
                let waits = kind != RegionKind::Plain && self.visit.is_some();
                if let Some(visit) = &mut self.visit
                    && waits
                    && !kind.is_start()
                {
                    visit.wait();
                }
                self.stack.push((region, waits));
                self.waiting_depth += u32::from(waits);
                None
            }
            Event::Leave { .. } => {
                let (region, waited) = self.stack.pop()?;
                self.waiting_depth -= u32::from(waited);
                if self.inside.leave(region) { self.visit.take() } else { None }
            }
            Event::ThreadTeamBegin { team } => {
                self.begin_team(team, shared);
                None
            }
            Event::ThreadTeamEnd { .. } => {
                self.teams.pop();
                None
            }
            event => {
                self.note_communicator(event, shared);
                None
            }
        }
    }

    /// The place of a visit that begins.
    fn place(&mut self) -> Place {
        let has_tasks = self.inside.selected.has_tasks();
        let Some((team, started, made)) = self.teams.last_mut() else { return Place::Process(None) };
        let place = Place::Team(*team, *started, *made);
        *made += u32::from(!has_tasks);
        place
    }

    fn begin_team(&mut self, team: TeamRef, shared: &mut Shared) {
        let started = self.started.entry(team).or_default();
        *started += 1;
        self.teams.push((team, *started, 0));
        if self.tables.members(team).first() == Some(&(self.location as u32)) {
            shared.positions.insert((team, *started), self.inside.position());
        } else {
            self.inside.inherit(shared.positions.get(&(team, *started)).copied().unwrap_or_default());
        }
    }

    /// Notes the communicators that are used in a visit.
    fn note_communicator(&mut self, event: Event, shared: &mut Shared) {
        let Some(Visit { place: Place::Process(used), .. }) = &mut self.visit else { return };
        let Some(communicator) = communicator(event) else { return };
        let is_shared = |communicator| {
            let definition = self.tables.definitions.communicator(communicator);
            matches!(definition.map(|it| &it.members), Some(Members::Ranks(ranks)) if ranks.len() > 1)
        };
        if *used != Some(communicator) && is_shared(communicator) {
            let first = *used.get_or_insert(communicator);
            shared.communicators.join(first, communicator);
        }
    }
}

/// The communicator that an event names.
fn communicator(event: Event) -> Option<CommunicatorRef> {
    match event {
        Event::MpiSend { communicator, .. }
        | Event::MpiIsend { communicator, .. }
        | Event::MpiRecv { communicator, .. }
        | Event::MpiIrecv { communicator, .. }
        | Event::MpiCollectiveEnd { communicator, .. }
        | Event::NonBlockingCollectiveComplete { communicator, .. } => Some(communicator),
        _ => None,
    }
}
