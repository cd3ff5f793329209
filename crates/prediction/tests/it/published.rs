//! Tables of papers and examples of other tools, fitted on a part and compared with the rest.

use ats_prediction::fit::{Fitted, Model, Point, Points, fit};

/// The processors of SCALEA's tables (Truong and Fahringer, Scientific Programming 11, 2003).
const PROCESSORS: [f64; 7] = [1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0];
/// The rows that predict them: those up to 16 processors.
const KNOWN: usize = 5;

fn points(values: &[f64], measured: &[&[f64]]) -> Points {
    let point =
        |(value, measured): (&f64, &&[f64])| Point { values: vec![*value], measured: measured.to_vec() };
    Points { parameters: vec!["p".to_owned()], points: values.iter().zip(measured).map(point).collect() }
}

/// The fit of the rows from `first` to 16 processors.
fn fitted(first: usize, seconds: &[f64; 7]) -> Fitted {
    let measured: Vec<&[f64]> = seconds[first..KNOWN].chunks(1).collect();
    fit(&points(&PROCESSORS[first..KNOWN], &measured)).expect("there are enough points")
}

/// Compares predictions for 20 and 24 processors, with and without the run on one.
fn is_within(name: &str, seconds: &[f64; 7], tolerance: f64, widest_at_20: f64) {
    for first in [0, 1] {
        let fitted = fitted(first, seconds);
        for row in KNOWN..PROCESSORS.len() {
            let (processors, measured) = (PROCESSORS[row], seconds[row]);
            let predicted = fitted.predict(&[processors], None).expect("it is above 1");
            let off = predicted.value / measured - 1.0;
            let told = format!(
                "{name} from {} at {processors}: {off:+.3} of {measured}, {predicted:?}",
                PROCESSORS[first]
            );
            assert!(off.abs() <= tolerance, "{told}");
            assert!(predicted.low <= measured && measured <= predicted.high, "{told}");
            let width = (predicted.high - predicted.low) / predicted.value;
            assert!(processors > 20.0 || width <= widest_at_20, "{told}: {width}");
        }
    }
}

#[test]
fn times_of_scalea_are_predicted_within_five_percent() {
    let pricing = [319.801, 87.442, 58.66, 57.414, 63.651, 75.304, 86.467];
    let hybrid = [320.488, 83.086, 44.109, 31.999, 26.444, 24.015, 22.71];
    let lapw0 = [427.811, 139.2, 104.768, 93.399, 97.327, 108.819, 114.821];
    for (name, seconds) in [("table 3", pricing), ("table 5", hybrid), ("table 7", lapw0)] {
        is_within(name, &seconds, 0.05, 0.35);
    }
}

#[test]
fn parts_of_scalea_are_predicted_within_six_percent() {
    let halo = [0.149, 3.114, 9.110, 16.170, 24.060, 33.868, 43.830];
    let init = [0.005, 3.462, 8.113, 12.784, 17.420, 22.568, 26.860];
    for (name, seconds) in [("halo", halo), ("MPI_Init", init)] {
        is_within(name, &seconds, 0.06, 0.35);
    }
}

/// Extra-P's example: `docs/examples/input.txt` of its repository.
const EXTRA_P: [&[f64]; 5] = [
    &[8.31, 8.02, 8.14],
    &[22.74, 22.66, 23.20],
    &[65.79, 64.74, 66.62],
    &[186.78, 184.68, 181.58],
    &[528.86, 522.44, 531.78],
];
const EXTRA_P_VALUES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];

fn shape(model: &Model) -> Vec<(String, u8)> {
    model
        .terms
        .iter()
        .map(|term| (term.factors[0].exponent.to_string(), term.factors[0].logarithms))
        .collect()
}

#[test]
fn the_example_of_extra_p_is_predicted() {
    let fitted = fit(&points(&EXTRA_P_VALUES[..4], &EXTRA_P[..4])).expect("there are enough points");
    let predicted = fitted.predict(&[64.0], None).expect("it is above 1");
    let mean = EXTRA_P[4].iter().sum::<f64>() / 3.0;
    assert!(predicted.low < mean && mean < predicted.high, "{mean}: {predicted:?}");
}

#[test]
fn both_models_that_extra_p_finds_are_named() {
    let fitted = fit(&points(&EXTRA_P_VALUES, &EXTRA_P)).expect("there are enough points");
    let names: Vec<String> = fitted.models.iter().map(Model::to_string).collect();
    assert_eq!(shape(&fitted.models[0]), [("3/2".to_owned(), 0)], "{names:#?}");
    let other = fitted.models.iter().any(|model| shape(model) == [("5/4".to_owned(), 1)]);
    assert!(other, "{names:#?}");
}

/// `tests/data/text/one_parameter_6.txt` of Extra-P's repository.
const ONE_PARAMETER_6: [[&[f64]; 5]; 4] = [
    [
        &[4.1, 3.9, 4.0, 4.0, 4.1],
        &[4.1, 3.9, 4.0, 4.0, 4.1],
        &[4.1, 3.9, 4.3, 4.0, 4.1],
        &[4.1, 3.9, 4.0, 4.0, 4.1],
        &[4.1, 3.9, 4.9, 4.0, 4.1],
    ],
    [
        &[1.0, 1.0, 1.0, 1.0, 1.0],
        &[4.0, 4.0, 4.0, 3.99, 4.01],
        &[16.0, 15.999, 16.01, 16.01, 15.99],
        &[64.0, 64.0, 64.0, 64.01, 63.99],
        &[256.01, 255.99, 256.0, 256.0],
    ],
    [
        &[2.0, 2.0, 2.0, 2.0, 2.001],
        &[6.1, 5.9, 6.0, 6.0, 6.1],
        &[19.1, 18.9, 19.0, 19.0, 19.1],
        &[68.1, 67.9, 68.0, 68.0, 68.1],
        &[261.1, 260.9, 260.9, 261.0, 261.1],
    ],
    [
        &[1_000_000.0, 1_000_001.0, 1_000_002.0],
        &[4_000_000.0, 4_000_004.0, 4_000_002.0],
        &[16_000_000.0, 16_000_003.0, 16_000_005.0],
        &[64_000_000.0, 64_000_003.0, 64_000_002.0],
        &[256_000_000.0, 256_000_003.0, 256_000_002.0],
    ],
];

#[test]
fn test_data_of_extra_p_are_a_constant_and_three_squares() {
    let fits = ONE_PARAMETER_6
        .map(|measured| fit(&points(&[1e3, 2e3, 4e3, 8e3, 16e3], &measured)).expect("enough points"));
    let first = fits.clone().map(|fitted| shape(&fitted.models[0]).first().cloned());
    let names = fits.clone().map(|fitted| fitted.models[0].to_string());
    assert_eq!(first[0], None, "{names:?}");
    // The third is p^2 + log2(p) - 9 (p in thousands: 1, 2, 3, ... more than the square), which without negative
    // coefficients is told by the power of its first term.
    let square = Some(("2".to_owned(), 0));
    assert_eq!([&first[1], &first[3]], [&square, &square], "{names:?}");
    assert_eq!(first[2].as_ref().map(|(exponent, _)| &**exponent), Some("2"), "{names:?}");
    let plain = |model: &Model| shape(model).first() == square.as_ref();
    assert!(
        fits[2].models.iter().any(plain),
        "{:#?}",
        fits[2].models.iter().map(Model::to_string).collect::<Vec<_>>()
    );
}
