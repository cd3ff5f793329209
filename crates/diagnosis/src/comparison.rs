//! Comparisons of two runs: where the second takes longer, and why.
//!
//! 1. `run` divides the location-seconds of a run by use and place, as explanations do, with the root causes of waits.
//! 2. `places` says which places of two programs are the same.
//! 3. `spread` says which difference is more than noise.

pub(crate) mod places;
mod run;
pub(crate) mod spread;

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::comparison::{
    CauseDifference, Compared, Comparison, Difference, Measure, PlaceDifference, Term, TermDifference,
};
use ats_model::WaitState;

pub use run::{Divided, divide_trace, divide_trace_with};

use places::{OwnPlace, Places};
use spread::difference;

/// The use of seconds at a matched place, and the wait state that they are in.
type At = (Term, Option<WaitState>, usize);

/// The amounts of a side's runs.
type Sample = Vec<f64>;

/// Compares the runs of `b` with those of `a`, at least one each. Shares are compared if one of the runs has another number of
/// locations than the others, or if that is `wanted`.
pub fn compare(a: &[Divided], b: &[Divided], wanted: Measure) -> Comparison {
    let locations: BTreeSet<u32> = a.iter().chain(b).map(|run| run.locations).collect();
    let measure = if locations.len() > 1 { Measure::Shares } else { wanted };
    let places = Places::matched([a, b].map(|runs| runs.iter().flat_map(Divided::places).collect()));
    let sides = [Side { runs: a, at: 0 }, Side { runs: b, at: 1 }].map(|side| side.amounts(&places, measure));
    let [whole_a, whole_b] = [a, b].map(|runs| match measure {
        Measure::Seconds => runs.iter().map(|run| run.basis.location_seconds).collect(),
        Measure::Shares => vec![1.0; runs.len()],
    });
    let notes =
        a.iter().chain(b).flat_map(|run| run.notes.iter().map(|note| format!("{}: {note}", run.name)));
    Comparison {
        schema: Comparison::SCHEMA.to_owned(),
        a: compared(a),
        b: compared(b),
        measure,
        whole: difference(&whole_a, &whole_b),
        terms: terms(&sides, &places, measure),
        notes: notes.collect(),
    }
}

/// The runs of a side.
fn compared(runs: &[Divided]) -> Compared {
    let Some(first) = runs.first() else { return Compared::default() };
    let mean = |of: fn(&Divided) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let mut basis = first.basis.clone();
    basis.wall_time = mean(|run| run.basis.wall_time);
    basis.location_seconds = mean(|run| run.basis.location_seconds);
    let names = runs.iter().map(|run| run.name.clone()).collect();
    Compared { runs: names, ranks: first.ranks, locations: first.locations, basis }
}

/// A side of the comparison.
#[derive(Clone, Copy)]
struct Side<'a> {
    runs: &'a [Divided],
    /// Its number in [`Places`].
    at: usize,
}

/// The amounts of a side at matched places.
#[derive(Debug, Default)]
struct Amounts {
    runs: usize,
    time: BTreeMap<At, Sample>,
    /// The waits by the place that delays.
    causes: BTreeMap<At, BTreeMap<usize, Sample>>,
    visits: BTreeMap<usize, Sample>,
    bytes: BTreeMap<usize, Sample>,
}

impl Side<'_> {
    fn amounts(self, places: &Places, measure: Measure) -> Amounts {
        let runs = self.runs.len();
        let mut amounts = Amounts { runs, ..Amounts::default() };
        let nothing = || vec![0.0; runs];
        let number = |place: &OwnPlace| places.number(self.at, place);
        for (at, run) in self.runs.iter().enumerate() {
            let one = match measure {
                Measure::Seconds => 1.0,
                Measure::Shares if run.basis.location_seconds > 0.0 => run.basis.location_seconds,
                Measure::Shares => 1.0,
            };
            for (key, spent) in &run.spent {
                let key = (key.term, key.wait_state, number(&key.place));
                amounts.time.entry(key).or_insert_with(nothing)[at] += spent.seconds / one;
                let causes = amounts.causes.entry(key).or_default();
                for (cause, seconds) in &spent.causes {
                    causes.entry(number(cause)).or_insert_with(nothing)[at] += seconds / one;
                }
            }
            for (place, passed) in &run.passed {
                amounts.visits.entry(number(place)).or_insert_with(nothing)[at] += passed.visits;
                amounts.bytes.entry(number(place)).or_insert_with(nothing)[at] += passed.bytes;
            }
        }
        amounts
    }
}

/// The amounts of both sides.
type Both<'a> = [&'a [f64]; 2];

