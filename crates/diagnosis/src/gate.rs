//! Gate by cause: what a run loses beside earlier runs of the program.
//!
//! 1. `lines` and [`Places`] say which code of two versions is the same.
//! 2. `groups` joins the problems of all runs that wait at the same calls for the same code.
//! 3. A group is judged by its share of the location-seconds: it may grow by the spread of the earlier runs, and by what the
//!    machine has taken from either run.
//! 4. Calls are counted exactly.

mod calls;
mod groups;
mod lines;

use std::collections::BTreeSet;

use ats_documents::Explanation;
use ats_documents::comparison::Difference;
use ats_documents::explanation::{
    CauseKind, Gate, JudgedProblem, KnownProblem, NoteKind, Numbers, ProblemState,
};
use ats_model::locations::Location;
use thiserror::Error;

use crate::comparison::spread::difference;
use crate::explanation::OF_LEAVES_IF_UNEVEN;
use groups::{Group, groups};

/// The least growth of a share that is judged where locations share processors. Beside up to four busy loops for each processor,
/// the sound solver of the heat equation seems to wait for 6.5 % of its time by itself. With a higher value a program may lose as
/// much unseen, with a lower one it fails because others run.
const LEAST_IF_SHARED: f64 = 0.07;

/// The growth that is judged of a share whose spread is not known, as a part of it. Shares of undisturbed runs differ by a
/// tenth, those beside other programs by more. With repetitions, their spread is taken instead.
const UNKNOWN_SPREAD: f64 = 0.25;

/// The least part of the waits that is for other locations if the delay has moved: most of them.
const MOST: f64 = 0.5;

/// Runs that cannot be compared.
#[derive(Debug, Error)]
pub enum GateError {
    /// Other numbers of locations.
    #[error("{name}: that run has {before} locations and this one {now}: record both with the same number")]
    OtherSize {
        /// The earlier run.
        name: String,
        /// Its number of locations.
        before: u64,
        /// That of this run.
        now: u64,
    },
    /// A document without the problems in short.
    #[error(
        "{name}: it was written by an older version, without what later runs are compared with; write it again"
    )]
    Old {
        /// The earlier run.
        name: String,
    },
}

/// Judges the problems and calls of a run by earlier runs of the program, one at least.
///
/// # Errors
/// If a run has another number of locations, or its document is of an older version.
pub fn judge(now: &Explanation, before: &[Explanation]) -> Result<Gate, GateError> {
    for run in before {
        let name = run.trace.clone();
        if run.locations == 0 {
            return Err(GateError::Old { name });
        }
        if run.locations != now.locations {
            return Err(GateError::OtherSize { name, before: run.locations, now: now.locations });
        }
    }
    let runs: Vec<f64> = before.iter().map(of_machine).collect();
    let machine = difference(&runs, &[of_machine(now)]);
    let judge = Judge { now, before, machine, is_shared: before.iter().chain([now]).any(shares_processors) };
    let mut problems: Vec<JudgedProblem> =
        groups(now, before).iter().filter_map(|group| judge.judged(group)).collect();
    let largest = |of: &JudgedProblem| of.share.a.max(of.share.b);
    problems.sort_by(|a, b| a.state.cmp(&b.state).then(largest(b).total_cmp(&largest(a))));
    let (calls, mut not_judged) = calls::judged(now, before);
    not_judged.splice(0..0, judge.not_judged());
    let number = |state| problems.iter().filter(|of| of.state == state).count() as u64;
    let numbers = Numbers {
        new: number(ProblemState::New),
        moved: number(ProblemState::Moved),
        grown: number(ProblemState::Grown),
        more_calls: calls.iter().filter(|of| of.are_more()).count() as u64,
        not_judged: number(ProblemState::NotJudged),
        gone: number(ProblemState::Gone),
        unchanged: number(ProblemState::Unchanged),
    };
    let baselines = before.iter().map(|run| run.trace.clone()).collect();
    Ok(Gate { baselines, machine, numbers, problems, calls, not_judged })
}

/// The share of a run's location-seconds that a lack of processors may have taken.
fn of_machine(run: &Explanation) -> f64 {
    let known = run.known.iter().filter(|of| of.may_be_of_machine).map(|of| of.seconds);
    let lost = known.fold(0.0, |sum, seconds| sum + seconds).max(run.lacking_processors.seconds);
    run.basis.severity(lost + run.division.not_running)
}

fn shares_processors(run: &Explanation) -> bool {
    !run.machine.shared.is_empty()
}

/// The facts that all problems are judged with.
struct Judge<'a> {
    now: &'a Explanation,
    before: &'a [Explanation],
    machine: Difference,
    is_shared: bool,
}

