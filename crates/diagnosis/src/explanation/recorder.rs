//! Waits for the recorder: a location is awaited while its recorder writes events, and not because of its work.

use std::collections::HashMap;

use ats_documents::{Analysis, Wait};
use ats_model::Definitions;
use ats_model::definitions::Clock;
use ats_model::locations::{Location, in_a_sentence};

use super::facts::lost;
use super::wording::duration;

/// The part of the waits for a location from which the cost of its events is worth a word: with less, the advice is
/// right in nine of ten seconds, and the estimate is no better than that.
const WORTH_A_WORD: f64 = 0.1;

/// The number of locations that have a note of their own: those that are awaited the longest.
const LISTED: usize = 3;

/// Waits for a location.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Awaited {
    /// Ticks of waiting.
    ticks: u64,
    /// Ticks of them in which its recorder wrote its buffers.
    flushed: u64,
    /// The number of events that it recorded meanwhile.
    events: u64,
}

impl Awaited {
    fn add(&mut self, more: Awaited) {
        self.ticks += more.ticks;
        self.flushed += more.flushed;
        self.events += more.events;
    }
}

/// The waits of a run, by finding and by the location that is awaited.
#[derive(Clone, Debug, Default)]
pub(super) struct RecorderWaits {
    by_awaited: HashMap<(usize, usize), Awaited>,
}

impl RecorderWaits {
    /// Adds a wait.
    pub(super) fn add(&mut self, wait: &Wait) {
        let Some(location) = wait.awaited else { return };
        let ticks = wait.end.saturating_sub(wait.begin);
        let more = Awaited { ticks, flushed: wait.flushed, events: wait.recorded };
        self.by_awaited.entry((wait.finding, location)).or_default().add(more);
    }

    /// Notes on locations that are awaited because of their recorder; an event costs it `cost` seconds, if that is known.
    pub(super) fn notes(
        &self,
        analysis: &Analysis,
        definitions: &Definitions,
        cost: Option<f64>,
    ) -> Vec<String> {
        let mut sums: HashMap<usize, Awaited> = HashMap::new();
        let lost: Vec<usize> = lost(analysis).map(|(finding, _)| finding).collect();
        for (&(finding, location), &more) in &self.by_awaited {
            if lost.binary_search(&finding).is_ok() {
                sums.entry(location).or_default().add(more);
            }
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by_key(|&(location, of)| (std::cmp::Reverse(of.ticks), location));
        let has_threads = definitions.locations.iter().any(|location| location.thread > 0);
        let notes = sums.into_iter().filter_map(|(location, of)| {
            let location = &definitions.locations[location];
            let location = Location { rank: location.rank, thread: location.thread };
            note(&in_a_sentence(&[location], true, has_threads), of, definitions.clock, cost)
        });
        notes.take(LISTED).collect()
    }
}

/// The note on a location, if there is anything to say.
fn note(location: &str, of: Awaited, clock: Clock, cost: Option<f64>) -> Option<String> {
    let waited = clock.seconds(of.ticks);
    let mut said = Vec::new();
    if of.flushed > 0 {
        said.push(format!("its recorder wrote its buffers in {} of it", duration(clock.seconds(of.flushed))));
    }
    let cost = cost.unwrap_or_default();
    let recording = cost * of.events as f64;
    if recording >= WORTH_A_WORD * waited && recording > 0.0 {
        said.push(format!(
            "to record its {} events meanwhile took {} of it by estimate ({:.0} ns each, more on a machine with other \
             load)",
            of.events,
            duration(recording),
            cost * 1e9
        ));
    }
    (!said.is_empty()).then(|| {
        format!(
            "{} is waited for {location}, but {}: without a recorder that is no wait.",
            duration(waited),
            said.join(", and ")
        )
    })
}
