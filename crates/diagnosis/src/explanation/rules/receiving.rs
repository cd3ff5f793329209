//! Waits that the order or the time of receives causes.

use ats_documents::explanation::CauseKind;
use ats_documents::messages::Held;
use ats_model::mpi::{Form, Function, Kind, SendMode};

use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::{Moved, Place};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{agree, code, duration, object, size, subject, visits};

/// Fits if messages are received in another order than they are sent in.
pub(super) fn wrong_order(case: &Case<'_>) -> Option<Fit> {
    (case.mechanism == Mechanism::Order && !case.units.is_empty()).then(|| Fit {
        cause: CauseKind::WrongOrder,
        confidence: 0.8,
        what: format!(
            "{} {} messages in another order than they are sent in.",
            subject(case.facts, &case.main_units()),
            agree(&case.main_units(), "receives", "receive")
        ),
        evidence: Vec::new(),
        advice: "Receive messages in the order they are sent in, or from any source, or start all receives and complete them \
                 with `MPI_Waitany`."
            .to_owned(),
    })
}

/// Fits if senders wait for a receive, and others of their size do so, too.
pub(super) fn late_receiver(case: &Case<'_>) -> Option<Fit> {
    let is_one = case.mechanism == Mechanism::Receiver && !case.units.is_empty() && !needs_no_receiver(case);
    is_one.then(|| Fit {
        cause: CauseKind::LateReceiver,
        confidence: 0.8,
        what: longer(case),
        evidence: vec![format!("{} must wait until they receive.", subject(case.facts, &case.waiting()))],
        advice: earlier(case),
    })
}

/// Advice to receive earlier, by the calls that the two ends do not use yet.
fn earlier(case: &Case<'_>) -> String {
    let (facts, late) = (case.facts, case.main_units());
    let who = object(facts, &late);
    let call = case.findings().next().and_then(|finding| Function::of_spelling(finding.call_path.last()?));
    if let Some(Kind::Collective(_)) = call.map(Function::kind) {
        let in_form = call.and_then(|call| call.in_form(Form::Nonblocking));
        let with =
            in_form.map_or_else(String::new, |call| format!(", and start it non-blocking, with `{call}`"));
        return format!("Let {who} come to the operation earlier{with}.");
    }
    let receives = match receives_blocking(case, &late) {
        true => "start the receive earlier, with `MPI_Irecv`",
        false => "start the receive earlier, before the work",
    };
    match call.map(Function::kind) {
        Some(Kind::Completion { .. }) => format!("Let {who} {receives}, or complete the send later."),
        _ => format!("Let {who} {receives}, or send with `MPI_Isend` and complete it later."),
    }
}

/// Whether some units receive with a call that waits, anywhere in the program.
fn receives_blocking(case: &Case<'_>, units: &[u32]) -> bool {
    let is_one = |call: Function| {
        matches!(call.kind(), Kind::Receive | Kind::SendReceive) && call.form() == Form::Blocking
    };
    let facts = case.facts;
    facts
        .paths()
        .filter(|path| path.names.last().and_then(|name| Function::of_spelling(name)).is_some_and(is_one))
        .any(|path| units.iter().any(|&unit| facts.visits(path)[unit as usize] > 0.0))
}

/// Whether the sends that wait are of sizes that others were sent in without their receivers.
fn needs_no_receiver(case: &Case<'_>) -> bool {
    let Some(messages) = &case.facts.analysis.messages else { return false };
    let is_held_by_chance = |place: Place<'_>| {
        let of = |held: &Held| held.call_path == place.names && held.call_site.as_ref() == place.site;
        messages.held_by_chance.iter().any(of)
    };
    case.mechanism == Mechanism::Receiver
        && case.findings().all(|finding| is_held_by_chance(Place::of_finding(finding)))
}

/// The size of a message that is small enough to be sent before its receive, in bytes: the largest eager limit that MPI
/// libraries have by default, about. With a higher value raising the limit is advised where it takes too much memory, with a
/// lower one not where other libraries have that limit already.
const SMALL_ENOUGH: f64 = 65_536.0;

/// The size beyond an eager limit that is near it, as a multiple: the next one that libraries offer, as limits are powers of
/// two. A higher value advises to raise a limit many times over, a lower one misses messages with headers.
const NEAR: f64 = 2.0;

