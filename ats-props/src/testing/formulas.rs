//! The formulas of a property, evaluated and held against the virtual engine.

use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_virtual::{Network, Outcome};

use super::{DISTRIBUTIONS, Size, ranks, simulate, sizes, threads};
use crate::formula::Formula;
use crate::{
    Arguments, Bytes, Counter, Distribution, Location, Needs, Parameter, Property, Seconds, Seed, Share,
    Shown, TASK_CLOCK, What,
};

/// The number of sets of arguments at each size: every value of a parameter comes at every size.
const SETS: usize = DISTRIBUTIONS.len() + 1;

/// Asserts that the property shows exactly what its formulas say, at the places that it gives, and that its twin waits
/// nowhere, works as much and makes the same calls: with its defaults and with other arguments, at every size that it
/// is for.
pub fn assert_formulas(property: &'static Property) {
    let sizes: Vec<Size> = match property.needs {
        Needs::NOTHING => vec![(1, 1)],
        Needs::RANKS => ranks(property).map(|ranks| (ranks, 1)).collect(),
        Needs::TEAM => threads(property).map(|threads| (1, threads)).collect(),
        Needs { .. } => sizes().collect(),
    };
    let is_enough = |size: &Size| size.0 >= property.min_ranks && size.1 >= property.min_threads;
    let cases = sizes.into_iter().filter(is_enough).flat_map(|size| [size; SETS]);
    for (number, size) in cases.enumerate() {
        let given = given(property, number);
        let given: Vec<(&str, &str)> = given.iter().map(|(name, text)| (*name, &**text)).collect();
        assert_formulas_with(property, size, &given);
    }
}

/// The same at one size, with these arguments.
pub fn assert_formulas_with(property: &'static Property, size: Size, given: &[(&str, &str)]) {
    let arguments = property.arguments(given.iter().copied()).unwrap();
    let of = |outcome| Case { property, size, arguments: &arguments, outcome };
    let outcome = simulate(property, size, given, false);
    let case = of(&outcome);
    case.assert_waits();
    for shown in property.finds.shown {
        case.assert_amount(shown, shown.total);
    }
    if !property.finds.is_silent() {
        let twin = simulate(property, size, given, true);
        of(&twin).assert_balanced(&case);
    }
}

/// Waits that twins avoid by other calls: fewer tests, and the ends of more threads.
const UNLIKE: [What; 2] =
    [What::Wait(WaitState::LateSenderInTest), What::Wait(WaitState::LimitedParallelism)];

/// The arguments of a case: the defaults, and then others. Every value of a parameter comes in turn, each time beside
/// other values of those before it.
fn given(property: &Property, number: usize) -> Vec<(&'static str, String)> {
    if number == 0 {
        return Vec::new();
    }
    let argument = |(place, parameter): (usize, &Parameter)| {
        let values = values(property, parameter);
        let turn = (number + place * (number / values.len())) % values.len();
        (parameter.name, values[turn].clone())
    };
    property.parameters.iter().enumerate().map(argument).collect()
}

/// Values to test a parameter with: its default, and others about as large, smaller, larger, and at the ends of its
/// range.
fn values(property: &Property, parameter: &Parameter) -> Vec<String> {
    let default = (parameter.default)();
    let others: Vec<String> = if parameter.name == Property::REPETITIONS {
        return ["1", "2", "5", "7"].map(str::to_owned).to_vec();
    } else if let Some(Seconds(seconds)) = default.get() {
        // A rank that polls would test some thousand times, each for itself.
        let unit = if property.finds.find(WaitState::LateSenderInTest).is_some() {
            0.01 * seconds
        } else {
            *seconds
        };
        return [1.0, 0.0, 0.3, 2.5, 7.0].map(|times| (times * unit).to_string()).to_vec();
    } else if default.get::<usize>().is_some() {
        ["0", "1", "2", "5", "40"].map(str::to_owned).to_vec()
    } else if default.get::<Bytes>().is_some() {
        ["0", "1", "1000", "limit", "limit+1"].map(str::to_owned).to_vec()
    } else if let Some(flag) = default.get::<bool>() {
        vec![(!flag).to_string()]
    } else if default.get::<Share>().is_some() {
        ["0", "0.1", "1"].map(str::to_owned).to_vec()
    } else if default.get::<Seed>().is_some() {
        vec!["42".to_owned()]
    } else if let Some(distribution) = default.get::<Distribution>() {
        // As large as the default: amounts may be other than seconds.
        let factor = distribution.max(2, 1.0) / 0.05;
        let scaled = |text: &str| text.parse::<Distribution>().unwrap().scaled(factor).to_string();
        DISTRIBUTIONS.map(scaled).to_vec()
    } else {
        Vec::new()
    };
    [default.to_string()].into_iter().chain(others).collect()
}

/// A run of a property.
struct Case<'a> {
    property: &'static Property,
    size: Size,
    arguments: &'a Arguments,
    outcome: &'a Outcome,
}

