//! The judgement of a tool's report against known truths, one program at a time.
//!
//! A tool is held to the *observed* truth (what this run showed, by its own witness), never to the *nominal* one (what
//! the parameters promise): how far those two are apart is the machine's doing.

mod alarms;
mod causes;
mod claims;
mod consistency;
mod expectation;
mod explanation;
mod hints;
mod metrics;
mod number;
mod shares;
mod sight;

use std::collections::BTreeMap;

use ats_documents::finding::{Tolerance, VISITS, View};
use ats_documents::score::{Expectation, Judgement, Outcome, ProgramResult, RunStatus, Severities};
use ats_documents::{Finding, Report, Truth};
use ats_model::place;
use ats_props::Catalogue;

use crate::score::rank_correlation;
use alarms::Unplanned;
use ats_launch::tool::CallPaths;
use ats_truth::Size;
use claims::Claims;
pub use explanation::judge_explanation;

/// The rules of judgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Share of the measured location-seconds below which nothing need be reported, nor is it a false alarm.
    pub threshold: f64,
    /// The same for a program with nothing to find: a balanced twin.
    pub silence: f64,
    /// The tolerance for amounts.
    pub amounts: Amounts,
    /// Whether the truth knows the whole program: also its start and its end, which are the machine's doing on a real
    /// one.
    pub whole: bool,
}

/// The tolerance of an amount against the known one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amounts {
    /// As the truth says of each finding; [`Amounts::PerInstance`] with 0.5 % and 5 µs where it says nothing.
    AsTheTruthSays,
    /// The same for every finding.
    Fixed(Tolerance),
    /// By the number of single waits.
    PerInstance {
        /// A share of the known amount.
        relative: f64,
        /// Seconds per single wait besides.
        absolute: f64,
    },
}

impl Rules {
    /// For an analysis of the very run that the truth was observed on.
    ///
    /// The witness and the recorder stamp the same call one after the other; what lies between is in the tolerance.
    pub const MEASURED: Rules =
        Rules { threshold: 0.01, silence: 0.02, amounts: Amounts::AsTheTruthSays, whole: false };

    /// For an analysis of a trace from virtual time, which is exact to the resolution of its clock: nothing is too
    /// little to be reported, or to be a false alarm.
    pub const EXACT: Rules = Rules {
        threshold: 0.0,
        silence: 0.0,
        amounts: Amounts::PerInstance { relative: 1e-6, absolute: 2e-9 },
        whole: true,
    };

    fn tolerance_for(&self, known: &Finding) -> Tolerance {
        let per_instance =
            |relative, absolute| Tolerance { relative, absolute: absolute * known.instances as f64 };
        match self.amounts {
            _ if known.unit().is_whole() => known.tolerance.unwrap_or(Tolerance::EXACT),
            Amounts::AsTheTruthSays => known.tolerance.unwrap_or_else(|| per_instance(0.005, 5e-6)),
            Amounts::Fixed(tolerance) => tolerance,
            Amounts::PerInstance { relative, absolute } => per_instance(relative, absolute),
        }
    }

    /// Seconds below which a location's share of a finding means nothing.
    fn noise_of_a_share(&self, known: &Finding) -> f64 {
        self.tolerance_for(known).absolute / known.locations.len().max(1) as f64
    }
}

/// A program that ran, what is known of it, and what was reported.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// From the parameters.
    pub nominal: &'a Truth,
    /// From the run's witness; on the virtual engine the nominal truth itself.
    pub observed: &'a Truth,
    /// The report of the tool.
    pub report: &'a Report,
    /// The call paths that it can show.
    pub call_paths: CallPaths,
    /// The programs whose functions a tool that unwinds stacks sees.
    pub catalogue: &'a Catalogue,
}

