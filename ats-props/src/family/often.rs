//! Calls that everybody makes again and again.

use ats_work::do_work;

/// In each of `r` repetitions everybody works so long, and then makes so many calls.
pub(crate) fn often(work: f64, calls: usize, r: usize, call: impl Fn()) {
    for _ in 0..r {
        do_work(work);
        for _ in 0..calls {
            call();
        }
    }
}

/// Everybody makes `k` calls in a repetition, in the twin one, and nobody waits.
#[cfg(test)]
pub(crate) fn assert_calls(property: &'static crate::Property, call: &str) {
    use crate::testing::{assert_quiet, assert_shows};

    for k in [0, 1, 2, 20] {
        for ranks in 1..=33 {
            let given = [("k", &*k.to_string()), ("r", "5")];
            assert_shows(property, (ranks, 1), &given, &[]);
            let calls = assert_quiet(property, (ranks, 1), &given)
                .map(|outcome| outcome.counts.get(call).map_or(0, |count| count.calls));
            // The twin has fewer calls: that is what makes it balanced.
            assert_eq!(calls, [k, k.min(1)].map(|calls| ranks as u64 * 5 * calls));
        }
    }
}
