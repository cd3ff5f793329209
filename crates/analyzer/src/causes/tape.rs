//! The tape of a trace: for each location its stops, with the time between them, and the sync points at them.
//!
//! Stops come in order. Points come as they are judged, nearly in order: they wait until no earlier one of their
//! location can come. The few that are later than that stay in memory.

use std::{io, path::Path, sync::Arc};

use ats_model::{CallPathId, WaitState, delay::Delay};
use rustc_hash::FxHashMap;

use super::sums::Position;
use crate::{
    judge::{
        self,
        ledger::Ledger,
        points::{At, Partners, Point, Stage, WrongOrder},
    },
    scan::{
        Scan,
        stops::{Role, Stops},
    },
    spool::{Forward, Spool, Store, record},
    words::place::{Base, NO_STOP, Place},
};

record! {
    /// Time in a call path alone, as it is on the tape.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Spell {
        /// The number of its place among those of the location.
        pub(super) place: u32,
        /// 1 outside parallel regions of several threads, else 0.
        serial: u32,
        pub(super) ticks: u64,
    }
}

impl Spell {
    pub(super) fn is_serial(&self) -> bool {
        self.serial == 1
    }
}

record! {
    /// A stop, as it is on the tape.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct PassedStop {
        /// Its begin, in ticks as its location recorded it.
        pub(super) enter: u64,
        /// Its duration, in ticks; nothing known of a parallel region.
        pub(super) total: u64,
        /// The number of its place among those of the location; twice that, plus 1 outside parallel regions of several
        /// threads.
        place: u32,
        /// The number of spells between the stop before and this one.
        pub(super) spells: u32,
    }
}

impl PassedStop {
    /// The number of its place among those of the location.
    pub(super) fn place(&self) -> usize {
        self.place as usize / 2
    }

    pub(super) fn is_serial(&self) -> bool {
        self.place % 2 == 1
    }
}

record! {
    /// A sync point, as it is on the tape: [`Point`] with the number of its group.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) struct Met {
        pub(super) at: Position,
        pub(super) wait: u64,
        /// An index into [`WaitState::ALL`].
        state: u32,
        partners: u32,
        /// The begin of a collective operation by the common clock; else 0.
        pub(super) begin: u64,
        pub(super) completion: u64,
        pub(super) since_fork: u64,
        /// The point that it is led by; [`NOBODY`] if there is none.
        led_location: u32,
        /// Whether the partners are a group, as 0 or 1.
        are_group: u32,
        led_at: Position,
    }
}

/// The location of a point that is led by none.
const NOBODY: u32 = u32::MAX;

impl Met {
    pub(super) fn state(&self) -> WaitState {
        WaitState::ALL[self.state as usize]
    }

    /// The number of its stop.
    pub(super) fn stop(&self) -> u32 {
        ((self.at - 1) / 4) as u32
    }

    pub(super) fn partners(&self) -> Group {
        if self.are_group == 1 { Group::Of(self.partners) } else { Group::One(self.partners) }
    }

    /// The point that is waited for, or that the critical path continues from.
    pub(super) fn led_by(&self) -> Option<(u32, Position)> {
        (self.led_location != NOBODY).then_some((self.led_location, self.led_at))
    }
}

/// The position of a point on its location's tape.
fn position(stop: u32, stage: Stage) -> Position {
    before(stop) + 1 + stage as u64
}

/// The position of the time before a stop; 0 is before that of the first stop.
pub(super) fn before(stop: u32) -> Position {
    u64::from(stop) * 4 + 1
}

/// The partners of a point: one location, or a group by its number in [`Groups`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Group {
    One(u32),
    Of(u32),
}

/// The groups that met, each once.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Arc<[u32]>>,
    numbers: FxHashMap<Arc<[u32]>, u32>,
}

impl Groups {
    fn number(&mut self, members: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(members) {
            return number;
        }
        let number = self.all.len() as u32;
        let members: Arc<[u32]> = members.into();
        self.all.push(Arc::clone(&members));
        self.numbers.insert(members, number);
        number
    }

    /// The members of a group, by rising location.
    pub(super) fn members(&self, number: u32) -> &[u32] {
        &self.all[number as usize]
    }
}

/// The tape that is being written.
#[derive(Debug)]
pub(crate) struct Tape {
    pub(super) streams: Streams,
    locations: Vec<OfLocation>,
    groups: Groups,
    /// The first error of a temporary file; nothing is written after it.
    error: Option<io::Error>,
}

