//! Messages of different sizes.

use crate::Distribution;

/// The most elements that a message of MPI has: its counts are C's `int`.
const MOST: f64 = i32::MAX as f64;

/// The whole numbers that are nearest to a distribution's amounts, as sizes in elements.
pub(crate) fn whole(elements: Distribution) -> Distribution {
    Distribution::user("whole", move |me, size, scale| size_of(&elements, me, size) * scale)
}

/// As many elements in total among `size`, shared as evenly as whole numbers are.
pub(crate) fn evenly(elements: &Distribution, size: usize) -> Distribution {
    let total: f64 = (0..size).map(|rank| size_of(elements, rank, size)).sum();
    let (each, left) = ((total / size as f64).floor(), total % size as f64);
    Distribution::user("evenly", move |me, _, scale| {
        scale * if (me as f64) < left { each + 1.0 } else { each }
    })
}

fn size_of(elements: &Distribution, rank: usize, size: usize) -> f64 {
    elements.value(rank, size, 1.0).round().clamp(0.0, MOST)
}

#[cfg(test)]
mod tests {
    use super::{evenly, whole};
    use crate::Distribution;

    #[test]
    fn the_same_in_total_as_evenly_as_can_be() {
        let elements = Distribution::linear(0.4, 7.6);
        let sizes = |of: Distribution| of.values(4, 1.0).collect::<Vec<_>>();
        assert_eq!(sizes(whole(elements.clone())), [0.0, 3.0, 5.0, 8.0]);
        assert_eq!(sizes(evenly(&elements, 4)), [4.0; 4]);
        assert_eq!(sizes(evenly(&Distribution::same(-1.0), 4)), [0.0; 4]);
        assert_eq!(sizes(evenly(&Distribution::peak(0.0, 6.0, 1), 4)), [2.0, 2.0, 1.0, 1.0]);
    }
}
