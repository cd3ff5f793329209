//! A property that shows a time, a ratio and a number instead of a wait.

use ats_props::{Balance, Communicator, Counter, Seconds, count, do_work, property, region};

/// A solver takes most of the time, three times as long as assembling its matrix.
///
/// Every rank assembles for `work` and then iterates `k` times, three times as long in all.
#[property(
    finds = Time("solve"), formula = 3 * P * work,
    finds = Ratio { of: "solve", over: "assemble", at_least: 2.0 }, formula = 3,
    finds = Count(Counter::Witness("iterations"), "solve"), formula = P * max(1, k), twin = P
)]
pub fn slow_solver(
    /// Work of a rank before the solver.
    #[default(Seconds(0.1))]
    work: Seconds,
    /// Iterations of the solver; 0 counts as 1.
    #[default(20)]
    k: usize,
    _c: &dyn Communicator,
    balance: Balance,
) {
    // In the twin both take the same time, in one iteration.
    let [assemble, solve] = balance.pick([work.0, 3.0 * work.0], [2.0 * work.0; 2]);
    let k = balance.pick(k.max(1), 1);
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
    use ats_props::testing::assert_formulas;

    #[test]
    fn formulas_hold_for_the_property_and_its_twin() {
        assert_formulas(&super::PROPERTY);
    }
}
