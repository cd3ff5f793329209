//! Locations test for messages again and again, and neither wait nor send meanwhile.

use ats_documents::explanation::CauseKind;
use ats_model::mpi::{Function, Kind};

use super::uneven_work::longer;
use crate::explanation::case::Case;
use crate::explanation::facts::Facts;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::wording::{agree, object, subject};

/// Fits if locations test for a message that is sent later: what they do between the tests may be work.
pub(super) fn in_vain(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Tests {
        return None;
    }
    let waiting = case.waiting();
    let has_regions = Facts::has_regions(case.facts.profile);
    let senders = case.main_units();
    let of = if senders.is_empty() { String::new() } else { format!(" of {}", object(case.facts, &senders)) };
    let what = format!(
        "{} {} again and again for messages{of} that are sent later.",
        subject(case.facts, &waiting),
        agree(&waiting, "tests", "test")
    );
    let advice = if has_regions {
        "Work between the tests on what does not depend on the messages, or send them earlier."
    } else {
        "Record the regions of the program, too: the time between the tests is no loss if they work then."
    };
    Some(Fit {
        cause: CauseKind::Polling,
        confidence: if has_regions { 0.8 } else { 0.4 },
        what,
        evidence: Vec::new(),
        advice: advice.to_owned(),
    })
}

/// Fits if others wait for the time that passes in calls that only look whether something is there.
pub(super) fn late(case: &Case<'_>) -> Option<Fit> {
    let late = case.main_units();
    case.call().is_some_and(looks).then(|| Fit {
        cause: CauseKind::Polling,
        confidence: 0.85,
        what: longer(case),
        evidence: vec![format!(
            "{} {} instead of sending what others wait for.",
            subject(case.facts, &late),
            agree(&late, "tests", "test")
        )],
        advice: "Send what others wait for before the tests, and test less often.".to_owned(),
    })
}

/// Whether a call returns at once, with or without a message.
pub(super) fn looks(call: Function) -> bool {
    matches!(call, Function::Iprobe | Function::Improbe)
        || matches!(call.kind(), Kind::Completion { tests: true, .. })
}
