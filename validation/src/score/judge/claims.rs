//! The assignment of reported findings to expectations.

use ats_documents::Finding;

use super::place;

/// The findings reported for one expectation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Claim<'a> {
    /// The right wait state at the right call path.
    Right(Vec<&'a Finding>),
    /// The right wait state at another call path.
    Misplaced(&'a Finding),
    /// The right call path, but another wait state.
    Misnamed(&'a Finding),
    /// Nothing like it.
    #[default]
    Nothing,
}

impl<'a> Claim<'a> {
    /// The findings that answer this expectation and no other.
    pub(super) fn findings(&self) -> Vec<&'a Finding> {
        match self {
            Claim::Right(findings) => findings.clone(),
            Claim::Misplaced(finding) => vec![finding],
            Claim::Misnamed(_) | Claim::Nothing => Vec::new(),
        }
    }
}

/// The answer to every expectation, and what answers none.
pub(super) struct Claims<'a> {
    /// As many as there are expectations, in their order.
    pub(super) claims: Vec<Claim<'a>>,
    /// All other findings, misnamed ones included.
    pub(super) unclaimed: Vec<&'a Finding>,
}

/// Whether what was reported answers what is expected, in one respect.
type Matches = fn(&Finding, &Finding) -> bool;

/// By place and name, the best first.
const PASSES: [(Matches, Matches); 4] =
    [(is_there, is_exact), (is_there, is_accepted), (is_beside, is_exact), (is_beside, is_accepted)];

/// Gives every reported finding to at most one expectation: the exact place goes before one beside it, the exact name
/// before an accepted one, the longer expected call path before the shorter.
pub(super) fn assign<'a>(expected: &[&Finding], reported: &[&'a Finding]) -> Claims<'a> {
    let mut claims = vec![Claim::Nothing; expected.len()];
    let (mut open, mut unclaimed): (Vec<&Finding>, Vec<&Finding>) =
        reported.iter().copied().partition(|finding| finding.is_measured());

    for (is_here, is_named) in PASSES {
        let claimable: Vec<bool> = claims.iter().map(|claim| *claim == Claim::Nothing).collect();
        open.retain(|finding| {
            let answers = (0..expected.len())
                .filter(|&at| claimable[at])
                .filter(|&at| is_named(expected[at], finding) && is_here(expected[at], finding))
                .max_by_key(|&at| expected[at].call_path.len());
            match answers.map(|at| &mut claims[at]) {
                Some(Claim::Right(findings)) => findings.push(finding),
                Some(claim) => *claim = Claim::Right(vec![finding]),
                None => return true,
            }
            false
        });
    }
    for (claim, expected) in claims.iter_mut().zip(expected).filter(|(claim, _)| **claim == Claim::Nothing) {
        let named = |finding: &&&Finding| is_exact(expected, finding) || is_accepted(expected, finding);
        // The right wait at the right call, but, as the tool says, outside the part that is measured.
        let here = |finding: &&&Finding| is_there(expected, finding) || is_beside(expected, finding);
        let outside = |finding: &&&Finding| !finding.in_basis && here(finding);
        let outside = unclaimed.iter().filter(named).filter(outside);
        if let Some(&finding) = largest(open.iter().filter(named)).or_else(|| largest(outside)) {
            *claim = Claim::Misplaced(finding);
            open.retain(|other| !std::ptr::eq(*other, finding));
            unclaimed.retain(|other| !std::ptr::eq(*other, finding));
        } else if let Some(&finding) = largest(open.iter().filter(here)) {
            *claim = Claim::Misnamed(finding);
        }
    }
    unclaimed.extend(open);
    Claims { claims, unclaimed }
}

fn largest<'f, 'a: 'f>(findings: impl Iterator<Item = &'f &'a Finding>) -> Option<&'f &'a Finding> {
    findings.max_by(|a, b| a.waiting_time.total_cmp(&b.waiting_time))
}

/// A tool that knows no calls at all reports what is nowhere, or everywhere.
fn is_there(expected: &Finding, reported: &Finding) -> bool {
    reported.call_path.is_empty() || place::is_at(&expected.call_path, &reported.call_path)
}

fn is_beside(expected: &Finding, reported: &Finding) -> bool {
    place::is_beside(&expected.call_path, &reported.call_path)
}

fn is_exact(expected: &Finding, reported: &Finding) -> bool {
    expected.property == reported.property
}

/// Whether the finding's metric is one under which the expected time may rightly be reported.
pub(super) fn is_accepted(expected: &Finding, reported: &Finding) -> bool {
    reported.metric.as_ref().is_some_and(|metric| expected.accept.contains(metric))
}
