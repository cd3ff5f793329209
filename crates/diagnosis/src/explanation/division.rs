//! The location-seconds of a run by their use.
//!
//! Each second is in one term, and none is good because it is nothing else: code of the program is what `ats efficiency`
//! calls useful, and the seconds of a location outside of all visits in the basis belong to the code around them, unless
//! the location is a worker, or not there.

use std::collections::{BTreeMap, HashMap};

use ats_analyzer::{InBasis, LocationInBasis};
use ats_documents::classes::Classes;
use ats_documents::comparison::Term;
use ats_documents::explanation::Division;
use ats_documents::{Analysis, Finding, Profile};
use ats_model::WaitState;
use ats_model::mpi::Function;
use ats_model::openmp::without_place;
use ats_model::quantity::View;
use ats_model::wait_state::Class;

use super::facts::{Facts, Place};
use super::transfers::moves;
use crate::spending::{is_in_call, paths};

/// The place of location-seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum At {
    /// Outside of all call paths, or not known.
    Nowhere,
    /// A call path of the profile.
    Path(u32),
    /// That of a finding.
    Finding(usize),
}

/// The location-seconds of a basis by use and place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts(BTreeMap<(Term, At), f64>);

impl Parts {
    fn add(&mut self, term: Term, at: At, seconds: f64) {
        if seconds != 0.0 {
            *self.0.entry((term, at)).or_default() += seconds;
        }
    }

    /// Use, place and seconds of all.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Term, At, f64)> + use<'_> {
        self.0.iter().map(|(&(term, at), &seconds)| (term, at, seconds))
    }

    /// The seconds by use.
    pub(crate) fn division(&self) -> Division {
        let mut division = Division::default();
        self.iter().for_each(|(term, _, seconds)| *division.term(term) += seconds);
        division
    }
}

/// Divides the location-seconds of the basis.
pub(crate) fn divide(facts: &Facts<'_>, in_basis: &InBasis) -> Parts {
    let InBasis { time, locations, .. } = in_basis;
    let Facts { analysis, profile, .. } = *facts;
    let mut recorded = vec![0.0; locations.len()];
    time.iter().for_each(|&(_, unit, seconds)| recorded[unit as usize] += seconds);
    let scales = in_basis.scales();
    let mut parts = Parts::default();
    let mut computing = vec![Computing::default(); locations.len()];
    let scaled = |&(path, unit, seconds): &(u32, u32, f64)| (path, unit, seconds * scales[unit as usize]);
    let classes = Classes::default();
    let mut calls: BTreeMap<(&str, u32), Vec<(u32, f64)>> = BTreeMap::new();
    for (path, of_path) in (0..).zip(paths(profile, &classes, time.iter().map(scaled))) {
        let at = At::Path(path);
        if of_path.is_code() {
            for &(unit, seconds) in &of_path.fork_join {
                parts.add(Term::Runtime, at, seconds);
                computing[unit as usize].add(at, -seconds);
            }
            of_path.time.iter().for_each(|&(unit, seconds)| computing[unit as usize].add(at, seconds));
        } else if of_path.is_of_recorder {
            parts.add(of_recorder(region(profile, path)), at, of_path.seconds());
        } else {
            let name = if of_path.is_mpi { call(profile, path) } else { region(profile, path) };
            for (unit, seconds) in of_path.time {
                calls.entry((name, unit)).or_default().push((path, seconds));
            }
        }
    }
    let waits = Waits::new(facts);
    let mut besides: BTreeMap<&str, Vec<(u32, f64)>> = BTreeMap::new();
    for ((name, unit), mut seconds) in calls {
        waits.take_from(name, unit, &mut seconds, &mut computing[unit as usize], &mut parts);
        besides.entry(name).or_default().extend(seconds);
    }
    besides.into_iter().for_each(|(name, seconds)| add_calls(&mut parts, analysis, name, &seconds));
    for (unit, of) in locations.iter().enumerate() {
        let rest = (of.seconds - recorded[unit]).max(0.0);
        let rest = waits.divide_rest(&mut parts, unit as u32, of, rest, analysis.basis.region.is_none());
        computing[unit].add(At::Nowhere, rest);
    }
    for (unit, (mut computing, of)) in (0..).zip(computing.into_iter().zip(locations)) {
        parts.add(Term::Polling, At::Nowhere, computing.take(of.polled));
        let is_whole = analysis.basis.region.is_none();
        let counted = facts.counted(unit).filter(|_| is_whole);
        let without = counted.map_or(0.0, |counted| counted.not_running);
        parts.add(Term::NotRunning, At::Nowhere, computing.take(without));
        computing.add_to(&mut parts);
    }
    parts
}

