//! The tape of a trace: for each location its stops, with the time between them, and the sync points at them.
//!
//! Stops come in order. Points come as they are judged, nearly in order: they wait until no earlier one of their
//! location can come. The few that are later than that stay in memory.

use std::{io, path::Path, sync::Arc};

use ats_model::{CallPathId, WaitState};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::spool::{Forward, Spool};
use crate::{
    judge::{
        ledger::Ledger,
        points::{At, Partners, Point, Stage, WrongOrder},
    },
    scan::{
        Scan,
        stops::{NO_STOP, Role, Spell, Stop, Stops},
    },
    words::place::Base,
};

/// A step of a location through the run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Step {
    /// Time in a call path alone, in ticks; serial outside parallel regions of several threads.
    Spell { base: Base, path: CallPathId, is_serial: bool, ticks: u64 },
    /// The next stop.
    Stop(PassedStop),
}

/// A stop, as it is on the tape.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct PassedStop {
    /// Its begin, in ticks as its location recorded it.
    pub(super) enter: u64,
    /// Its duration, in ticks; nothing known of a parallel region.
    pub(super) total: u64,
    pub(super) base: Base,
    pub(super) path: CallPathId,
    pub(super) is_serial: bool,
}

impl Default for PassedStop {
    /// The begin of a location.
    fn default() -> Self {
        PassedStop { enter: 0, total: 0, base: Base::NOTHING, path: CallPathId::ROOT, is_serial: false }
    }
}

/// A sync point, as it is on the tape: [`Point`] with the number of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Met {
    pub(super) stop: u32,
    pub(super) stage: Stage,
    pub(super) wait: u64,
    /// An index into [`WaitState::ALL`].
    state: u8,
    pub(super) completion: u64,
    pub(super) since_fork: u64,
    pub(super) partners: Group,
    pub(super) led_by: Option<At>,
}

impl Met {
    pub(super) fn state(&self) -> WaitState {
        WaitState::ALL[self.state as usize]
    }
}

/// The partners of a point: one location, or a group by its number in [`Groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    fn number(&mut self, members: &Arc<[u32]>) -> u32 {
        if let Some(&number) = self.numbers.get(members) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(Arc::clone(members));
        self.numbers.insert(Arc::clone(members), number);
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
    /// For each location the stream of its steps, and after those of all locations the streams of their points.
    pub(super) spool: Spool,
    locations: Vec<OfLocation>,
    pub(super) groups: Groups,
    /// The first error of the temporary file; nothing is written after it.
    error: Option<io::Error>,
}

/// The points of a location that are not in its stream.
#[derive(Debug, Default)]
struct OfLocation {
    pending: Vec<Met>,
    /// The last point in the stream.
    last: Option<Met>,
    late: Vec<Met>,
    wrong_order: Vec<(u32, WaitState)>,
}

/// The points of a location that wait for earlier ones.
const PENDING: usize = 100_000;

impl Tape {
    /// An empty tape; a temporary file is in `folder`, by default where the system has such files.
    pub(crate) fn new(locations: usize, folder: Option<&Path>) -> Self {
        Tape {
            spool: Spool::new(2 * locations, folder),
            locations: (0..locations).map(|_| OfLocation::default()).collect(),
            groups: Groups::default(),
            error: None,
        }
    }

    /// The number of points that are in memory.
    pub(crate) fn count(&self) -> usize {
        self.locations.iter().map(|of| of.pending.len() + of.late.len()).sum()
    }

    /// The folder of its temporary file.
    pub(crate) fn folder(&self) -> &Path {
        self.spool.folder()
    }

    /// Takes all that is left, at the end.
    pub(crate) fn finish(&mut self, scans: &mut [Scan], ledgers: &mut [Ledger]) {
        for ledger in ledgers {
            self.take_points(ledger.points.take());
        }
        for (location, scan) in scans.iter_mut().enumerate() {
            if let Some(stops) = &mut scan.stops {
                self.take_stops(location, stops, true);
            }
        }
    }

    /// Takes the stops of a location that are known; at the `end` all.
    pub(crate) fn take_stops(&mut self, location: usize, stops: &mut Stops, is_end: bool) {
        let Tape { spool, error, .. } = self;
        let mut write = |step: Step| {
            if error.is_none() {
                *error = spool.write(location, &step).err();
            }
        };
        stops.take(is_end, |stop, spells| {
            for &Spell { base, path, is_serial, ticks } in spells {
                write(Step::Spell { base: base.or_nothing(), path, is_serial, ticks });
            }
            if let Some(Stop { enter, leave, base, path, is_serial, role, .. }) = stop {
                let is_left = role == Role::Call && leave != u64::MAX;
                let total = if is_left { leave.saturating_sub(enter) } else { 0 };
                let base = base.or_nothing();
                write(Step::Stop(PassedStop { enter, total, base, path, is_serial }));
            }
        });
    }

