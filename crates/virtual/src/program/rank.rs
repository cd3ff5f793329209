#![allow(unsafe_code, reason = "coroutines are 'static by type, but borrow the program they run")]
//! The coroutine of a rank.

use corosensei::Coroutine;

use crate::kernel::stack::SlabStack;
use crate::kernel::time::Picoseconds;
use crate::program::communicator::VirtualCommunicator;
use crate::world;

/// A rank that runs a program.
pub(crate) type Rank = Coroutine<(), (), (), SlabStack>;

/// Rank `rank` of `ranks`, ready to run `program`; between `MPI_Init` and `MPI_Finalize` if this is to come `finalize_after` it.
///
/// # Safety
/// `program` outlives the coroutine.
pub(crate) unsafe fn spawn<P: Fn(VirtualCommunicator)>(
    program: &P,
    rank: usize,
    ranks: usize,
    finalize_after: Option<Picoseconds>,
    stack: SlabStack,
) -> Rank {
    let body: Box<dyn FnOnce() + '_> = Box::new(move || {
        let communicator = VirtualCommunicator::world(rank, ranks);
        if finalize_after.is_some() {
            communicator.init_call();
        }
        program(communicator);
        world::kernel(|kernel| kernel.end(kernel.current));
        if let Some(after) = finalize_after {
            world::kernel(|kernel| kernel.advance(after));
            communicator.finalize();
        }
    });
    // SAFETY: only the lifetime changes; the caller keeps `program` longer than the coroutine.
    let body = unsafe { std::mem::transmute::<Box<dyn FnOnce() + '_>, Box<dyn FnOnce() + 'static>>(body) };
    Coroutine::with_stack(stack, move |yielder, ()| {
        world::started(yielder);
        body();
    })
}
