//! Waits with different keys that are of one problem: their code differs in its callers, or in the way to it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use ats_documents::explanation::CauseKind;

use super::case::Case;
use super::facts::Facts;
use super::key::{Code, Key, end_of_segment};
use super::mechanism::Mechanism;
use super::part::Part;
use super::rules;
use super::tasks::Idle;

/// The largest ratio of what two ways to the same code cost each time: noise changes a delay by less.
const ALIKE: f64 = 2.0;

/// Joins the cases of the same small tasks: threads wait for the one that creates them, and find none at the barrier.
pub(super) fn of_small_tasks<'a>(facts: &'a Facts<'a>, cases: Vec<Case<'a>>) -> Vec<Case<'a>> {
    if !cases.iter().any(|case| case.mechanism == Mechanism::Tasks) {
        return cases;
    }
    let mut of_tasks: BTreeMap<String, Vec<Case<'a>>> = BTreeMap::new();
    let mut joined = Vec::new();
    for case in cases {
        let fit = matches!(case.mechanism, Mechanism::Tasks | Mechanism::Team)
            .then(|| rules::fitting(&case).swap_remove(0))
            .filter(|fit| fit.cause == CauseKind::SmallTasks);
        match fit {
            Some(fit) => of_tasks.entry(fit.what).or_default().push(case),
            None => joined.push(case),
        }
    }
    for mut group in of_tasks.into_values() {
        let idle: Vec<_> = group.iter_mut().filter_map(|case| case.idle.take()).collect();
        let mechanism = if idle.is_empty() { Mechanism::Team } else { Mechanism::Tasks };
        let waits = Case::new(facts, mechanism, group.into_iter().flat_map(Case::into_parts).collect());
        joined.push(match idle.into_iter().reduce(Idle::joined) {
            Some(idle) => waits.with_idle(idle),
            None => waits,
        });
    }
    joined
}

/// Waits of one key.
type Keyed<'a> = (Key<'a>, Vec<Part>);

/// Cases of waits by their keys, joined where they are of one problem.
pub(super) fn joined<'a>(facts: &'a Facts<'a>, cases: BTreeMap<Key<'a>, Vec<Part>>) -> Vec<Case<'a>> {
    let mut by_code: BTreeMap<(Mechanism, Code<'a>), Vec<Keyed<'a>>> = BTreeMap::new();
    for (key, parts) in cases {
        by_code.entry((key.mechanism, key.code.ends())).or_default().push((key, parts));
    }
    let mut joined = Vec::new();
    for ((mechanism, code), group) in by_code {
        if code.is_apart() && group.len() > 1 {
            joined.extend(alike(facts, of_one_path(group)));
        } else {
            joined.extend(group.into_iter().map(|(_, parts)| Case::new(facts, mechanism, parts)));
        }
    }
    joined
}

/// Joins several calls that wait for code of the same call path.
fn of_one_path<'a>(group: Vec<Keyed<'a>>) -> Vec<Keyed<'a>> {
    let mut joined: Vec<Keyed<'a>> = Vec::new();
    let mut of_path: HashMap<u32, usize> = HashMap::new();
    for (key, parts) in group {
        let known = parts.iter().find_map(|part| of_path.get(&part.path?).copied());
        let at = known.unwrap_or(joined.len());
        of_path.extend(parts.iter().filter_map(|part| Some((part.path?, at))));
        match joined.get_mut(at) {
            Some((_, of_one)) => of_one.extend(parts),
            None => joined.push((key, parts)),
        }
    }
    joined
}

/// A case, and what tells whether another one of the same code is of the same problem.
struct Compared<'a> {
    case: Case<'a>,
    key: Key<'a>,
    cause: OnceCell<CauseKind>,
}

impl Compared<'_> {
    fn cause(&self) -> CauseKind {
        *self.cause.get_or_init(|| rules::cause(&self.case))
    }

    /// Seconds for each time that the worst culprit passes the code; none if that is not counted.
    fn each(&self) -> Option<f64> {
        let &(worst, _) = self.case.units.first()?;
        let visits = self.case.visits()[worst as usize];
        (visits > 0.0).then(|| self.case.seconds() / visits)
    }

    /// Whether a smaller case belongs to this one: it has the same cause, the same culprits, and the same locations that wait.
    fn has(&self, smaller: &Compared<'_>) -> bool {
        let (one, other) = (&self.case, &smaller.case);
        let is_same = match self.key.code {
            Code::Segment(_) => self.is_chain_with(smaller) || self.is_as_late(smaller),
            _ => one.main_units() == other.main_units() && one.waiting() == other.waiting(),
        };
        let call = |of: &Compared<'_>| of.case.effects.first().map(|(finding, _)| *finding);
        end_of_segment(self.key.call.name()) == end_of_segment(smaller.key.call.name())
            && is_same
            && (call(self) == call(smaller) || self.cause() == smaller.cause())
    }

    /// Whether a loop may come to the code in this way and in the other.
    fn is_as_late(&self, smaller: &Compared<'_>) -> bool {
        let late = self.case.main_units();
        let are_as_slow = self.each().zip(smaller.each());
        are_as_slow.is_some_and(|(one, other)| one.max(other) <= ALIKE * one.min(other))
            && smaller.case.main_units().iter().all(|unit| late.contains(unit))
    }

    /// Whether both are of one chain: its locations come to their code from different sides.
    fn is_chain_with(&self, smaller: &Compared<'_>) -> bool {
        let passes_on = |of: &Compared<'_>| of.case.mechanism == Mechanism::Data && of.case.indirect > 0.0;
        passes_on(self)
            && passes_on(smaller)
            && [self, smaller].iter().all(|of| of.cause() == CauseKind::BlockedSender)
    }
}

/// Joins what is of one problem.
fn alike<'a>(facts: &'a Facts<'a>, group: Vec<Keyed<'a>>) -> Vec<Case<'a>> {
    let compared = |(key, parts): Keyed<'a>| Compared {
        case: Case::new(facts, key.mechanism, parts),
        key,
        cause: OnceCell::new(),
    };
    let mut group: Vec<Compared<'a>> = group.into_iter().map(compared).collect();
    group.sort_by(|a, b| b.case.seconds().total_cmp(&a.case.seconds()));
    let mut joined: Vec<(Compared<'a>, Vec<Part>)> = Vec::new();
    for one in group {
        match joined.iter_mut().find(|(larger, _)| larger.has(&one)) {
            Some((_, more)) => more.extend(one.case.into_parts()),
            None => joined.push((one, Vec::new())),
        }
    }
    let case = |(one, more): (Compared<'a>, Vec<Part>)| match more.len() {
        0 => one.case,
        _ => {
            let mechanism = one.case.mechanism;
            Case::new(facts, mechanism, [one.case.into_parts(), more].concat())
        }
    };
    joined.into_iter().map(case).collect()
}