/// The streams of a tape, one of each kind per location, and where they are.
#[derive(Debug)]
pub(super) struct Streams {
    pub(super) store: Store,
    pub(super) stops: Spool<PassedStop>,
    pub(super) spells: Spool<Spell>,
    pub(super) points: Spool<Met>,
}

/// A tape to be read.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) streams: Streams,
    pub(super) groups: Groups,
    /// The points of each location.
    pub(super) points: Vec<Points>,
    /// The places of each location, by number.
    pub(super) places: Vec<Vec<Place>>,
}

/// A location's places, and its points that are not in its stream.
#[derive(Debug, Default)]
struct OfLocation {
    places: Vec<(Base, CallPathId)>,
    numbers: FxHashMap<(Base, CallPathId), u32>,
    /// By call path, the base that it continued last and the number of that place.
    recent: Vec<(Base, u32)>,
    pending: Vec<Met>,
    /// The last point in the stream.
    last: Option<Met>,
    late: Vec<Met>,
    wrong_order: Vec<(u32, (WaitState, u64))>,
}

impl OfLocation {
    /// The number of a place.
    fn place(&mut self, base: Base, path: CallPathId) -> u32 {
        const UNKNOWN: u32 = u32::MAX;
        let base = base.or_nothing();
        let at = path.0 as usize;
        if at >= self.recent.len() {
            self.recent.resize(at + 1, (base, UNKNOWN));
        }
        if self.recent[at].0 != base || self.recent[at].1 == UNKNOWN {
            let number = *self.numbers.entry((base, path)).or_insert_with(|| {
                self.places.push((base, path));
                self.places.len() as u32 - 1
            });
            self.recent[at] = (base, number);
        }
        self.recent[at].1
    }
}

/// The streams of a location: these, and three of marks.
const STREAMS: usize = 6;

/// The points of a location that wait for earlier ones.
const PENDING: usize = 100_000;

impl Tape {
    /// An empty tape; temporary files are in `folder`, by default where the system has such files.
    pub(crate) fn new(locations: usize, folder: Option<&Path>) -> Self {
        let store = Store::new(STREAMS * locations, folder);
        Tape {
            streams: Streams {
                stops: Spool::new(locations, &store),
                spells: Spool::new(locations, &store),
                points: Spool::new(locations, &store),
                store,
            },
            locations: (0..locations).map(|_| OfLocation::default()).collect(),
            groups: Groups::default(),
            error: None,
        }
    }

    /// The number of points that are in memory.
    pub(crate) fn count(&self) -> usize {
        self.locations.iter().map(|of| of.pending.len() + of.late.len()).sum()
    }

    /// The folder of its temporary files.
    pub(crate) fn folder(&self) -> &Path {
        self.streams.store.folder()
    }

    /// Takes all that is left, at the end.
    pub(crate) fn finish(&mut self, scans: &mut [Scan], ledgers: &mut [Ledger]) {
        for ledger in ledgers {
            self.take_points(&mut ledger.points);
        }
        for (location, scan) in scans.iter_mut().enumerate() {
            if let Some(stops) = &mut scan.stops {
                self.take_stops(location, stops, true);
            }
        }
    }

    /// Takes the stops of a location that are known; at the `end` all.
    pub(crate) fn take_stops(&mut self, location: usize, stops: &mut Stops, is_end: bool) {
        if self.error.is_some() {
            return;
        }
        let Tape {
            streams: Streams { store, stops: of_tape, spells: between, .. }, error, locations, ..
        } = self;
        let of = &mut locations[location];
        let taken = stops.take(is_end, |stop, spells| {
            for spell in spells {
                let place = of.place(spell.base, spell.path);
                let spell = Spell { place, serial: spell.is_serial.into(), ticks: spell.ticks };
                between.write(location, spell, store)?;
            }
            let Some(stop) = stop else { return Ok(()) };
            let is_left = stop.role == Role::Call && stop.leave != u64::MAX;
            let total = if is_left { stop.leave.saturating_sub(stop.enter) } else { 0 };
            let place = 2 * of.place(stop.base, stop.path) + u32::from(stop.is_serial);
            let spells = spells.len() as u32;
            of_tape.write(location, PassedStop { enter: stop.enter, total, place, spells }, store)
        });
        *error = taken.err();
    }

