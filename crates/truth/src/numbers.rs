//! Numbers, times and ratios of times: what properties show besides waits.

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_documents::finding::{LocationShare, Tolerance};
use ats_documents::{Basis, Finding};
use ats_model::traffic::CallCount;
use ats_model::witness::Construct;
use ats_model::{Witness, witness};
use ats_props::{Counter, Program, Shown, TASK_CLOCK, What};
use ats_virtual::{MeasuredRegion, Outcome};

use crate::{ABSOLUTE_PER_INSTANCE, RELATIVE, RELATIVE_IN_TEAMS};

/// The sums of a region of the program over all its locations.
#[derive(Clone, Debug, Default)]
struct Sum {
    visits: u64,
    seconds: Vec<LocationShare>,
    counts: BTreeMap<String, u64>,
}

/// The measured regions of a run by name, and the counts of its calls.
pub(crate) struct Measures<'a> {
    regions: BTreeMap<String, Sum>,
    calls: &'a BTreeMap<String, CallCount>,
}

impl<'a> Measures<'a> {
    /// The measures of a run in virtual time.
    pub(crate) fn new(outcome: &'a Outcome) -> Self {
        let mut measures = Measures { regions: BTreeMap::new(), calls: &outcome.counts };
        for MeasuredRegion { region, rank, thread, visits, seconds, counts } in &outcome.regions {
            let location = (*rank as u32, *thread as u32);
            let counts = counts.iter().map(|(&counter, &number)| (counter, number));
            measures.add(region, location, *visits, *seconds, counts);
        }
        measures
    }

    /// The measures of a real run by its witnesses, where calls are among the `measured` regions if their time is asked for;
    /// `replayed` has the same calls.
    pub(crate) fn of_witnesses(witnesses: &[Witness], measured: &[&str], replayed: &'a Outcome) -> Self {
        let mut measures = Measures { regions: BTreeMap::new(), calls: &replayed.counts };
        for witness in witnesses {
            for Construct { name, span, times } in &witness.constructs {
                if measured.contains(&name.as_str()) {
                    let seconds = span.leave_ns.saturating_sub(span.enter_ns) as f64 * 1e-9;
                    measures.add(name, (witness.rank, 0), *times, seconds, std::iter::empty());
                }
            }
            let master = witness.regions.iter().map(|region| (0, region));
            // The number in the innermost team: that in the process is known to nobody but the runtime.
            let others = witness.threads.iter().flat_map(|thread| {
                let number = thread.path.last().copied().unwrap_or_default();
                thread.regions.iter().map(move |region| (number, region))
            });
            for (thread, measured) in master.chain(others) {
                let witness::MeasuredRegion { region, visits, time_ns, counts } = measured;
                let counts = counts.iter().map(|(counter, &number)| (counter.as_str(), number));
                measures.add(region, (witness.rank, thread), *visits, *time_ns as f64 * 1e-9, counts);
            }
        }
        measures
    }

    fn add<'c>(
        &mut self,
        region: &str,
        (rank, thread): (u32, u32),
        visits: u64,
        seconds: f64,
        counts: impl Iterator<Item = (&'c str, u64)>,
    ) {
        let sum = self.regions.entry(region.to_owned()).or_default();
        sum.visits += visits;
        sum.seconds.push(LocationShare { rank, thread, waiting_time: seconds });
        for (counter, number) in counts {
            *sum.counts.entry(counter.to_owned()).or_default() += number;
        }
    }

    fn seconds(&self, region: &str) -> f64 {
        let shares = self.regions.get(region).map_or(&[][..], |sum| &sum.seconds);
        shares.iter().map(|share| share.waiting_time).sum()
    }

    /// The seconds that a ratio of a region is over: those in another one, or the processor's in this one.
    fn denominator(&self, of: &str, over: &str) -> f64 {
        if over != TASK_CLOCK {
            return self.seconds(over);
        }
        let counts = self.regions.get(of).and_then(|sum| sum.counts.get(over));
        counts.map_or(0.0, |&ns| ns as f64 * 1e-9)
    }

