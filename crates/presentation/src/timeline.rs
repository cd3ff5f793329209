//! A trace as a picture: rows of coloured bars, lines for messages, and marks for waits.

mod bars;
mod clocks;
mod lines;
mod picture;
mod read;
mod select;

use std::collections::BTreeSet;

use ats_documents::{Analysis, Wait};
use ats_model::locations::numbers_in_words;
use ats_model::{Definitions, EventSource};
use rayon::prelude::*;

pub use self::picture::{
    Bar, Collective, Detail, Kind, Limits, MarkedWait, Message, Part, RegionName, Row, Timeline,
};
use self::read::Read;
use crate::stamps::Stamps;

/// The part of a run that a picture shows: all of it by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Its begin, in seconds since the first event.
    pub from: Option<f64>,
    /// Its end, in seconds since the first event.
    pub to: Option<f64>,
    /// Its ranks.
    pub ranks: Option<BTreeSet<u32>>,
}

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
    timeline_of(source, found, limits, &Window::default())
}

/// The picture of a part of a run; a window of time is read twice, since the clocks of its processes are known only then.
pub fn timeline_of<S: EventSource>(
    source: &S,
    found: Option<(&Analysis, &[Wait])>,
    limits: &Limits,
    part: &Window,
) -> Timeline {
    let definitions = source.definitions();
    let is_meant = |&location: &usize| {
        part.ranks.as_ref().is_none_or(|ranks| ranks.contains(&definitions.locations[location].rank))
    };
    let meant: Vec<usize> = (0..definitions.locations.len()).filter(is_meant).collect();
    let shown = select::locations(definitions, meant.iter().copied(), found, limits.rows);
    let Rows { reads, clocks, window } = Rows::read(source, found, limits, part, &shown);
    let seen = window.unwrap_or((0, u64::MAX));
    let clock = |row: usize, time| clock(&clocks, row, time);

    let mut detail = Detail { locations: meant.len(), ..Detail::default() };
    let ranks = part.ranks.as_ref().map(|ranks| ranks.iter().copied().collect::<Vec<_>>());
    detail.ranks = ranks.map(|ranks| numbers_in_words(&ranks));
    let correction = found.and_then(|(analysis, _)| analysis.clock_correction.as_ref());
    detail.clocks = correction.map(|correction| correction.method);
    let spans = reads.iter().filter_map(|read| read.span);
    let (begin, end) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    let measured = reads.iter().filter_map(|read| read.measured);
    let measured = measured.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    detail.lines_until = reads.iter().filter_map(|read| read.stamps_until).min();
    detail.unreadable = reads.iter().filter_map(|read| read.unreadable.clone()).collect();
    let stamps: Vec<&Stamps> = reads.iter().map(|read| &read.stamps).collect();
    let messages = lines::messages(&stamps, limits.messages, seen, &mut detail);
    let collectives = lines::collectives(&stamps, limits.collectives, seen, &mut detail);
    let (findings, waits) = match found {
        Some((analysis, waits)) => {
            let findings = analysis.findings.iter().map(|finding| finding.id.clone()).collect();
            let limit = limits.waits;
            (findings, lines::waits(waits, &definitions.locations, &shown, clock, limit, seen, &mut detail))
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
        resolution: resolution(definitions),
        origin: definitions.clock.offset,
        begin,
        end,
        measured,
        window: window.map(|(from, to)| (from.max(begin), to.min(end))),
        rows,
        regions: definitions
            .regions
            .iter()
            .map(|region| RegionName {
                name: region.name.clone(),
                call_site: region.call_site.clone(),
                kind: Kind::from_region(region),
            })
            .collect(),
        messages,
        collectives,
        findings,
        waits,
        detail,
    }
}

/// The rows of a picture, as they were read.
struct Rows {
    /// By the common clock.
    reads: Vec<Read>,
    clocks: Option<Vec<clocks::RowClock>>,
    /// The window of time, if only one is shown.
    window: Option<(u64, u64)>,
}

impl Rows {
    fn read<S: EventSource>(
        source: &S,
        found: Option<(&Analysis, &[Wait])>,
        limits: &Limits,
        part: &Window,
        shown: &[usize],
    ) -> Self {
        let definitions = source.definitions();
        let per_row = |limit: usize| (limit / shown.len().max(1)).max(1);
        let clocks_of = |reads: &[Read]| {
            let begins: Vec<Option<u64>> =
                reads.iter().map(|read| read.span.map(|(begin, _)| begin)).collect();
            clocks::clocks(definitions, found.map(|(analysis, _)| analysis), shown, &begins)
        };
        let read = |limits: (usize, usize), window: &(dyn Fn(usize) -> (u64, u64) + Sync)| -> Vec<Read> {
            let rows = shown.par_iter().enumerate();
            rows.map(|(row, &location)| Read::new(source, location, limits, window(row))).collect()
        };
        let resolution = resolution(definitions);
        let window = (part.from.is_some() || part.to.is_some()).then(|| {
            let reads = read((1, 0), &|_| (0, u64::MAX));
            let clocks = clocks_of(&reads);
            let begin = |(row, read): (usize, &Read)| Some(clock(&clocks, row, read.span?.0));
            let begin = reads.iter().enumerate().filter_map(begin).min().unwrap_or(0);
            let time = |seconds: f64| begin.saturating_add((seconds * resolution as f64).round() as u64);
            ((part.from.map_or(0, time), part.to.map_or(u64::MAX, time)), clocks)
        });
        let of_row = |row: usize| match &window {
            Some(((from, to), Some(clocks))) => (clocks[row].unapply(*from), clocks[row].unapply(*to)),
            Some((span, None)) => *span,
            None => (0, u64::MAX),
        };
        let mut reads = read((per_row(limits.bars), per_row(STAMPS)), &of_row);

        let clocks = clocks_of(&reads);
        if let Some(clocks) = &clocks {
            reads.iter_mut().zip(clocks).for_each(|(read, clock)| read.retime(|time| clock.apply(time)));
        }
        Rows { reads, clocks, window: window.map(|(span, _)| span) }
    }
}

fn resolution(definitions: &Definitions) -> u64 {
    definitions.clock.resolution.max(1)
}

/// A time by the clock of a row, if the analysis had to derive clocks.
fn clock(clocks: &Option<Vec<clocks::RowClock>>, row: usize, time: u64) -> u64 {
    clocks.as_ref().map_or(time, |clocks| clocks[row].apply(time))
}

/// The number of messages and collective operations that are remembered over all rows before they are matched.
const STAMPS: usize = 4_000_000;
