//! Expensive functions of the library.

use ats_props::{Amount, Balance, Counter, Multiplications, count, do_amount, property, region};

/// A process evaluates sines and cosines where cheaper operations would do.
///
/// In each repetition the region `evaluate` evaluates `k` sines and `k` cosines; then the region `multiply` does as many
/// multiplications. The twin multiplies in both.
///
/// ```text
/// ├─ evaluate ───────────────┬─ multiply ─┤
/// ```
///
/// The findings are the number of evaluations, which the program counts itself, and the time of one region over that of
/// the other.
#[property(
    finds = Count(EVALUATIONS, EVALUATE),
    formula = 2 * k * r,
    twin = 0,
    finds = Ratio { of: "evaluate", over: "multiply", at_least: 2.0 },
    twin = 1
)]
pub fn intrinsic_function_call(
    /// Sines, and as many cosines, in a repetition.
    #[default(100_000)]
    k: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let multiply = Amount::Multiplications(Multiplications {
        number: 2 * k as u64,
        independent: false,
        subnormal: false,
    });
    let (evaluate, evaluations) = balance.pick((Amount::Sines(k as u64), 2 * k as u64), (multiply, 0));
    for _ in 0..r {
        let _region = region(EVALUATE);
        do_amount(&evaluate);
        count(EVALUATIONS.metric(EVALUATE), evaluations);
    }
    for _ in 0..r {
        let _region = region("multiply");
        do_amount(&multiply);
    }
}

/// The region of the evaluations.
const EVALUATE: &str = "evaluate";

/// Evaluations of a sine or cosine.
const EVALUATIONS: Counter = Counter::Witness("evaluations");
