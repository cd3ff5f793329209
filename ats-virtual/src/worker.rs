#![allow(
    unsafe_code,
    reason = "workers run a closure that stands on the stack of the thread that started them"
)]
//! Parallel regions: the coroutines of a team.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use ats_model::openmp::Construct;
use corosensei::Coroutine;

use crate::barrier::Point;
use crate::call::Frame;
use crate::crew::failure;
use crate::rank::Rank;
use crate::stack::SlabStack;
use crate::thread::VirtualThread;
use crate::world::{self, pause, world};

/// What every member of a team does. It stands on the stack of the team's master, who stays in [`parallel`] until nobody
/// uses it any more.
#[derive(Clone, Copy)]
pub(crate) struct Body(*const dyn Fn(&VirtualThread));

impl Body {
    fn of<'a>(body: &'a (dyn Fn(&VirtualThread) + 'a)) -> Self {
        // SAFETY: only the lifetime changes.
        let body = unsafe {
            std::mem::transmute::<
                &'a (dyn Fn(&VirtualThread) + 'a),
                &'static (dyn Fn(&VirtualThread) + 'static),
            >(body)
        };
        Body(body)
    }
}

/// A thread of a team other than its master, ready to run.
pub(crate) fn spawn(body: Body, stack: SlabStack) -> Rank {
    Coroutine::with_stack(stack, move |yielder, ()| {
        world::started(yielder);
        let thread = VirtualThread::begin();
        // SAFETY: the master waits in `parallel` for this thread, or gives up there and is unwound after it.
        unsafe { (*body.0)(&thread) };
        thread.meet(Construct::ImplicitBarrier, Point::End);
        world(|world| world.end_worker());
    })
}

/// Executes `body` on every member of a team of `threads`, of which the coroutine that runs is the master.
pub(crate) fn parallel(threads: usize, body: &dyn Fn(&VirtualThread)) {
    if threads == 0 {
        let failure =
            world(|world| world.misuse("a team of 0 threads was asked for: it has at least one".to_owned()));
        resume_unwind(Box::new(failure));
    }
    let frame = Frame::before(Construct::Parallel);
    world(|world| world.fork(threads as u32, Body::of(body)));
    let region = || {
        let thread = VirtualThread::begin();
        body(&thread);
        thread.meet(Construct::ImplicitBarrier, Point::End);
    };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(region)) {
        give_up(panic);
    }
    world(|world| world.join(&frame));
}

/// Ends the simulation because of a panic. What the team's other members use stays until they are gone.
fn give_up(panic: Box<dyn std::any::Any + Send>) -> ! {
    let over = world(|world| world.is_over);
    if over {
        resume_unwind(panic);
    }
    world(|world| {
        let failure = failure(world.place(world.current), panic);
        world.fail(failure);
    });
    loop {
        pause();
    }
}
