//! Parallel work.

use ats_distr::Distribution;
use ats_work::do_work;

use crate::Thread;

/// Every thread of the team works for its share of a distribution, in seconds times `scale` (report, section 3.1.1).
#[inline(always)]
pub fn par_do_omp_work(distribution: &Distribution, scale: f64, t: &(impl Thread + ?Sized)) {
    do_work(distribution.value(t.number(), t.threads(), scale));
}
