//! Models of 10,000 call paths, each measured at 25 points (five ranks, five sizes) with five repeats, on one core: the
//! processor time. `ATS_PATHS=1000` takes fewer.

use ats_prediction::fit::{Point, Points, fit};

const REPEATS: u32 = 5;

/// A number from -1 to 1 that looks random.
fn random(of: [u32; 4]) -> f64 {
    let mixed = of.into_iter().fold(0x9e37_79b9_7f4a_7c15_u64, |mixed, one| {
        (mixed ^ u64::from(one)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    });
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A call path: computation that is divided, communication that grows, and two percent of noise.
fn path(number: u32) -> Points {
    let [divided, grows] = [0, 1].map(|part| 1.5 + random([number, part, 0, 0]));
    let point = |ranks: u32, size: u32| {
        let [p, n] = [f64::from(4 << ranks), f64::from(100 << size)];
        let seconds = divided * n * n / p + grows * p.log2() * n + 1.0;
        let repeat = |repeat: u32| seconds * (1.0 + 0.02 * random([number, ranks, size, repeat + 1]));
        Point { values: vec![p, n], measured: (0..REPEATS).map(repeat).collect() }
    };
    let points = (0..5).flat_map(|ranks| (0..5).map(move |size| (ranks, size)));
    Points {
        parameters: vec!["ranks".to_owned(), "n".to_owned()],
        points: points.map(|(p, n)| point(p, n)).collect(),
    }
}

/// The processor time of the process, in seconds: on a machine with other work it is less than the time that passes.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // User and system time, the 14th and 15th field, in hundredths; the third follows the name in brackets.
    fields.iter().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() {
    let paths = std::env::var("ATS_PATHS").ok().and_then(|number| number.parse().ok()).unwrap_or(10_000);
    let all: Vec<Points> = (0..paths).map(path).collect();
    let start = processor_time();
    let terms: usize =
        all.iter().map(|points| fit(points).expect("they are enough").models[0].terms.len()).sum();
    let seconds = processor_time() - start;
    println!(
        "{paths} call paths of 25 points: {seconds:.1} s, {:.2} ms each; {:.1} terms in a model",
        1000.0 * seconds / f64::from(paths),
        terms as f64 / f64::from(paths)
    );
}
