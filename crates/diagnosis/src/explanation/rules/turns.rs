//! Locations work one after the other, since each needs what another one has worked out.

use std::collections::HashMap;

use ats_documents::explanation::CauseKind;

use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::waits::Span;
use crate::explanation::wording::{percent, region, subject};

/// The least part of the waits that are answered by a wait of the other for the first, and that follow such a wait. All are
/// in a ping-pong; of waits of chance, half follow one of the other. A lower value takes chance for turns, a higher one
/// needs steps of equal work.
const MUTUAL: f64 = 0.8;

/// The waits of two locations for each other.
#[derive(Debug, Default)]
struct Pair {
    /// Ticks that the lower one waits, and the higher one.
    ticks: [u64; 2],
    /// Ticks of waits that follow one of the other location, or none.
    in_turn: u64,
    /// The one that waited last.
    last: Option<usize>,
}

impl Pair {
    /// Adds the next wait.
    fn add(&mut self, wait: &Span, lower: u32) {
        let one = usize::from(wait.location != lower);
        self.ticks[one] += wait.ticks();
        if self.last != Some(one) {
            self.in_turn += wait.ticks();
        }
        self.last = Some(one);
    }

    /// Ticks that each waits as long as the other.
    fn mutual(&self) -> u64 {
        2 * self.ticks[0].min(self.ticks[1])
    }
}

/// Fits if locations wait for each other about equally long.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    if case.mechanism != Mechanism::Data || case.path.is_none() || case.call().is_some() {
        return None;
    }
    let mut waits: Vec<&Span> = case.waits().collect();
    waits.sort_unstable_by_key(|wait| wait.begin);
    let mut between: HashMap<(u32, u32), Pair> = HashMap::new();
    let mut all = 0;
    for wait in waits {
        all += wait.ticks();
        if let Some(awaited) = wait.awaited() {
            let pair = (wait.location.min(awaited), wait.location.max(awaited));
            between.entry(pair).or_default().add(wait, pair.0);
        }
    }
    let sum = |of: fn(&Pair) -> u64| between.values().map(of).sum::<u64>() as f64 / all.max(1) as f64;
    let mutual = sum(Pair::mutual);
    // Waits of chance are for each other, too, but in no order.
    (mutual >= MUTUAL && sum(|pair| pair.in_turn) >= MUTUAL).then(|| Fit {
        cause: CauseKind::Turns,
        confidence: 0.85,
        what: format!("{} take turns in {}: one waits while the other works.", subject(case.facts, &case.waiting()), region(case)),
        evidence: vec![format!("{} of the waits are for a location that waits as long for the first.", percent(mutual))],
        advice: "Let both work at the same time: exchange results of the step before, or divide the work into parts and \
                 send each when it is ready."
            .to_owned(),
    })
}
