//! Times in which recording was off, in words.

use ats_documents::Analysis;
use ats_model::Definitions;

use crate::words::damage::{Damage, Damages};

/// The number of times that are listed each by itself.
const LISTED: usize = 3;

/// The warning that processes did not record all the time, and what is doubtful because of that; `None` if all did. Each
/// gap has its rank, its begin and its end.
pub(crate) fn warning(
    definitions: &Definitions,
    gaps: &[(u32, u64, u64)],
    damages: &mut Damages,
) -> Option<String> {
    let doubtful = [
        (damages.forget(Damage::DoubtfulSend), "send", "sends"),
        (damages.forget(Damage::DoubtfulReceive), "receive", "receives"),
        (damages.forget(Damage::DoubtfulOperation), "collective operation", "collective operations"),
    ];
    let counted = doubtful.into_iter().filter(|(count, ..)| *count > 0);
    let counted: Vec<String> = counted
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    // Some recorders say at once that they record.
    let is_told = |gap: &&(u32, u64, u64)| gap.1 > 0 || !counted.is_empty();
    let gaps: Vec<_> = gaps.iter().filter(is_told).collect();
    if gaps.is_empty() {
        return None;
    }
    let at = |time: u64| {
        let ticks = time.saturating_sub(definitions.clock.offset);
        format!("{} s", definitions.clock.seconds(ticks))
    };
    let span = |&&(rank, begin, end): &&(u32, u64, u64)| {
        let from = if begin == 0 { "the begin".to_owned() } else { at(begin) };
        let to = if end == u64::MAX { "the end".to_owned() } else { at(end) };
        format!("on rank {rank} from {from} to {to}")
    };
    let mut spans = gaps.iter().take(LISTED).map(span).collect::<Vec<_>>().join(", ");
    if gaps.len() > LISTED {
        spans += &format!(" and {} more times", gaps.len() - LISTED);
    }
    let result = if counted.is_empty() {
        "what is recorded on both sides of that fits together".to_owned()
    } else {
        let counted = counted.join(", ");
        format!("{counted} may have lost the other end, and no wait is counted for that")
    };
    Some(format!("{} {spans}: {result}", Analysis::RECORDING_OFF))
}
