//! Senders are late because they wait for messages themselves.

use std::cmp::Reverse;
use std::collections::HashSet;

use ats_documents::Finding;
use ats_documents::explanation::CauseKind;
use rustc_hash::FxHashMap;

use super::distribution::is_uneven_around;
use super::uneven_work::is_collective;
use crate::explanation::case::Case;
use crate::explanation::facts::{Place, lost};
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::waits::Span;
use crate::explanation::wording::{agree, object, percent, region, subject};

/// The least part of the seconds that is passed on. In a chain of three, the shortest one, it is a third where each works
/// as long; what passes on by chance in an exchange between neighbours is less. A higher value loses short chains, a
/// lower one takes chance for a chain.
const LEAST: f64 = 0.2;

/// Fits if waits pass on to others: the sender of a message has waited for one of a third location. If that works longer
/// than those that wait, they wait for its work, in whatever order messages are sent.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let passed_on = case.indirect / (case.direct + case.indirect);
    if case.mechanism != Mechanism::Data || case.path.is_none() || passed_on.is_nan() || passed_on < LEAST {
        return None;
    }
    let facts = case.facts;
    let is_behind = |finding: &Finding| finding.property.map(Mechanism::of_state) == Some(Mechanism::Meeting);
    let along = case.effects.iter().map(|&(finding, _)| (finding, &facts.analysis.findings[finding]));
    let along: Vec<(usize, &Finding)> = along.filter(|(_, finding)| !is_behind(finding)).collect();
    if is_uneven_around(case, along.iter().map(|(_, finding)| *finding)) {
        return None;
    }
    let chains = Chains::new(
        along.iter().flat_map(|&(finding, _)| facts.waits.of_finding(finding)).copied().collect(),
    );
    let longest = chains.longest()?;
    let root = longest.root(case);
    let blocked = chains.units();
    let linked = chains.recurrence(&longest);
    let is_dependence = linked >= DEPENDENCE;
    let mut evidence = vec![
        format!("{} of the seconds are passed on by a location that waits itself.", percent(passed_on)),
        format!("The longest chain: {}.", longest.links(case)),
        format!("The data come from {root}."),
        format!("{} {} waits on.", subject(case.facts, &blocked), agree(&blocked, "passes", "pass")),
        format!("Along the chain, {} of the waiting is passed on.", percent(linked)),
    ];
    evidence.push(match is_dependence {
        true => "That recurs each time, so the messages seem to depend on each other.".to_owned(),
        false => "That does not recur, so it seems to be a coincidence.".to_owned(),
    });
    let advice = match is_dependence {
        true => longest.advice(case),
        false => {
            "Change the order of the operations: let the waiting locations send what does not depend on their receives \
                  before them."
        }
    };
    Some(Fit {
        cause: CauseKind::BlockedSender,
        confidence: f64::min(0.9, 0.6 + passed_on / 2.0),
        what: format!(
            "A chain of {} locations waits for {root}, which is late because of {}.",
            longest.units.len() - 1,
            region(case)
        ),
        evidence,
        advice: advice.to_owned(),
    })
}

/// Whether a finding is of waits for data: one of an operation behind a chain is not.
fn is_of_data(finding: &Finding) -> bool {
    finding.property.map(Mechanism::of_state) == Some(Mechanism::Data)
}

/// The part of the waiting that has to be linked to a wait of the sender in a dependence. All of it is where work takes as
/// long each time, and on a busy machine a little less. A lower value takes a coincidence that recurs now and then for a
/// dependence, a higher one the other way round.
const DEPENDENCE: f64 = 0.8;

/// The part of the waits at an operation that pass on waits of a chain, so that it is the chain that has to be shortened.
/// With a higher value a chain whose last location works a little longer is told as work that is to be shared, with a
/// lower one a location that works longer is told as the end of a chain.
const OF_CHAIN: f64 = 0.5;