impl Case<'_> {
    fn name(&self) -> String {
        format!("{} at {:?} with {:?}", self.property.name, self.size, self.arguments.to_map())
    }

    fn evaluate(&self, formula: Formula, rank: usize, thread: usize) -> f64 {
        let (ranks, threads) = self.size;
        let participants = if self.property.needs.ranks { ranks } else { threads };
        let eager_limit = Network::default().eager_limit;
        formula(self.arguments, &Location { ranks, threads, rank, thread, participants, eager_limit })
    }

    /// All waits of the run are at a place of the property, and as long there as each location has to wait.
    fn assert_waits(&self) {
        let finds = &self.property.finds;
        let shown =
            finds.shown.iter().filter_map(|shown| Some((Some(shown.what.wait_state()?), shown.places)));
        let also = finds.also.iter().map(|also| (also.state, also.places));
        let mut found: BTreeMap<_, BTreeMap<(usize, usize), f64>> = BTreeMap::new();
        for wait in &self.outcome.waits {
            assert!(
                wait.state.is_none() || wait.waiting_time == wait.physical_time,
                "the metric counts all of it"
            );
            let there = found.entry((wait.state, wait.call_path.clone())).or_default();
            *there.entry((wait.rank, wait.thread)).or_default() += wait.physical_time;
        }
        for (state, places) in shown.chain(also) {
            assert!(!places.is_empty(), "{}: write `at = …` behind {state:?}", self.property.name);
            for place in places {
                let path = place.path(self.property);
                let there = found.remove(&(state, path.clone())).unwrap_or_default();
                let Some(each) = place.each else { continue };
                for rank in 0..self.size.0 {
                    for thread in 0..self.size.1 {
                        let seconds = there.get(&(rank, thread)).copied().unwrap_or_default();
                        let known = self.evaluate(each, rank, thread);
                        self.assert_equal(
                            seconds,
                            known,
                            &format!("{state:?} at {path:?} of {rank}, {thread}"),
                        );
                    }
                }
            }
        }
        assert!(found.is_empty(), "{} waits elsewhere, too: {found:?}", self.name());
    }

    /// A run of the twin waits nowhere, works as much as that of the property and makes the same calls, unless they are
    /// what is found.
    fn assert_balanced(&self, of_property: &Case<'_>) {
        let shown = self.property.finds.shown;
        let is_unlike = |one: &Shown| one.of_twin.is_some() || one.total.is_none();
        let differs = |is_it: fn(What) -> bool| shown.iter().any(|one| is_unlike(one) && is_it(one.what));
        // Shares of the work are rounded to picoseconds, which adds up over the calls.
        assert!(waited(self.outcome) < 1e-8, "{}: its twin waits: {:?}", self.name(), self.outcome.waits);
        // Where the finding is what single operations cost, the twin does as many, which cost less.
        let is_of_costs = |what| !matches!(what, What::Wait(_) | What::Count(Counter::Engine(_), _));
        if !differs(is_of_costs) {
            self.assert_equal(worked(self.outcome), worked(of_property.outcome), "the work of its twin");
        }
        let is_unlike = shown.iter().any(|one| UNLIKE.contains(&one.what));
        if !is_unlike && !differs(|what| matches!(what, What::Count(..))) {
            assert_eq!(
                self.outcome.counts,
                of_property.outcome.counts,
                "{}: its twin makes other calls",
                self.name()
            );
        }
        for one in shown {
            // Other numbers and times are of regions that the twin may not have.
            let of_calls = matches!(one.what, What::Count(Counter::Engine(_), _));
            self.assert_amount(one, if of_calls { one.of_twin.or(one.total) } else { one.of_twin });
        }
    }

    /// The run has as much of a quantity as the formula says.
    fn assert_amount(&self, shown: &Shown, formula: Option<Formula>) {
        let Some(formula) = formula else { return };
        let seconds = |name: &str| -> f64 {
            self.outcome.regions.iter().filter(|sum| sum.region == name).map(|sum| sum.seconds).sum()
        };
        let number = |region: &str, counter: &str| {
            let sums = self.outcome.regions.iter().filter(|sum| sum.region == region);
            sums.filter_map(|sum| sum.counts.get(counter)).sum::<u64>() as f64
        };
        let amount = match shown.what {
            What::Wait(state) => {
                let paths: Vec<_> = shown.places.iter().map(|place| place.path(self.property)).collect();
                let waits = self.outcome.waits.iter().filter(|wait| wait.state == Some(state));
                waits.filter(|wait| paths.contains(&wait.call_path)).map(|wait| wait.physical_time).sum()
            }
            What::Count(Counter::Engine(counter), region) => {
                self.outcome.counts.get(region).map_or(0, |count| counter.value(count)) as f64
            }
            What::Count(Counter::Witness(name) | Counter::Hardware { name, .. }, region) => {
                number(region, name)
            }
            What::Time(region) => seconds(region),
            What::Ratio { of, over, .. } => {
                let over = if over == TASK_CLOCK { 1e-9 * number(of, over) } else { seconds(over) };
                if over == 0.0 {
                    return;
                }
                seconds(of) / over
            }
        };
        self.assert_equal(amount, self.evaluate(formula, 0, 0), &format!("{} in all", shown.what.name()));
    }

    /// Equal to 1e-9 relative or 1 ps an operation.
    fn assert_equal(&self, found: f64, known: f64, of: &str) {
        assert!(
            (found - known).abs() <= 1e-9 * known.abs() + 1e-10,
            "{}: {of} is {found}, the formula gives {known}",
            self.name()
        );
    }
}

/// Seconds that the locations waited or were idle.
fn waited(outcome: &Outcome) -> f64 {
    outcome.waits.iter().map(|wait| wait.physical_time).sum()
}

/// Seconds that the locations did something.
fn worked(outcome: &Outcome) -> f64 {
    let existed: f64 = outcome.locations.iter().map(|location| outcome.ends[location.rank]).sum();
    existed - waited(outcome)
}
