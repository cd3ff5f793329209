//! The messages in a profile's events, at call paths.
//!
//! A call path may have events for each partner, and one for all partners, depending on TAU's configuration: if there
//! are any of the latter, they alone are read. Events without a call path are those of the whole run. For each partner
//! TAU records the messages sent; for those received, only `MPI_Wait` and its like have events at call paths ("received
//! in wait"), which are incomplete.

use std::collections::BTreeMap;

use ats_model::traffic::CallCounter;

use super::ROOT;
use crate::draft::Draft;
use crate::{ReportError, limits, number};

/// The text before a partner's number, or before the words for all of them.
const EVENTS: [(&str, Way); 2] =
    [("Message size sent to ", Way::Sent), ("Message size received from ", Way::Received)];

/// The words for all partners.
const ALL: &str = "all nodes";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Sent,
    Received,
}

impl Way {
    /// Messages with contents, messages without, and bytes.
    fn counters(self) -> [CallCounter; 3] {
        match self {
            Way::Sent => [CallCounter::MessagesSent, CallCounter::SyncsSent, CallCounter::BytesSent],
            Way::Received => {
                [CallCounter::MessagesReceived, CallCounter::SyncsReceived, CallCounter::BytesReceived]
            }
        }
    }
}

/// The messages of an event.
pub(super) struct Event<'a> {
    way: Way,
    of_all: bool,
    frames: Vec<&'a str>,
    moved: Moved,
}

/// Messages of a call path, with contents and without, and their bytes.
#[derive(Clone, Copy, Default)]
struct Moved {
    messages: u64,
    syncs: u64,
    bytes: u64,
    /// Whether some may have contents and others not, in unknown numbers.
    is_mixed: bool,
}

/// Parses `"Message size sent to node 1 : .TAU application => MPI_Send()" events max min mean squares`; `None` for
/// another event.
pub(super) fn event(line: &str) -> Result<Option<Event<'_>>, String> {
    let parts = line.strip_prefix('"').and_then(|rest| rest.rsplit_once('"'));
    let (name, numbers) = parts.ok_or("an event does not begin with a name in quotes")?;
    let known = EVENTS.iter().find_map(|(prefix, way)| Some((name.strip_prefix(prefix)?, *way)));
    let at_a_path = known.and_then(|(rest, way)| Some((rest.split_once(" : ")?, way)));
    let Some(((partner, path), way)) =
        at_a_path.filter(|((partner, _), way)| *partner == ALL || *way == Way::Sent)
    else {
        return Ok(None);
    };
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    let &[count, max, min, mean, ..] = &numbers[..] else {
        return Err("an event is cut short".to_owned());
    };
    let value = |text, what| number::parse::<f64>(text, what);
    let count = number::count(value(count, "count")?)?;
    let (max, min) = (value(max, "amount of data")?, value(min, "amount of data")?);
    let bytes = number::count(value(mean, "amount of data")? * count as f64)?;
    let mut moved = Moved { bytes, is_mixed: min == 0.0 && max > 0.0, ..Moved::default() };
    *(if max > 0.0 { &mut moved.messages } else { &mut moved.syncs }) = count;
    let frames: Vec<&str> = path.split(" => ").map(str::trim).filter(|frame| *frame != ROOT).collect();
    if frames.len() > limits::DEPTH {
        return Err(format!("a call path has {} frames", frames.len()));
    }
    Ok(Some(Event { way, of_all: partner == ALL, frames, moved }))
}

/// The messages of all locations.
#[derive(Default)]
pub(super) struct Messages {
    /// The sums, by whether an event is that of all partners.
    of: BTreeMap<(bool, Way, Vec<String>), Moved>,
}

impl Messages {
    /// Adds those of an event; `plain` gives the plain names of frames.
    pub(super) fn add(
        &mut self,
        event: &Event<'_>,
        draft: &mut Draft,
        plain: impl Fn(&str) -> String,
    ) -> Result<(), ReportError> {
        let names: Vec<String> = event.frames.iter().map(|frame| plain(frame)).collect();
        let path = draft.path(names.iter().map(String::as_str))?;
        let sum = self.of.entry((event.of_all, event.way, path)).or_default();
        sum.messages = sum.messages.saturating_add(event.moved.messages);
        sum.syncs = sum.syncs.saturating_add(event.moved.syncs);
        sum.bytes = sum.bytes.saturating_add(event.moved.bytes);
        sum.is_mixed |= event.moved.is_mixed;
        Ok(())
    }

    /// Counts the messages in a report. If the number of messages without contents is unknown, only bytes are counted.
    pub(super) fn count(self, draft: &mut Draft) -> Result<(), ReportError> {
        let of_all = self.of.keys().any(|(of_all, ..)| *of_all);
        for ((_, way, path), moved) in self.of.into_iter().filter(|((all, ..), _)| *all == of_all) {
            let [messages, syncs, bytes] = way.counters();
            if moved.is_mixed {
                let call = path.join("/");
                draft
                    .warn(format!("some messages at {call} may be without contents: only bytes are counted"));
            } else {
                draft.count(path.clone(), messages, moved.messages)?;
                draft.count(path.clone(), syncs, moved.syncs)?;
            }
            draft.count(path, bytes, moved.bytes)?;
        }
        Ok(())
    }
}
