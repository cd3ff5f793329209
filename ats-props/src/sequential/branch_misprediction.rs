//! Branches that go by random bits.

use ats_props::{Amount, Balance, Branches, Counter, Seed, Share, cause, do_amount, property, region};

/// A branch goes one way or the other by random bits, which no processor can predict.
///
/// In each repetition the region `random` takes `n` branches, each by a new bit that is set with the probability `share`;
/// then the region `certain` takes as many by bits that are never set. The twin does so in both.
///
/// ```text
/// ├─ random ─────────────────┬─ certain ─┤
/// ```
///
/// A processor that always predicts the more probable way is wrong once in 1/min(`share`, 1 - `share`) branches, and none
/// can do better. The findings are the number of wrong predictions, and the time of one region over that of the other.
#[property(
    finds = Ratio { of: "random", over: "certain", at_least: 1.5 },
    twin = 1,
    finds = Count(MISPREDICTED, RANDOM),
    formula = round(n * r * min(share, 1 - share)),
    twin = 0
)]
pub fn branch_misprediction(
    /// Branches in a repetition.
    #[default(1_000_000)]
    n: usize,
    /// The probability of a set bit.
    #[default(Share(0.5))]
    share: Share,
    /// The seed of the bits.
    #[default(Seed(1))]
    seed: Seed,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let branches = |share, r: usize| {
        let seed = seed.0.wrapping_add(r as u64);
        do_amount(&Amount::Branches(Branches { number: n as u64, share, seed }));
    };
    let random = balance.pick(share.0, 0.0);
    {
        let _region = region(RANDOM);
        (0..r).for_each(|r| branches(random, r));
        let wrong = (n * r) as f64 * random.min(1.0 - random);
        cause(MISPREDICTED.metric(RANDOM), wrong.round() as u64);
    }
    let _region = region("certain");
    (0..r).for_each(|r| branches(0.0, r));
}

/// The region of the random bits.
const RANDOM: &str = "random";

/// Branches that went another way than predicted.
const MISPREDICTED: Counter = Counter::Hardware { name: "PAPI_BR_MSP", within_percent: 20 };
