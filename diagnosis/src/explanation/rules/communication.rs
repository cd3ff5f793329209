//! Moving data takes long: the culprits are late because of calls of MPI.

use ats_documents::explanation::CauseKind;
use ats_model::mpi::Function;

use super::Fit;
use crate::explanation::case::Case;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{agree, region, subject};

/// Fits if the time that others wait for passes in a call of MPI, or in the operation that they wait in.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let call = case.path.and_then(|path| path.last());
    let is_call = call.is_some_and(|name| Function::of_spelling(name).is_some());
    if case.mechanism != Mechanism::Completion && !is_call {
        return None;
    }
    let what = match is_call {
        true => {
            let units = case.main_units();
            let spend = agree(&units, "spends", "spend");
            format!("{} {spend} longer than others in {}.", subject(case.facts, &units), region(case))
        }
        false => "The operation takes long after all have come.".to_owned(),
    };
    let cause = CauseKind::SlowCommunication;
    let advice = "Send less, or place those that exchange much close to each other.".to_owned();
    Some(Fit { cause, confidence: 0.75, what, evidence: Vec::new(), advice })
}
