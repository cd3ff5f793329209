//! Shares of participants, held against the catalogue's table of distributions for 1 to 33 participants.

use ats_distr::{Distribution, Val1, Val2, Val2N, Val3};
use proptest::prelude::*;

/// Equal but for rounding.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn count(distribution: &Distribution, size: usize, value: f64) -> usize {
    distribution.values(size, 1.0).filter(|v| *v == value).count()
}

#[test]
fn five_participants() {
    for (text, expected) in [
        ("same:3", [3.0, 3.0, 3.0, 3.0, 3.0]),
        ("cyclic2:1:9", [1.0, 9.0, 1.0, 9.0, 1.0]),
        ("block2:1:9", [1.0, 1.0, 9.0, 9.0, 9.0]),
        ("linear:1:9", [1.0, 3.0, 5.0, 7.0, 9.0]),
        ("linear:9:1", [9.0, 7.0, 5.0, 3.0, 1.0]),
        ("peak:1:9:4", [1.0, 1.0, 1.0, 1.0, 9.0]),
        ("peak:1:9:5", [1.0, 1.0, 1.0, 1.0, 1.0]),
        ("cyclic3:1:4:9", [1.0, 4.0, 9.0, 1.0, 4.0]),
        ("block3:1:4:9", [1.0, 4.0, 4.0, 9.0, 9.0]),
    ] {
        let distribution: Distribution = text.parse().unwrap();
        assert_eq!(distribution.values(5, 1.0).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn a_single_participant() {
    for (text, expected) in [
        ("same:3", 3.0),
        ("cyclic2:1:9", 1.0),
        ("block2:1:9", 9.0),
        ("linear:1:9", 1.0),
        ("peak:1:9:0", 9.0),
        ("peak:1:9:1", 1.0),
        ("cyclic3:1:4:9", 1.0),
        ("block3:1:4:9", 9.0),
    ] {
        let distribution: Distribution = text.parse().unwrap();
        assert_eq!(distribution.value(0, 1, 1.0), expected, "{text}");
        assert_eq!(distribution.imbalance(1, 1.0), 0.0, "{text}");
    }
}

#[test]
fn two_participants_of_three_kinds_lack_the_third() {
    let cyclic: Distribution = "cyclic3:1:4:9".parse().unwrap();
    assert_eq!(cyclic.max(2, 1.0), 4.0);
    let block: Distribution = "block3:1:4:9".parse().unwrap();
    assert_eq!(block.values(2, 1.0).collect::<Vec<_>>(), [4.0, 9.0]);
}

#[test]
fn an_empty_group_gets_nothing() {
    let distribution: Distribution = "linear:1:9".parse().unwrap();
    assert_eq!(
        (distribution.mean(0, 1.0), distribution.max(0, 1.0), distribution.imbalance(0, 1.0)),
        (0.0, 0.0, 0.0)
    );
}

#[test]
fn a_users_function_decides_alone() {
    let distribution = Distribution::user("triangle", |me, size, scale| scale * (size - me) as f64);
    assert_eq!(distribution.values(3, 2.0).collect::<Vec<_>>(), [6.0, 4.0, 2.0]);
    assert_eq!(distribution.mean(3, 2.0), 4.0);
    assert_eq!(distribution.imbalance(3, 2.0), 6.0);
    assert_eq!(distribution.to_string(), "triangle");
    assert_eq!(distribution, distribution.clone());
    assert_ne!(distribution, Distribution::user("triangle", |_, _, _| 0.0));
}

proptest! {
    #[test]
    fn two_kinds(p in 1usize..=33, low in 0.0..10.0f64, high in 0.0..10.0f64, n in 0usize..40) {
        prop_assume!(low != high);
        let delta = (high - low).abs();
        let rising = low < high;
        let (half, rest) = (p / 2, p.div_ceil(2));
        let dd = Val2 { low, high };

        let same = Distribution::Same(Val1 { val: low });
        prop_assert_eq!(count(&same, p, low), p);
        prop_assert_eq!(same.imbalance(p, 1.0), 0.0);

        let cyclic2 = Distribution::Cyclic2(dd);
        prop_assert_eq!((count(&cyclic2, p, low), count(&cyclic2, p, high)), (rest, half));
        if p > 1 {
            let s = if rising { rest } else { half } as f64 * delta;
            prop_assert!(close(cyclic2.imbalance(p, 1.0), s));
        }

        let block2 = Distribution::Block2(dd);
        prop_assert_eq!((count(&block2, p, low), count(&block2, p, high)), (half, rest));
        if p > 1 {
            let s = if rising { half } else { rest } as f64 * delta;
            prop_assert!(close(block2.imbalance(p, 1.0), s));
        }

        let peak = Distribution::Peak(Val2N { low, high, n });
        prop_assert_eq!(count(&peak, p, high), usize::from(n < p));
        if p > 1 && n < p {
            let s = if rising { (p - 1) as f64 * delta } else { delta };
            prop_assert!(close(peak.imbalance(p, 1.0), s));
        } else {
            prop_assert_eq!(peak.imbalance(p, 1.0), 0.0);
        }

        let linear = Distribution::Linear(dd);
        if p > 1 {
            prop_assert!(close(linear.value(p - 1, p, 1.0), high));
            prop_assert!(close(linear.imbalance(p, 1.0), p as f64 * delta / 2.0));
            prop_assert!(close(linear.mean(p, 1.0), (low + high) / 2.0));
        }
        prop_assert_eq!(linear.value(0, p, 1.0), low);
    }

    #[test]
    fn three_kinds(p in 3usize..=33, low in 0.0..1.0f64, med in 1.0..2.0f64, high in 2.0..3.0f64) {
        let dd = Val3 { low, med, high };
        let counts = |d: &Distribution| (count(d, p, low), count(d, p, med), count(d, p, high));

        let cyclic3 = Distribution::Cyclic3(dd);
        let (n_low, n_med, n_high) = (p.div_ceil(3), (p + 1) / 3, p / 3);
        prop_assert_eq!(counts(&cyclic3), (n_low, n_med, n_high));
        prop_assert!(close(
            cyclic3.imbalance(p, 1.0),
            n_low as f64 * (high - low) + n_med as f64 * (high - med),
        ));

        let block3 = Distribution::Block3(dd);
        let (n_low, n_med) = (p / 3, 2 * p / 3 - p / 3);
        prop_assert_eq!(counts(&block3), (n_low, n_med, p - n_low - n_med));
        prop_assert!(close(
            block3.imbalance(p, 1.0),
            n_low as f64 * (high - low) + n_med as f64 * (high - med),
        ));
        let values: Vec<f64> = block3.values(p, 1.0).collect();
        prop_assert!(values.is_sorted());
    }

    #[test]
    fn the_scale_factor_scales_everything(p in 1usize..=33, me in 0usize..33, scale in 0.0..100.0f64) {
        for text in ["same:3", "cyclic2:1:9", "block2:1:9", "linear:1:9", "peak:1:9:2", "cyclic3:1:4:9", "block3:1:4:9"] {
            let distribution: Distribution = text.parse().unwrap();
            prop_assert_eq!(distribution.value(me, p, scale), scale * distribution.value(me, p, 1.0));
            prop_assert!(close(distribution.imbalance(p, scale), scale * distribution.imbalance(p, 1.0)));
            prop_assert!(distribution.value(me, p, scale).is_finite());
        }
    }
}