/// Fits if locations wait at an operation of all for one that waits at the end of a chain itself. The first of the chain
/// waits there as well: it has done its work, and the distribution of the work does not matter.
pub(super) fn at_operation(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Meeting || case.path.is_none() {
        return None;
    }
    let facts = case.facts;
    let of_data = lost(facts.analysis)
        .filter(|(_, finding)| is_of_data(finding))
        .flat_map(|(index, _)| facts.waits.of_finding(index).iter().copied());
    let chains = Chains::new(of_data.collect());
    let mut waits: Vec<&Span> = case.waits().collect();
    waits.sort_unstable_by_key(|wait| wait.end);
    let all: u64 = waits.iter().map(|wait| wait.ticks()).sum();
    // By location, the end of the operation before.
    let mut before: FxHashMap<u32, u64> = FxHashMap::default();
    let (mut passed_on, mut longest) = (0, None::<(u64, Chain)>);
    for operation in waits.chunk_by(|a, b| (a.end, a.awaited()) == (b.end, b.awaited())) {
        let (end, Some(last)) = (operation[0].end, operation[0].awaited()) else { continue };
        let since = before.get(&last).copied().unwrap_or(0);
        let waited = chains.waits_of(last, since, end);
        let chain = waited.iter().map(|&index| chains.from(index)).max_by_key(|chain| chain.units.len());
        before.insert(last, end);
        operation.iter().for_each(|wait| _ = before.insert(wait.location, end));
        let Some(chain) = chain.filter(|chain| chain.is_one() && chain.has_done_its_work(operation)) else {
            continue;
        };
        let ticks: u64 = waited.iter().map(|&index| chains.waits[index].ticks()).sum();
        let of_chain = operation.iter().map(|wait| wait.ticks().min(ticks)).sum::<u64>();
        passed_on += of_chain;
        if longest.as_ref().is_none_or(|(most, _)| of_chain > *most) {
            longest = Some((of_chain, chain));
        }
    }
    let (_, longest) = longest?;
    let share = passed_on as f64 / all.max(1) as f64;
    (share >= OF_CHAIN).then(|| Fit {
        cause: CauseKind::BlockedSender,
        // More than that all others need what one works out, and that it is late.
        confidence: 0.95,
        what: format!(
            "A chain of {} locations waits for {}, so {} comes last; each works in turn, here in {}.",
            longest.units.len() - 1,
            longest.root(case),
            object(facts, &longest.units[..1]),
            region(case)
        ),
        evidence: vec![
            format!("{} of the waits pass on those of the chain.", percent(share)),
            format!("The longest chain: {}.", longest.links(case)),
        ],
        advice: longest.advice(case).to_owned(),
    })
}

/// Waits for locations that have waited themselves meanwhile.
struct Chains {
    /// All waits, by their ends.
    waits: Vec<Span>,
    /// By wait, the last one of its awaited location that ended during it, if there is one.
    before: Vec<Option<usize>>,
    /// By location, its waits, by their ends.
    of: FxHashMap<u32, Vec<usize>>,
}

struct Chain {
    /// Each waits for the next.
    units: Vec<u32>,
}

impl Chains {
    fn new(mut waits: Vec<Span>) -> Self {
        waits.sort_unstable_by_key(|wait| (wait.end, wait.begin, wait.location));
        let mut of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        let mut before = Vec::with_capacity(waits.len());
        for (index, wait) in waits.iter().enumerate() {
            let of_awaited = wait.awaited().and_then(|unit| of.get(&unit)?.last().copied());
            before.push(of_awaited.filter(|&other| waits[other].end > wait.begin));
            of.entry(wait.location).or_default().push(index);
        }
        Chains { waits, before, of }
    }

    /// The waits of a location that end after one time, and not after another.
    fn waits_of(&self, unit: u32, since: u64, until: u64) -> &[usize] {
        let all = self.of.get(&unit).map_or(&[][..], Vec::as_slice);
        let ended = |time: u64| all.partition_point(|&index| self.waits[index].end <= time);
        &all[ended(since)..ended(until)]
    }

    /// The part of the waiting along a chain that is passed on, except that for its root.
    fn recurrence(&self, chain: &Chain) -> f64 {
        let pairs: HashSet<(u32, u32)> =
            chain.units.windows(2).rev().skip(1).map(|pair| (pair[0], pair[1])).collect();
        let is_in =
            |wait: &Span| wait.awaited().is_some_and(|awaited| pairs.contains(&(wait.location, awaited)));
        let waits = self.waits.iter().zip(&self.before).filter(|(wait, _)| is_in(wait));
        let [linked, all] = waits.fold([0, 0], |[linked, all], (wait, before)| {
            [linked + if before.is_some() { wait.ticks() } else { 0 }, all + wait.ticks()]
        });
        linked as f64 / all.max(1) as f64
    }

