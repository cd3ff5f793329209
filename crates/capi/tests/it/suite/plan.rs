//! Runs of programs that write no witness: they are held to the plan, within 5 % and 1 ms, and the machine disturbs them.
//!
//! A program is run up to three times, until it takes at most 1 % longer than planned by its own clock, and by no more
//! than the tolerance of any wait. Of these runs the one that takes the least is judged, whatever it shows.

use ats_documents::finding::{Tolerance, Unit};
use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_documents::{Finding, Report, Truth};
use ats_launch::tool::CallPaths;
use ats_model::openmp::Construct;
use ats_props::Catalogue;
use ats_validation::score::judge::{Amounts, Case, Rules, judge};

/// The most runs of a program.
const RUNS: usize = 5;
const UNDISTURBED: f64 = 0.01;
const TOLERANCE: Tolerance = Tolerance { relative: 0.05, absolute: 0.001 };

/// The most seconds of an undisturbed run that is planned to take this many: each location that waits may have waited
/// for all of the extra time, and that is within the tolerance.
pub(crate) fn undisturbed(seconds: f64, planned: &Truth) -> f64 {
    let tolerated = planned.findings.iter().filter(|finding| finding.waiting_time > 0.0).map(|finding| {
        let waiting = finding.locations.iter().filter(|share| share.waiting_time > 0.0).count();
        (TOLERANCE.relative * finding.waiting_time + TOLERANCE.absolute) / waiting.max(1) as f64
    });
    seconds + tolerated.fold(UNDISTURBED * seconds, f64::min)
}

/// The run that is to be judged, the first that takes at most `most` seconds; each returns its own seconds, or, if its
/// stamps tell whether it was disturbed, none or infinitely many.
pub(crate) fn least_disturbed<R>(most: f64, mut run: impl FnMut(usize) -> (f64, R)) -> R {
    let mut least = run(1);
    for number in 2..=RUNS {
        if least.0 <= most {
            break;
        }
        let again = run(number);
        if again.0 < least.0 {
            least = again;
        }
    }
    least.1
}

/// Judges a report. A location that waits less than the tolerance beside the others does not wait.
pub(crate) fn judged(mut planned: Truth, mut report: Report, threshold: f64) -> ProgramResult {
    for finding in planned.findings.iter_mut().chain(&mut report.findings) {
        let largest = finding.locations.iter().map(|share| share.waiting_time).fold(0.0, f64::max);
        let least = TOLERANCE.relative * largest + TOLERANCE.absolute;
        finding.locations.retain(|share| share.waiting_time > least);
    }
    let rules = Rules { threshold, amounts: Amounts::Fixed(TOLERANCE), ..Rules::MEASURED };
    let (nominal, observed, call_paths) = (&planned, &planned, CallPaths::UserRegions);
    let catalogue = &Catalogue::builtin();
    judge(Case { nominal, observed, report: &report, call_paths, catalogue }, &rules)
}

/// Seconds of an unplanned wait that a single loss of the processor explains: a time slice of Linux. Programs
/// here are so short that this is more than the threshold.
const SLICE: f64 = 0.004;

/// The unexpected findings of at least this severity.
pub(crate) fn alarms(result: &ProgramResult, threshold: f64) -> impl Iterator<Item = &Finding> {
    let longest =
        |finding: &Finding| finding.locations.iter().map(|one| one.waiting_time).fold(0.0, f64::max);
    let is_alarm = move |finding: &&Finding| finding.severity >= threshold && longest(finding) > SLICE;
    result.unexpected.iter().filter(is_alarm)
}

/// The expected findings that are wrong, and unexpected ones, of at least this severity. Nobody can count what compilers do not tell of, and a ratio
/// of times is that of the run.
pub(crate) fn wrong(result: &ProgramResult, threshold: f64) -> Vec<String> {
    // How long threads wait for operations that the machine makes dear is up to the machine.
    let is_of_the_machine = Catalogue::builtin()
        .program(&result.program)
        .is_ok_and(|program| program.property.finds.are_of_the_machine());
    let is_wrong = |one: &&Expectation| {
        let is_told = one.call_path.last().and_then(|region| Construct::of_region(region));
        let is_told = is_told.is_none_or(Construct::is_told_by_compilers);
        let stayed_away = one.outcome == Outcome::NotManifested && (is_of_the_machine || one.may_stay_away());
        one.is_due(threshold)
            && one.outcome != Outcome::Found
            && !stayed_away
            && !matches!(one.unit(), Unit::Ratio(_))
            && (is_told || one.outcome != Outcome::Unsupported)
    };
    let said = result.expectations.iter().filter(is_wrong).map(|one| format!("{:?}: {one:?}", one.outcome));
    said.chain(alarms(result, threshold).map(|finding| format!("not to be found: {finding:?}"))).collect()
}
