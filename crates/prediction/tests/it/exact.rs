//! Counts and polynomials, which are fitted exactly; kinks, limits, and points that cannot be fitted.

use ats_prediction::fit::{FitError, Fitted, Limit, Model, Point, Points, fit};

const RANKS: [f64; 5] = [4.0, 6.0, 8.0, 12.0, 16.0];

fn course(values: &[f64], measured: impl Fn(f64) -> f64) -> Points {
    let point = |value: &f64| Point { values: vec![*value], measured: vec![measured(*value)] };
    Points { parameters: vec!["ranks".to_owned()], points: values.iter().map(point).collect() }
}

fn fitted(values: &[f64], measured: impl Fn(f64) -> f64) -> Fitted {
    fit(&course(values, measured)).expect("there are enough points")
}

fn value(fitted: &Fitted, at: &[f64]) -> f64 {
    fitted.predict(at, None).expect("it is above 1").value
}

#[test]
fn polynomials_are_exact_far_beyond_the_data() {
    let pairs = |ranks: f64| 0.05 * (ranks - 1.0) * (ranks - 2.0) / 2.0;
    // Picoseconds, as the virtual engine counts them.
    let fitted = fitted(&RANKS, |ranks| (pairs(ranks) * 1e12).round() / 1e12);
    assert!(fitted.exact);
    assert_eq!(fitted.models[0].to_string(), "0.025 * ranks^2 - 0.075 * ranks + 0.05");
    let predicted = fitted.predict(&[1024.0], None).expect("it is above 1");
    assert!((predicted.value / pairs(1024.0) - 1.0).abs() < 1e-14, "{predicted:?}");
    assert!(predicted.low < predicted.value && predicted.value < predicted.high, "{predicted:?}");
    assert!(predicted.high / predicted.low < 1.0 + 1e-7, "{predicted:?}");
}

#[test]
fn counts_are_exact_in_rationals() {
    let fitted =
        fitted(&[4.0, 8.0, 16.0, 64.0, 128.0], |ranks| 7.0 * ranks * ranks.log2() - 3.0 * ranks.log2());
    assert!(fitted.exact);
    let [large, small] = [1_048_576.0_f64, 2.0].map(|ranks| value(&fitted, &[ranks]));
    // Equal to the last bit, not only nearly.
    assert_eq!(large, 7.0 * 1_048_576.0 * 20.0 - 3.0 * 20.0);
    assert_eq!(small, 11.0);
}

#[test]
fn products_of_polynomials_are_exact() {
    let messages = |ranks: f64, steps: f64| (ranks - 1.0) * (ranks - 2.0) / 2.0 * (3.0 * steps + 1.0);
    let grid = RANKS.iter().flat_map(|ranks| [10.0, 20.0, 30.0, 50.0].map(|steps| (*ranks, steps)));
    let point = |(ranks, steps)| Point { values: vec![ranks, steps], measured: vec![messages(ranks, steps)] };
    let points = Points {
        parameters: vec!["ranks".to_owned(), "steps".to_owned()],
        points: grid.map(point).collect(),
    };
    let fitted = fit(&points).expect("there are enough points");
    assert!(fitted.exact, "{}", fitted.models[0]);
    assert_eq!(value(&fitted, &[1024.0, 1e6]), messages(1024.0, 1e6), "{}", fitted.models[0]);
}

#[test]
fn a_kink_is_told_and_both_sides_count() {
    let ranks: Vec<f64> = (2..=10).map(|half| f64::from(half) * 2.0).collect();
    let fitted = fitted(&ranks, |ranks| 0.01 * ranks.min(12.0));
    let kink = fitted.kinks.first().expect("there is one");
    assert_eq!(kink.between, (12.0, 14.0), "{kink:?}");
    assert!(fitted.notes.iter().any(|note| note.contains("ranks = 12")), "{:?}", fitted.notes);
    let [below, above] = [6.0, 18.0].map(|ranks| fitted.predict(&[ranks], None).expect("it is above 1"));
    assert!((below.value - 0.06).abs() < 1e-9 && below.high - below.low < 1e-9, "{below:?}");
    assert!((above.value - 0.12).abs() < 1e-9 && above.high - above.low < 1e-9, "{above:?}");
    let beyond = fitted.predict(&[100.0], None).expect("it is above 1");
    assert!((beyond.value - 0.12).abs() < 1e-9 && beyond.low < 0.12 && beyond.high > 1.0, "{beyond:?}");
}

