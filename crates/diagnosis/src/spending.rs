//! Seconds of a profile by call path, unit and class.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::profile::CallNode;
use ats_model::WaitState;
use ats_model::definitions::RegionRole;
use ats_model::delay::{self, Delay, Term};
use ats_model::mpi::Function;
use ats_model::quantity::View;
use ats_model::region_class::{Class, RegionClass};

use crate::run::DiagnosisError;

/// A profile, arranged for sums over call paths.
pub(crate) struct Spending<'a> {
    pub(crate) profile: &'a Profile,
    /// By call path.
    pub(crate) paths: Vec<Path<'a>>,
    /// By unit, the number of threads of its process.
    pub(crate) threads: Vec<u32>,
    /// The number of processes.
    pub(crate) ranks: usize,
    /// Whether the idle seconds of threads are known, and not only to be estimated.
    pub(crate) knows_idle: bool,
    /// Whether the root causes of waits are known.
    pub(crate) knows_causes: bool,
}

/// A call path.
pub(crate) struct Path<'a> {
    /// The class of its time; `None` is computation.
    pub(crate) class: Option<RegionClass<'a>>,
    /// The role of its region.
    pub(crate) role: RegionRole,
    /// The innermost construct of OpenMP around it, itself included, if it is inside a parallel region.
    pub(crate) construct: Option<RegionRole>,
    /// Whether it is in a call of MPI.
    pub(crate) is_mpi: bool,
    /// Whether the recorder had stopped, or wrote its buffers.
    pub(crate) is_of_recorder: bool,
    /// Seconds of the basis in the path alone, by unit.
    pub(crate) time: Vec<(u32, f64)>,
    /// Seconds of `time` in forks and joins, by unit.
    pub(crate) fork_join: Vec<(u32, f64)>,
    /// Seconds in the path alone that lie outside of the basis, by unit.
    pub(crate) outside: Vec<(u32, f64)>,
    /// Seconds that the other threads of a process were idle meanwhile, outside of parallel regions.
    pub(crate) idle: f64,
    /// Seconds of threads that a parallel region had no use for.
    pub(crate) limited: f64,
    /// Seconds that others waited at barriers because of this path: of MPI, and of OpenMP.
    pub(crate) delays: [f64; 2],
}

/// Seconds of a unit in code of the program, outside of MPI and of the runtime of threads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Code {
    /// Those in which it computes.
    pub(crate) useful: f64,
    /// Between tests of a message that it waits for.
    pub(crate) testing: f64,
    /// Between tests in vain: it may work, or wait.
    pub(crate) polling: f64,
    /// Without a processor.
    pub(crate) not_running: f64,
}

impl Code {
    /// Moves seconds out of those of computing, as far as it has so many; returns how many.
    fn take(&mut self, seconds: f64) -> f64 {
        let seconds = seconds.min(self.useful).max(0.0);
        self.useful -= seconds;
        seconds
    }
}

impl Path<'_> {
    /// Whether its own time is in code of the program: outside of MPI and of the runtime of threads, and recorded.
    pub(crate) fn is_code(&self) -> bool {
        let is_work = self.class.is_none_or(|class| matches!(class.class, Class::Computation | Class::Io));
        is_work && !self.is_mpi && !self.is_of_recorder
    }

    /// Its seconds of all units.
    pub(crate) fn seconds(&self) -> f64 {
        self.time.iter().fold(0.0, |sum, (_, seconds)| sum + seconds)
    }

    /// The share of a process's time in it that lies outside of the basis; its other threads are idle meanwhile.
    fn share_outside(&self, profile: &Profile, rank: u32) -> f64 {
        let of_rank = |values: &[(u32, f64)]| {
            let values = values.iter().filter(|of| profile.units[of.0 as usize].rank == rank);
            values.fold(0.0, |sum, of| sum + of.1)
        };
        let outside = of_rank(&self.outside);
        if outside > 0.0 { outside / (outside + of_rank(&self.time)) } else { 0.0 }
    }

    /// Its seconds in forks and joins of all units.
    pub(crate) fn forks_and_joins(&self) -> f64 {
        self.fork_join.iter().fold(0.0, |sum, (_, seconds)| sum + seconds)
    }

    /// Its seconds in code of all units.
    pub(crate) fn code(&self) -> f64 {
        if self.is_code() { self.seconds() - self.forks_and_joins() } else { 0.0 }
    }
}

