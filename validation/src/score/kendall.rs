//! Whether two orders agree.

/// Kendall's tau-b: 1 where both values of the pairs order them alike, −1 where they order them the other way round,
/// corrected for ties.
///
/// None where nothing is ordered: fewer than two pairs, or one side all ties. Pairs that are not finite are left out.
pub fn kendall_tau(pairs: &[(f64, f64)]) -> Option<f64> {
    let pairs: Vec<_> = pairs.iter().filter(|(a, b)| a.is_finite() && b.is_finite()).collect();
    let (mut agree, mut ordered_by_first, mut ordered_by_second) = (0_i64, 0_u64, 0_u64);
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[..at] {
            let first = order(one.0, other.0);
            let second = order(one.1, other.1);
            agree += first * second;
            ordered_by_first += first.unsigned_abs();
            ordered_by_second += second.unsigned_abs();
        }
    }
    let ordered = (ordered_by_first as f64 * ordered_by_second as f64).sqrt();
    (ordered > 0.0).then(|| agree as f64 / ordered)
}

fn order(a: f64, b: f64) -> i64 {
    i64::from(a > b) - i64::from(a < b)
}

#[cfg(test)]
mod tests {
    use super::kendall_tau;

    fn tau(of: &[(u32, u32)]) -> Option<f64> {
        kendall_tau(&of.iter().map(|&(a, b)| (a.into(), b.into())).collect::<Vec<_>>())
    }

    #[test]
    fn orders_agree_or_not() {
        assert_eq!(tau(&[(1, 10), (2, 20), (3, 30)]), Some(1.0));
        assert_eq!(tau(&[(1, 30), (2, 20), (3, 10)]), Some(-1.0));
        // Of six pairs of items, four agree.
        assert_eq!(tau(&[(1, 1), (2, 3), (3, 2), (4, 4)]), Some(4.0 / 6.0));
    }

    #[test]
    fn ties_are_corrected_for() {
        // Five of six pairs are ordered by the first, all six by the second; five agree.
        assert_eq!(tau(&[(1, 1), (1, 2), (2, 3), (3, 4)]), Some(5.0 / 30_f64.sqrt()));
        assert_eq!(tau(&[(1, 1), (1, 1), (2, 2)]), Some(1.0));
    }

    #[test]
    fn nothing_to_order_has_none() {
        for pairs in [&[][..], &[(1, 1)], &[(1, 1), (1, 2)], &[(1, 1), (2, 1)]] {
            assert_eq!(tau(pairs), None, "{pairs:?}");
        }
        assert_eq!(kendall_tau(&[(1.0, 1.0), (f64::NAN, 2.0), (2.0, f64::INFINITY)]), None);
    }
}
