//! Parallel work.

use ats_distr::Distribution;
use ats_work::do_work;

use crate::Communicator;

/// Every member works for its share of a distribution, in seconds times `scale` (report, section 3.1.1).
pub fn par_do_mpi_work(distribution: &Distribution, scale: f64, c: &dyn Communicator) {
    do_work(distribution.value(c.rank(), c.size(), scale));
}
