//! Problems of several runs that wait at the same calls for the same code.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Explanation;
use ats_documents::explanation::{CauseKind, KnownPlace, KnownProblem, KnownWait, Problem};

use super::lines::Lines;
use crate::comparison::places::{OwnPlace, Places};

/// The problems of a group.
#[derive(Debug, Default)]
pub(super) struct Group<'a> {
    /// Those of this run.
    pub(super) now: Vec<&'a KnownProblem>,
    /// Those of each earlier run.
    pub(super) before: Vec<Vec<&'a KnownProblem>>,
}

impl<'a> Group<'a> {
    /// The largest wait, of this run if it has one.
    pub(super) fn largest(&self) -> Option<&'a KnownWait> {
        let of = |problems: &[&'a KnownProblem]| {
            let waits = problems.iter().filter_map(|of| of.waits.first());
            waits.max_by(|a, b| a.seconds.total_cmp(&b.seconds))
        };
        of(&self.now).or_else(|| self.before.iter().find_map(|run| of(run)))
    }

    /// Whether a problem of this run's explanation is one of it.
    pub(super) fn has(&self, problem: &Problem) -> bool {
        let waits_at = |known: &KnownProblem| match known.waits.first().and_then(|wait| wait.call.as_ref()) {
            Some(call) => problem.effects.iter().any(|effect| effect.call_path == call.call_path),
            None => problem.effects.is_empty(),
        };
        let is_it = |known: &&&KnownProblem| {
            known.seconds == problem.seconds && known.culprits == problem.culprits && waits_at(known)
        };
        self.now.iter().find(is_it).is_some_and(|known| known.causes.first() == Some(&problem.cause()))
    }
}

/// The code that is late and the call that waits, by their numbers; none where that is not known.
type Key = (Option<usize>, Option<usize>);

/// The groups of all problems. A problem with several waits joins those of each.
pub(super) fn groups<'a>(now: &'a Explanation, before: &'a [Explanation]) -> Vec<Group<'a>> {
    let same = Same::new(now, before);
    let mut all: Vec<(Option<usize>, &'a KnownProblem, Vec<Key>)> = Vec::new();
    for problem in &now.known {
        all.push((None, problem, keys(problem, |place| same.now(place))));
    }
    for (run, explanation) in before.iter().enumerate() {
        for problem in &explanation.known {
            all.push((Some(run), problem, keys(problem, |place| same.before(run, place))));
        }
    }
    let mut first: BTreeMap<Key, Key> = BTreeMap::new();
    for (_, _, of_one) in &all {
        let roots: BTreeSet<Key> = of_one.iter().map(|key| root(&first, *key)).collect();
        let Some(&root) = roots.first() else { continue };
        first.extend(roots.into_iter().chain(of_one.iter().copied()).map(|key| (key, root)));
    }
    let mut groups: BTreeMap<Key, Group<'a>> = BTreeMap::new();
    for (run, problem, of_one) in all {
        let Some(&key) = of_one.first() else { continue };
        let empty = || Group { now: Vec::new(), before: vec![Vec::new(); before.len()] };
        let group = groups.entry(root(&first, key)).or_insert_with(empty);
        match run {
            None => group.now.push(problem),
            Some(run) => group.before[run].push(problem),
        }
    }
    of_tasks(groups.into_values().collect())
}

/// Joins a group of this run alone with one of earlier runs alone if both are of the same tasks: chance decides which of their
/// waits are the largest.
fn of_tasks(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let of_tasks = |of: &KnownProblem| {
        let causes = [CauseKind::SmallTasks, CauseKind::TaskCreation, CauseKind::LargeTask];
        of.causes.first().is_some_and(|cause| causes.contains(cause))
    };
    let are = |of: &[&KnownProblem]| of.iter().any(|of| of_tasks(of));
    let is_of_earlier = |group: &Group<'_>| group.now.is_empty() && group.before.iter().any(|run| are(run));
    let earlier: Vec<Group<'_>> = groups.extract_if(.., |group| is_of_earlier(group)).collect();
    let mut left = Vec::new();
    for group in earlier {
        match groups.iter_mut().find(|of| are(&of.now)) {
            Some(of) => of.before.iter_mut().zip(group.before).for_each(|(all, more)| all.extend(more)),
            None => left.push(group),
        }
    }
    groups.extend(left);
    groups
}

/// The first key that one is joined with.
fn root(first: &BTreeMap<Key, Key>, key: Key) -> Key {
    match first.get(&key) {
        Some(&of) if of != key => root(first, of),
        _ => key,
    }
}

/// The keys of a problem's waits.
fn keys(problem: &KnownProblem, number: impl Fn(&KnownPlace) -> usize) -> Vec<Key> {
    let key = |wait: &KnownWait| (wait.code.as_ref().map(&number), wait.call.as_ref().map(&number));
    problem.waits.iter().map(key).collect()
}

/// Numbers of places that are the same in all runs.
struct Same {
    places: Places,
    exact: BTreeMap<OwnPlace, usize>,
    lines: Vec<Lines>,
}

impl Same {
    fn new(now: &Explanation, before: &[Explanation]) -> Self {
        let lines: Vec<Lines> = before.iter().map(|run| Lines::new(&run.calls, &now.calls)).collect();
        let of_now: BTreeSet<OwnPlace> = places(now).map(OwnPlace::from).collect();
        let of_before: BTreeSet<OwnPlace> = before
            .iter()
            .zip(&lines)
            .flat_map(|(run, lines)| {
                places(run).map(|place| lines.place(place).unwrap_or_else(|| place.into()))
            })
            .collect();
        let is_exact = |place: &&OwnPlace| of_now.contains(*place) && of_before.contains(*place);
        let left = [&of_before, &of_now].map(|all| all.iter().filter(|place| !is_exact(place)).collect());
        let places = Places::matched(left);
        let first = places.len();
        let exact = of_now.iter().filter(is_exact).cloned().zip(first..).collect();
        Same { places, exact, lines }
    }

    fn now(&self, place: &KnownPlace) -> usize {
        self.number(1, place.into())
    }

    fn before(&self, run: usize, place: &KnownPlace) -> usize {
        self.number(0, self.lines[run].place(place).unwrap_or_else(|| place.into()))
    }

    fn number(&self, side: usize, place: OwnPlace) -> usize {
        self.exact.get(&place).copied().unwrap_or_else(|| self.places.number(side, &place))
    }
}

fn places(run: &Explanation) -> impl Iterator<Item = &KnownPlace> {
    let waits = run.known.iter().flat_map(|of| &of.waits);
    waits.flat_map(|wait| wait.code.iter().chain(&wait.call))
}