    /// Visits to a region in each second there; 0 where it takes no time.
    fn visits_per_second(&self, region: &str) -> f64 {
        let visits = self.regions.get(region).map_or(0.0, |sum| sum.visits as f64);
        let seconds = self.seconds(region);
        if seconds > 0.0 { visits / seconds } else { 0.0 }
    }

    /// The number of a counter at a region.
    fn number(&self, counter: Counter, region: &str) -> Option<u64> {
        match counter {
            Counter::Engine(counter) => Some(counter.value(self.calls.get(region)?)),
            Counter::Witness(name) | Counter::Hardware { name, .. } => {
                self.regions.get(region)?.counts.get(name).copied()
            }
        }
    }

    /// The finding of a quantity; `None` if the run has none of it.
    fn finding(&self, what: What, call_path: Vec<String>, in_teams: bool, basis: &Basis) -> Option<Finding> {
        let relative = if in_teams { RELATIVE_IN_TEAMS } else { RELATIVE };
        match what {
            What::Wait(_) => None,
            What::Count(counter, region) => {
                let number = self.number(counter, region).filter(|&number| number > 0)?;
                let mut finding = Finding::count(call_path, counter.metric(region), number);
                if let Counter::Hardware { within_percent, .. } = counter {
                    let relative = f64::from(within_percent) / 100.0;
                    finding.tolerance = Some(Tolerance { absolute: 0.0, relative });
                }
                Some(finding)
            }
            What::Time(region) => {
                let Sum { visits, seconds, .. } = self.regions.get(region)?;
                let mut finding = Finding::time(call_path, seconds.clone(), *visits, basis);
                let absolute = ABSOLUTE_PER_INSTANCE * *visits as f64;
                finding.tolerance = Some(Tolerance { absolute, relative });
                Some(finding)
            }
            What::Ratio { of, over, at_least } => {
                let ratio = self.seconds(of) / self.denominator(of, over);
                let mut finding = Finding::time_ratio(call_path, over, ratio);
                finding.at_least = Some(at_least);
                // Both times may be off, and so may be the stamps of each visit.
                let stamps =
                    ABSOLUTE_PER_INSTANCE * (self.visits_per_second(of) + self.visits_per_second(over));
                finding.tolerance = Some(Tolerance { absolute: 0.0, relative: 2.0 * relative + stamps });
                ratio.is_finite().then_some(finding)
            }
        }
    }

    /// The findings of all quantities that a subject's properties show besides waits.
    pub(crate) fn findings(&self, subject: &Subject, basis: &Basis) -> Vec<Finding> {
        let in_teams = subject.needs().team;
        let finding = |Place { what, call_path, formula }: Place| {
            let call_path = call_path.into_iter().map(str::to_owned).collect();
            let finding = self.finding(what, call_path, in_teams, basis)?;
            Some(Finding { formula: formula.map(str::to_owned), ..finding })
        };
        places(subject).into_iter().filter_map(finding).collect()
    }
}

/// A quantity, and where it is reported.
struct Place {
    what: What,
    /// The last is the call, construct or region.
    call_path: Vec<&'static str>,
    /// The closed form, where it is of one property alone.
    formula: Option<&'static str>,
}

/// Everything that its properties show besides waits.
fn places(subject: &Subject) -> Vec<Place> {
    match subject {
        Subject::Property { program: Program { balanced: true, .. }, .. } => Vec::new(),
        Subject::Property { program: Program { property, .. }, .. } => {
            let place = |&Shown { what, formula, .. }: &Shown| {
                let inner = what.region().filter(|&region| region != property.name);
                let call_path = [property.name].into_iter().chain(inner).collect();
                Place { what, call_path, formula: Some(formula) }
            };
            property.finds.numbers().map(place).collect()
        }
        Subject::Composition(_) => {
            let programs = subject.programs();
            let shown = programs.values().filter(|program| !program.balanced);
            // Properties may count calls of one name, which are one number.
            let each: BTreeMap<_, What> = shown
                .flat_map(|program| program.property.finds.numbers())
                .map(|Shown { what, .. }| ((what.region(), what.metric()), *what))
                .collect();
            let place =
                |what: What| Place { what, call_path: what.region().into_iter().collect(), formula: None };
            each.into_values().map(place).collect()
        }
    }
}
