//! Work is distributed unevenly over the threads of a team, and then they wait for the last.

use ats_omp::{Team, Thread};
use ats_work::do_work;

use crate::{Balance, Distribution};

/// Work of each thread in each of `r` repetitions.
pub(crate) struct UnevenTeam {
    pub(crate) work: Distribution,
    pub(crate) r: usize,
}

impl UnevenTeam {
    /// In one parallel region, all do this in each repetition: their shares, in the twin the mean, and the construct they
    /// wait at.
    pub(crate) fn run<T: Team>(
        self,
        balance: Balance,
        team: &T,
        repetition: impl Fn(&T::Thread, &Distribution) + Sync,
    ) {
        let work = balance.share(self.work, team.max_threads());
        team.parallel(team.max_threads(), |t| {
            for _ in 0..self.r {
                repetition(t, &work);
            }
        });
    }
}

/// Works for the shares of as many iterations or sections as there are threads.
pub(crate) fn shares(t: &(impl Thread + ?Sized), work: &Distribution) -> impl Fn(usize) {
    let threads = t.threads();
    move |i| do_work(work.value(i, threads, 1.0))
}
