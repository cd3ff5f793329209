//! Root causes: who makes whom wait, and the critical path. `docs/delays.md` defines them.
//!
//! # How they are computed
//!
//! While the trace is read, each location's stops, the time between them, and the sync points at them go to a [`tape`].
//! When all is judged, the tape is passed twice:
//! - [`forward`]: each causer is compared with the one that waits. That gives the part of the wait that each call path of
//!   the causer explains, and the part that the causer has waited itself. The results are marks on the locations' ways.
//! - [`backward`]: the marks are read from the end, where nobody waits for anything later. So the costs of a wait are known
//!   before it is divided among its causes. The [`path`] is walked in the same direction.
//!
//! What does not fit into memory is in a temporary file ([`crate::spool`]). Otherwise memory holds the call paths and partners
//! of each location, and what is under way.

mod backward;
mod compared;
mod document;
mod forward;
mod impact;
mod left_out;
mod marks;
mod notes;
mod partners;
mod path;
mod places;
mod scales;
mod sums;
mod tape;

use std::io;

use ats_documents::{Causes, Finding};
use ats_model::{Definitions, delay::Extent};

pub(crate) use self::tape::Tape;
use self::{
    backward::WayBackward,
    document::{Computed, document},
    forward::WayForward,
    places::Places,
};
use crate::{
    answer::findings::Index,
    clock::Clocks,
    records::processes::{locations_by_rank, main_of},
    scan::Scan,
};

/// The warning where times of different processes are not compared.
pub(crate) const UNCOMPARABLE: &str =
    "root causes are not computed, since the clocks of the processes contradict each other";

/// A trace that is read and judged.
pub(crate) struct Read<'a> {
    pub(crate) definitions: &'a Definitions,
    pub(crate) scans: &'a [Scan],
    /// All findings, by falling waiting time, and how to find them.
    pub(crate) findings: &'a [Finding],
    pub(crate) index: Index<'a>,
    /// The correction of its clocks, if they were corrected.
    pub(crate) clocks: Option<&'a Clocks>,
}

/// Computes the causes of waits.
///
/// # Errors
/// The temporary file cannot be written or read.
pub(crate) fn causes(
    read: Read<'_>,
    tape: Tape,
    extent: Extent,
    warnings: &mut Vec<String>,
) -> io::Result<Causes> {
    let Read { definitions, scans, findings, index, clocks } = read;
    let mut places = Places::new(definitions, scans, findings, index, extent, clocks);
    let passed = WayForward::new(tape.end()?, &mut places).go()?;
    let idle = idle_threads(definitions, scans);
    let are_of_messages = places.of_columns.iter().map(|(delay, _)| delay.is_of_message()).collect();
    let costs = WayBackward::new(&passed.ways, &idle, are_of_messages).go()?;
    let ends = if passed.ends.is_empty() { ends_of_masters(&places, scans) } else { passed.ends };
    let path = path::walk(&passed.ways, scans.len(), &ends, places.first_time())?;
    let lost = passed.lost + costs.cycles;
    if lost > 0 {
        warnings.push(format!(
            "{lost} {} no cause, since the times of the locations contradict each other",
            if lost == 1 { "wait has" } else { "waits have" }
        ));
    }
    let spent = passed.spent;
    Ok(document(Computed { costs, path, spent, serial: passed.serial, idle }, extent, findings, &places))
}

/// For each location the number of threads of its process that are idle while it is outside parallel regions; 0 if it is
/// not the main thread.
fn idle_threads(definitions: &Definitions, scans: &[Scan]) -> Vec<u32> {
    let mut idle = vec![0; scans.len()];
    for locations in locations_by_rank(definitions).into_values() {
        let workers = locations.iter().filter(|&&location| scans[location].is_worker).count();
        idle[locations[main_of(definitions, &locations)]] = workers as u32;
    }
    idle
}

/// The ends of the main threads, where no process ends MPI.
fn ends_of_masters(places: &Places<'_>, scans: &[Scan]) -> Vec<path::End> {
    let end = |(location, scan): (usize, &Scan)| {
        let (_, last) = scan.time.filter(|_| places.is_main(location))?;
        Some((last, location, sums::Position::MAX))
    };
    scans.iter().enumerate().filter_map(end).collect()
}
