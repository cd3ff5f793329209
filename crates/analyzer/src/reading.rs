//! Reads every location, part by part, beginning with those that are behind, and makes room meanwhile.

use std::path::Path;

use ats_documents::Analysis;
use ats_model::{Definitions, EventSource};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    AnalysisError,
    causes::Tape,
    clock::{Clocks, Correction},
    judge::{init_finalize::CommonClock, ledger::Details, waits::WaitSpool},
    records::processes::{locations_by_rank, mains_of_several},
    scan::{Scan, Scanner, Trees, Wants, lookahead::Lookahead},
    settle::{self, Settled},
    words::regions::Regions,
};

/// The plan for reading a trace.
pub(crate) struct ReadingPlan<'a> {
    pub(crate) regions: &'a Regions,
    /// The number of records above which those that are over are judged and forgotten; `None` keeps all.
    pub(crate) records_in_memory: Option<usize>,
    /// The correction of clocks, if it is known.
    pub(crate) correction: Option<&'a Correction>,
    /// Whether the clocks of the processes are one.
    pub(crate) clock: CommonClock,
    /// The details that ledgers begin with.
    pub(crate) details: &'a Details,
    /// The results that are asked for.
    pub(crate) wants: Wants,
    /// The folder of temporary files.
    pub(crate) temp: Option<&'a Path>,
}

/// Reads every location; one that cannot be read to its end becomes a warning. Once there are many records, those that
/// are over are judged and forgotten, by corrected times if there is a correction.
pub(crate) fn read<S: EventSource>(
    source: &S,
    plan: &ReadingPlan<'_>,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Scan>, Settled), AnalysisError<S::Error>> {
    let mut reading = Reading::new(source, plan);
    while reading.read_those_behind() {
        reading.settled.take_stops(reading.locations.iter_mut().map(|reading| &mut reading.scanner));
        reading.make_room();
    }
    reading.finish(warnings)
}

/// A location that is being read.
struct ReadLocation<'a, E> {
    location: usize,
    scanner: Scanner<'a>,
    /// The part that comes next; none at the end.
    part: Option<usize>,
    /// The span of its previous part, in ticks.
    pace: u64,
    /// The reason why its end was not reached.
    error: Option<E>,
}

impl<E> ReadLocation<'_, E> {
    // The loop over events is by itself: inlined into the driver of threads it loses its registers.
    #[inline(never)]
    fn read_part<S: EventSource<Error = E>>(&mut self, source: &S, trees: &Trees) {
        let Some(part) = self.part.take() else { return };
        let before = self.scanner.last_time();
        let scanner = &mut self.scanner;
        match source.read_part(self.location, part, |time, event| scanner.visit(time, event)) {
            Ok(true) => self.part = Some(part + 1),
            Ok(false) => {}
            Err(error) => self.error = Some(error),
        }
        if self.part.is_none() {
            self.scanner.close(trees);
        }
        let begin = before.max(self.scanner.first_time());
        self.pace = self.scanner.last_time().saturating_sub(begin);
    }
}

/// The progress of a location's reading, which shows the locations that are behind.
enum Progress<'a> {
    /// Progress by its last time stamp.
    InTime,
    /// Progress by its last time stamp and the correction of clocks.
    Corrected(&'a Clocks),
    /// Progress by the time since the first event of its process, by location: clocks may differ by more than the trace
    /// lasts.
    Since(Vec<u64>),
}

impl Progress<'_> {
    fn since_first<E>(definitions: &Definitions, locations: &[ReadLocation<'_, E>]) -> Self {
        let mut first: FxHashMap<u32, u64> = FxHashMap::default();
        for (location, reading) in definitions.locations.iter().zip(locations) {
            let time = reading.scanner.first_time();
            first.entry(location.rank).and_modify(|first| *first = time.min(*first)).or_insert(time);
        }
        Progress::Since(definitions.locations.iter().map(|location| first[&location.rank]).collect())
    }

    fn time<E>(&self, definitions: &Definitions, reading: &ReadLocation<'_, E>) -> u64 {
        let last = reading.scanner.last_time();
        match self {
            Progress::InTime => last,
            Progress::Corrected(clocks) => clocks.apply(definitions.locations[reading.location].rank, last),
            Progress::Since(first) => last.saturating_sub(first[reading.location]),
        }
    }
}

/// The room for records, and the steps taken to make some.
enum Room {
    /// All is kept.
    Endless,
    /// A limit on the records in memory; past it, those that are over are settled.
    Limited { records_in_memory: usize, limit: usize, made: RoomMade },
}

/// The last step taken to make room.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RoomMade {
    NotYet,
    BySettling,
    /// Settled again, after reading ahead for the fate of requests that are open for long.
    ByLookahead,
}

/// A trace that is being read.
struct Reading<'a, S: EventSource> {
    source: &'a S,
    definitions: &'a Definitions,
    locations: Vec<ReadLocation<'a, S::Error>>,
    /// The call trees of locations that are read to their end.
    trees: Trees,
    progress: Progress<'a>,
    correction: Option<&'a Correction>,
    clock: CommonClock,
    room: Room,
    settled: Settled,
}