impl Judge<'_> {
    /// The least growth that is judged, without the spread of a problem. What the machine took from an earlier run may have been
    /// this problem's: who wakes up late waits less for others. In this run, delays by the machine may be left in problems.
    fn least(&self) -> f64 {
        let least = if self.is_shared { LEAST_IF_SHARED } else { Explanation::LEAST_SHARE };
        least + self.machine.a + OF_LEAVES_IF_UNEVEN * self.machine.b
    }

    /// The judgement of a group that is worth a word in one of the runs.
    fn judged(&self, group: &Group<'_>) -> Option<JudgedProblem> {
        let seconds = |of: &[&KnownProblem], with_machine: bool| {
            let those = of.iter().filter(|of| with_machine || !of.may_be_of_machine);
            those.map(|of| of.seconds).fold(0.0, |sum, seconds| sum + seconds)
        };
        // What an earlier run lost as without a processor may have been of the program.
        let runs = self.before.iter().zip(&group.before);
        let before: Vec<f64> = runs.map(|(run, of)| run.basis.severity(seconds(of, true))).collect();
        let [own, whole] =
            [false, true].map(|with_machine| self.now.basis.severity(seconds(&group.now, with_machine)));
        let share = difference(&before, &[own]);
        let is_listed = |share: f64| share >= Explanation::LEAST_SHARE;
        if !is_listed(share.a) && !is_listed(whole) {
            return None;
        }
        let least = self.least() + share.noise.unwrap_or(UNKNOWN_SPREAD * share.a);
        let first = |of: &[&KnownProblem]| {
            // Of equal ones, the first: the last is the largest for `max_by`.
            let largest = of.iter().rev().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
            largest.map_or(CauseKind::Unknown, |of| cause(of))
        };
        let all_before: Vec<&KnownProblem> = group.before.iter().flatten().copied().collect();
        let (cause_now, cause_before) = (first(&group.now), first(&all_before));
        let was = before.iter().copied().any(is_listed);
        let has_other_cause = !all_before.iter().any(|of| of.causes.contains(&cause_now))
            && !group.now.iter().any(|of| of.causes.contains(&cause_before));
        let culprits_before = culprits(&all_before);
        let state = match () {
            () if own > least && was && has_other_cause => ProblemState::New,
            () if own > least && was && self.moved(group, &culprits_before) > least => ProblemState::Moved,
            () if share.change() > least && was => ProblemState::Grown,
            () if share.change() > least => ProblemState::New,
            () if !was => ProblemState::NotJudged,
            () if !is_listed(whole) && -share.change() > least => ProblemState::Gone,
            () => ProblemState::Unchanged,
        };
        let cause = if group.now.is_empty() { cause_before } else { cause_now };
        let wait = group.largest();
        Some(JudgedProblem {
            state,
            problem: self.now.problems.iter().position(|of| group.has(of)),
            cause,
            cause_before: (was && cause_before != cause).then_some(cause_before),
            code: wait.and_then(|wait| wait.code.clone()),
            call: wait.and_then(|wait| wait.call.clone()),
            share: if state == ProblemState::NotJudged { Difference { b: whole, ..share } } else { share },
            least,
            culprits: main_culprits(&group.now).into_iter().collect(),
            culprits_before: main_culprits(&all_before).into_iter().collect(),
        })
    }

    /// The share of the waits for other processes than `before`, if these are most. Which thread of a process is late may be
    /// chance: the runtime deals out its work and its locks.
    fn moved(&self, group: &Group<'_>, before: &BTreeSet<Location>) -> f64 {
        let ranks: BTreeSet<u32> = before.iter().map(|of| of.rank).collect();
        let own = group.now.iter().filter(|of| !of.may_be_of_machine);
        let (mut all, mut others) = (0.0, 0.0);
        for culprit in own.flat_map(|of| &of.culprits) {
            all += culprit.seconds;
            others += if ranks.contains(&culprit.location.rank) { 0.0 } else { culprit.seconds };
        }
        if ranks.is_empty() || others <= MOST * all { 0.0 } else { self.now.basis.severity(others) }
    }

    /// Facts that were not judged, in words.
    fn not_judged(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let Difference { a, b, .. } = self.machine;
        let mut notes = Vec::new();
        if a.max(b) >= Explanation::LEAST_SHARE {
            notes.push(format!(
                "The machine lacked processors for {} of the time, and for {} before: a change of a share by less than {} is not \
                 judged.",
                percent(b),
                percent(a),
                percent(self.least())
            ));
        } else if self.is_shared {
            notes.push(format!(
                "Locations share processors: a change of a share by less than {} is not judged.",
                percent(self.least())
            ));
        }
        if self.before.len() < 2 {
            notes.push(format!(
                "There is one earlier run: how far runs differ is not known, and growth by less than {:.0} % of a share is not \
                 judged.",
                UNKNOWN_SPREAD * 100.0
            ));
        }
        for run in self.before.iter().chain([self.now]) {
            let unknown = run.basis.severity(run.unknown);
            if unknown >= Explanation::LEAST_SHARE {
                notes.push(format!("{}: {} of the time is not known.", run.trace, percent(unknown)));
            }
            if run.basis.region != self.now.basis.region {
                notes.push(format!("{}: its shares are of another region.", run.trace));
            }
            let limits = run.noted().filter(|(kind, _)| *kind != NoteKind::Remark);
            notes.extend(limits.map(|(_, note)| format!("{}: {note}", run.trace)));
        }
        notes
    }
}

fn cause(of: &KnownProblem) -> CauseKind {
    of.causes.first().copied().unwrap_or(CauseKind::Unknown)
}

/// The locations that cause most of problems.
fn main_culprits(problems: &[&KnownProblem]) -> BTreeSet<Location> {
    problems.iter().flat_map(|of| of.main_culprits()).collect()
}

/// The same, and those that are as late.
fn culprits(problems: &[&KnownProblem]) -> BTreeSet<Location> {
    let as_late = problems.iter().flat_map(|of| of.as_late.iter().copied());
    main_culprits(problems).into_iter().chain(as_late).collect()
}