/// Judges a program that ran to its end.
///
/// A report that names no wait states is a profile: it is held to [consistency](Outcome::Consistent), and its silence
/// means nothing.
pub fn judge(case: Case<'_>, rules: &Rules) -> ProgramResult {
    let call_paths = if case.report.shows_calls_alone() { CallPaths::None } else { case.call_paths };
    let nominal = sight::seen(case.nominal, call_paths, case.catalogue);
    let observed = sight::seen(case.observed, call_paths, case.catalogue);
    let case = Case { nominal: &nominal, observed: &observed, call_paths, ..case };
    let nominal: Vec<&Finding> = case.nominal.findings.iter().filter(|finding| is_judged(finding)).collect();
    let reported = case.report.findings.iter().filter(|finding| JUDGED.contains(&finding.view));
    let reported = sight::reported(reported, &case.observed.basis);
    let reported: Vec<&Finding> = reported.iter().map(AsRef::as_ref).collect();
    let is_profile = !case.report.diagnoses();
    let Claims { claims, mut unclaimed } = claims::assign(&nominal, &reported);
    let mut expectations: Vec<Expectation> = nominal
        .iter()
        .zip(&claims)
        .map(|(expected, claim)| match is_profile {
            true => consistency::judge(expected, &case, rules),
            false => expectation::judge(expected, claim, &case, rules),
        })
        .collect();
    let mut remarks = case.report.warnings.clone();
    if case.nominal.causes.is_some() && case.observed.causes.is_none() {
        remarks.push("root causes are not judged, as those of this run are not known".to_owned());
    }
    if causes::are_of_other_waits(&case) {
        remarks.push("root causes are not judged, as the report has them by other definitions".to_owned());
    }
    for (expectation, claim) in expectations.iter().zip(&claims) {
        remarks.extend(hints::hints(expectation, claim, &case, rules));
        if matches!(expectation.outcome, Outcome::NotManifested | Outcome::BelowThreshold) {
            unclaimed.extend(claim.findings());
        }
    }
    for expected in case.nominal.findings.iter().filter(|finding| !finding.unit().is_time()) {
        let expectation = number::judge(expected, &case, rules);
        if expectation.outcome == Outcome::Unsupported {
            remarks.extend(number::why_untold(expected, &case, rules));
            remarks.extend(number::why_unseen(expected, &case));
        }
        expectations.push(expectation);
    }
    // The closed form is that of what a property is made to show; a truth without any has nothing but what is meant.
    let all = case.nominal.findings.iter().all(|finding| finding.formula.is_none());
    let is_planted = |id: &String| {
        let mut findings = case.nominal.findings.iter();
        all || findings.any(|one| one.id == *id && (one.formula.is_some() || !one.unit().is_time()))
    };
    expectations.iter_mut().for_each(|expectation| expectation.planted = is_planted(&expectation.id));
    let silent = nominal.iter().all(|expected| expected.severity < rules.threshold);
    let threshold = if silent { rules.silence } else { rules.threshold };
    let Unplanned { mut unexpected, ambient, noise } = alarms::sort(&unclaimed, &case, threshold, rules);
    let kendall_tau = rank_correlation(&expectations);
    let of_causes = causes::judge(&case, rules);
    expectations.extend(of_causes.expectations);
    unexpected.extend(of_causes.unexpected);
    ProgramResult {
        program: case.nominal.program.clone(),
        parameters: case.nominal.parameters.clone(),
        ranks: case.nominal.ranks,
        threads: case.nominal.threads,
        run_status: RunStatus::Ok,
        message: (!remarks.is_empty()).then(|| remarks.join("; ")),
        repeats: 1,
        runs: 1,
        kendall_tau,
        expectations,
        false_seconds: unexpected.iter().fold(0.0, |sum, finding| sum + finding.waiting_time),
        unexpected,
        ambient,
        noise,
        ..ProgramResult::default()
    }
}

/// The result of a program that could not be judged; `nominal` is what it would have shown.
///
/// Nothing counts as found, and nothing as silence.
pub fn not_judged(
    program: &str,
    parameters: BTreeMap<String, String>,
    size: Size,
    nominal: Option<&Truth>,
    run_status: RunStatus,
    message: String,
) -> ProgramResult {
    let outcome = match run_status {
        RunStatus::Timeout | RunStatus::HungAtExit => Outcome::Timeout,
        RunStatus::ParseError | RunStatus::SeveralReports | RunStatus::OtherRun => Outcome::ParseError,
        RunStatus::SemanticsChanged => Outcome::SemanticsChanged,
        RunStatus::Unsupported => Outcome::Unsupported,
        RunStatus::Cancelled => Outcome::Cancelled,
        RunStatus::Ok
        | RunStatus::NotStarted
        | RunStatus::NoReport
        | RunStatus::LeftCore
        | RunStatus::WantedTerminal
        | RunStatus::Crashed => Outcome::ToolError,
    };
    let nominal = nominal.map_or(&[][..], |truth| &truth.findings);
    ProgramResult {
        program: program.to_owned(),
        parameters,
        ranks: size.ranks as u32,
        threads: size.threads as u32,
        run_status,
        message: Some(message),
        repeats: 1,
        runs: u32::from(!matches!(run_status, RunStatus::NotStarted | RunStatus::Unsupported)),
        expectations: nominal
            .iter()
            .filter(|finding| is_judged(finding) || !finding.unit().is_time())
            .map(|finding| unjudged(finding, outcome))
            .collect(),
        ..ProgramResult::default()
    }
}

/// The views in which a wait is expected.
const JUDGED: [View; 2] = [View::Wait, View::Idle];

/// Blocked time that no metric counts is known, but no tool is asked for it, nor for what the harness does.
fn is_judged(finding: &Finding) -> bool {
    let is_wait = JUDGED.contains(&finding.view) && finding.property.is_some();
    is_wait && finding.waiting_time > 0.0 && finding.is_measured()
}

fn unjudged(expected: &Finding, outcome: Outcome) -> Expectation {
    let mut shares = shares::Shares::default();
    shares.add(&expected.locations);
    Expectation {
        id: expected.id.clone(),
        outcome,
        view: expected.view,
        wait_state: expected.property,
        metric: expected.unit().metric().filter(|&metric| metric != VISITS).map(str::to_owned),
        planted: true,
        call_path: expected.call_path.clone(),
        waiting: shares.waiting(0.0),
        property: Judgement::NotApplicable,
        place: Judgement::NotApplicable,
        locations: Judgement::NotApplicable,
        amount: Judgement::NotApplicable,
        nominal: expected.quantity().value,
        observed: 0.0,
        found: 0.0,
        reported_as: None,
        grade: None,
        error: None,
        spread: None,
        severity: Severities { nominal: expected.severity, observed: 0.0, found: 0.0 },
    }
}

#[cfg(test)]
mod tests;