impl<'a> Spending<'a> {
    pub(crate) fn new(profile: &'a Profile, classes: &'a Classes) -> Self {
        let outside = profile.outside();
        let outside = |(path, unit, seconds)| outside.seconds(path, unit, seconds);
        let inside = profile.values_of(Profile::TIME).map(|of| (of.0, of.1, of.2 - outside(of)));
        let mut paths = paths(profile, classes, inside);
        let of_paths = profile.values_of(Profile::TIME).map(|of| (of.0, of.1, outside(of)));
        for (path, unit, outside) in of_paths.filter(|of| of.2 > 0.0) {
            paths[path as usize].outside.push((unit, outside));
        }
        let mut threads: BTreeMap<u32, u32> = BTreeMap::new();
        profile.units.iter().for_each(|unit| *threads.entry(unit.rank).or_default() += 1);
        let ranks = threads.len();
        let threads = profile.units.iter().map(|unit| threads[&unit.rank]).collect();
        let mut spending =
            Spending { profile, paths, threads, ranks, knows_idle: false, knows_causes: false };
        spending.set_idle();
        spending.set_delays();
        spending
    }

    /// Notes the idle seconds of threads, as far as they were measured; else they follow from the time of the master.
    fn set_idle(&mut self) {
        let profile = self.profile;
        for metric in &profile.metrics {
            let state = WaitState::from_name(&metric.name).or_else(|| WaitState::from_metric(&metric.name));
            let amount: for<'p> fn(&'p mut Path<'a>) -> &'p mut f64 = match state {
                Some(WaitState::IdleThreads) => |path| &mut path.idle,
                Some(WaitState::LimitedParallelism) => |path| &mut path.limited,
                _ => continue,
            };
            self.knows_idle |= state == Some(WaitState::IdleThreads);
            for (path, unit, seconds) in profile.values_of(&metric.name) {
                let path = &mut self.paths[path as usize];
                let share = 1.0 - path.share_outside(profile, profile.units[unit as usize].rank);
                *amount(path) += seconds * share;
            }
        }
        if !self.knows_idle {
            for at in 0..self.paths.len() {
                let path = &self.paths[at];
                let idle = path.time.iter().map(|&(unit, seconds)| seconds * self.others(unit));
                self.paths[at].idle = if path.construct.is_none() { idle.sum() } else { 0.0 };
            }
        }
    }

    /// Notes the costs of delays.
    fn set_delays(&mut self) {
        let profile = self.profile;
        self.knows_causes = delay::metrics().any(|name| profile.values.contains_key(name));
        for (at, delay) in [Delay::Barrier, Delay::OmpBarrier].into_iter().enumerate() {
            for name in [Term::Short, Term::Long].map(|term| delay.metric(term)) {
                for (path, _, seconds) in profile.values_of(name) {
                    self.paths[path as usize].delays[at] += seconds;
                }
            }
        }
    }

    /// The regions in the order of their first call paths, each with all paths in it. The program's own region is none.
    pub(crate) fn regions(&self) -> Vec<(&'a str, Vec<usize>)> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut regions: Vec<(&str, Vec<usize>)> = Vec::new();
        for node in &self.profile.call_tree {
            for outer in self.profile.ancestors(node.id).filter(|outer| !self.is_program(outer)) {
                let name = self.profile.regions[outer.region as usize].name.as_str();
                let number = *numbers.entry(name).or_insert_with(|| {
                    regions.push((name, Vec::new()));
                    regions.len() - 1
                });
                let paths = &mut regions[number].1;
                if paths.last() != Some(&(node.id as usize)) {
                    paths.push(node.id as usize);
                }
            }
        }
        regions
    }