/// Fits if senders wait for a receive, and their messages are small enough to be sent before it.
pub(super) fn eager_limit(case: &Case<'_>) -> Option<Fit> {
    let messages = case.facts.analysis.messages.as_ref()?;
    let send = Place::of_finding(case.findings().next()?);
    let is_standard =
        matches!(Function::of_spelling(send.names.last()?)?.kind(), Kind::Send(SendMode::Standard));
    let Moved { number, bytes } = case.facts.moved(send);
    // Smaller ones from the same place do not wait.
    let here = (bytes / number.max(1.0)).max(messages.smallest_held? as f64);
    let largest = messages.largest_eager.map(|bytes| bytes as f64).filter(|largest| *largest < here);
    let is_near = largest.is_some_and(|largest| here <= NEAR * largest);
    if case.mechanism != Mechanism::Receiver || !is_standard || here > SMALL_ENOUGH && !is_near {
        return None;
    }
    let others =
        largest.map_or_else(String::new, |largest| format!(", unlike those of up to {}", size(largest)));
    Some(Fit {
        cause: CauseKind::EagerLimit,
        confidence: if is_near { 0.85 } else { 0.5 },
        what: format!("Messages of {} wait for their receives{others}.", size(here)),
        evidence: Vec::new(),
        advice: "Raise the eager limit of the MPI library, or send less at once.".to_owned(),
    })
}

/// Fits if a message moves only while its partner is in a call of MPI.
pub(super) fn late_progress(case: &Case<'_>) -> Option<Fit> {
    let needs_no_receiver = needs_no_receiver(case);
    if case.mechanism != Mechanism::Progress && !needs_no_receiver {
        return None;
    }
    let partners = case.main_units();
    let of = match &partners[..] {
        [] => "the partner".to_owned(),
        units => object(case.facts, units),
    };
    let calls = agree(&partners, "calls", "call");
    let what = match needs_no_receiver {
        true => format!(
            "Sends wait for {of}, though others as large need no receiver: the MPI library moves them on only once {of} {calls} \
             it again."
        ),
        false => {
            format!("Both ends of a message have started, and it moves only once {of} {calls} MPI again.")
        }
    };
    Some(Fit {
        cause: CauseKind::LateProgress,
        confidence: 0.8,
        what,
        evidence: Vec::new(),
        // One partner out of many that is late each time is so with a processor of its own, too.
        advice: match case.facts.lacks_processors && (needs_no_receiver || case.only_unit().is_none()) {
            true => "Give each location a processor of its own; whether the library is late shows only then.",
            false => "Call `MPI_Test` now and then during the work, or let a thread of the MPI library make progress.",
        }
        .to_owned(),
    })
}

/// Fits if a message moves only once its partner calls MPI again, which works longer than most: that the library makes no
/// progress meanwhile does not matter, since the next step would wait for the partner's work anyway.
pub(super) fn late_partner(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Progress {
        return None;
    }
    let facts = case.facts;
    let [partner] = case.main_units()[..] else { return None };
    let waiting = case.waiting().iter().filter(|&&unit| unit != partner).count();
    let excess = |path: &Place<'_>| beyond_most(facts.time(*path), partner);
    let is_code = |path: &Place<'_>| {
        let is_in_mpi = path.names.iter().any(|name| Function::of_spelling(name).is_some());
        !is_in_mpi && facts.analysis.basis.includes(None, path.names)
    };
    let late = facts.paths().filter(is_code).max_by(|a, b| excess(a).total_cmp(&excess(b)))?;
    let more = excess(&late);
    if more * waiting as f64 <= EXPLAINED * case.seconds() {
        return None;
    }
    let number = facts.visits(late)[partner as usize];
    let each = match number {
        2.0.. => format!("{} more in each of {number} {}", duration(more / number), visits(facts, late)),
        _ => format!("{} more in", duration(more)),
    };
    Some(Fit {
        cause: CauseKind::UnevenWork,
        confidence: 0.85,
        what: format!(
            "{} spends {each} {} than most others, and its messages move only when it calls MPI again.",
            subject(facts, &[partner]),
            code(facts, late)
        ),
        evidence: Vec::new(),
        advice: format!("Give {} less work.", object(facts, &[partner])),
    })
}

/// The part of the seconds that the partner's work beyond that of most locations explains: half. With less, its progress
/// costs more than its work; a higher value takes noise in the waits for a lack of progress.
const EXPLAINED: f64 = 0.5;

/// The time of a unit beyond that of the others' upper median: nothing if half of them work as long.
fn beyond_most(mut time: Vec<f64>, unit: u32) -> f64 {
    let own = time[unit as usize];
    let median = time.len() / 2;
    time.sort_unstable_by(f64::total_cmp);
    own - time[median]
}
