//! Problems and calls in short, as later runs are compared with them.

use std::collections::BTreeMap;

use ats_documents::Explanation;
use ats_documents::explanation::{CalledAt, KnownPlace, KnownProblem, KnownWait};
use ats_documents::finding::is_harness;
use ats_model::CallSite;
use ats_model::mpi::Function;
use ats_model::openmp::Construct;

use super::case::Case;
use super::facts::{Facts, Moved, Place};
use super::mechanism::Mechanism;
use super::rules;

/// The least share of the location-seconds of a problem that is kept: a tenth of one that is judged.
const LEAST_KEPT: f64 = Explanation::LEAST_SHARE / 10.0;

/// The cases that are kept; those `of_machine` may be due to a lack of processors.
pub(super) fn problems(facts: &Facts<'_>, of_machine: &[Case<'_>], others: &[Case<'_>]) -> Vec<KnownProblem> {
    let is_kept = |case: &&Case<'_>| facts.analysis.basis.severity(case.seconds()) >= LEAST_KEPT;
    let of_machine = of_machine.iter().map(|case| (case, true));
    let others = others.iter().map(|case| (case, facts.lacks_processors && ends_late(case)));
    let kept = of_machine.chain(others).filter(|(case, _)| is_kept(case));
    let mut kept: Vec<_> = kept.map(|(case, may_be_of_machine)| problem(case, may_be_of_machine)).collect();
    kept.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    kept
}

/// Whether a case is the time of messages, operations or the runtime of threads, which grows by each late wake-up.
fn ends_late(case: &Case<'_>) -> bool {
    matches!(case.mechanism, Mechanism::Transfer | Mechanism::Completion | Mechanism::Runtime)
}

fn problem(case: &Case<'_>, may_be_of_machine: bool) -> KnownProblem {
    let facts = case.facts;
    let mut seconds: BTreeMap<(Option<Place<'_>>, usize), f64> = BTreeMap::new();
    for part in case.parts() {
        *seconds.entry((facts.place(part.path), part.finding)).or_default() += part.seconds();
    }
    let mut waits: Vec<KnownWait> = Vec::new();
    for ((code, finding), seconds) in seconds {
        let call = Place::of_finding(&facts.analysis.findings[finding]);
        waits.push(KnownWait {
            code: code.map(|code| place(facts, code)),
            call: Some(place(facts, call)),
            seconds,
        });
    }
    if waits.is_empty() {
        let code = case.path.map(|path| place(facts, path));
        waits.push(KnownWait { code, call: None, seconds: case.seconds() });
    }
    waits.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let most = waits.first().map_or(0.0, |largest| largest.seconds);
    waits.retain(|wait| wait.seconds >= KnownProblem::MAIN * most);
    KnownProblem {
        causes: rules::fitting(case).into_iter().map(|fit| fit.cause).collect(),
        seconds: case.seconds(),
        may_be_of_machine,
        culprits: case.culprits(),
        as_late: case.as_late().iter().map(|&unit| facts.location(unit)).collect(),
        waits,
    }
}

fn place(facts: &Facts<'_>, of: Place<'_>) -> KnownPlace {
    KnownPlace { call_path: of.names.to_vec(), call_site: of.site.cloned(), source: facts.source(of) }
}

/// Calls of MPI and constructs of OpenMP at their places, without those around the measured part.
pub(super) fn calls(facts: &Facts<'_>) -> Vec<CalledAt> {
    let mut calls: BTreeMap<(&str, Option<&CallSite>), (f64, f64)> = BTreeMap::new();
    for path in facts.paths().filter(|path| !is_harness(path.names)) {
        let Some(name) = path.names.last().filter(|name| is_counted(name)) else { continue };
        let (visits, bytes) = calls.entry((name, path.site)).or_default();
        let Moved { bytes: moved, .. } = facts.moved(path);
        *visits += facts.visits(path).iter().sum::<f64>();
        *bytes += moved;
    }
    let call = |((call, site), (visits, bytes)): ((&str, Option<&CallSite>), (f64, f64))| CalledAt {
        call: call.to_owned(),
        call_site: site.cloned(),
        visits: visits as u64,
        bytes: bytes as u64,
    };
    calls.into_iter().map(call).collect()
}

fn is_counted(name: &str) -> bool {
    Function::of_spelling(name).is_some() || Construct::of_region(name).is_some()
}
