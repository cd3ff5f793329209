//! Cases: waits that the same code causes.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use ats_documents::Finding;
use ats_documents::explanation::Culprit;
use ats_documents::profile::FunctionShare;
use ats_model::mpi::Function;

use super::facts::{Facts, Place};
use super::group::Group;
use super::mechanism::Mechanism;
use super::part::Part;
use super::tasks::Idle;
use super::transfers::Transfers;
use super::waiting::Waiting;
use super::waits::Span;

/// The waits of one mechanism that the same code causes, or waits without a known cause.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) mechanism: Mechanism,
    /// The call path that locations are late in; none if it is not known. Of several, that with the most seconds.
    pub(super) path: Option<Place<'a>>,
    /// All call paths that lead to the same code, that with the most seconds first.
    pub(super) paths: Vec<Place<'a>>,
    /// The findings that it explains, with the seconds; the largest first.
    pub(super) effects: Vec<(usize, f64)>,
    /// Seconds that others wait because of a unit; the largest first.
    pub(super) units: Vec<(u32, f64)>,
    /// Seconds that are waited for a unit's work.
    pub(super) direct: f64,
    /// Seconds that are waited because a unit has waited itself.
    pub(super) indirect: f64,
    /// The calls that move data, if these take the time.
    pub(super) transfers: Option<Transfers<'a>>,
    /// The barriers where threads find no task, if it is that.
    pub(super) idle: Option<Idle<'a>>,
    /// All of its waits.
    parts: Vec<Part>,
    waiting: OnceCell<Waiting>,
    as_late: OnceCell<Vec<u32>>,
}

fn largest_first<K: Ord>(sums: BTreeMap<K, f64>) -> Vec<(K, f64)> {
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    sums
}

impl<'a> Case<'a> {
    /// The case of these waits.
    pub(super) fn new(facts: &'a Facts<'a>, mechanism: Mechanism, parts: Vec<Part>) -> Self {
        let (mut effects, mut paths, mut units) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for part in &parts {
            *effects.entry(part.finding).or_default() += part.seconds();
            if let Some(path) = part.path {
                *paths.entry(path).or_default() += part.seconds();
            }
            if let Some(unit) = part.unit {
                *units.entry(unit).or_default() += part.seconds();
            }
        }
        let paths: Vec<(u32, f64)> = largest_first(paths);
        let paths: Vec<Place<'a>> =
            paths.into_iter().filter_map(|(path, _)| facts.place(Some(path))).collect();
        Case {
            facts,
            mechanism,
            path: paths.first().copied(),
            paths,
            effects: largest_first(effects),
            units: largest_first(units),
            direct: parts.iter().map(|part| part.direct).sum(),
            indirect: parts.iter().map(|part| part.indirect).sum(),
            parts,
            waiting: OnceCell::new(),
            as_late: OnceCell::new(),
            transfers: None,
            idle: None,
        }
    }

    /// The case of threads that find no task at a barrier.
    pub(super) fn of_idle(facts: &'a Facts<'a>, idle: Idle<'a>) -> Self {
        let case = Case::new(facts, Mechanism::Tasks, Vec::new());
        case.with_idle(idle)
    }

    /// The same with threads that find no task at a barrier meanwhile.
    pub(super) fn with_idle(self, idle: Idle<'a>) -> Self {
        let (path, paths) = (idle.tasks.first().copied(), idle.tasks.clone());
        Case { path, paths, direct: self.direct + idle.seconds(), idle: Some(idle), ..self }
    }

    /// The case of barriers that end late after all threads have come.
    pub(super) fn of_barriers(facts: &'a Facts<'a>, idle: Idle<'a>) -> Self {
        let case = Case::new(facts, Mechanism::Runtime, Vec::new());
        let paths: Vec<_> = idle.barriers.iter().map(|(barrier, _)| *barrier).collect();
        Case { path: paths.first().copied(), paths, direct: idle.seconds(), idle: Some(idle), ..case }
    }

    /// The case of transfers, if something shows that they could be faster: small messages, or slow ones.
    pub(super) fn of_transfers(facts: &'a Facts<'a>, transfers: Transfers<'a>) -> Option<Self> {
        let mut units = BTreeMap::new();
        if !transfers.repeated(facts).is_empty() {
            units.clone_from(&transfers.units);
        } else {
            for messages in transfers.slow(facts) {
                *units.entry(facts.unit(messages.receiver)?).or_default() += messages.seconds;
            }
        }
        let direct = units.values().fold(0.0, |sum, seconds| sum + seconds);
        let path = transfers.calls.first().copied();
        let units = largest_first(units);
        let case = Case::new(facts, Mechanism::Transfer, Vec::new());
        let paths = path.into_iter().collect();
        (direct > 0.0).then_some(Case { path, paths, units, direct, transfers: Some(transfers), ..case })
    }

    /// All of its waits.
    pub(super) fn into_parts(self) -> Vec<Part> {
        self.parts
    }

    /// Seconds lost.
    pub(super) fn seconds(&self) -> f64 {
        self.direct + self.indirect
    }