    /// Takes the points of a process.
    pub(crate) fn take_points(&mut self, (points, wrong_order): (Vec<Point>, Vec<WrongOrder>)) {
        // Members of a group share it.
        let mut known: FxHashMap<*const u32, u32> = FxHashMap::default();
        for Point { at, state, wait, completion, since_fork, partners, led_by } in &points {
            if at.stop == NO_STOP {
                continue;
            }
            let partners = match partners {
                Partners::One(location) => Group::One(*location),
                Partners::Group(members) => {
                    let number = known.entry(members.as_ptr()).or_insert_with(|| self.groups.number(members));
                    Group::Of(*number)
                }
            };
            let At { location, stop, stage } = *at;
            // A location that waits for itself has no cause but its own disorder.
            let led_by = led_by.filter(|by| by.stop != NO_STOP && (by.location != location || *wait == 0));
            let (state, wait, completion, since_fork) = (*state as u8, *wait, *completion, *since_fork);
            let met = Met { stop, stage, wait, state, completion, since_fork, partners, led_by };
            self.locations[location as usize].pending.push(met);
        }
        for WrongOrder { location, stop, state } in wrong_order {
            self.locations[location as usize].wrong_order.push((stop, state));
        }
    }

    /// Writes the points before a stop of each location; later ones may have others before them.
    pub(crate) fn write_points(&mut self, until: impl Fn(usize) -> u32) {
        let streams = self.locations.len();
        for (location, of) in self.locations.iter_mut().enumerate() {
            let until = if of.pending.len() > PENDING { u32::MAX } else { until(location) };
            let mut known: Vec<Met> = of.pending.extract_if(.., |met| met.stop < until).collect();
            known.sort_unstable();
            for met in known {
                if Some(met) < of.last {
                    of.late.push(met);
                } else if self.error.is_none() {
                    of.last = Some(met);
                    self.error = self.spool.write(streams + location, &met).err();
                }
            }
        }
    }

    /// Ends the tape, when all stops and points are on it.
    ///
    /// # Errors
    /// The temporary file could not be written.
    pub(super) fn end(mut self) -> io::Result<(Spool, Groups, Vec<Points>)> {
        self.write_points(|_| u32::MAX);
        let streams = self.locations.len();
        let points = |(location, mut of): (usize, OfLocation)| {
            of.late.sort_unstable_by(|a, b| b.cmp(a));
            of.wrong_order.sort_unstable();
            let wrong_order = of.wrong_order.into_iter().collect();
            Points { stream: Forward::new(streams + location), next: None, late: of.late, wrong_order }
        };
        let points = self.locations.into_iter().enumerate().map(points).collect();
        self.error.map_or(Ok((self.spool, self.groups, points)), Err)
    }
}

/// The points of a location, in order.
#[derive(Debug)]
pub(super) struct Points {
    stream: Forward,
    next: Option<Met>,
    /// Those that came late, the first last.
    late: Vec<Met>,
    wrong_order: FxHashMap<u32, WaitState>,
}

impl Points {
    /// The next point, which stays where it is; none at the end.
    pub(super) fn peek(&mut self, spool: &mut Spool) -> io::Result<Option<Met>> {
        if self.next.is_none() {
            self.next = self.stream.next(spool)?;
        }
        Ok(match (self.next, self.late.last()) {
            (Some(next), Some(&late)) => Some(next.min(late)),
            (next, late) => next.or(late.copied()),
        })
    }

    /// Takes the next point, and the state of its wait.
    pub(super) fn next(&mut self, spool: &mut Spool) -> io::Result<Option<(Met, WaitState)>> {
        let Some(met) = self.peek(spool)? else { return Ok(None) };
        if self.next == Some(met) {
            self.next = None;
        } else {
            self.late.pop();
        }
        // A call waits for one message at most.
        let waits_for_it = met.wait > 0 && met.state() == WaitState::LateSender;
        let wrong = if waits_for_it { self.wrong_order.get(&met.stop) } else { None };
        Ok(Some((met, wrong.copied().unwrap_or(met.state()))))
    }
}
