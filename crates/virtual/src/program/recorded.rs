//! Time and order for a program that repeats a trace, in the engine's own unit.

use crate::kernel::time::Picoseconds;
use crate::program::executor::await_turn;
use crate::world::{in_order_at, kernel, omp, pause};

/// The clock of the location that runs.
pub fn clock() -> Picoseconds {
    kernel(|kernel| kernel.now())
}

/// The location that runs works, on its processor.
pub fn work(ticks: Picoseconds) {
    if kernel(|kernel| kernel.turns.is_some()) {
        await_turn();
    }
    kernel(|kernel| {
        kernel.may_stop();
        kernel.work(ticks);
    });
}

/// Time passes on the location that runs, without work.
pub fn advance(ticks: Picoseconds) {
    kernel(|kernel| kernel.advance(ticks));
}

/// Waits until nothing can happen before `time` any more. The clock does not change.
pub fn await_order_at(time: Picoseconds) {
    in_order_at(time);
}

/// Waits until the location that runs has a lock of its process: of those that wait, it goes to the one that asked first. It
/// may have it already. Returns the number of the acquisition, from 1.
pub fn acquire_lock(lock: u32) -> u32 {
    in_order_at(clock());
    let number = omp(|omp, kernel| omp.locks.recorded(kernel.rank() as u32, lock));
    if !omp(|omp, kernel| omp.request_lock(kernel, number, None, true)) {
        pause();
    }
    omp(|omp, _| omp.locks.get(number).acquisitions)
}

/// Gives a lock back, if the location that runs has it. Returns the number of its acquisition.
pub fn release_lock(lock: u32) -> u32 {
    omp(|omp, kernel| {
        let number = omp.locks.recorded(kernel.rank() as u32, lock);
        let acquisitions = omp.locks.get(number).acquisitions;
        if omp.locks.get(number).holder == Some(kernel.number()) {
            omp.release_lock(kernel, number);
        }
        acquisitions
    })
}

/// Names a signal.
pub type SignalKey = u128;

/// Gives a signal, which others wait for; a second time it changes nothing.
pub fn give_signal(key: SignalKey) {
    kernel(|kernel| {
        let now = kernel.now();
        for location in kernel.signals.give(key, now) {
            kernel.ready(location);
        }
    });
}

/// The time when a signal was given; `None` if it was not yet.
pub fn given_signal(key: SignalKey) -> Option<Picoseconds> {
    kernel(|kernel| kernel.signals.given(key))
}

/// Waits until a signal is given.
pub fn await_signal(key: SignalKey) {
    loop {
        if let Some(time) = kernel(|kernel| kernel.signals.ask(key, kernel.number())) {
            return kernel(|kernel| kernel.advance_to(kernel.now().max(time)));
        }
        pause();
    }
}

/// Forgets a signal that has no use any more.
pub fn forget_signal(key: SignalKey) {
    kernel(|kernel| kernel.signals.forget(key));
}
