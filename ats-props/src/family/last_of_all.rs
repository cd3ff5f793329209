//! Waits of rank 0 in one call for all others; the last one decides.

use crate::family::{hub, uneven::Uneven};
use crate::{Communicator, Distribution};

/// Work of each rank in each of `r` repetitions, before rank 0 waits for all.
pub(crate) struct LastOfAll {
    pub(crate) others: Distribution,
    pub(crate) first: f64,
    pub(crate) r: usize,
}

impl LastOfAll {
    /// In each repetition every rank works, all exchange messages with rank 0, and a barrier lets them begin together
    /// again.
    pub(crate) fn run(self, c: &dyn Communicator, messages: impl Fn()) {
        self.work().run(c, in_step(c, messages));
    }

    /// The same with the mean for every rank.
    pub(crate) fn balanced(self, c: &dyn Communicator, messages: impl Fn()) {
        self.work().balanced(c, in_step(c, messages));
    }

    fn work(self) -> Uneven {
        Uneven { work: hub::work(self.first, self.others), r: self.r }
    }
}

fn in_step(c: &dyn Communicator, messages: impl Fn()) -> impl Fn() {
    move || {
        messages();
        c.barrier();
    }
}

/// Waits of rank 0, and of the others: seconds of each repetition, given rank 0's work, the rank's, and the most of
/// all.
#[cfg(test)]
pub(crate) type Waits = fn(f64, f64, f64) -> f64;

/// Asserts that rank 0 waits in that call for the extra work of the last, and the others in these calls, and that the
/// twin does not wait.
#[cfg(test)]
pub(crate) fn assert_the_last_counts(
    property: &'static crate::Property,
    others: &[(crate::WaitState, &'static str, Waits)],
) {
    use crate::testing::{DISTRIBUTIONS, Shows, assert_shows, assert_silent};

    let cases = DISTRIBUTIONS.into_iter().flat_map(|text| [(text, "10ms", 0.01), (text, "30ms", 0.03)]);
    for (text, basework, base) in cases {
        let distribution: Distribution = text.parse().unwrap();
        for ranks in crate::testing::ranks(property) {
            let work = |rank| if rank == 0 { base } else { distribution.value(rank, ranks, 1.0) };
            let most = (0..ranks).map(work).fold(base, f64::max);
            let of_first = |rank, _| if rank == 0 { 5.0 * (most - base) } else { 0.0 };
            let of_others: Vec<_> = others
                .iter()
                .map(|&(state, call, waits)| {
                    let seconds =
                        move |rank, _| if rank == 0 { 0.0 } else { 5.0 * waits(base, work(rank), most) };
                    (state, [property.name, call], seconds)
                })
                .collect();
            let in_waitall = [property.name, crate::MpiFunction::Waitall.name()];
            let first =
                Shows { state: property.finds.wait_state(), call_path: &in_waitall, seconds: &of_first };
            let others = of_others.iter().map(|(state, call_path, seconds)| Shows {
                state: Some(*state),
                call_path,
                seconds,
            });
            let shows: Vec<Shows<'_>> = [first].into_iter().chain(others).collect();
            let given = [("distribution", text), ("basework", basework), ("r", "5")];
            assert_shows(property, (ranks, 1), &given, &shows);
            assert_silent(property, ranks, &given);
        }
    }
}
