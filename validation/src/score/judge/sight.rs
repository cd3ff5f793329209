//! The truth as a tool is able to see it, and a report as the truth can be held against it.

use std::borrow::Cow;

use ats_documents::{Basis, Finding, Truth};
use ats_props::Catalogue;

use ats_launch::tool::CallPaths;

/// A tool without call paths sees calls alone, and one that unwinds the stack sees functions, but not the regions of a
/// composition around them: what lies at one place then, it cannot tell apart.
pub(super) fn seen<'a>(truth: &'a Truth, paths: CallPaths, catalogue: &Catalogue) -> Cow<'a, Truth> {
    let shown: &dyn Fn(&[String]) -> usize = match paths {
        CallPaths::None => &|path| path.len().saturating_sub(1),
        CallPaths::Unwound => {
            &|path| path.iter().rposition(|frame| catalogue.program(frame).is_ok()).unwrap_or(0)
        }
        CallPaths::UserRegions | CallPaths::CompilerInstrumented => return Cow::Borrowed(truth),
    };
    let mut seen = truth.clone();
    seen.findings = by_place(&truth.findings, shown);
    seen.ambient = by_place(&truth.ambient, shown);
    Cow::Owned(seen)
}

/// The findings of a report. Findings that differ in their call sites alone are merged into the first, as a truth knows
/// no call sites.
pub(super) fn reported<'a>(
    findings: impl IntoIterator<Item = &'a Finding>,
    basis: &Basis,
) -> Vec<Cow<'a, Finding>> {
    let mut seen: Vec<Cow<'a, Finding>> = Vec::new();
    for finding in findings {
        let finding = completed(finding, basis);
        let same = |other: &&mut Cow<'_, Finding>| {
            other.call_site != finding.call_site
                && other.metric == finding.metric
                && is_same_place(other, &finding)
        };
        match seen.iter_mut().find(same) {
            Some(first) => merge(first.to_mut(), &finding),
            None => seen.push(finding),
        }
    }
    seen
}

/// The finding with both its seconds and its share of the run: a tool may report one of them, without the basis.
fn completed<'a>(reported: &'a Finding, basis: &Basis) -> Cow<'a, Finding> {
    if reported.waiting_time > 0.0 && (reported.severity > 0.0 || !reported.in_basis) {
        return Cow::Borrowed(reported);
    }
    let mut completed = reported.clone();
    completed.complete(basis);
    Cow::Owned(completed)
}

/// With call paths from this frame on.
fn by_place(findings: &[Finding], shown: &dyn Fn(&[String]) -> usize) -> Vec<Finding> {
    let mut seen: Vec<Finding> = Vec::new();
    for finding in findings {
        let mut finding = finding.clone();
        // A count is one over the whole basis, wherever its calls are.
        if finding.unit().is_time() {
            finding.call_path.drain(..shown(&finding.call_path));
        }
        match seen.iter_mut().find(|other| is_same_place(other, &finding)) {
            Some(first) if finding.unit().is_time() => merge(first, &finding),
            _ => seen.push(finding),
        }
    }
    seen
}

/// Whether both are of one wait state at one call path.
fn is_same_place(one: &Finding, other: &Finding) -> bool {
    (one.view, one.property, &one.call_path, one.in_basis)
        == (other.view, other.property, &other.call_path, other.in_basis)
}

/// Adds `other` to `one`, whose name is kept.
fn merge(one: &mut Finding, other: &Finding) {
    for share in &other.locations {
        let place = |share: &ats_documents::finding::LocationShare| (share.rank, share.thread);
        match one.locations.binary_search_by_key(&place(share), place) {
            Ok(at) => one.locations[at].waiting_time += share.waiting_time,
            Err(at) => one.locations.insert(at, *share),
        }
    }
    one.waiting_time += other.waiting_time;
    one.severity += other.severity;
    one.instances += other.instances;
    one.exchangeable |= other.exchangeable;
    one.physical_time = one.physical_time.zip(other.physical_time).map(|(a, b)| a + b);
    if let (Some(own), Some(others)) = (&mut one.tolerance, other.tolerance) {
        own.absolute += others.absolute;
        own.relative = own.relative.max(others.relative);
    }
    if one.communicator != other.communicator {
        one.communicator = None;
    }
}
