//! Moving data takes long: the culprits are late because of calls of MPI.

use ats_documents::explanation::CauseKind;

use super::{Fit, polling::looks, uneven_work::longer};
use crate::explanation::case::Case;
use crate::explanation::mechanism::Mechanism;

/// Fits if the time that others wait for passes in a call of MPI, or in the operation that they wait in.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let is_call = case.call().is_some_and(|call| !looks(call));
    if case.mechanism != Mechanism::Completion && !is_call {
        return None;
    }
    let what = match is_call {
        true => longer(case),
        false => "The operation takes long after all have come.".to_owned(),
    };
    let cause = CauseKind::SlowCommunication;
    let advice = "Send less, place those that exchange much close to each other, and give each a processor of its own.".to_owned();
    Some(Fit { cause, confidence: 0.75, what, evidence: Vec::new(), advice })
}
