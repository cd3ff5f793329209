//! A cause that fits a case.

use ats_documents::explanation::CauseKind;

/// A cause that fits a case.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) cause: CauseKind,
    /// From 0 to 1.
    pub(super) confidence: f64,
    /// The problem, in a sentence.
    pub(super) what: String,
    /// Further facts that speak for it, in sentences.
    pub(super) evidence: Vec<String>,
    /// The change that it suggests, in a sentence or two.
    pub(super) advice: String,
}
