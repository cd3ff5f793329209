//! Transfers: calls that move data, and the time that they take besides waits.
//!
//! A call of MPI waits until its partners have begun; the rest of its time is the price of moving data. It is small on a
//! fast network, and nothing in virtual time without one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ats_documents::Basis;
use ats_documents::explanation as document;
use ats_documents::finding::is_harness;
use ats_documents::messages::{Repeated, SlowMessages};
use ats_model::mpi::{Function, Kind, Waiting};
use ats_model::signature::short;

use super::facts::{Facts, Moved, Place};

/// Calls of one region that move data, whoever calls the region.
#[derive(Clone, Debug, Default)]
pub(super) struct Transfers<'a> {
    /// The calls, by falling seconds.
    pub(super) calls: Vec<Place<'a>>,
    /// Seconds of each unit that has some.
    pub(super) units: BTreeMap<u32, f64>,
    /// Their messages or operations.
    pub(super) moved: Moved,
}

/// The size of a message that counts as small, in bytes: Periscope's.
const SMALL: f64 = 1000.0;

/// The number of messages of a location that counts as many.
const MANY: f64 = 10.0;

/// The longest time that a small message takes on a network, in seconds. A longer one has another reason.
const PRICE: f64 = 1e-3;

/// The least part of a location's messages that follow another to the same receiver, with nothing received in between, if
/// it is worth while to put several into one: half, so that at least two become one. With a higher value, those who send
/// two to each neighbour in a step are not told, with a lower one those who exchange one message a step and few others.
const REPEATED: f64 = 0.5;

impl Transfers<'_> {
    pub(super) fn seconds(&self) -> f64 {
        self.units.values().fold(0.0, |sum, seconds| sum + seconds)
    }

    /// They as the document has them.
    pub(super) fn document(&self, basis: &Basis) -> document::Transfers {
        let seconds = self.seconds();
        let mut call_paths: Vec<Vec<String>> = Vec::new();
        for path in &self.calls {
            if call_paths.iter().all(|known| known != path.names) {
                call_paths.push(path.names.to_vec());
            }
        }
        document::Transfers {
            seconds,
            share: basis.severity(seconds),
            call_paths,
            number: self.moved.number as u64,
            bytes: self.moved.bytes as u64,
        }
    }

    /// Whether they are many and small, so that each costs more than its bytes.
    pub(super) fn are_small(&self) -> bool {
        let Moved { number, bytes } = self.moved;
        let are_many = number >= MANY * self.units.len() as f64;
        are_many && (1.0..SMALL * number).contains(&bytes) && self.seconds() < PRICE * number
    }

    /// The locations that send small messages which could be fewer.
    pub(super) fn repeated(&self, facts: &Facts<'_>) -> Vec<Repeated> {
        let is_message = |path: &Place<'_>| {
            let call = path.names.last().and_then(|name| Function::of_spelling(name));
            call.and_then(moves) == Some(false)
        };
        if !self.are_small() || !self.calls.iter().any(is_message) {
            return Vec::new();
        }
        let all = facts.analysis.messages.iter().flat_map(|messages| &messages.repeated);
        let takes_time =
            |of: &&Repeated| facts.unit(of.sender).is_some_and(|unit| self.units.contains_key(&unit));
        all.filter(takes_time).filter(|of| of.number as f64 >= REPEATED * of.of as f64).copied().collect()
    }

    /// The slow messages that they receive.
    pub(super) fn slow<'f>(&self, facts: &Facts<'f>) -> impl Iterator<Item = &'f SlowMessages> {
        let all = facts.analysis.messages.iter().flat_map(|messages| &messages.slow);
        all.filter(|of| self.calls.contains(&received(of)))
    }
}

/// The call path that receives messages.
pub(super) fn received(messages: &SlowMessages) -> Place<'_> {
    Place { names: &messages.call_path, site: messages.call_site.as_ref() }
}

/// The transfers of a run: those of messages and those of collective operations, by the region that calls them.
pub(super) fn transfers<'a>(facts: &'a Facts<'a>) -> Vec<Transfers<'a>> {
    let mut groups: BTreeMap<(Option<Cow<'_, str>>, bool), Vec<Transfers<'a>>> = BTreeMap::new();
    for path in facts.paths() {
        let Some((call, around)) = path.names.split_last() else { continue };
        let Some(is_operation) = Function::of_spelling(call).and_then(moves) else { continue };
        if !facts.analysis.basis.includes(None, path.names) || is_harness(path.names) {
            continue;
        }
        let units = (0..).zip(facts.besides_waits(path)).filter(|of| of.1 > 0.0).collect();
        let of_call = Transfers { calls: vec![path], units, moved: facts.moved(path) };
        let around = around.last().map(|around| short(around));
        groups.entry((around, is_operation)).or_default().push(of_call);
    }
    groups.into_values().map(joined).filter(|transfers| !transfers.units.is_empty()).collect()
}

/// Whether a call moves data in a collective operation, or else in messages; `None` if it does neither, or if it is not
/// known how long it waits. A call that only looks is a matter of polling.
pub(super) fn moves(call: Function) -> Option<bool> {
    let of_messages = match call.kind() {
        Kind::Send(_) | Kind::Receive | Kind::SendReceive | Kind::Start => true,
        Kind::Completion { tests, .. } if !tests => true,
        Kind::Collective(_) | Kind::Neighborhood(_) => false,
        _ => return None,
    };
    (!matches!(call.waiting(), Waiting::NotAnalyzed(_))).then_some(!of_messages)
}

/// The transfers of several calls as one.
fn joined(mut calls: Vec<Transfers<'_>>) -> Transfers<'_> {
    // Equal ones stay in the order of their names.
    calls.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
    let mut all = Transfers::default();
    for of_call in calls.into_iter().filter(|of_call| !of_call.units.is_empty()) {
        all.calls.extend(of_call.calls);
        of_call.units.into_iter().for_each(|(unit, seconds)| *all.units.entry(unit).or_default() += seconds);
        all.moved += of_call.moved;
    }
    all
}
