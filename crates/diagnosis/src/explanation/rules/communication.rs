//! Moving data takes long.

use std::collections::BTreeSet;

use ats_documents::explanation::CauseKind;
use ats_documents::messages::SlowMessages;
use ats_model::event::CollectiveOperation;
use ats_model::locations::Location;
use ats_model::mpi::{Collective, Function, Kind};

use super::polling::looks;
use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::{Moved, Place};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::transfers::received;
use crate::explanation::wording::{agree, duration, object, region_at, size, subject};

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
        advice: match sends_data(case) {
            true => if_all_run(case, SEND_LESS),
            false if matches!(case.call().map(Function::kind), Some(Kind::Initialize | Kind::Finalize)) => {
                "It sends no data that could be less: give each location a processor of its own.".to_owned()
            }
            false => NO_DATA.to_owned(),
        },
    })
}

/// Whether the call that takes long moves data of the program, as far as it is known.
fn sends_data(case: &Case<'_>) -> bool {
    let waiting = || Function::of_spelling(case.findings().next()?.call_path.last()?);
    let call = case.call().or_else(waiting);
    call.is_none_or(|call| match call.kind() {
        Kind::Send(_) | Kind::Receive | Kind::SendReceive | Kind::Probe => true,
        Kind::Start | Kind::Completion { .. } | Kind::Neighborhood(_) => true,
        Kind::Collective(Collective { operation, .. }) => operation != CollectiveOperation::Barrier,
        _ => false,
    })
}

/// Advice on a call that moves no data.
const NO_DATA: &str = "It sends no data that could be less: give each location a processor of its own, and do without the call \
                       where nothing depends on it.";

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

/// Fits if the time passes while many small messages are moved, and several could be one.
pub(super) fn small_messages(case: &Case<'_>) -> Option<Fit> {
    let transfers = case.transfers.as_ref()?;
    let repeated = transfers.repeated(case.facts);
    let first = repeated.first()?;
    let (facts, units) = (case.facts, case.main_units());
    let spend = agree(&units, "spends", "spend");
    let what = format!(
        "{} {spend} {} in {}, besides waits.",
        subject(facts, &units),
        share_in_words(case),
        calls(case)
    );
    let Moved { number, bytes } = transfers.moved;
    let (mean, each) = (size(bytes / number), duration(transfers.seconds() / number));
    Some(Fit {
        cause: CauseKind::SmallMessages,
        confidence: 0.85,
        what,
        evidence: vec![
            format!("{number} messages are sent and received, on average {mean} in {each}."),
            format!(
                "{} of {} messages of {} follow another to the same receiver, and it receives nothing in between.",
                first.number,
                first.of,
                name(case, first.sender)
            ),
        ],
        advice: "Put the contents of several messages into one.".to_owned(),
    })
}

/// The most channels that are named: a matter of taste.
const NAMED: usize = 5;

/// The least part of the seconds that one channel has if it is the place of the problem: half. With less, most of them are
/// elsewhere, and to place its ends closer gains little.
const OF_ONE: f64 = 0.5;

/// Fits if messages take longer than others of their size.
pub(super) fn slow(case: &Case<'_>) -> Option<Fit> {
    let slow: Vec<&SlowMessages> = case.transfers.as_ref()?.slow(case.facts).collect();
    let worst = slow.first()?;
    let [from, to] = [worst.sender, worst.receiver].map(|location| name(case, location));
    let channels: BTreeSet<_> = slow.iter().map(|of| (of.sender, of.receiver)).collect();
    let of_channel = |of: &&&SlowMessages| (of.sender, of.receiver) == (worst.sender, worst.receiver);
    let seconds: f64 = slow.iter().filter(of_channel).map(|of| of.seconds).sum();
    let SlowMessages { number, of, mean, usual, .. } = worst;
    let numbers = format!("{number} of {of} take {} instead of {}", duration(*mean), duration(*usual));
    let call = call(case, received(worst));
    let is_one = seconds >= OF_ONE * case.seconds();
    let what = match channels.len() {
        1 => {
            format!(
                "Messages from {from} to {to} take longer than others of their size: {numbers} in {call}."
            )
        }
        many => format!(
            "Messages between {many} pairs of locations take longer than others of their size; the most from {from} to \
             {to} ({} of {}): {numbers} in {call}.",
            duration(seconds),
            duration(case.seconds())
        ),
    };
    // If few are slow, it is not the distance that makes them so.
    let are_most =
        slow.iter().map(|of| of.number).sum::<u64>() * 2 > slow.iter().map(|of| of.of).sum::<u64>();
    let advice = match (are_most, is_one) {
        (true, true) => format!("Place {from} and {to} close to each other, or send less between them."),
        (true, false) => "Place those that exchange much close to each other, or send less.".to_owned(),
        (false, _) => "Send at other times: messages that share a link slow each other down.".to_owned(),
    };
    Some(Fit {
        cause: CauseKind::SlowCommunication,
        confidence: 0.75,
        what,
        evidence: slow.iter().take(NAMED).map(|of| channel(case, of)).collect(),
        advice: if_all_run(case, &advice),
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
fn share_in_words(case: &Case<'_>) -> String {
    format!("{} of {}", duration(case.seconds()), duration(case.facts.analysis.basis.location_seconds))
}

/// The calls that move data: `` `MPI_Recv` (heat.c:12) and `MPI_Send` (heat.c:15) ``.
fn calls(case: &Case<'_>) -> String {
    let calls = case.transfers.iter().flat_map(|transfers| &transfers.calls);
    let mut known = BTreeSet::new();
    let calls: Vec<String> =
        calls.map(|&path| call(case, path)).filter(|call| known.insert(call.clone())).collect();
    match calls.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => calls.concat(),
    }
}

/// The call at the end of a path.
fn call(case: &Case<'_>, path: Place<'_>) -> String {
    region_at(case.facts, path).unwrap_or_default()
}