impl<'a, S: EventSource> Reading<'a, S> {
    fn new(source: &'a S, plan: &ReadingPlan<'a>) -> Self {
        let definitions = source.definitions();
        let mains = mains_of_several(definitions);
        let location = |location: usize| ReadLocation {
            location,
            scanner: Scanner::new(definitions, plan.regions, location, mains[location], plan.wants),
            part: Some(0),
            pace: 0,
            error: None,
        };
        let limited = |records_in_memory| Room::Limited {
            records_in_memory,
            limit: records_in_memory,
            made: RoomMade::NotYet,
        };
        Reading {
            source,
            definitions,
            locations: (0..definitions.locations.len()).map(location).collect(),
            trees: Trees::default(),
            progress: plan.correction.map_or(Progress::InTime, |it| Progress::Corrected(&it.clocks)),
            correction: plan.correction,
            clock: plan.clock,
            room: plan.records_in_memory.map_or(Room::Endless, limited),
            settled: Settled::keeping(plan.details.clone(), plan.wants.profile).with(
                plan.wants.causes.map(|_| Tape::new(definitions.locations.len(), plan.temp)),
                plan.details.waits.are_kept().then(|| WaitSpool::new(plan.temp)),
            ),
        }
    }

    /// Reads a part of each location that is behind; false when all are read. No location gets ahead of the last by
    /// much more than a part of that.
    fn read_those_behind(&mut self) -> bool {
        let Reading { source, definitions, progress, trees, .. } = self;
        let progress = |reading: &ReadLocation<'_, S::Error>| progress.time(definitions, reading);
        let mut unread: Vec<_> = self.locations.iter_mut().filter(|reading| reading.part.is_some()).collect();
        let Some((last, pace)) = unread.iter().map(|reading| (progress(reading), reading.pace)).min() else {
            return false;
        };
        unread.retain(|reading| progress(reading) <= last.saturating_add(pace));
        unread.par_iter_mut().for_each(|reading| reading.read_part(*source, trees));
        true
    }

    /// Settles the records that are over, if there are too many.
    fn make_room(&mut self) {
        let Room::Limited { records_in_memory, limit, mut made } = self.room else { return };
        if self.records() <= limit {
            return;
        }
        if made == RoomMade::NotYet {
            made = RoomMade::BySettling;
            if self.correction.is_none() && self.clock == CommonClock::Unknown {
                self.progress = Progress::since_first(self.definitions, &self.locations);
                self.settled.take_sample(records_in_memory);
            }
        }
        self.settle();
        let has_unsure = || self.locations.iter().any(|reading| reading.scanner.has_unsure_requests());
        if made == RoomMade::BySettling && self.records() > records_in_memory / 2 && has_unsure() {
            made = RoomMade::ByLookahead;
            self.foresee(records_in_memory / 8 / self.definitions.locations.len());
            self.settle();
        }
        // What is not settled must not be looked at again and again.
        let limit = records_in_memory.max(2 * self.records());
        self.room = Room::Limited { records_in_memory, limit, made };
    }

    /// The number of records in memory.
    fn records(&self) -> usize {
        let of_locations: usize = self.locations.iter().map(|reading| reading.scanner.count()).sum();
        of_locations + self.settled.tape.as_ref().map_or(0, Tape::count)
    }

    /// Finds the fate of requests that are open for more than `long` events.
    fn foresee(&mut self, long: usize) {
        let Reading { source, definitions, locations, .. } = self;
        let of_processes = locations_by_rank(definitions);
        locations.par_iter_mut().for_each(|reading| {
            let is_alone = of_processes[&definitions.locations[reading.location].rank].len() == 1;
            let lookahead = Lookahead::new(*source, reading.location, long as u64, is_alone);
            reading.scanner.foresee(lookahead);
        });
    }

    /// Judges and forgets the records that are over.
    fn settle(&mut self) {
        let until = |reading: &ReadLocation<'_, S::Error>| match reading.part {
            Some(_) => reading.scanner.last_time(),
            None => u64::MAX,
        };
        let until: Vec<u64> = self.locations.iter().map(until).collect();
        let mut scanners: Vec<_> = self.locations.iter_mut().map(|reading| &mut reading.scanner).collect();
        settle::settle(self.definitions, &mut scanners, &until, self.correction, &mut self.settled);
    }

    fn finish(mut self, warnings: &mut Vec<String>) -> Result<(Vec<Scan>, Settled), AnalysisError<S::Error>> {
        let until = vec![u64::MAX; self.locations.len()];
        let mut scanners: Vec<_> = self.locations.iter_mut().map(|reading| &mut reading.scanner).collect();
        settle::join_requests(self.definitions, &mut scanners, &until);
        let locations = self.locations.into_iter();
        let (mut scans, ends): (Vec<Scan>, Vec<Option<S::Error>>) =
            locations.map(|reading| (reading.scanner.into_scan(), reading.error)).unzip();
        let is_empty = scans.iter().all(|scan| scan.events == 0);
        for (location, end) in ends.into_iter().enumerate() {
            let Some(source) = end else { continue };
            let rank = self.definitions.locations[location].rank;
            if is_empty {
                return Err(AnalysisError::Unreadable { location, rank, source });
            }
            let (thread, events) = (self.definitions.locations[location].thread, scans[location].events);
            scans[location].is_cut = true;
            warnings.push(format!(
                "rank {rank}, thread {thread} {}, its first {events} events are analyzed: {source}",
                Analysis::READ_IN_PART
            ));
        }
        if is_empty {
            warnings.push("the trace has no events".to_owned());
        }
        Ok((scans, self.settled))
    }
}
