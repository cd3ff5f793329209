//! Calls that every rank makes again and again.

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
        for ranks in 1..=33 {
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