    /// The units that pass waits on.
    fn units(&self) -> Vec<u32> {
        let mut units: Vec<u32> =
            self.before.iter().flatten().map(|&index| self.waits[index].location).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// The chain of the most waits.
    fn longest(&self) -> Option<Chain> {
        let mut lengths: Vec<u32> = Vec::with_capacity(self.waits.len());
        for before in &self.before {
            lengths.push(1 + before.map_or(0, |before| lengths[before]));
        }
        let (end, _) = lengths.iter().enumerate().max_by_key(|&(index, length)| (length, Reverse(index)))?;
        Some(self.from(end)).filter(Chain::is_one)
    }

    /// The chain that ends with a wait.
    fn from(&self, end: usize) -> Chain {
        let mut units = vec![self.waits[end].location];
        for index in std::iter::successors(Some(end), |&index| self.before[index]) {
            units.extend(self.waits[index].awaited().filter(|awaited| !units.contains(awaited)));
        }
        Chain { units }
    }
}

/// The most links of a chain that are printed: more are no easier to read, and a chain may have thousands.
const LINKS: usize = 6;

/// The part of the longest wait of a chain that a wait has at least if it is one of a sweep, and not what the messages
/// themselves take. In a pipeline, the waits of one sweep are alike, and what a message takes is far less.
const OF_SWEEP: f64 = 0.1;

/// The fewest messages for each wait of a pipeline: with one wait for two messages, blocks that are half as large do more
/// than a shorter chain.
const MESSAGES: f64 = 2.0;

impl Chain {
    /// Whether a location waits for one that waits for a third.
    fn is_one(&self) -> bool {
        self.units.len() > 2
    }

    /// Its end: the location that waits for nobody.
    fn root(&self, case: &Case<'_>) -> String {
        object(case.facts, &self.units[self.units.len() - 1..])
    }

    /// Its links, in words: `rank 2 for rank 1, rank 1 for rank 0`.
    fn links(&self, case: &Case<'_>) -> String {
        let name = |unit: usize| object(case.facts, &self.units[unit..=unit]);
        let links = self.units.len() - 1;
        let mut words: Vec<String> =
            (0..links.min(LINKS)).map(|link| format!("{} for {}", name(link), name(link + 1))).collect();
        if links > LINKS {
            words.push("…".to_owned());
        }
        words.join(", ")
    }

    /// Whether its root waits in an operation about as long as any other: nothing more is its work.
    fn has_done_its_work(&self, operation: &[&Span]) -> bool {
        let root = self.units.last();
        let longest = operation.iter().map(|wait| wait.ticks()).max().unwrap_or(0);
        operation.iter().any(|wait| Some(&wait.location) == root && 2 * wait.ticks() >= longest)
    }

    /// Advice on a dependence.
    fn advice(&self, case: &Case<'_>) -> &'static str {
        match self.is_pipeline(case) {
            true => {
                "That is the fill and drain of a pipeline: send smaller blocks, so that the next location begins sooner."
            }
            false => {
                "Shorten the chain: divide the data so that each location gets its part sooner, or does other work before \
                 it receives."
            }
        }
    }

    /// Whether the locations of the chain wait for few of the messages that they receive: those that fill a pipeline.
    fn is_pipeline(&self, case: &Case<'_>) -> bool {
        let facts = case.facts;
        let waiting = &self.units[..self.units.len() - 1];
        let (mut messages, mut waits) = (0.0, Vec::new());
        for (index, finding) in lost(facts.analysis) {
            let is_in = |wait: &&Span| waiting.contains(&wait.location);
            let those: Vec<u64> =
                facts.waits.of_finding(index).iter().filter(is_in).map(Span::ticks).collect();
            let is_message = is_of_data(finding) && !is_collective(&finding.call_path);
            if is_message && !those.is_empty() {
                let visits = facts.visits(Place::of_finding(finding));
                messages += waiting.iter().map(|&unit| visits[unit as usize]).sum::<f64>();
                waits.extend(those);
            }
        }
        let longest = waits.iter().copied().max().unwrap_or(0) as f64;
        let in_sweeps = waits.iter().filter(|&&ticks| ticks as f64 >= OF_SWEEP * longest).count();
        // Of many waits, some are dropped.
        facts.waits.one_of() == 1 && in_sweeps > 0 && messages >= MESSAGES * in_sweeps as f64
    }
}
