//! Reads every location, part by part, those that are behind first.

use ats_model::{Definitions, EventSource};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    AnalysisError,
    calls::Regions,
    clock::{Clocks, Correction},
    foresight::Foresight,
    scan::{Scan, Scanner},
    settle::{self, Settled},
    threads,
    waits::Kept,
};

/// A location that is being read.
struct Reading<'a, E> {
    location: usize,
    scanner: Scanner<'a>,
    /// The part that comes next; none at the end.
    part: Option<usize>,
    /// How many ticks the part before it spans.
    pace: u64,
    /// Why its end was not reached.
    error: Option<E>,
}

impl<E> Reading<'_, E> {
    fn read_part<S: EventSource<Error = E>>(&mut self, source: &S) {
        let Some(part) = self.part.take() else { return };
        let before = self.scanner.last_time();
        let scanner = &mut self.scanner;
        match source.read_part(self.location, part, |time, event| scanner.visit(time, event)) {
            Ok(true) => self.part = Some(part + 1),
            Ok(false) => {}
            Err(error) => self.error = Some(error),
        }
        if self.part.is_none() {
            self.scanner.close();
        }
        let begin = before.max(self.scanner.first_time());
        self.pace = self.scanner.last_time().saturating_sub(begin);
    }
}

/// How far a location is read, so that those that are behind can be told.
enum Progress<'a> {
    /// By its last time stamp.
    InTime,
    /// By that and how clocks are corrected.
    Corrected(&'a Definitions, &'a Clocks),
    /// By what has passed since the first one of its process, by location: clocks may differ by more than the trace lasts.
    Since(Vec<u64>),
}

impl Progress<'_> {
    fn since_first<E>(definitions: &Definitions, readings: &[Reading<'_, E>]) -> Self {
        let mut first: FxHashMap<u32, u64> = FxHashMap::default();
        for (location, reading) in definitions.locations.iter().zip(readings) {
            let time = reading.scanner.first_time();
            first.entry(location.rank).and_modify(|first| *first = time.min(*first)).or_insert(time);
        }
        Progress::Since(definitions.locations.iter().map(|location| first[&location.rank]).collect())
    }

    fn of<E>(&self, reading: &Reading<'_, E>) -> u64 {
        let last = reading.scanner.last_time();
        match self {
            Progress::InTime => last,
            Progress::Corrected(definitions, clocks) => {
                clocks.apply(definitions.locations[reading.location].rank, last)
            }
            Progress::Since(first) => last.saturating_sub(first[reading.location]),
        }
    }
}

/// How many there are.
fn records<E>(readings: &[Reading<'_, E>]) -> usize {
    readings.iter().map(|reading| reading.scanner.count()).sum()
}

/// Judges and forgets what is over.
fn settle<E>(
    definitions: &Definitions,
    readings: &mut [Reading<'_, E>],
    correction: Option<&Correction>,
    settled: &mut Settled,
) {
    let until = |reading: &Reading<'_, E>| match reading.part {
        Some(_) => reading.scanner.last_time(),
        None => u64::MAX,
    };
    let until: Vec<u64> = readings.iter().map(until).collect();
    let mut scanners: Vec<_> = readings.iter_mut().map(|reading| &mut reading.scanner).collect();
    settle::settle(definitions, &mut scanners, &until, correction, settled);
}

/// Reads every location; what cannot be read to its end becomes a warning. What is settled by the time that there are many
/// records is judged and forgotten, by corrected times where there is a `correction`.
pub(crate) fn read<S: EventSource>(
    source: &S,
    regions: &Regions,
    records_in_memory: usize,
    correction: Option<&Correction>,
    waits: &Kept,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Scan>, Settled), AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let mains = threads::mains_of_several(definitions);
    let reading = |location: usize| Reading {
        location,
        scanner: Scanner::new(definitions, regions, location, mains[location]),
        part: Some(0),
        pace: 0,
        error: None,
    };
    let mut readings: Vec<Reading<'_, S::Error>> = (0..definitions.locations.len()).map(reading).collect();
    let mut settled = Settled::keeping(waits.clone());
    let mut limit = records_in_memory;
    let (mut is_settled, mut is_foreseen) = (false, false);
    let mut progress = correction.map_or(Progress::InTime, |it| Progress::Corrected(definitions, &it.clocks));
    loop {
        let mut unread: Vec<&mut Reading<'_, S::Error>> =
            readings.iter_mut().filter(|reading| reading.part.is_some()).collect();
        if unread.is_empty() {
            break;
        }
        // Nobody gets ahead of the last by much more than a part of that.
        let last = unread.iter().map(|reading| (progress.of(reading), reading.pace)).min();
        let (last, pace) = last.unwrap_or_default();
        unread.retain(|reading| progress.of(reading) <= last.saturating_add(pace));
        unread.par_iter_mut().for_each(|reading| reading.read_part(source));

        if records(&readings) > limit {
            if correction.is_none() && !is_settled && !source.has_common_clock() {
                progress = Progress::since_first(definitions, &readings);
                settled.take_sample(records_in_memory);
            }
            is_settled = true;
            settle(definitions, &mut readings, correction, &mut settled);
            if !is_foreseen
                && records(&readings) > records_in_memory / 2
                && readings.iter().any(|reading| reading.scanner.has_unsure_requests())
            {
                is_foreseen = true;
                let long = records_in_memory / 8 / definitions.locations.len();
                readings.par_iter_mut().for_each(|reading| {
                    reading.scanner.foresee(Foresight::new(source, reading.location, long as u64));
                });
                settle(definitions, &mut readings, correction, &mut settled);
            }
            // What is not settled must not be looked at again and again.
            limit = records_in_memory.max(2 * records(&readings));
        }
    }
    let (scans, ends): (Vec<Scan>, Vec<Option<S::Error>>) =
        readings.into_par_iter().map(|reading| (reading.scanner.into_scan(), reading.error)).unzip();
    let is_empty = scans.iter().all(|scan| scan.events == 0);
    for (location, end) in ends.into_iter().enumerate() {
        let Some(source) = end else { continue };
        let rank = definitions.locations[location].rank;
        if is_empty {
            return Err(AnalysisError::Unreadable { location, rank, source });
        }
        let (thread, events) = (definitions.locations[location].thread, scans[location].events);
        warnings.push(format!(
            "rank {rank}, thread {thread} could only be read in part, its first {events} events are analyzed: {source}"
        ));
    }
    if is_empty {
        warnings.push("the trace has no events".to_owned());
    }
    Ok((scans, settled))
}