    /// Takes the points of a process.
    pub(crate) fn take_points(&mut self, points: &mut judge::points::Points) {
        for Point { at, state, wait, begin, completion, since_fork, partners, led_by } in
            &std::mem::take(&mut points.all)
        {
            if at.stop == NO_STOP {
                continue;
            }
            let (partners, are_group) = match partners {
                Partners::One(location) => (*location, 0),
                Partners::Group(members) => (members.number(|members| self.groups.number(members)), 1),
            };
            let At { location, stop, stage } = *at;
            // A location that waits for itself has no cause but its own disorder.
            let led_by = led_by.filter(|by| by.stop != NO_STOP && (by.location != location || *wait == 0));
            let led = led_by.map(|by| (by.location, position(by.stop, by.stage)));
            let (led_location, led_at) = led.unwrap_or((NOBODY, 0));
            let (at, state) = (position(stop, stage), *state as u32);
            let (wait, begin, completion, since_fork) = (*wait, *begin, *completion, *since_fork);
            let met = Met {
                at,
                wait,
                state,
                partners,
                begin,
                completion,
                since_fork,
                led_location,
                are_group,
                led_at,
            };
            self.locations[location as usize].pending.push(met);
        }
        for WrongOrder { location, stop, state, saved } in points.wrong_order.drain(..) {
            self.locations[location as usize].wrong_order.push((stop, (state, saved)));
        }
    }

    /// Writes the points before a stop of each location; later ones may have others before them.
    pub(crate) fn write_points(&mut self, until: impl Fn(usize) -> u32) {
        for (location, of) in self.locations.iter_mut().enumerate() {
            let until = if of.pending.len() > PENDING { u32::MAX } else { until(location) };
            // They come in a few runs that are in order.
            of.pending.sort();
            let known = of.pending.partition_point(|met| met.stop() < until);
            for met in of.pending.drain(..known) {
                if Some(met) < of.last {
                    of.late.push(met);
                } else if self.error.is_none() {
                    of.last = Some(met);
                    let Streams { store, points, .. } = &mut self.streams;
                    self.error = points.write(location, met, store).err();
                }
            }
        }
    }

    /// Ends the tape, when all stops and points are on it.
    ///
    /// # Errors
    /// A temporary file could not be written.
    pub(super) fn end(mut self) -> io::Result<Ended> {
        self.write_points(|_| u32::MAX);
        let mut ended =
            Ended { streams: self.streams, groups: self.groups, points: Vec::new(), places: Vec::new() };
        for (location, mut of) in self.locations.into_iter().enumerate() {
            of.late.sort_unstable_by(|a, b| b.cmp(a));
            let wrong_order = of.wrong_order.into_iter().collect();
            ended.points.push(Points { stream: Forward::freeing(location), late: of.late, wrong_order });
            let place = |(base, path)| Place { location: location as u32, path, base };
            ended.places.push(of.places.into_iter().map(place).collect());
        }
        self.error.map_or(Ok(ended), Err)
    }
}

/// The points of a location, in order.
#[derive(Debug)]
pub(super) struct Points {
    stream: Forward<Met>,
    /// Those that came late, the first last.
    late: Vec<Met>,
    /// By stop, the states of waits in the wrong order, and the ticks that another order would have saved.
    wrong_order: FxHashMap<u32, (WaitState, u64)>,
}

impl Points {
    /// The next point, which stays where it is; none at the end.
    #[inline]
    pub(super) fn peek(&mut self, spool: &Spool<Met>, store: &mut Store) -> io::Result<Option<&Met>> {
        let next = self.stream.peek(spool, store)?;
        Ok(match (next, self.late.last()) {
            (Some(next), Some(late)) => Some(next.min(late)),
            (next, late) => next.or(late),
        })
    }

    /// Takes the next point, if it is at a stop, the state of its wait, and the ticks that another order would have saved.
    pub(super) fn next_at(
        &mut self,
        stop: u32,
        spool: &Spool<Met>,
        store: &mut Store,
    ) -> io::Result<Option<(Met, WaitState, u64)>> {
        let Some(&met) = self.peek(spool, store)?.filter(|met| met.stop() == stop) else { return Ok(None) };
        if self.late.last() == Some(&met) {
            self.late.pop();
        } else {
            self.stream.next(spool, store)?;
        }
        // A call waits for one message at most. In a damaged trace, it may have the records of others, which lasted longer.
        let waits_for_it = met.wait > 0 && Delay::from_wait_state(met.state()) == Some(Delay::LateSender);
        let wrong = if waits_for_it { self.wrong_order.get(&stop) } else { None };
        let (state, saved) = wrong.copied().unwrap_or((met.state(), 0));
        Ok(Some((met, state, saved.min(met.wait))))
    }
}