/// Computing of a location.
#[derive(Clone, Debug, Default)]
struct Computing {
    seconds: f64,
    /// The same by place, before seconds were taken that are of no known place.
    places: Vec<(At, f64)>,
}

impl Computing {
    fn add(&mut self, at: At, seconds: f64) {
        self.seconds += seconds;
        self.places.push((at, seconds));
    }

    /// Takes seconds for another use, as far as they are there; returns how many.
    fn take(&mut self, seconds: f64) -> f64 {
        let taken = seconds.min(self.seconds);
        self.seconds -= taken;
        taken
    }

    /// Adds what is left, of all places alike.
    fn add_to(&self, parts: &mut Parts) {
        let before = self.places.iter().fold(0.0, |sum, of| sum + of.1);
        let left = if before > 0.0 { self.seconds / before } else { 0.0 };
        self.places.iter().for_each(|&(at, seconds)| parts.add(Term::Computing, at, seconds * left));
    }
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
fn of_recorder(region: &str) -> Term {
    match region {
        Profile::BUFFER_FLUSH => Term::Recorder,
        _ => Term::NotRecorded,
    }
}

/// Adds the seconds of all calls of a function, or of a construct, besides waits, by call path.
fn add_calls(parts: &mut Parts, analysis: &Analysis, name: &str, seconds: &[(u32, f64)]) {
    let mut add = |term: Term, share: f64| {
        seconds.iter().for_each(|&(path, seconds)| parts.add(term, At::Path(path), seconds * share));
    };
    let Some(function) = Function::of_spelling(name) else { return add(Term::Runtime, 1.0) };
    if moves(function).is_some() {
        return add(Term::Transfer, 1.0);
    }
    let is_it = |function: &str| function == without_place(name);
    let unknown = analysis.not_analyzed.iter().filter(|calls| is_it(&calls.function));
    let unknown = unknown.fold(0.0, |sum, calls| sum + calls.seconds);
    let all = seconds.iter().fold(0.0, |sum, of| sum + of.1);
    let unknown = if unknown < all { unknown / all } else { 1.0 };
    add(Term::NotAnalyzed, unknown);
    add(Term::OtherMpi, 1.0 - unknown);
}

/// The waits of the locations.
#[derive(Debug, Default)]
struct Waits<'a> {
    /// By call or construct, and unit.
    in_calls: HashMap<(&'a str, u32), Vec<Wait<'a>>>,
    /// By unit, in `MPI_Finalize`.
    to_finalize: HashMap<u32, Vec<(At, f64)>>,
    /// By unit, in `MPI_Init` after the first has left it.
    in_init: HashMap<u32, Vec<(At, f64)>>,
    /// By unit, of idle threads.
    idle: HashMap<u32, Vec<(At, f64)>>,
}

/// The waits of a unit in a finding.
#[derive(Clone, Copy, Debug)]
struct Wait<'a> {
    term: Term,
    at: At,
    /// Its call paths in the profile.
    paths: &'a [u32],
    seconds: f64,
    /// Whether they lie between tests, too.
    is_of_tests: bool,
}

impl<'a> Waits<'a> {
    fn new(facts: &'a Facts<'a>) -> Self {
        let mut waits = Waits::default();
        for (number, finding) in facts.analysis.findings.iter().enumerate() {
            let Some(state) = finding.property else { continue };
            let paths = facts.numbers(Place::of_finding(finding));
            for share in &finding.locations {
                if let Some(unit) = facts.unit(share.place()) {
                    waits.add((number, finding, paths), state, unit, share.waiting_time);
                }
            }
        }
        waits
    }

