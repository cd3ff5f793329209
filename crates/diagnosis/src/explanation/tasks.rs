//! Tasks: their length, and the time of threads at a barrier that find none.
//!
//! A wait at a barrier ends when the last thread of the team has come. From then on, threads only execute tasks in it: the
//! rest of their time there is that of threads without one, and of the runtime.

use std::collections::BTreeMap;

use ats_documents::finding::is_harness;
use ats_model::openmp::{Construct, without_place};

use super::facts::{Facts, Place};

/// Time besides waits at barriers with tasks, or at all others.
#[derive(Clone, Debug)]
pub(super) struct Idle<'a> {
    /// The call paths of the barriers with their seconds, the largest first.
    pub(super) barriers: Vec<(Place<'a>, f64)>,
    /// The call paths of their tasks, that with the most work first; none if they are those without.
    pub(super) tasks: Vec<Place<'a>>,
    /// Seconds of each unit that has some.
    pub(super) units: BTreeMap<u32, f64>,
}

impl Idle<'_> {
    pub(super) fn seconds(&self) -> f64 {
        self.units.values().fold(0.0, |sum, seconds| sum + seconds)
    }

    /// It together with that at other barriers.
    pub(super) fn joined(mut self, other: Self) -> Self {
        self.barriers.extend(other.barriers);
        self.barriers.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        self.tasks.extend(other.tasks);
        other.units.into_iter().for_each(|(unit, seconds)| *self.units.entry(unit).or_default() += seconds);
        self
    }

    /// Whether a call path is that of one of the barriers.
    pub(super) fn is_at(&self, path: Place<'_>) -> bool {
        self.barriers.iter().any(|(barrier, _)| *barrier == path)
    }
}

/// The tasks of a construct.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grain {
    pub(super) number: f64,
    /// Seconds of work in them, without what a thread does while a task waits for others.
    pub(super) work: f64,
    /// Seconds of the longest one; none if tasks create tasks, since the first of them contains all others.
    pub(super) longest: Option<f64>,
    /// Seconds that create them, with what the creator does in between; none if tasks create them.
    pub(super) creation: Option<f64>,
}

impl Grain {
    /// The mean work.
    pub(super) fn mean(&self) -> f64 {
        self.work / self.number
    }
}

/// The construct of a region.
fn construct(name: &str) -> Option<Construct> {
    name.starts_with("!$omp").then(|| Construct::of_region(name)).flatten()
}

/// Whether a thread that is in the construct may execute tasks that have nothing to do with it.
fn rests(name: &str) -> bool {
    use Construct::{Barrier, ImplicitBarrier, TaskGroup, TaskWait};
    matches!(construct(name), Some(Barrier | ImplicitBarrier | TaskWait | TaskGroup))
}

fn is_task(name: &str) -> bool {
    construct(name) == Some(Construct::Task)
}

/// The place in the source that a recorder appends to the name of a construct.
fn appended(name: &str) -> &str {
    &name[without_place(name).len()..]
}

/// Whether a region is a barrier.
fn is_barrier(name: &str) -> bool {
    matches!(construct(name), Some(Construct::Barrier | Construct::ImplicitBarrier))
}

/// The barrier at the end of a call path, as the same code has it for any caller: with the region around it.
pub(super) fn barrier(names: &[String]) -> &[String] {
    &names[names.len().saturating_sub(2)..]
}

/// The barriers where threads are without tasks, and all that have none as one, in no order.
pub(super) fn idle<'a>(facts: &'a Facts<'a>) -> Vec<Idle<'a>> {
    let mut tasks: BTreeMap<&[String], Vec<Place<'a>>> = BTreeMap::new();
    for task in facts.paths().filter(|path| path.names.last().is_some_and(|name| is_task(name))) {
        let Some((_, around)) = task.names.split_last() else { continue };
        if around.last().is_some_and(|name| is_barrier(name)) {
            tasks.entry(around).or_default().push(task);
        }
    }
    let mut idle: BTreeMap<&[String], Idle<'a>> = BTreeMap::new();
    for path in facts.paths() {
        let is_in_basis = || facts.analysis.basis.includes(None, path.names) && !is_harness(path.names);
        if !path.names.last().is_some_and(|name| is_barrier(name)) || !is_in_basis() {
            continue;
        }
        let of_path = tasks.get(path.names);
        let new = Idle { barriers: Vec::new(), tasks: Vec::new(), units: BTreeMap::new() };
        let code = of_path.map_or(&[][..], |_| barrier(path.names));
        let of_code = idle.entry(code).or_insert(new);
        of_code.tasks.extend(of_path.into_iter().flatten());
        let mut of_barrier = 0.0;
        for (unit, seconds) in (0..).zip(facts.besides_waits(path)).filter(|of| of.1 > 0.0) {
            *of_code.units.entry(unit).or_default() += seconds;
            of_barrier += seconds;
        }
        of_code.barriers.push((path, of_barrier));
    }
    let work = |task: &Place<'_>| facts.time(*task).iter().sum::<f64>();
    for of in idle.values_mut() {
        of.tasks.sort_by(|a, b| work(b).total_cmp(&work(a)));
        of.barriers.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    }
    idle.into_values().collect()
}

/// The tasks of this construct, wherever they are executed; none if there are no such tasks.
pub(super) fn grain(facts: &Facts<'_>, of: &str) -> Option<Grain> {
    let sum = |values: Vec<f64>| values.iter().sum::<f64>();
    let mut grain = Grain::default();
    let (mut creation, mut creators): (f64, Vec<&[String]>) = (0.0, Vec::new());
    let mut create_tasks = false;
    for path in facts.paths() {
        let Some((last, before)) = path.names.split_last() else { continue };
        if construct(last) == Some(Construct::CreateTask) && appended(last) == appended(of) {
            creation += sum(facts.time(path));
            creators.push(before);
        }
        let Some(at) = path.names.iter().rposition(|name| is_task(name)).filter(|&at| path.names[at] == of)
        else {
            continue;
        };
        let inside = &path.names[at + 1..];
        create_tasks |= inside.iter().any(|name| construct(name) == Some(Construct::CreateTask));
        if !inside.iter().any(|name| rests(name)) {
            grain.work += sum(facts.time(path));
        }
        if inside.is_empty() {
            grain.number += sum(facts.visits(path));
        }
    }
    let by_tasks = creators.iter().any(|around| around.iter().any(|name| is_task(name)));
    if !by_tasks && !creators.is_empty() {
        // Most recorders see the creation of a task as a moment.
        let creators = facts.paths().filter(|path| creation == 0.0 && creators.contains(&path.names));
        grain.creation = Some(creation + creators.map(|path| sum(facts.time(path))).sum::<f64>());
    }
    if !create_tasks && !by_tasks {
        grain.longest = facts.longest(of);
    }
    (grain.number > 0.0).then_some(grain)
}

/// A call path of the tasks that are created in a call path, if it creates some. Not every recorder has the functions that lead
/// to the creation, so it may be in any caller up to the next construct.
pub(super) fn created_in<'f>(facts: &'f Facts<'_>, names: &[String]) -> Option<Place<'f>> {
    let construct_around = names.iter().rposition(|name| construct(name).is_some())?;
    let created = facts.paths().find_map(|of| {
        let (last, before) = of.names.split_last()?;
        let is_there = before.len() > construct_around && names.starts_with(before);
        (is_there && construct(last) == Some(Construct::CreateTask)).then_some(appended(last))
    })?;
    let is_it = |name: &String| is_task(name) && appended(name) == created;
    facts.paths().find(|path| path.names.last().is_some_and(is_it))
}
