//! Reads every location, part by part, those that are behind first.

use ats_model::EventSource;
use rayon::prelude::*;

use crate::{
    AnalysisError,
    calls::Regions,
    scan::{Scan, Scanner},
    settle::{Settled, settle},
    threads,
    waits::Kept,
};

/// A location that is being read.
struct Reading<'a, E> {
    location: usize,
    scanner: Scanner<'a>,
    /// The part that comes next; none at the end.
    part: Option<usize>,
    /// Why its end was not reached.
    error: Option<E>,
}

impl<E> Reading<'_, E> {
    fn read_part<S: EventSource<Error = E>>(&mut self, source: &S) {
        let Some(part) = self.part.take() else { return };
        let scanner = &mut self.scanner;
        match source.read_part(self.location, part, |time, event| scanner.visit(time, event)) {
            Ok(true) => self.part = Some(part + 1),
            Ok(false) => {}
            Err(error) => self.error = Some(error),
        }
    }
}

/// How many there are of MPI.
fn records<E>(readings: &[Reading<'_, E>]) -> usize {
    readings.iter().map(|reading| reading.scanner.records().count()).sum()
}

/// Reads every location; what cannot be read to its end becomes a warning. What is settled by the time that there are many
/// records is judged and forgotten.
pub(crate) fn read<S: EventSource>(
    source: &S,
    regions: &Regions,
    records_in_memory: usize,
    waits: &Kept,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Scan>, Settled), AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let mains = threads::mains_of_several(definitions);
    let reading = |location: usize| Reading {
        location,
        scanner: Scanner::new(definitions, regions, location, mains[location]),
        part: Some(0),
        error: None,
    };
    let mut readings: Vec<Reading<'_, S::Error>> = (0..definitions.locations.len()).map(reading).collect();
    let mut settled = Settled::keeping(waits.clone());
    let mut limit = records_in_memory;
    loop {
        let mut unread: Vec<&mut Reading<'_, S::Error>> =
            readings.iter_mut().filter(|reading| reading.part.is_some()).collect();
        if unread.is_empty() {
            break;
        }
        unread.sort_by_key(|reading| reading.scanner.last_time());
        let last = unread[unread.len() / 2].scanner.last_time();
        let behind = unread.partition_point(|reading| reading.scanner.last_time() <= last);
        unread[..behind].par_iter_mut().for_each(|reading| reading.read_part(source));

        if records(&readings) > limit {
            let mut scanners: Vec<_> = readings.iter_mut().map(|reading| &mut reading.scanner).collect();
            settle(definitions, &mut scanners, &mut settled);
            // What is not settled must not be looked at again and again.
            limit = records_in_memory.max(2 * records(&readings));
        }
    }
    let (scans, ends): (Vec<Scan>, Vec<Option<S::Error>>) =
        readings.into_par_iter().map(|reading| (reading.scanner.finish(), reading.error)).unzip();
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
