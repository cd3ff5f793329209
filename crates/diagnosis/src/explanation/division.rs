//! The location-seconds of a run by their use.
//!
//! Each second is in one term, and none is good because it is nothing else: code of the program is what `ats efficiency`
//! calls useful, and the seconds of a location outside of all visits in the basis belong to the code around them, unless
//! the location is a worker, or not there.

use std::collections::{BTreeMap, HashMap};

use ats_analyzer::{InBasis, LocationInBasis};
use ats_documents::classes::Classes;
use ats_documents::explanation::{Division, Waiting};
use ats_documents::{Analysis, Finding, Profile};
use ats_model::WaitState;
use ats_model::mpi::Function;
use ats_model::openmp::without_place;
use ats_model::quantity::View;
use ats_model::wait_state::Class;

use super::facts::Facts;
use super::transfers::moves;
use crate::spending::{forks_and_joins, paths};

/// Divides the location-seconds of the basis.
pub(super) fn divide(facts: &Facts<'_>, in_basis: &InBasis) -> Division {
    let InBasis { time, locations, .. } = in_basis;
    let Facts { analysis, profile, .. } = *facts;
    let mut recorded = vec![0.0; locations.len()];
    time.iter().for_each(|&(_, unit, seconds)| recorded[unit as usize] += seconds);
    // Clocks that were aligned may leave less than a location has recorded.
    let fits =
        |of: &LocationInBasis, recorded: f64| if recorded > of.seconds { of.seconds / recorded } else { 1.0 };
    let scales: Vec<f64> =
        locations.iter().zip(&recorded).map(|(of, &recorded)| fits(of, recorded)).collect();
    let mut division = Division::default();
    let mut computing = vec![0.0; locations.len()];
    let classes = Classes::default();
    let classified = paths(profile, &classes);
    let mut in_forks: HashMap<(u32, u32), f64> = HashMap::new();
    for (path, unit, seconds) in forks_and_joins(profile) {
        *in_forks.entry((path, unit)).or_default() += seconds;
    }
    let mut calls: BTreeMap<(&str, u32), f64> = BTreeMap::new();
    for &(path, unit, seconds) in time {
        let seconds = seconds * scales[unit as usize];
        let of_path = &classified[path as usize];
        if of_path.is_useful() {
            let runtime = in_forks.get(&(path, unit)).map_or(0.0, |&forks| forks.min(seconds));
            division.runtime += runtime;
            computing[unit as usize] += seconds - runtime;
        } else if of_path.is_of_recorder {
            *of_recorder(&mut division, region(profile, path)) += seconds;
        } else {
            let name = if of_path.is_mpi { call(profile, path) } else { region(profile, path) };
            *calls.entry((name, unit)).or_default() += seconds;
        }
    }
    let waits = Waits::of(facts);
    let mut besides: BTreeMap<&str, f64> = BTreeMap::new();
    for ((name, unit), seconds) in calls {
        let waited =
            waits.in_calls(name, unit, seconds, &mut computing[unit as usize], &mut division.waiting);
        *besides.entry(name).or_default() += seconds - waited;
    }
    besides.into_iter().for_each(|(name, seconds)| add_call(&mut division, analysis, name, seconds));
    for (unit, of) in locations.iter().enumerate() {
        let rest = (of.seconds - recorded[unit]).max(0.0);
        computing[unit] +=
            waits.divide_rest(&mut division, unit as u32, of, rest, analysis.basis.region.is_none());
    }
    for (unit, (mut seconds, of)) in (0..).zip(computing.into_iter().zip(locations)) {
        let polled = of.polled.min(seconds);
        division.polling += polled;
        seconds -= polled;
        let is_whole = analysis.basis.region.is_none();
        let counted = facts.counted(unit).filter(|_| is_whole);
        let without = counted.map_or(0.0, |counted| counted.not_running.min(seconds));
        division.not_running += without;
        division.computing += seconds - without;
    }
    division
}

/// Whether a finding is of waits at the end of the basis, which the last to come to `MPI_Finalize` is.
pub(super) fn is_at_end(analysis: &Analysis, finding: &Finding) -> bool {
    finding.property == Some(WaitState::WaitAtFinalize) && analysis.basis.region.is_none()
}

/// The last region of a call path.
fn region(profile: &Profile, path: u32) -> &str {
    &profile.regions[profile.call_tree[path as usize].region as usize].name
}

/// The innermost call of MPI on a call path.
fn call(profile: &Profile, path: u32) -> &str {
    let mut names = profile.ancestors(path).map(|node| profile.regions[node.region as usize].name.as_str());
    names.find(|name| Function::of_spelling(name).is_some()).unwrap_or_default()
}

/// The term of time in which the recorder did not record.
fn of_recorder<'d>(division: &'d mut Division, region: &str) -> &'d mut f64 {
    match region {
        Profile::BUFFER_FLUSH => &mut division.recorder,
        _ => &mut division.not_recorded,
    }
}

