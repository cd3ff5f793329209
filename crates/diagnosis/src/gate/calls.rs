//! Calls, which are counted exactly.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Explanation;
use ats_documents::explanation::JudgedCalls;
use ats_model::mpi::{Function, Kind};

/// The functions whose calls or bytes differ, those with more first, and what was not judged, in words. Functions are summed up
/// over all of their calls, so that code may be moved.
pub(super) fn judged(now: &Explanation, before: &[Explanation]) -> (Vec<JudgedCalls>, Vec<String>) {
    let counts_now = counts(now);
    let counts_before: Vec<Counts<'_>> = before.iter().map(counts).collect();
    let all = counts_before.iter().chain([&counts_now]).flat_map(|of| of.keys().copied());
    let functions: BTreeSet<&str> = all.collect();
    let (mut differing, mut by_chance) = (Vec::new(), Vec::new());
    for call in functions {
        let of = |counts: &Counts<'_>| counts.get(call).copied().unwrap_or_default();
        let before: BTreeSet<[u64; 2]> = counts_before.iter().map(of).collect();
        match (before.first(), before.len()) {
            (Some(&[visits, bytes]), 1) => {
                let [visits_now, bytes_now] = of(&counts_now);
                differing.push(JudgedCalls {
                    call: call.to_owned(),
                    visits: [visits, visits_now],
                    bytes: [bytes, bytes_now],
                });
            }
            _ => by_chance.push(call),
        }
    }
    differing.retain(|of| of.visits[0] != of.visits[1] || of.bytes[0] != of.bytes[1]);
    differing.sort_by_key(|of| !of.are_more());
    let by_chance = (!by_chance.is_empty()).then(|| {
        format!("Earlier runs differ in their calls of {}: their number is not judged.", by_chance.join(", "))
    });
    (differing, by_chance.into_iter().collect())
}

/// Calls and bytes of each function.
type Counts<'a> = BTreeMap<&'a str, [u64; 2]>;

fn counts(run: &Explanation) -> Counts<'_> {
    let mut counts = Counts::new();
    for of in run.calls.iter().filter(|of| are_of_program(&of.call)) {
        let [visits, bytes] = counts.entry(of.call.as_str()).or_default();
        *visits += of.visits;
        *bytes += of.bytes;
    }
    counts
}

/// Whether the program alone decides how often it is called: functions that start messages or operations. Chance decides how
/// often tests are, and calls that complete some of several requests.
fn are_of_program(call: &str) -> bool {
    let starts = |function: Function| {
        matches!(
            function.kind(),
            Kind::Send(_)
                | Kind::Receive
                | Kind::SendReceive
                | Kind::Start
                | Kind::Collective(_)
                | Kind::Neighborhood(_)
                | Kind::OneSided
                | Kind::FileAccess
        )
    };
    Function::of_spelling(call).is_some_and(starts)
}
