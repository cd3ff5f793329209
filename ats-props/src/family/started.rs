//! Operations that are started, overlapped with work, and waited for.

use ats_mpi::{How, Op};
use ats_work::do_work;

use crate::{Communicator, Seconds};

/// Starts the operation, works so long, and waits for it.
pub(crate) fn overlapped(op: Op, work: f64, c: &dyn Communicator) {
    let request = c.start(op);
    do_work(work);
    c.wait(request);
}

/// Makes an overlapped operation, as often as it is called.
pub(crate) fn overlapping(op: Op, overlap: Seconds, c: &dyn Communicator) -> impl Fn() {
    move || overlapped(op.clone(), overlap.0, c)
}

/// Prepares the operation once, and makes it, overlapped, as often as it is called.
pub(crate) fn overlapping_persistent(op: Op, overlap: Seconds, c: &dyn Communicator) -> impl FnMut() {
    let mut request = vec![c.init(op)];
    move || {
        c.restart(&request[0]);
        do_work(overlap.0);
        c.complete(How::Wait, &mut request);
    }
}

/// Overlaps that are none, less than a repetition's lateness, and more than that of all.
#[cfg(test)]
const OVERLAPS: [(&str, f64); 3] = [("0", 0.0), ("15ms", 0.015), ("300ms", 0.3)];

/// Asserts that every rank waits for the last to start, as far as the overlap does not hide it, and that the twin does
/// not wait.
#[cfg(test)]
pub(crate) fn assert_waits_for_the_last(property: &'static crate::Property) {
    assert_waits_for(property, |work, _| work.iter().copied().fold(0.0, f64::max));
}

/// The same for the last of the lower ranks.
#[cfg(test)]
pub(crate) fn assert_waits_for_lower(property: &'static crate::Property) {
    assert_waits_for(property, |work, rank| work.iter().take(rank + 1).copied().fold(0.0, f64::max));
}

#[cfg(test)]
fn assert_waits_for(property: &'static crate::Property, until: impl Fn(&[f64], usize) -> f64) {
    use crate::testing::DISTRIBUTIONS;

    for text in DISTRIBUTIONS {
        let distribution: crate::Distribution = text.parse().unwrap();
        let late = |rank: usize, ranks| {
            let work: Vec<f64> = distribution.values(ranks, 1.0).collect();
            until(&work, rank) - work[rank]
        };
        assert_late_by(property, &[("distribution", text)], late);
    }
}

/// Asserts that the root waits for the others, as far as the overlap does not hide it, and that the twin does not wait.
#[cfg(test)]
pub(crate) fn assert_early(property: &'static crate::Property) {
    assert_rooted(property, |is_root, ranks| is_root && ranks > 1);
}

/// The same of the others and the root.
#[cfg(test)]
pub(crate) fn assert_late(property: &'static crate::Property) {
    assert_rooted(property, |is_root, _| !is_root);
}

#[cfg(test)]
fn assert_rooted(property: &'static crate::Property, waits: impl Fn(bool, usize) -> bool) {
    for root in [0, 1, 5, 40] {
        let late = |rank, ranks| if waits(rank == root % ranks, ranks) { 0.05 } else { 0.0 };
        assert_late_by(property, &[("root", &root.to_string())], late);
    }
}

/// Asserts that what a rank waits for comes so much later in each repetition, given the rank and their number.
#[cfg(test)]
fn assert_late_by(
    property: &'static crate::Property,
    given: &[(&str, &str)],
    late: impl Fn(usize, usize) -> f64,
) {
    use crate::testing::{assert_silent, assert_waits};

    let path = [property.name, crate::MpiFunction::Wait.name()];
    for ranks in crate::testing::ranks(property) {
        for ((text, overlap), r) in OVERLAPS.into_iter().zip([1, 5, 7]) {
            let waits = |rank| f64::max(0.0, r as f64 * late(rank, ranks) - overlap);
            let r_text = r.to_string();
            let given = [given, &[("overlap", text), ("r", &r_text)]].concat();
            assert_waits(property, ranks, &given, &path, waits);
            assert_silent(property, ranks, &given);
        }
    }
}
