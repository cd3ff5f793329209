//! Ranks that share a processor, with each other or with other programs, work one after the other: Kappa-PI's mapping
//! problem.

use std::collections::BTreeMap;

use ats_documents::explanation::CauseKind;
use ats_documents::machine::Counted;

use crate::explanation::case::Case;
use crate::explanation::fit::Fit;
use crate::explanation::mechanism::Mechanism;
use crate::explanation::processors::{Processor, Processors, overlap};
use crate::explanation::wording::{duration, object, percent, region, subject};

/// Least share of a delay in which several ranks are ready on the culprit's processor: with less, most of the delay has
/// another reason. A lower value blames the mapping for work that is uneven, a higher one needs ranks of equal work.
const QUEUED: f64 = 0.5;

/// Least average number of idle processors during the delays, so that moving ranks can help: with less, a tenth of the
/// delay could be saved at most. A lower value advises moves that change next to nothing.
const IDLE: f64 = 0.1;

/// Fits if several ranks of the culprit's processor are ready during most of its delay.
pub(super) fn rule(case: &Case<'_>) -> Option<Fit> {
    let processors = case.facts.processors.as_ref()?;
    let &(worst, _) = case.units.first()?;
    let processor = processors.of_rank(case.facts.location(worst).rank)?;
    let is_of_processes =
        matches!(case.mechanism, Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver);
    let late = Delays::new(case);
    let queued = late.share_of(late.queued(processor));
    if !is_of_processes || processor.units.len() < 2 || queued < QUEUED {
        return None;
    }
    let facts = case.facts;
    let (idle, elsewhere) = idle(case, processors, processor);
    let idle = late.share_of(idle);
    let advice = if idle >= IDLE {
        format!(
            "Move some of them to the processors of {}, which are idle meanwhile.",
            object(facts, &elsewhere)
        )
    } else {
        "Start one rank for each processor: hardly any processor is idle while these wait.".to_owned()
    };
    Some(Fit {
        cause: CauseKind::Mapping,
        confidence: 0.97,
        what: format!(
            "{} share the processor `{}`, so {} is late in {}.",
            subject(facts, &processor.units),
            processor.name,
            object(facts, &[worst]),
            region(case)
        ),
        evidence: vec![
            format!("During {} of the delay, several of them are ready.", percent(queued.min(1.0))),
            format!("On average, {idle:.1} other processors are idle meanwhile."),
        ],
        advice,
    })
}

/// The least part of a delay in which the culprit lacks a processor more than those that wait for it: with less, something
/// else delays it more.
const LACKS: f64 = 0.5;

/// Fits if the culprit had no processor for most of its delay, whoever had it: what it works on does not matter. Other
/// programs slow those that wait as well, and one with more work stays the one with more work. So what it lacks is what it
/// would not have lacked at their rate.
///
/// It does not fit if locations share processors: each lacks one for a good part of the run, some more than others by
/// chance, and whether that was in the delay is not known, since the counters are those of the run.
pub(super) fn taken(case: &Case<'_>) -> Option<Fit> {
    let is_awaited = matches!(
        case.mechanism,
        Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver | Mechanism::Team | Mechanism::Lock
    );
    if case.facts.share_processors() {
        return None;
    }
    let &(worst, _) = case.units.first()?;
    let (counted, usual) = lack(case).filter(|_| is_awaited)?;
    let who = subject(case.facts, &[worst]);
    Some(Fit {
        cause: CauseKind::Mapping,
        confidence: 0.96,
        what: format!(
            "{who} is late in {}: it had no processor for {} of the run.",
            region(case),
            duration(counted.not_running)
        ),
        evidence: vec![
            format!("It had its processor for {} of its computing.", duration(counted.computing)),
            format!("At the rate of those that wait for it, that would be {}.", duration(usual)),
        ],
        advice: "Give it a processor of its own: what else ran there kept it waiting, and not its work."
            .to_owned(),
    })
}

/// The counters of the worst culprit, and the seconds that it would have been without a processor at the rate of those that
/// wait for it, if what it lacked beyond that is a good part of its delay.
pub(in crate::explanation) fn lack<'a>(case: &Case<'a>) -> Option<(&'a Counted, f64)> {
    let &(worst, cost) = case.units.first()?;
    let counted = case.facts.counted(worst).filter(|counted| counted.lost_processor())?;
    let others: Vec<u32> = case.waiting().into_iter().filter(|&unit| unit != worst).collect();
    let of_others = others.iter().filter_map(|&unit| case.facts.counted(unit));
    let [ran, did_not] =
        of_others.fold([0.0, 0.0], |[ran, did_not], of| [ran + of.computing, did_not + of.not_running]);
    let usual = if ran > 0.0 { counted.computing * did_not / ran } else { 0.0 };
    let lacked = counted.not_running - usual;
    (lacked >= LACKS * cost / others.len().max(1) as f64).then_some((counted, usual))
}

/// Stretches from the first wait for something to its end, in ticks: begins by ends.
struct Delays(BTreeMap<u64, u64>);

impl Delays {
    fn new(case: &Case<'_>) -> Self {
        let mut delays = BTreeMap::new();
        for wait in case.waits() {
            let begin: &mut u64 = delays.entry(wait.end).or_insert(wait.begin);
            *begin = wait.begin.min(*begin);
        }
        Delays(delays)
    }

    /// Ticks as a share of all delays.
    fn share_of(&self, ticks: f64) -> f64 {
        ticks / self.0.iter().map(|(end, begin)| end - begin).sum::<u64>().max(1) as f64
    }

    /// The ticks in which several ranks of a processor are ready. A rank that has to wait for its processor loses that
    /// time before it is late, so that as much time before each delay counts, too.
    fn queued(&self, processor: &Processor) -> f64 {
        let (mut queued, mut done) = (0, 0);
        for (&end, &begin) in &self.0 {
            queued += overlap(&processor.queued, begin.saturating_sub(end - begin).max(done), end);
            done = end;
        }
        queued as f64
    }
}

/// The ticks of waits during which other processors are idle, and the ranks that wait there.
fn idle(case: &Case<'_>, processors: &Processors, culprits: &Processor) -> (f64, Vec<u32>) {
    let (mut idle, mut elsewhere) = (0.0, Vec::new());
    for wait in case.waits() {
        let of = processors.of_rank(case.facts.location(wait.location).rank);
        if let Some(of) = of.filter(|of| !std::ptr::eq(*of, culprits)) {
            // Its other ranks wait, too.
            idle += overlap(&of.idle, wait.begin, wait.end) as f64 / of.units.len() as f64;
            elsewhere.push(wait.location);
        }
    }
    elsewhere.sort_unstable();
    elsewhere.dedup();
    (idle, elsewhere)
}
