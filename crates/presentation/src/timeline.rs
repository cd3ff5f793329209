//! A trace as a picture: rows of coloured bars, lines for messages, and marks for waits.

mod bars;
mod clocks;
mod lines;
mod picture;
mod read;
mod select;

use ats_documents::{Analysis, Wait};
use ats_model::EventSource;
use rayon::prelude::*;

pub use self::picture::{
    Bar, Collective, Detail, Kind, Limits, MarkedWait, Message, Part, RegionName, Row, Timeline,
};
use self::read::Read;
use crate::stamps::Stamps;

/// The picture of a trace, read once, its locations in parallel. `found` are the findings of its analysis and the
/// single waits that the analyzer handed out.
///
/// Of a large trace it shows a part within `limits`, and [`Timeline::remarks`] lists the omissions. Memory is bounded
/// by them, too.
///
/// ```
/// use ats_presentation::{Limits, timeline};
/// let trace = ats_analyzer::notation::parse(
///     "0: 0..5 work; 5..9 MPI_Send send 1
///      1: 2..9 MPI_Recv recv 0",
/// )?;
/// let mut waits = Vec::new();
/// let observe = &mut |wait| waits.push(wait);
/// let analysis = ats_analyzer::analyze_with(&trace, "example", &Default::default(), observe).unwrap();
/// let timeline = timeline(&trace, Some((&analysis, &waits)), &Limits::default());
/// assert_eq!(timeline.rows[0].bars.len(), 2);
/// assert_eq!((timeline.messages[0].sent, timeline.messages[0].received), (5, 9));
/// assert_eq!((timeline.waits[0].row, timeline.waits[0].begin, timeline.waits[0].end), (1, 2, 5));
/// assert!(timeline.remarks().is_empty());
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
pub fn timeline<S: EventSource>(
    source: &S,
    found: Option<(&Analysis, &[Wait])>,
    limits: &Limits,
) -> Timeline {
    let definitions = source.definitions();
    let shown = select::locations(definitions, found, limits.rows);
    let per_row = |limit: usize| (limit / shown.len().max(1)).max(1);
    let mut reads: Vec<Read> = shown
        .par_iter()
        .map(|&location| Read::new(source, location, per_row(limits.bars), per_row(STAMPS)))
        .collect();

    let begins: Vec<Option<u64>> = reads.iter().map(|read| read.span.map(|(begin, _)| begin)).collect();
    let clocks = clocks::clocks(definitions, found.map(|(analysis, _)| analysis), &shown, &begins);
    if let Some(clocks) = &clocks {
        reads.iter_mut().zip(clocks).for_each(|(read, clock)| read.retime(|time| clock.apply(time)));
    }
    let clock = |row: usize, time| clocks.as_ref().map_or(time, |clocks| clocks[row].apply(time));

    let mut detail = Detail { locations: definitions.locations.len(), ..Detail::default() };
    let correction = found.and_then(|(analysis, _)| analysis.clock_correction.as_ref());
    detail.clocks = correction.map(|correction| correction.method);
    let spans = reads.iter().filter_map(|read| read.span);
    let (begin, end) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    let measured = reads.iter().filter_map(|read| read.measured);
    let measured = measured.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    detail.lines_until = reads.iter().filter_map(|read| read.stamps_until).min();
    detail.unreadable = reads.iter().filter_map(|read| read.unreadable.clone()).collect();
    let stamps: Vec<&Stamps> = reads.iter().map(|read| &read.stamps).collect();
    let messages = lines::messages(&stamps, limits.messages, &mut detail);
    let collectives = lines::collectives(&stamps, limits.collectives, &mut detail);
    let (findings, waits) = match found {
        Some((analysis, waits)) => {
            let findings = analysis.findings.iter().map(|finding| finding.id.clone()).collect();
            (findings, lines::waits(waits, &definitions.locations, &shown, clock, limits.waits, &mut detail))
        }
        None => Default::default(),
    };
    let row = |(read, &location): (Read, &usize)| {
        detail.merged += read.bars.merged();
        detail.deeper += read.bars.deeper;
        let definition = &definitions.locations[location];
        let (rank, thread) = (definition.rank, definition.thread);
        Row { name: definition.name.clone(), rank, thread, bars: read.bars.finish() }
    };
    let rows = reads.into_iter().zip(&shown).map(row).collect();
    Timeline {
        resolution: definitions.clock.resolution.max(1),
        origin: definitions.clock.offset,
        begin,
        end,
        measured,
        rows,
        regions: definitions
            .regions
            .iter()
            .map(|region| RegionName {
                name: region.name.clone(),
                call_site: region.call_site.clone(),
                kind: Kind::of(region),
            })
            .collect(),
        messages,
        collectives,
        findings,
        waits,
        detail,
    }
}

/// The number of messages and collective operations that are remembered over all rows before they are matched.
const STAMPS: usize = 4_000_000;