    /// The units that others wait for most of the time, in their order.
    fn awaited(&self) -> Vec<u32> {
        let least = self.units.first().map_or(0.0, |(_, most)| most * MAIN);
        let mut units: Vec<u32> =
            self.units.iter().filter(|(_, seconds)| *seconds >= least).map(|(unit, _)| *unit).collect();
        units.sort_unstable();
        units
    }

    /// The units that are about as late as those.
    pub(super) fn as_late(&self) -> &[u32] {
        self.as_late.get_or_init(|| {
            // The time of a call includes waits there.
            let Some(&worst) = self.units.first().filter(|_| self.path.is_some() && self.call().is_none())
            else {
                return Vec::new();
            };
            let any: Vec<u32> = (0..self.facts.profile.units.len() as u32).collect();
            let waiting = &self.seconds_waited().main(&any);
            let (late, findings) = (&self.awaited(), &self.effects);
            let group =
                Group { facts: self.facts, mechanism: self.mechanism, worst, late, waiting, findings };
            group.as_late(&self.time())
        })
    }

    /// The units that cause most of it, and those that are as late, in their order.
    pub(super) fn main_units(&self) -> Vec<u32> {
        let mut units = [&self.awaited(), self.as_late()].concat();
        units.sort_unstable();
        units
    }

    /// All of its waits.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The unit that causes nearly all of it, if there is one.
    pub(super) fn only_unit(&self) -> Option<u32> {
        let &(unit, seconds) = self.units.first()?;
        (seconds >= NEARLY_ALL * self.seconds()).then_some(unit)
    }

    /// The call of MPI that the culprits are late in, if it is one.
    pub(super) fn call(&self) -> Option<Function> {
        Function::of_spelling(self.path?.names.last()?)
    }

    /// The call that waits the most, or that moves data.
    pub(super) fn waiting_call(&self) -> Option<&'a str> {
        let waits = self.findings().next().map(|finding| &finding.call_path[..]);
        waits.or(self.path.map(|path| path.names))?.last().map(String::as_str)
    }

    /// The culprits of the document.
    pub(super) fn culprits(&self) -> Vec<Culprit> {
        let culprit = |&(unit, seconds)| Culprit { location: self.facts.location(unit), seconds };
        self.units.iter().map(culprit).collect()
    }

    /// The functions that the main culprits spend their time in there, if that is code and not moving data.
    pub(super) fn functions(&self) -> Vec<FunctionShare> {
        let paths = if self.transfers.is_none() { &self.paths[..] } else { &[] };
        self.facts.functions(paths, &self.main_units())
    }

    /// Seconds of each unit in the code that is late.
    pub(super) fn time(&self) -> Vec<f64> {
        self.facts.summed(&self.paths, Facts::time)
    }

    /// Visits of each unit to it.
    pub(super) fn visits(&self) -> Vec<f64> {
        self.facts.summed(&self.paths, Facts::visits)
    }

    /// The findings that are explained.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'a Finding> {
        self.effects.iter().map(|&(finding, _)| &self.facts.analysis.findings[finding])
    }

    /// The single waits of the findings that are explained.
    pub(super) fn waits(&self) -> impl Iterator<Item = &'a Span> {
        self.effects.iter().flat_map(|&(finding, _)| self.facts.waits.of_finding(finding))
    }

    /// Seconds that each unit waits.
    fn seconds_waited(&self) -> &Waiting {
        self.waiting.get_or_init(|| Waiting::new(self.facts, self.parts.iter()))
    }

    /// The units that wait for most of it, in their order.
    pub(super) fn waiting(&self) -> Vec<u32> {
        self.seconds_waited().main(&self.main_units())
    }

    /// The units that wait most of the time that is waited for a unit's own work.
    pub(super) fn waiting_directly(&self) -> Vec<u32> {
        let direct: Vec<Part> = self.parts.iter().map(|&part| Part { indirect: 0.0, ..part }).collect();
        Waiting::new(self.facts, direct.iter()).main(&self.awaited())
    }

    /// The units that wait in a call for most of the time there, and those that wait for a good part of all elsewhere.
    pub(super) fn waiting_in(&self, is_there: impl Fn(&Finding) -> bool) -> (Vec<u32>, Vec<u32>) {
        let is_there = |part: &&Part| is_there(&self.facts.analysis.findings[part.finding]);
        let (there, elsewhere): (Vec<&Part>, Vec<&Part>) = self.parts.iter().partition(is_there);
        let of = |parts: Vec<&Part>| Waiting::new(self.facts, parts.into_iter());
        let late = self.main_units();
        (of(there).main(&late), of(elsewhere).beside(self.seconds_waited(), &late))
    }

    /// The call path that the culprit's and the waiting calls have in common.
    pub(super) fn phase(&self) -> Vec<String> {
        let paths = self.findings().map(|finding| finding.call_path.as_slice());
        let paths = paths.chain(self.paths.iter().map(|path| path.names));
        paths
            .map(<[String]>::to_vec)
            .reduce(|common, path| {
                common.iter().zip(&path).take_while(|(a, b)| a == b).map(|(a, _)| a.clone()).collect()
            })
            .unwrap_or_default()
    }
}

/// Least share of the worst culprit's seconds that makes another culprit worth its name.
const MAIN: f64 = 0.25;

/// The share of a case that one culprit has if the others do not matter.
pub(super) const NEARLY_ALL: f64 = 0.9;
