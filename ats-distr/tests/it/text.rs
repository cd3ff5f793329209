//! The text form of distributions: reading, writing, and errors.

use ats_distr::{Distribution, Val1, Val2, Val2N, Val3};
use proptest::prelude::*;

#[test]
fn every_shape_is_read_by_name_and_by_code() {
    let two = Val2 { low: 0.1, high: 0.5 };
    let three = Val3 { low: 1.0, med: 2.0, high: 3.0 };
    for (name, code, descriptor, expected) in [
        ("same", "ss", "1", Distribution::Same(Val1 { val: 1.0 })),
        ("cyclic2", "c2", "0.1:0.5", Distribution::Cyclic2(two)),
        ("block2", "b2", "0.1:0.5", Distribution::Block2(two)),
        ("linear", "lr", "0.1:0.5", Distribution::Linear(two)),
        ("peak", "pk", "0.1:0.5:3", Distribution::Peak(Val2N { low: 0.1, high: 0.5, n: 3 })),
        ("cyclic3", "c3", "1:2:3", Distribution::Cyclic3(three)),
        ("block3", "b3", "1:2:3", Distribution::Block3(three)),
    ] {
        assert_eq!(format!("{name}:{descriptor}").parse(), Ok(expected.clone()));
        assert_eq!(format!("{code}:{descriptor}").parse(), Ok(expected.clone()));
        assert_eq!(expected.to_string(), format!("{name}:{descriptor}"));
    }
}

#[test]
fn units_and_blanks_are_read_and_seconds_are_shown() {
    let read: Distribution = " peak : 10ms : 50us : 2 ".parse().unwrap();
    assert_eq!(read, Distribution::Peak(Val2N { low: 0.01, high: 0.00005, n: 2 }));
    assert_eq!(read.to_string(), "peak:0.01:0.00005:2");
}

#[test]
fn refuses_a_wrong_text_with_the_fix() {
    for (text, message) in [
        ("block2:1:2:3", "block2 takes 2 values, low:high; got 3 in `block2:1:2:3`"),
        ("ss", "same takes 1 value, val; got 0 in `ss`"),
        ("peak:1:2", "peak takes 3 values, low:high:n; got 2 in `peak:1:2`"),
        ("blck2:1:2", "there is no distribution `blck2`; did you mean `block2`?"),
        ("Cyclic3:1:2:3", "there is no distribution `Cyclic3`; did you mean `cyclic3`?"),
        (
            "gaussian:1:2",
            "there is no distribution `gaussian`; use one of same, cyclic2, block2, linear, peak, cyclic3, block3",
        ),
        ("", "there is no distribution ``; use one of same, cyclic2, block2, linear, peak, cyclic3, block3"),
        ("linear:1:x", "linear: high: `x` is not a number; write for example 0.05, 50ms or 20us"),
        ("linear::1", "linear: low: `` is not a number; write for example 0.05, 50ms or 20us"),
        ("same:NaN", "same: val: `NaN` is not a finite number"),
        ("same:inf", "same: val: `inf` is not a finite number"),
        ("same:3kg", "same: val: `3kg` has the unknown unit `kg`; units are ns, us, ms, s, min and h"),
        ("block3:1:-2ms:3", "block3: med is `-2ms`, but nobody can get less than nothing; use 0 or more"),
        ("peak:1:2:1.5", "peak: n is `1.5`, but must be a participant's number, counted from 0: 0, 1, 2 …"),
        ("peak:1:2:-1", "peak: n is `-1`, but must be a participant's number, counted from 0: 0, 1, 2 …"),
    ] {
        assert_eq!(text.parse::<Distribution>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn serialized_it_is_its_text() {
    let json = "\"cyclic2:0.1:0.5\"";
    let read: Distribution = serde_json::from_str(json).unwrap();
    assert_eq!(read, Distribution::Cyclic2(Val2 { low: 0.1, high: 0.5 }));
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
    let refused = serde_json::from_str::<Distribution>("\"same:1:2\"").unwrap_err();
    assert!(refused.to_string().starts_with("same takes 1 value, val; got 2 in `same:1:2`"), "{refused}");
}

fn any_amount() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..1e9, Just(0.0), Just(f64::MIN_POSITIVE), Just(f64::MAX), 0.0..1e-9]
}

fn any_distribution() -> impl Strategy<Value = Distribution> {
    (0..7, any_amount(), any_amount(), any_amount(), any::<usize>()).prop_map(|(shape, low, med, high, n)| {
        match shape {
            0 => Distribution::Same(Val1 { val: low }),
            1 => Distribution::Cyclic2(Val2 { low, high }),
            2 => Distribution::Block2(Val2 { low, high }),
            3 => Distribution::Linear(Val2 { low, high }),
            4 => Distribution::Peak(Val2N { low, high, n }),
            5 => Distribution::Cyclic3(Val3 { low, med, high }),
            _ => Distribution::Block3(Val3 { low, med, high }),
        }
    })
}

proptest! {
    #[test]
    fn reads_its_own_output_exactly(distribution in any_distribution()) {
        prop_assert_eq!(distribution.to_string().parse(), Ok(distribution));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[a-z0-9:.µ -]{0,40}|\\PC{0,20}") {
        if let Ok(read) = text.parse::<Distribution>() {
            prop_assert_eq!(read.to_string().parse(), Ok(read));
        }
    }
}
