//! A property that shows a time, a ratio and a number instead of a wait.

use ats_props::{Communicator, Counter, Seconds, count, do_work, property, region};

/// A solver takes most of the time, three times as long as assembling its matrix.
///
/// Every rank assembles for `work` and then iterates `k` times, three times as long in all.
#[property(
    finds = Time("solve"), formula = "T = 3·P·work",
    finds = Ratio { of: "solve", over: "assemble", at_least: 2.0 }, formula = "T(solve) / T(assemble) = 3",
    finds = Count(Counter::Witness("iterations"), "solve"), formula = "N = P·k"
)]
pub fn slow_solver(
    /// Work of a rank before the solver.
    #[default(Seconds(0.1))]
    work: Seconds,
    /// Iterations of the solver.
    #[default(20)]
    k: usize,
    _c: &dyn Communicator,
) {
    run([work.0, 3.0 * work.0], k);
}

/// Both take the same time, in one iteration.
pub fn balanced(work: Seconds, _k: usize, _c: &dyn Communicator) {
    run([2.0 * work.0; 2], 1);
}

fn run([assemble, solve]: [f64; 2], k: usize) {
    {
        let _region = region("assemble");
        do_work(assemble);
    }
    let _region = region("solve");
    for _ in 0..k {
        do_work(solve / k as f64);
        count("iterations", 1);
    }
}

#[cfg(test)]
mod tests {
    use ats_props::testing::{assert_close, simulate};

    use super::*;

    #[test]
    fn times_and_numbers_are_those_of_the_closed_forms() {
        for ranks in 1..=5 {
            let outcome = simulate(&PROPERTY, (ranks, 1), &[("work", "10ms"), ("k", "7")], false);
            let of = |name: &'static str| outcome.regions.iter().filter(move |sum| sum.region == name);
            assert_close(of("solve").map(|sum| sum.seconds).sum(), 0.03 * ranks as f64);
            assert_close(of("assemble").map(|sum| sum.seconds).sum(), 0.01 * ranks as f64);
            assert_eq!(of("solve").map(|sum| sum.counts["iterations"]).sum::<u64>(), 7 * ranks as u64);
        }
    }
}
