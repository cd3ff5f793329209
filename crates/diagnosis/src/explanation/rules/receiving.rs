//! Waits that the order or the time of receives causes.

use ats_documents::explanation::CauseKind;
use ats_model::mpi::{Function, Kind, SendMode};

use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::{Moved, Place};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{agree, object, size, subject};

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

/// Fits if senders wait for a receive.
pub(super) fn late_receiver(case: &Case<'_>) -> Option<Fit> {
    (case.mechanism == Mechanism::Receiver && !case.units.is_empty()).then(|| Fit {
        cause: CauseKind::LateReceiver,
        confidence: 0.8,
        what: longer(case),
        evidence: vec![format!("{} must wait until they receive.", subject(case.facts, &case.waiting()))],
        advice: format!(
            "Let {} start the receive earlier, with `MPI_Irecv`, or send with `MPI_Isend` and complete it later.",
            object(case.facts, &case.main_units())
        ),
    })
}

/// The size of a message that is small enough to be sent before its receive, in bytes: the largest eager limit that MPI
/// libraries have by default, about.
const SMALL_ENOUGH: f64 = 65_536.0;

/// The size beyond an eager limit that is near it, as a multiple.
const NEAR: f64 = 2.0;

/// Fits if senders wait for a receive, and their messages are small enough to be sent before it.
pub(super) fn eager_limit(case: &Case<'_>) -> Option<Fit> {
    let messages = case.facts.analysis.messages.as_ref()?;
    let send = Place::of(case.findings().next()?);
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
    (case.mechanism == Mechanism::Progress).then(|| Fit {
        cause: CauseKind::LateProgress,
        confidence: 0.8,
        what: "Both ends of a message have started, and it moves only once the partner calls MPI again."
            .to_owned(),
        evidence: Vec::new(),
        advice:
            "Call `MPI_Test` now and then during the work, or let a thread of the MPI library make progress."
                .to_owned(),
    })
}
