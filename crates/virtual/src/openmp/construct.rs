//! Entry into constructs.

use ats_model::openmp::Construct;

use crate::kernel::call::Frame;
use crate::kernel::state::Kernel;

/// The location that runs enters a construct.
pub(crate) fn enter(kernel: &mut Kernel<'_>, construct: Construct) -> Frame {
    kernel.operations += 1;
    let region = kernel.regions.get(construct.region());
    kernel.enter(region)
}

/// The location that runs is about to enter a construct's region, but something else comes first.
pub(crate) fn before(kernel: &mut Kernel<'_>, construct: Construct) -> Frame {
    kernel.operations += 1;
    let region = kernel.regions.get(construct.region());
    kernel.begin(region)
}
