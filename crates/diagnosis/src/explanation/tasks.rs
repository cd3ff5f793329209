//! Tasks: their length, and the time of threads at a barrier that find none.
//!
//! A wait at a barrier ends when the last thread of the team has come. From then on, threads only execute tasks in it: the
//! rest of their time there is that of threads without one, and of the runtime.

use std::collections::BTreeMap;

use ats_documents::finding::is_harness;
use ats_model::openmp::{Construct, without_place};

use super::facts::{Facts, Place, lost};

/// Time besides waits at barriers with tasks.
#[derive(Clone, Debug)]
pub(super) struct Idle<'a> {
    /// The call paths of the barrier, that of the first caller first.
    pub(super) barriers: Vec<Place<'a>>,
    /// The call paths of its tasks, that with the most work first.
    pub(super) tasks: Vec<Place<'a>>,
    /// Seconds of each unit that has some.
    pub(super) units: BTreeMap<u32, f64>,
}

impl Idle<'_> {
    pub(super) fn seconds(&self) -> f64 {
        self.units.values().fold(0.0, |sum, seconds| sum + seconds)
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

/// The barriers where threads are without tasks, in no order.
pub(super) fn idle<'a>(facts: &'a Facts<'a>) -> Vec<Idle<'a>> {
    let mut tasks: BTreeMap<&[String], Vec<Place<'a>>> = BTreeMap::new();
    for task in facts.paths().filter(|path| path.names.last().is_some_and(|name| is_task(name))) {
        let Some((_, around)) = task.names.split_last() else { continue };
        let is_in_basis = || facts.analysis.basis.includes(None, around) && !is_harness(around);
        if around.last().is_some_and(|name| is_barrier(name)) && is_in_basis() {
            tasks.entry(around).or_default().push(task);
        }
    }
    if tasks.is_empty() {
        return Vec::new();
    }
    let mut waited: BTreeMap<(Place<'_>, u32), f64> = BTreeMap::new();
    for (_, finding) in lost(facts.analysis) {
        for share in &finding.locations {
            if let Some(unit) = facts.unit(share.place()) {
                *waited.entry((Place::of(finding), unit)).or_default() += share.waiting_time;
            }
        }
    }
    let mut idle: BTreeMap<&[String], Idle<'a>> = BTreeMap::new();
    for path in facts.paths() {
        let Some(of_path) = tasks.get(path.names) else { continue };
        let new = Idle { barriers: Vec::new(), tasks: Vec::new(), units: BTreeMap::new() };
        let of_code = idle.entry(barrier(path.names)).or_insert(new);
        of_code.barriers.push(path);
        of_code.tasks.extend(of_path);
        for (unit, time) in (0..).zip(facts.time(path)) {
            let seconds = time - waited.get(&(path, unit)).copied().unwrap_or_default();
            if seconds > time * ROUNDING {
                *of_code.units.entry(unit).or_default() += seconds;
            }
        }
    }
    let work = |task: &Place<'_>| facts.time(*task).iter().sum::<f64>();
    idle.values_mut().for_each(|of| of.tasks.sort_by(|a, b| work(b).total_cmp(&work(a))));
    idle.into_values().collect()
}

/// The part of a barrier's time that is due to rounding.
const ROUNDING: f64 = 1e-6;

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