    fn add(
        &mut self,
        (number, finding, paths): (usize, &'a Finding, &'a [u32]),
        state: WaitState,
        unit: u32,
        seconds: f64,
    ) {
        let name = finding.call_path.last().map_or("", String::as_str);
        let at = At::Finding(number);
        match state {
            WaitState::WaitAtFinalize => self.to_finalize.entry(unit).or_default().push((at, seconds)),
            WaitState::InitCompletion => self.in_init.entry(unit).or_default().push((at, seconds)),
            _ if !finding.in_basis => {}
            _ if state.view() == View::Idle => self.idle.entry(unit).or_default().push((at, seconds)),
            _ if is_in_call(state) => {
                let term = match state.class() {
                    Class::PointToPoint => Term::Messages,
                    Class::OmpBarrier => Term::OmpBarriers,
                    Class::OmpLock => Term::Locks,
                    _ => Term::Collectives,
                };
                let wait = Wait { term, at, paths, seconds, is_of_tests: state.is_of_tests() };
                self.in_calls.entry((name, unit)).or_default().push(wait);
            }
            // The operation or the runtime itself takes that long.
            _ => {}
        }
    }

    /// Takes the waits of a unit in calls from the seconds of these by call path, at their own paths first. Waits of tests also
    /// lie in the code between them.
    fn take_from(
        &self,
        name: &str,
        unit: u32,
        calls: &mut [(u32, f64)],
        computing: &mut Computing,
        parts: &mut Parts,
    ) {
        let Some(waits) = self.in_calls.get(&(name, unit)) else { return };
        let all = waits.iter().fold(0.0, |sum, wait| sum + wait.seconds);
        if all <= 0.0 {
            return;
        }
        let seconds = calls.iter().fold(0.0, |sum, of| sum + of.1);
        let in_calls = all.min(seconds);
        let of_tests = waits.iter().filter(|wait| wait.is_of_tests).fold(0.0, |sum, wait| sum + wait.seconds);
        let between = computing.take((all - in_calls).min(of_tests));
        let mut elsewhere = in_calls;
        for wait in waits {
            parts.add(wait.term, wait.at, wait.seconds * (in_calls + between) / all);
            let mut left = wait.seconds * in_calls / all;
            for (_, seconds) in calls.iter_mut().filter(|of| wait.paths.contains(&of.0)) {
                let taken = left.min(*seconds);
                *seconds -= taken;
                left -= taken;
                elsewhere -= taken;
            }
        }
        let rest = calls.iter().fold(0.0, |sum, of| sum + of.1);
        let kept = if rest > 0.0 { (1.0 - elsewhere.max(0.0) / rest).max(0.0) } else { 0.0 };
        calls.iter_mut().for_each(|(_, seconds)| *seconds *= kept);
    }

    /// Divides the seconds of a unit outside of all visits in the basis; returns those of code around them.
    fn divide_rest(
        &self,
        parts: &mut Parts,
        unit: u32,
        of: &LocationInBasis,
        mut rest: f64,
        is_whole: bool,
    ) -> f64 {
        let mut take = |term: Term, at: At, seconds: f64| {
            let seconds = seconds.min(rest);
            parts.add(term, at, seconds);
            rest -= seconds;
        };
        let without_events = if of.is_cut { Term::NotRecorded } else { Term::Absent };
        take(without_events, At::Nowhere, of.without_events);
        let mut take_known = |term: Term, of: &HashMap<u32, Vec<(At, f64)>>| {
            of.get(&unit).into_iter().flatten().for_each(|&(at, seconds)| take(term, at, seconds));
        };
        match (of.is_worker, is_whole) {
            (true, is_whole) => {
                take_known(Term::Idle, &self.idle);
                if is_whole {
                    take(Term::Idle, At::Nowhere, f64::INFINITY);
                }
            }
            (false, true) => {
                take_known(Term::Collectives, &self.to_finalize);
                take_known(Term::OtherMpi, &self.in_init);
                let code = of.code.min(rest);
                parts.add(Term::OtherMpi, At::Nowhere, rest - code);
                return code;
            }
            (false, false) => {}
        }
        parts.add(Term::Absent, At::Nowhere, rest);
        0.0
    }
}
