//! Seconds of a profile by call path, unit and class.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::profile::CallNode;
use ats_model::WaitState;
use ats_model::definitions::RegionRole;
use ats_model::delay::{self, Delay, Term};
use ats_model::mpi::Function;
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
    /// Seconds in the path alone, by unit.
    pub(crate) time: Vec<(u32, f64)>,
    /// Seconds of the path alone in forks and joins, which `time` contains.
    pub(crate) fork_join: f64,
    /// Seconds that the other threads of a process were idle meanwhile, outside of parallel regions.
    pub(crate) idle: f64,
    /// Seconds of threads that a parallel region had no use for.
    pub(crate) limited: f64,
    /// Seconds that others waited at barriers because of this path: of MPI, and of OpenMP.
    pub(crate) delays: [f64; 2],
}

impl Path<'_> {
    /// Whether its own time is work of the program, and not of a library.
    pub(crate) fn is_work(&self) -> bool {
        self.class.is_none_or(|class| matches!(class.class, Class::Computation | Class::Io))
    }

    /// Whether its own time is useful: work of the program outside of MPI that was recorded.
    pub(crate) fn is_useful(&self) -> bool {
        self.is_work() && !self.is_mpi && !self.is_of_recorder
    }

    /// Its seconds of all units.
    pub(crate) fn seconds(&self) -> f64 {
        self.time.iter().fold(0.0, |sum, (_, seconds)| sum + seconds)
    }

    /// Its seconds of work of all units.
    pub(crate) fn work(&self) -> f64 {
        if self.is_work() { self.seconds() - self.fork_join } else { 0.0 }
    }
}

impl<'a> Spending<'a> {
    pub(crate) fn of(profile: &'a Profile, classes: &'a Classes) -> Self {
        let mut paths = paths(profile, classes);
        for (path, unit, seconds) in profile.values_of(Profile::TIME) {
            paths[path as usize].time.push((unit, seconds));
        }
        let mut threads: BTreeMap<u32, u32> = BTreeMap::new();
        profile.units.iter().for_each(|unit| *threads.entry(unit.rank).or_default() += 1);
        let ranks = threads.len();
        let threads = profile.units.iter().map(|unit| threads[&unit.rank]).collect();
        let mut spending =
            Spending { profile, paths, threads, ranks, knows_idle: false, knows_causes: false };
        spending.set_fork_join();
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
            for (path, _, seconds) in profile.values_of(&metric.name) {
                *amount(&mut self.paths[path as usize]) += seconds;
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

    /// Notes what forks and joins cost.
    fn set_fork_join(&mut self) {
        for (path, _, seconds) in forks_and_joins(self.profile) {
            self.paths[path as usize].fork_join += seconds;
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

    /// Seconds of work of each unit in some paths.
    pub(crate) fn work_of_units(&self, paths: &[usize]) -> Vec<f64> {
        self.without_forks_and_joins(paths, |path| path.is_work())
    }

    /// Useful seconds of each unit in some paths.
    pub(crate) fn useful_of_units(&self, paths: &[usize]) -> Vec<f64> {
        self.without_forks_and_joins(paths, |path| path.is_useful())
    }

    fn without_forks_and_joins(&self, paths: &[usize], is_meant: impl Fn(&Path) -> bool) -> Vec<f64> {
        let mut of_units = self.of_units(paths, &is_meant);
        let mut are_meant = vec![false; self.paths.len()];
        paths.iter().for_each(|&path| are_meant[path] = is_meant(&self.paths[path]));
        for (_, unit, seconds) in forks_and_joins(self.profile).filter(|of| are_meant[of.0 as usize]) {
            of_units[unit as usize] -= seconds;
        }
        of_units
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

/// The call paths of a profile, without their seconds.
pub(crate) fn paths<'a>(profile: &'a Profile, classes: &'a Classes) -> Vec<Path<'a>> {
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
        fork_join: 0.0,
        idle: 0.0,
        limited: 0.0,
        delays: [0.0; 2],
    };
    let classes = profile.classes_of_paths(classes);
    profile.call_tree.iter().zip(classes).map(path).collect()
}

/// Seconds of forks and joins by call path and unit.
pub(crate) fn forks_and_joins(profile: &Profile) -> impl Iterator<Item = (u32, u32, f64)> {
    profile.forks_and_joins().flat_map(|metric| profile.values_of(&metric.name))
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