    /// The names on a path, without that of the program.
    pub(crate) fn names(&self, path: usize) -> Vec<&'a str> {
        let outwards = self.profile.ancestors(path as u32).filter(|node| !self.is_program(node));
        outwards.map(|node| self.profile.regions[node.region as usize].name.as_str()).collect()
    }

    fn is_program(&self, node: &CallNode) -> bool {
        node.parent.is_none() && self.paths[node.id as usize].role == RegionRole::Artificial
    }

    /// The name and the paths of a region of the run `id`, or of the whole program.
    pub(crate) fn program_or(
        &self,
        region: Option<&str>,
        id: &str,
    ) -> Result<(&'a str, Vec<usize>), DiagnosisError> {
        let Some(wanted) = region else {
            let root = self.profile.call_tree.iter().find(|node| self.is_program(node));
            let name = root.map_or("whole program", |root| &self.profile.regions[root.region as usize].name);
            return Ok((name, (0..self.paths.len()).collect()));
        };
        let mut regions = self.regions();
        match regions.iter().position(|(name, _)| *name == wanted) {
            Some(at) => Ok(regions.swap_remove(at)),
            None => Err(DiagnosisError::no_region(id, wanted, regions.iter().map(|(name, _)| *name))),
        }
    }

    /// The number of the other threads of a unit's process.
    pub(crate) fn others(&self, unit: u32) -> f64 {
        f64::from(self.threads[unit as usize] - 1)
    }

    /// Seconds of all units outside of the basis.
    pub(crate) fn outside(&self) -> f64 {
        self.paths.iter().flat_map(|path| &path.outside).fold(0.0, |sum, of| sum + of.1)
    }

    /// Useful seconds of each unit in some paths.
    pub(crate) fn useful_of_units(&self, paths: &[usize]) -> Vec<f64> {
        self.code_of_units(paths).into_iter().map(|code| code.useful).collect()
    }

    /// Seconds of each unit in the code of some paths, by their use.
    pub(crate) fn code_of_units(&self, paths: &[usize]) -> Vec<Code> {
        let code = |useful: f64| Code { useful, ..Code::default() };
        let mut units: Vec<Code> =
            self.of_units(paths, |path| path.is_code()).into_iter().map(code).collect();
        let mut are_meant = vec![false; self.paths.len()];
        for &path in paths {
            are_meant[path] = true;
            let of_path = Some(&self.paths[path]).filter(|path| path.is_code());
            for &(unit, seconds) in of_path.iter().flat_map(|path| &path.fork_join) {
                units[unit as usize].useful -= seconds;
            }
        }
        for (unit, seconds) in self.testing(&are_meant) {
            let unit = &mut units[unit as usize];
            unit.testing += unit.take(seconds);
        }
        let values = |metric| self.profile.values_of(metric).filter(|of| are_meant[of.0 as usize]);
        for (_, unit, seconds) in values(Profile::POLLING) {
            let unit = &mut units[unit as usize];
            unit.polling += unit.take(seconds);
        }
        for (_, unit, seconds) in values(Profile::NOT_RUNNING) {
            let unit = &mut units[unit as usize];
            unit.not_running += unit.take(seconds);
        }
        units
    }

    /// Waits for messages that calls test for, by unit, as far as they lie between these calls.
    fn testing(&self, are_meant: &[bool]) -> Vec<(u32, f64)> {
        let call = |path: u32| {
            self.profile.regions[self.profile.call_tree[path as usize].region as usize].name.as_str()
        };
        let mut of_tests: BTreeMap<(&str, u32), f64> = BTreeMap::new();
        let waits = |is_meant: fn(WaitState) -> bool| {
            let waits = WaitState::ALL.into_iter().filter(move |&state| is_meant(state));
            waits.flat_map(|state| self.profile.values_of(state.name())).filter(|of| are_meant[of.0 as usize])
        };
        for (path, unit, seconds) in waits(WaitState::is_of_tests) {
            *of_tests.entry((call(path), unit)).or_default() += seconds;
        }
        if of_tests.is_empty() {
            return Vec::new();
        }
        // Those that do not fit into the calls themselves.
        let mut beyond: BTreeMap<(&str, u32), f64> = of_tests.keys().map(|&key| (key, 0.0)).collect();
        for (path, unit, seconds) in waits(is_in_call) {
            beyond.entry((call(path), unit)).and_modify(|sum| *sum += seconds);
        }
        for (path, of_path) in (0..).zip(&self.paths).filter(|of| are_meant[of.0 as usize] && of.1.is_mpi) {
            for &(unit, seconds) in &of_path.time {
                beyond.entry((call(path), unit)).and_modify(|sum| *sum -= seconds);
            }
        }
        let between = |(key, beyond): ((&str, u32), f64)| (key.1, beyond.min(of_tests[&key]));
        beyond.into_iter().map(between).filter(|of| of.1 > 0.0).collect()
    }

    /// The seconds of each unit in some paths.
    pub(crate) fn of_units(&self, paths: &[usize], is_meant: impl Fn(&Path) -> bool) -> Vec<f64> {
        let mut seconds = vec![0.0; self.profile.units.len()];
        for path in paths.iter().map(|&path| &self.paths[path]).filter(|path| is_meant(path)) {
            path.time.iter().for_each(|&(unit, of)| seconds[unit as usize] += of);
        }
        seconds
    }
}

