//! Moving data takes long.

use ats_documents::explanation::CauseKind;
use ats_documents::messages::SlowMessages;
use ats_model::locations::Location;

use super::polling::looks;
use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::{Moved, Place};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::transfers::received;
use crate::explanation::wording::{agree, at, duration, object, size, subject};

/// Fits if the time that others wait for passes in a call of MPI, or in the operation that they wait in.
pub(super) fn late(case: &Case<'_>) -> Option<Fit> {
    let is_call = case.call().is_some_and(|call| !looks(call));
    let of_others = is_call && case.mechanism != Mechanism::Transfer;
    if case.mechanism != Mechanism::Completion && !of_others {
        return None;
    }
    let what = match is_call {
        true => longer(case),
        false => "The operation takes long after all have come.".to_owned(),
    };
    Some(Fit {
        cause: CauseKind::SlowCommunication,
        confidence: 0.75,
        what,
        evidence: Vec::new(),
        advice: if_all_run(case, SEND_LESS),
    })
}

/// Advice on the network, unless something else has to be changed before anything is known of that.
fn if_all_run(case: &Case<'_>, advice: &str) -> String {
    match case.facts.lacks_processors {
        true => {
            "Give each location a processor of its own; whether messages are slow shows only then.".to_owned()
        }
        false => advice.to_owned(),
    }
}

const SEND_LESS: &str =
    "Send less, place those that exchange much close to each other, and give each a processor of its own.";

/// Fits if the time passes while many small messages are moved.
pub(super) fn small_messages(case: &Case<'_>) -> Option<Fit> {
    let transfers = case.transfers.as_ref().filter(|transfers| transfers.are_small())?;
    let (facts, units) = (case.facts, case.main_units());
    let spend = agree(&units, "spends", "spend");
    let what =
        format!("{} {spend} {} in {}, besides waits.", subject(facts, &units), spent(case), calls(case));
    let Moved { number, bytes } = transfers.moved;
    let (mean, each) = (size(bytes / number), duration(transfers.seconds() / number));
    Some(Fit {
        cause: CauseKind::SmallMessages,
        confidence: 0.85,
        what,
        evidence: vec![format!("{number} messages are sent and received, on average {mean} in {each}.")],
        advice: "Put the contents of several messages into one.".to_owned(),
    })
}

/// The largest number of channels that are named.
const NAMED: usize = 5;

/// Fits if messages take longer than others of their size.
pub(super) fn slow(case: &Case<'_>) -> Option<Fit> {
    let slow: Vec<&SlowMessages> = case.transfers.as_ref()?.slow(case.facts).collect();
    let worst = slow.first()?;
    let [from, to] = [worst.sender, worst.receiver].map(|location| name(case, location));
    let what = format!(
        "Messages from {from} to {to} take longer than others of their size: {} of {} take {} instead of {} in {}.",
        worst.number,
        worst.of,
        duration(worst.mean),
        duration(worst.usual),
        call(case, received(worst))
    );
    // If few are slow, it is not the distance that makes them so.
    let are_most =
        slow.iter().map(|of| of.number).sum::<u64>() * 2 > slow.iter().map(|of| of.of).sum::<u64>();
    let advice = match are_most {
        true => format!("Place {from} and {to} close to each other, or send less between them."),
        false => "Send at other times: messages that share a link slow each other down.".to_owned(),
    };
    let advice = if_all_run(case, &advice);
    Some(Fit {
        cause: CauseKind::SlowCommunication,
        confidence: 0.75,
        what,
        evidence: slow.iter().take(NAMED).map(|of| channel(case, of)).collect(),
        advice,
    })
}

/// Sentence about slow messages: `From rank 3 to rank 0: 5 of 20 messages of up to 4.00 MiB, 12.0 s more than usual.`
fn channel(case: &Case<'_>, slow: &SlowMessages) -> String {
    let [from, to] = [slow.sender, slow.receiver].map(|location| name(case, location));
    let SlowMessages { number, of, bytes, seconds, .. } = slow;
    let (bytes, seconds) = (size(*bytes as f64), duration(*seconds));
    format!("From {from} to {to}: {number} of {of} messages of up to {bytes}, {seconds} more than usual.")
}

/// The name of a location: `rank 3`.
fn name(case: &Case<'_>, location: Location) -> String {
    object(case.facts, case.facts.unit(location).as_slice())
}

/// The seconds of a case and those of the run: `2.00 s of 8.00 s`.
fn spent(case: &Case<'_>) -> String {
    format!("{} of {}", duration(case.seconds()), duration(case.facts.analysis.basis.location_seconds))
}

/// The calls that move data: `` `MPI_Recv` (heat.c:12) and `MPI_Send` (heat.c:15) ``.
fn calls(case: &Case<'_>) -> String {
    let calls = case.transfers.iter().flat_map(|transfers| &transfers.calls);
    let calls: Vec<String> = calls.map(|&path| call(case, path)).collect();
    match calls.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => calls.concat(),
    }
}

/// The call at the end of a path.
fn call(case: &Case<'_>, path: Place<'_>) -> String {
    at(case.facts, path).unwrap_or_default()
}
