//! Times in which the recorder wrote its buffers, in words.

use ats_documents::Analysis;
use ats_model::Definitions;

use crate::scan::Scan;

/// The number of locations that are listed each by itself.
const LISTED: usize = 3;

/// The warning that recorders wrote their buffers during the run; `None` if none did.
pub(crate) fn warning(definitions: &Definitions, scans: &[Scan]) -> Option<String> {
    let sums = definitions.locations.iter().zip(scans).map(|(location, scan)| {
        let flushes = &scan.recorder.flushes;
        let ticks = flushes.iter().fold(0_u64, |sum, (begin, end)| sum.saturating_add(end - begin));
        (location.rank, ticks, flushes.len())
    });
    let mut sums: Vec<_> = sums.filter(|&(_, _, times)| times > 0).collect();
    sums.sort_by_key(|&(rank, ticks, _)| (std::cmp::Reverse(ticks), rank));
    let listed = sums.iter().take(LISTED).map(|&(rank, ticks, times)| {
        let plural = if times == 1 { "" } else { "s" };
        format!("on rank {rank} {times} time{plural}, {} s in all", definitions.clock.seconds(ticks))
    });
    let mut listed: Vec<String> = listed.collect();
    if sums.len() > LISTED {
        listed.push(format!("and on {} more locations", sums.len() - LISTED));
    }
    (!listed.is_empty()).then(|| {
        format!(
            "{} ({}); the program stood still meanwhile, and waits for that are the recorder's",
            Analysis::BUFFERS_WRITTEN,
            listed.join(", ")
        )
    })
}