/// The amounts of a key on both sides; zeros where a side has none.
fn both<'a, K: Ord>(of: [&'a BTreeMap<K, Sample>; 2], nothing: &'a [Sample; 2], key: &K) -> Both<'a> {
    [0, 1].map(|side| of[side].get(key).unwrap_or(&nothing[side]).as_slice())
}

/// The differences by use and place.
fn terms(sides: &[Amounts; 2], places: &Places, measure: Measure) -> Vec<TermDifference> {
    let nothing = [0, 1].map(|side| vec![0.0; sides[side].runs]);
    let of = |amounts: fn(&Amounts) -> &BTreeMap<usize, Sample>| [0, 1].map(|side| amounts(&sides[side]));
    let (visits, bytes) = (of(|side| &side.visits), of(|side| &side.bytes));
    let mut terms: BTreeMap<Term, ([Sample; 2], Vec<PlaceDifference>)> = BTreeMap::new();
    let keys: BTreeSet<At> = sides.iter().flat_map(|side| side.time.keys().copied()).collect();
    for key in keys {
        let (term, wait_state, number) = key;
        let amounts = both([&sides[0].time, &sides[1].time], &nothing, &key);
        let visits = both(visits, &nothing, &number);
        let means = |amounts: Both<'_>| amounts.map(mean);
        let place = PlaceDifference {
            wait_state,
            place: places.matched_place(number).clone(),
            visits: means(visits),
            bytes: means(both(bytes, &nothing, &number)),
            ..PlaceDifference::default()
        };
        let steps = match (term, measure) {
            (Term::Computing, Measure::Seconds) => work(amounts, visits).to_vec(),
            _ => vec![(term, amounts.map(<[f64]>::to_vec))],
        };
        for (term, [a, b]) in steps {
            let (sums, all) = terms.entry(term).or_insert_with(|| (nothing.clone(), Vec::new()));
            add(&mut sums[0], &a);
            add(&mut sums[1], &b);
            let difference = difference(&a, &b);
            if difference.change() != 0.0 {
                let causes = causes(sides, &nothing, places, &key);
                all.push(PlaceDifference { difference, causes, ..place.clone() });
            }
        }
    }
    let term = |(term, ([a, b], places)): (Term, ([Sample; 2], Vec<PlaceDifference>))| TermDifference {
        term,
        difference: difference(&a, &b),
        places: largest_first(places, |of| &of.difference),
    };
    largest_first(terms.into_iter().map(term).collect(), |of| &of.difference)
}

/// The steps from the computing of A to that of B at a place: each visit as long as in A, but as many as in B; and then as long
/// as in B.
fn work([a, b]: Both<'_>, [visits_a, visits_b]: Both<'_>) -> [(Term, [Sample; 2]); 2] {
    let (before, after) = (mean(visits_a), mean(visits_b));
    let seconds = mean(a);
    // Code that A does not pass is more work, and code outside of all visits is slower.
    let work_of_b: Sample = match (before > 0.0, after > 0.0) {
        (true, _) => visits_b.iter().map(|visits| seconds * (visits / before)).collect(),
        (false, true) => b.to_vec(),
        (false, false) => vec![seconds; b.len()],
    };
    let work_of_a: Sample = match before > 0.0 {
        true => visits_a.iter().map(|visits| seconds * (visits / before)).collect(),
        false => vec![seconds; a.len()],
    };
    let grown = if seconds > 0.0 { mean(&work_of_b) / seconds } else { 0.0 };
    let as_many: Sample = match seconds > 0.0 {
        true => a.iter().map(|seconds| seconds * grown).collect(),
        false => vec![mean(&work_of_b); a.len()],
    };
    [(Term::MoreWork, [work_of_a, work_of_b]), (Term::SlowerWork, [as_many, b.to_vec()])]
}

/// The differences of waits by the places that delay.
fn causes(sides: &[Amounts; 2], nothing: &[Sample; 2], places: &Places, key: &At) -> Vec<CauseDifference> {
    let none = BTreeMap::new();
    let of = [0, 1].map(|side| sides[side].causes.get(key).unwrap_or(&none));
    let numbers: BTreeSet<usize> = of.iter().flat_map(|causes| causes.keys().copied()).collect();
    let cause = |number: usize| {
        let [a, b] = both(of, nothing, &number);
        CauseDifference { place: places.matched_place(number).clone(), difference: difference(a, b) }
    };
    let causes = numbers.into_iter().map(cause).filter(|cause| cause.difference.change() != 0.0);
    largest_first(causes.collect(), |of| &of.difference)
}

fn largest_first<T>(mut all: Vec<T>, of: fn(&T) -> &Difference) -> Vec<T> {
    // Equal ones stay in the order of their keys.
    all.sort_by(|one, other| of(other).change().abs().total_cmp(&of(one).change().abs()));
    all
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len().max(1) as f64
}