/// The call paths of a profile, with these seconds by call path and unit.
pub(crate) fn paths<'a>(
    profile: &'a Profile,
    classes: &'a Classes,
    seconds: impl Iterator<Item = (u32, u32, f64)>,
) -> Vec<Path<'a>> {
    let roles: Vec<RegionRole> = profile.regions.iter().map(|region| region.role_by_name()).collect();
    let mut around: Vec<Option<RegionRole>> = Vec::new();
    for node in &profile.call_tree {
        let outer = node.parent.and_then(|parent| around[parent as usize]);
        let role = roles[node.region as usize];
        let is_in_team = outer.is_some() || role == RegionRole::Parallel;
        around.push(if is_in_team && is_construct(role) { Some(role) } else { outer });
    }
    let is_mpi = |node: &CallNode| {
        let names = profile.ancestors(node.id).map(|outer| &profile.regions[outer.region as usize].name);
        names.into_iter().any(|name| Function::of_spelling(name).is_some())
    };
    let is_of_recorder = |node: &CallNode| profile.regions[node.region as usize].is_of_recorder();
    let path = |(node, class): (&CallNode, Option<RegionClass<'a>>)| Path {
        class,
        role: roles[node.region as usize],
        construct: around[node.id as usize],
        is_mpi: is_mpi(node),
        is_of_recorder: is_of_recorder(node),
        time: Vec::new(),
        fork_join: Vec::new(),
        outside: Vec::new(),
        idle: 0.0,
        limited: 0.0,
        delays: [0.0; 2],
    };
    let classes = profile.classes_of_paths(classes);
    let mut paths: Vec<Path<'a>> = profile.call_tree.iter().zip(classes).map(path).collect();
    seconds.for_each(|(path, unit, seconds)| paths[path as usize].time.push((unit, seconds)));
    let mut fork_join: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (path, unit, seconds) in profile.forks_and_joins().flat_map(|of| profile.values_of(&of.name)) {
        *fork_join.entry((path, unit)).or_default() += seconds;
    }
    for ((path, unit), seconds) in fork_join {
        let path = &mut paths[path as usize];
        let time = path.time.iter().filter(|of| of.0 == unit).fold(0.0, |sum, of| sum + of.1);
        path.fork_join.push((unit, seconds.min(time)));
    }
    paths
}

/// Whether a wait state is waiting in a call, for another location.
pub(crate) fn is_in_call(state: WaitState) -> bool {
    let is_at_ends = matches!(state, WaitState::WaitAtFinalize | WaitState::InitCompletion);
    state.view() == View::Wait && state.awaited().is_some() && !is_at_ends
}

/// Whether threads divide or guard work by a region of this role.
fn is_construct(role: RegionRole) -> bool {
    use RegionRole::*;
    matches!(
        role,
        Loop | Parallel
            | Sections
            | Section
            | Workshare
            | Single
            | SingleSblock
            | Master
            | Critical
            | CriticalSblock
            | Ordered
            | OrderedSblock
            | Task
    )
}
