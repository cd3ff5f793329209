//! Precision of work's duration here and now.

use crate::clock::{Clock, Monotonic, ThreadCpu};
use crate::quantile::quantile;
use crate::{Config, Kind, do_work, install, perform};

/// The precision of one duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The duration asked for, in seconds.
    pub seconds: f64,
    /// The median of the relative error, without sign: 0.01 is one percent.
    pub median_error: f64,
    /// Its 99th percentile.
    pub p99_error: f64,
}

/// Works `repeats` times (at least once) for each of `durations`, in seconds, and compares with the clock that the kind
/// promises to obey: processor time of the thread for [`Kind::Cpu`], else the wall clock.
///
/// Runs on a thread of its own, so that the caller's configuration stays.
pub fn precision(config: Config, durations: &[f64], repeats: usize) -> Vec<Row> {
    let measure = || {
        install(None);
        perform::configure_thread(config);
        durations.iter().map(|seconds| row(config.kind, *seconds, repeats)).collect()
    };
    std::thread::scope(|scope| {
        scope.spawn(measure).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn row(kind: Kind, seconds: f64, repeats: usize) -> Row {
    let error = || match kind {
        Kind::Cpu => relative_error(&ThreadCpu, seconds),
        _ => relative_error(&Monotonic, seconds),
    };
    error(); // The first one finds caches and branch predictors cold.
    let mut errors: Vec<f64> = (0..repeats.max(1)).map(|_| error()).collect();
    errors.sort_by(f64::total_cmp);
    Row { seconds, median_error: quantile(&errors, 0.5), p99_error: quantile(&errors, 0.99) }
}

fn relative_error(clock: &impl Clock, seconds: f64) -> f64 {
    let begin = clock.now();
    do_work(seconds);
    let took = (clock.now() - begin) as f64 / clock.ticks_per_second();
    (took - seconds).abs() / seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_for_each_duration() {
        let config = Config { kind: Kind::Sleep, ..Config::default() };
        let rows = precision(config, &[1e-5, 2e-5], 0);
        assert_eq!(rows.iter().map(|row| row.seconds).collect::<Vec<_>>(), [1e-5, 2e-5]);
        assert!(rows.iter().all(|row| row.median_error.is_finite() && row.median_error <= row.p99_error));
    }
}
