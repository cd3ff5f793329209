//! Precision of `do_work`: the relative error of every kind's time, in percent, median and 99th percentile; and
//! whether work by amount takes time in proportion to its amount.
//!
//! Pass names of kinds to measure only these: `cargo bench -p ats-work -- spin hybrid`.

use ats_work::{
    Config, Kind, MemoryWork, Row, calibration, do_flops, do_int_ops, do_memory, machine, now, precision,
};

const DURATIONS_SECONDS: [f64; 5] = [10e-6, 100e-6, 1e-3, 10e-3, 100e-3];

/// The time to measure each duration.
const BUDGET_SECONDS: f64 = 0.5;

fn main() {
    let asked: Vec<Kind> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let kinds = if asked.is_empty() { Kind::timed().collect() } else { asked };
    let (calibration, notices) = calibration::obtain();
    notices.iter().for_each(|notice| println!("{notice}"));
    println!(
        "{}; default kind for one location: {}",
        calibration.machine,
        Kind::default_for(1, machine::cores())
    );
    println!(
        "{:.1} million iterations/s, clock {:.6} GHz in steps of {:.0} ns, sleeps {:.1} µs late (p99 {:.0} µs)",
        calibration.rates.iterations_per_second / 1e6,
        calibration.rates.ticks_per_second / 1e9,
        calibration.timer_resolution_seconds * 1e9,
        calibration.sleep_overshoot_median_seconds * 1e6,
        calibration.sleep_overshoot_p99_seconds * 1e6,
    );
    println!("{:8} {:>15} {:>15} {:>15} {:>15} {:>15}", "kind", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms");
    for kind in kinds {
        let config = Config { kind, rates: Some(calibration.rates), ..Config::default() };
        let rows = DURATIONS_SECONDS.iter().flat_map(|seconds| {
            let repeats = (BUDGET_SECONDS / seconds).clamp(5.0, 5_000.0) as usize;
            precision(config, &[*seconds], repeats)
        });
        println!("{kind:8} {}", rows.map(cell).collect::<Vec<_>>().join(" "));
    }
    amounts();
}

/// Prints the time of one operation, and by how much longer four times as many take: 4 if all are done.
fn amounts() {
    const OPERATIONS: u64 = 10_000_000;
    println!("\n{:8} {:>15} {:>15}", "amount", "ns/operation", "4 times as many");
    let memory = |operations| {
        let (loads, stores) = (operations / 2, operations / 2);
        do_memory(&MemoryWork { loads, stores, working_set_bytes: 32 << 20, stride_bytes: 64 });
    };
    for (name, work) in [("flops", &do_flops as &dyn Fn(u64)), ("int_ops", &do_int_ops), ("memory", &memory)]
    {
        let shortest = |operations| {
            let time = || {
                let begin = now();
                work(operations);
                now() - begin
            };
            (0..10).map(|_| time()).fold(f64::INFINITY, f64::min)
        };
        let (once, four_times) = (shortest(OPERATIONS), shortest(4 * OPERATIONS));
        println!("{name:8} {:>15.2} {:>15.2}", once * 1e9 / OPERATIONS as f64, four_times / once);
    }
}

fn cell(row: Row) -> String {
    format!("{:>15}", format!("{:.3}/{:.2}", 100.0 * row.median_error, 100.0 * row.p99_error))
}