#[test]
fn noise_makes_no_kinks() {
    // Two percent, of numbers that look random.
    let noisy = |ranks: f64| (1.0 + ranks) * (1.0 + 0.02 * (ranks * 12.9898).sin());
    let ranks: Vec<f64> = (1..=12).map(|half| f64::from(half) * 4.0).collect();
    assert_eq!(fitted(&ranks, noisy).kinks, []);
}

#[test]
fn models_keep_to_what_is_possible() {
    // A falling line: it leaves what is possible at 41 ranks, and the limit below 1.
    let fitted = fitted(&RANKS, |ranks| 4.1 - 0.1 * ranks);
    assert!(fitted.exact, "{}", fitted.models[0]);
    let limit = Limit { highest: 3.0, name: "the run's time".to_owned() };
    for (ranks, limit) in [(100.0, None), (2.0, Some(&limit))] {
        let predicted = fitted.predict(&[ranks], limit).expect("it is above 1");
        assert!(predicted.low >= 0.0 && predicted.value >= predicted.low, "{predicted:?}");
        assert!(limit.is_none_or(|limit| predicted.high <= limit.highest), "{predicted:?}");
        let sentence = predicted.notes.iter().find(|note| note.contains("left out")).expect("it is told");
        assert!(sentence.contains(&format!("(ranks={ranks})")), "{sentence}");
    }
    let within = fitted.predict(&[10.0], Some(&limit)).expect("it is above 1");
    let above = fitted.predict(&[12.0], Some(&Limit { highest: 2.9, ..limit })).expect("it is above 1");
    assert!((within.value - 3.0).abs() < 0.2 && above.high <= 2.9, "{within:?} {above:?}");
}

#[test]
fn few_values_are_told_or_refused() {
    let told = fitted(&RANKS[..3], |ranks| ranks + 1.0);
    assert!(told.notes.iter().any(|note| note.starts_with("ranks has 3 values")), "{:?}", told.notes);
    let refused = fit(&course(&RANKS[..2], |ranks| ranks));
    assert_eq!(refused, Err(FitError::TooFew { parameter: "ranks".to_owned(), values: 2 }));
}

#[test]
fn errors_name_the_point() {
    let error = |points: Points| fit(&points).expect_err("it cannot be fitted").to_string();
    for measured in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let told = error(course(&RANKS, |ranks| if ranks == 8.0 { measured } else { ranks }));
        assert!(told.starts_with(&format!("the value measured at point (ranks=8) is {measured}")), "{told}");
    }
    let mut missing = course(&RANKS, |ranks| ranks);
    missing.points[1].measured.clear();
    assert_eq!(error(missing), "nothing is measured at point (ranks=6); leave the point out, or measure it");
    let below = error(course(&[0.5, 1.0, 2.0, 4.0], |ranks| ranks));
    assert!(below.starts_with("ranks is 0.5 in point (ranks=0.5)"), "{below}");
    let mut short = course(&RANKS, |ranks| ranks);
    short.points[0].values.clear();
    assert_eq!(error(short), "point () has 0 values for 1 parameters; give one for each");
    assert_eq!(error(Points::default()), "there is nothing to fit; give points with at least one parameter");
    let asked = fitted(&RANKS, |ranks| ranks).predict(&[0.5], None).expect_err("its logarithm is negative");
    assert!(asked.to_string().starts_with("ranks is 0.5"), "{asked}");
}

#[test]
fn models_are_written_and_read_again() {
    let fitted = fitted(&RANKS, |ranks| 3.0 / ranks + 0.5 * ranks.sqrt() * ranks.log2());
    let text = serde_json::to_string(&fitted.models[0]).expect("it can be written");
    assert!(text.contains(r#""exponent":"1/2""#), "{text}");
    let read: Model = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(read, fitted.models[0]);
    assert_eq!(read.to_string(), "0.5 * ranks^(1/2) * log2(ranks) + 3 * ranks^-1");
    assert!(serde_json::from_str::<Model>(&text.replace("1/2", "1/0")).is_err());
}
