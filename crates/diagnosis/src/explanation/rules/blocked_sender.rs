//! Senders are late because they wait for messages themselves.

use std::cmp::Reverse;
use std::collections::HashSet;

use ats_documents::explanation::CauseKind;
use rustc_hash::FxHashMap;

use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::waits::Span;
use crate::explanation::wording::{agree, object, percent, region, subject};

/// The least part of the seconds that is passed on.
const LEAST: f64 = 0.2;

/// Fits if waits pass on to others: the sender of a message has waited for one of a third location.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let passed_on = case.indirect / (case.direct + case.indirect);
    if case.mechanism != Mechanism::Data || case.path.is_none() || passed_on.is_nan() || passed_on < LEAST {
        return None;
    }
    let chains = Chains::new(case);
    let longest = chains.longest()?;
    let chain: Vec<String> = longest
        .units
        .windows(2)
        .map(|pair| format!("{} for {}", object(case.facts, &pair[..1]), object(case.facts, &pair[1..])))
        .collect();
    let root = *longest.units.last()?;
    let blocked = chains.units();
    let (linked, all) = chains.recurrence(&longest);
    let mut evidence = vec![
        format!("{} of the seconds are passed on by a location that waits itself.", percent(passed_on)),
        format!("The longest chain: {}.", chain.join(", ")),
        format!("The data come from {}.", object(case.facts, &[root])),
        format!("{} {} waits on.", subject(case.facts, &blocked), agree(&blocked, "passes", "pass")),
        format!("Along the chain, {linked} of {all} waits are passed on."),
    ];
    let is_dependence = linked as f64 >= DEPENDENCE * all as f64;
    evidence.push(match is_dependence {
        true => "That recurs each time, so the messages seem to depend on each other.".to_owned(),
        false => "That does not recur, so it seems to be a coincidence.".to_owned(),
    });
    let advice = match is_dependence {
        true => {
            "Shorten the chain: divide the data so that each location gets its part sooner, or does other work before it \
                 receives."
        }
        false => {
            "Change the order of the operations: let the waiting locations send what does not depend on their receives \
                  before them."
        }
    };
    Some(Fit {
        cause: CauseKind::BlockedSender,
        confidence: f64::min(0.9, 0.6 + passed_on / 2.0),
        what: format!(
            "A chain of {} locations waits for {}, which is late because of {}.",
            longest.units.len() - 1,
            object(case.facts, &[root]),
            region(case)
        ),
        evidence,
        advice: advice.to_owned(),
    })
}

/// The part of the waits that has to be linked to a wait of the sender in a dependence.
const DEPENDENCE: f64 = 0.8;

/// Waits for locations that have waited themselves meanwhile.
struct Chains {
    /// All waits, by their ends.
    waits: Vec<Span>,
    /// By wait, the last one of its awaited location that ended during it, if there is one.
    before: Vec<Option<usize>>,
}

struct Chain {
    /// Each waits for the next.
    units: Vec<u32>,
}

impl Chains {
    fn new(case: &Case<'_>) -> Self {
        let mut waits: Vec<Span> = case.waits().copied().collect();
        waits.sort_unstable_by_key(|wait| (wait.end, wait.begin, wait.location));
        let mut last: FxHashMap<u32, usize> = FxHashMap::default();
        let mut before = Vec::with_capacity(waits.len());
        for (index, wait) in waits.iter().enumerate() {
            let of_awaited = wait.awaited().and_then(|unit| last.get(&unit).copied());
            before.push(of_awaited.filter(|&other| waits[other].end > wait.begin));
            last.insert(wait.location, index);
        }
        Chains { waits, before }
    }

    /// Of the waits along a chain, except those for its root, how many are passed on, and how many there are.
    fn recurrence(&self, chain: &Chain) -> (usize, usize) {
        let pairs: HashSet<(u32, u32)> =
            chain.units.windows(2).rev().skip(1).map(|pair| (pair[0], pair[1])).collect();
        let is_in =
            |wait: &Span| wait.awaited().is_some_and(|awaited| pairs.contains(&(wait.location, awaited)));
        let waits = self.waits.iter().zip(&self.before).filter(|(wait, _)| is_in(wait));
        waits.fold((0, 0), |(linked, all), (_, before)| (linked + usize::from(before.is_some()), all + 1))
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
        let mut units = vec![self.waits[end].location];
        for index in std::iter::successors(Some(end), |&index| self.before[index]) {
            units.extend(self.waits[index].awaited().filter(|awaited| !units.contains(awaited)));
        }
        (units.len() > 2).then_some(Chain { units })
    }
}
