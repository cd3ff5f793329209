//! Calls that every rank makes, and constructs that every thread executes, again and again.

use ats_omp::Team;
use ats_work::do_work;

/// In each of `r` repetitions every rank works for `work` seconds, and then makes `calls` calls.
pub(crate) fn often(work: f64, calls: usize, r: usize, call: impl Fn()) {
    for _ in 0..r {
        do_work(work);
        for _ in 0..calls {
            call();
        }
    }
}

/// Asserts that every rank makes `k` calls in a repetition, in the twin one, that none waits, and that all counts of
/// the property count each of them.
#[cfg(test)]
pub(crate) fn assert_calls(property: &'static crate::Property, call: &str) {
    use crate::testing::{assert_quiet, assert_shows};
    use crate::{Counter, Shown, What};

    let counter = |shown: &Shown| match shown.what {
        What::Count(Counter::Engine(counter), _) => counter,
        other => panic!("{other:?}"),
    };
    let counters: Vec<_> = property.finds.numbers().map(counter).collect();
    assert!(counters.len() >= 2, "{counters:?}");

    for k in [0, 1, 2, 20] {
        for ranks in crate::testing::ranks(property) {
            let given = [("k", &*k.to_string()), ("r", "5")];
            assert_shows(property, (ranks, 1), &given, &[]);
            let counts = assert_quiet(property, (ranks, 1), &given)
                .map(|outcome| outcome.counts.get(call).copied().unwrap_or_default());
            // The twin has fewer calls: that is what makes it balanced.
            for (count, calls) in counts.iter().zip([k, k.min(1)]) {
                let counted = counters.iter().map(|counter| counter.of(count));
                assert!(counted.eq(counters.iter().map(|_| ranks as u64 * 5 * calls)), "{counts:?}");
            }
        }
    }
}

/// In one parallel region, every thread works for `work` seconds in each of `r` repetitions, and then executes a
/// construct `k` times.
pub(crate) fn often_in_a_team<T: Team>(
    work: f64,
    k: usize,
    r: usize,
    team: &T,
    construct: impl Fn(&T::Thread) + Sync,
) {
    team.parallel(team.max_threads(), |t| {
        for _ in 0..r {
            do_work(work);
            (0..k).for_each(|_| construct(t));
        }
    });
}

/// Asserts that a team of so many threads executes a construct as often in the property and in its twin, and that the
/// property shows these waits, the twin none.
#[cfg(test)]
pub(crate) fn assert_constructs(
    property: &'static crate::Property,
    construct: crate::Construct,
    threads: usize,
    given: &[(&str, &str)],
    shows: &[crate::testing::Shows<'_>],
    numbers: [usize; 2],
) {
    crate::testing::assert_shows(property, (1, threads), given, shows);
    let counts = crate::testing::assert_quiet(property, (1, threads), given)
        .map(|outcome| outcome.counts.get(construct.region()).map_or(0, |count| count.calls as usize));
    // The twin has fewer of them: that is what makes it balanced.
    assert_eq!(counts, numbers, "{} at {threads}: {given:?}", property.name);
}

/// Asserts that every thread executes a construct `k` times in a repetition, in the twin once, and that none waits.
#[cfg(test)]
pub(crate) fn assert_constructs_of_each(property: &'static crate::Property, construct: crate::Construct) {
    assert_constructs_by_k(property, construct, |k| [k, k.min(1)]);
}

/// Asserts that every thread executes a construct so often in a repetition, in the property and in its twin, for any
/// `k`, and that none waits.
#[cfg(test)]
pub(crate) fn assert_constructs_by_k(
    property: &'static crate::Property,
    construct: crate::Construct,
    of_each: impl Fn(usize) -> [usize; 2],
) {
    for k in [0, 1, 2, 20] {
        for threads in crate::testing::threads(property) {
            let given = [("k", &*k.to_string()), ("r", "3")];
            let numbers = of_each(k).map(|each| 3 * threads * each);
            assert_constructs(property, construct, threads, &given, &[], numbers);
        }
    }
}
