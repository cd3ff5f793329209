//! Waits that the order or the time of receives causes.

use ats_documents::explanation::CauseKind;

use super::{Fit, uneven_work::longer};
use crate::explanation::case::Case;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{agree, object, subject};

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