/// Adds the seconds of all calls of a function, or of a construct, besides waits.
fn add_call(division: &mut Division, analysis: &Analysis, name: &str, seconds: f64) {
    let Some(function) = Function::of_spelling(name) else {
        division.runtime += seconds;
        return;
    };
    if moves(function).is_some() {
        division.transfer += seconds;
        return;
    }
    let is_it = |function: &str| function == without_place(name);
    let unknown = analysis.not_analyzed.iter().filter(|calls| is_it(&calls.function));
    let unknown = unknown.fold(0.0, |sum, calls| sum + calls.seconds).min(seconds);
    division.not_analyzed += unknown;
    division.other_mpi += seconds - unknown;
}

/// The waits of the locations.
#[derive(Debug, Default)]
struct Waits<'a> {
    /// By call or construct, and unit.
    in_calls: HashMap<(&'a str, u32), Waiting>,
    /// Those that lie between tests, too.
    of_tests: HashMap<(&'a str, u32), f64>,
    /// By unit, in `MPI_Finalize`.
    to_finalize: HashMap<u32, f64>,
    /// By unit, in `MPI_Init` after the first has left it.
    in_init: HashMap<u32, f64>,
    /// By unit, of idle threads.
    idle: HashMap<u32, f64>,
}

impl<'a> Waits<'a> {
    fn of(facts: &Facts<'a>) -> Self {
        let mut waits = Waits::default();
        for finding in &facts.analysis.findings {
            let Some(state) = finding.property else { continue };
            for share in &finding.locations {
                if let Some(unit) = facts.unit(share.place()) {
                    waits.add(finding, state, unit, share.waiting_time);
                }
            }
        }
        waits
    }

    fn add(&mut self, finding: &'a Finding, state: WaitState, unit: u32, seconds: f64) {
        let name = finding.call_path.last().map_or("", String::as_str);
        match state {
            WaitState::WaitAtFinalize => *self.to_finalize.entry(unit).or_default() += seconds,
            WaitState::InitCompletion => *self.in_init.entry(unit).or_default() += seconds,
            _ if !finding.in_basis => {}
            _ if state.view() == View::Idle => *self.idle.entry(unit).or_default() += seconds,
            // The operation or the runtime itself takes that long.
            _ if state.awaited().is_none() => {}
            _ => {
                let waiting = self.in_calls.entry((name, unit)).or_default();
                *match state.class() {
                    Class::PointToPoint => &mut waiting.messages,
                    Class::OmpBarrier => &mut waiting.omp_barriers,
                    Class::OmpLock => &mut waiting.locks,
                    _ => &mut waiting.collectives,
                } += seconds;
                if state.is_of_tests() {
                    *self.of_tests.entry((name, unit)).or_default() += seconds;
                }
            }
        }
    }

    /// Adds the waits of a unit in calls that take `seconds`; returns how many of these are waits. Waits of tests also
    /// lie in the code between them.
    fn in_calls(
        &self,
        name: &'a str,
        unit: u32,
        seconds: f64,
        computing: &mut f64,
        sum: &mut Waiting,
    ) -> f64 {
        let Some(&waiting) = self.in_calls.get(&(name, unit)) else { return 0.0 };
        let all = waiting.seconds();
        let in_calls = all.min(seconds);
        let of_tests = self.of_tests.get(&(name, unit)).copied().unwrap_or_default();
        let between = (all - in_calls).min(of_tests).min(*computing);
        *computing -= between;
        if all > 0.0 {
            let share = (in_calls + between) / all;
            sum.messages += waiting.messages * share;
            sum.collectives += waiting.collectives * share;
            sum.omp_barriers += waiting.omp_barriers * share;
            sum.locks += waiting.locks * share;
        }
        in_calls
    }

    /// Divides the seconds of a unit outside of all visits in the basis; returns those of code around them.
    fn divide_rest(
        &self,
        division: &mut Division,
        unit: u32,
        of: &LocationInBasis,
        mut rest: f64,
        is_whole: bool,
    ) -> f64 {
        let mut take = |term: &mut f64, seconds: f64| {
            let seconds = seconds.min(rest);
            *term += seconds;
            rest -= seconds;
        };
        let known = |seconds: &HashMap<u32, f64>| seconds.get(&unit).copied().unwrap_or_default();
        let without_events = if of.is_cut { &mut division.not_recorded } else { &mut division.absent };
        take(without_events, of.without_events);
        match (of.is_worker, is_whole) {
            (true, true) => take(&mut division.idle, f64::INFINITY),
            (true, false) => take(&mut division.idle, known(&self.idle)),
            (false, true) => {
                take(&mut division.waiting.collectives, known(&self.to_finalize));
                take(&mut division.other_mpi, known(&self.in_init));
                return rest;
            }
            (false, false) => {}
        }
        division.absent += rest;
        0.0
    }
}
