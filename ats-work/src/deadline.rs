//! Working until a deadline: common parts and differences of the kinds of work.
//!
//! Clock, operating system and work are parameters, so that the tests run on a scripted clock.

use crate::clock::Clock;
use crate::os::Os;

/// The time between the wake-up of hybrid work and its deadline: longer than nearly all late wake-ups, in seconds.
pub(crate) const MARGIN: f64 = 100e-6;

/// The time that yielding work keeps its core, in seconds.
pub(crate) const SLICE: f64 = 20e-6;

/// Works until `deadline`. The last chunks are smaller, so that it ends soon after.
pub(crate) fn spin<C: Clock>(clock: &C, deadline: u64, mut work: impl FnMut(u64)) {
    let mut now = clock.now();
    let mut chunk_ticks = 0;
    while now < deadline {
        let is_near = deadline - now < 2 * chunk_ticks;
        work(if is_near { C::CHUNK / 8 } else { C::CHUNK });
        let after = clock.now();
        if !is_near {
            chunk_ticks = after - now;
        }
        now = after;
    }
}

/// Works until `deadline` and gives the core away after every [`SLICE`].
pub(crate) fn spin_yielding<C: Clock>(clock: &C, os: &impl Os, deadline: u64, mut work: impl FnMut(u64)) {
    loop {
        spin(clock, deadline.min(clock.deadline(SLICE)), &mut work);
        if clock.now() >= deadline {
            return;
        }
        os.give_way();
    }
}

/// Sleeps until [`MARGIN`] before `seconds` have passed and works the rest.
pub(crate) fn sleep_then_spin<C: Clock>(clock: &C, os: &impl Os, seconds: f64, work: impl FnMut(u64)) {
    let deadline = clock.deadline(seconds);
    if seconds > MARGIN {
        os.sleep(seconds - MARGIN);
    }
    spin(clock, deadline, work);
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    /// A machine whose iterations take 10 ns, a look at the clock 5 ns, and nothing else any time except what the
    /// script says.
    #[derive(Default)]
    struct Scripted {
        ns: Cell<u64>,
        /// The delay of the end of a sleep.
        late_wake_up_ns: u64,
        /// The time that others keep the core.
        others_ns: u64,
        slept_ns: Cell<u64>,
        gave_way_at: RefCell<Vec<u64>>,
        iterations: Cell<u64>,
    }

    impl Scripted {
        fn work(&self, iterations: u64) {
            self.iterations.set(self.iterations.get() + iterations);
            self.pass(10 * iterations);
        }

        fn pass(&self, ns: u64) {
            self.ns.set(self.ns.get() + ns);
        }
    }

    impl Clock for Scripted {
        const CHUNK: u64 = 64;

        fn now(&self) -> u64 {
            self.pass(5);
            self.ns.get()
        }

        fn ticks_per_second(&self) -> f64 {
            1e9
        }
    }

    impl Os for Scripted {
        fn sleep(&self, seconds: f64) {
            let ns = (seconds * 1e9).round() as u64;
            self.slept_ns.set(self.slept_ns.get() + ns);
            self.pass(ns + self.late_wake_up_ns);
        }

        fn give_way(&self) {
            self.gave_way_at.borrow_mut().push(self.ns.get());
            self.pass(self.others_ns);
        }
    }

    #[test]
    fn spinning_ends_within_a_small_chunk_after_its_deadline() {
        for deadline in [1, 9, 700, 10_000, 1_000_000] {
            let machine = Scripted::default();
            spin(&machine, deadline, |n| machine.work(n));
            let over = machine.ns.get() - deadline;
            let last_step = if deadline < 1_000 { 645 } else { 85 };
            assert!(over <= last_step, "{over} ns late at {deadline} ns");
            assert!(machine.iterations.get() * 10 <= machine.ns.get());
        }
    }

    #[test]
    fn a_deadline_that_has_passed_is_no_work() {
        let machine = Scripted { ns: Cell::new(100), ..Scripted::default() };
        spin(&machine, 100, |n| machine.work(n));
        assert_eq!(machine.iterations.get(), 0);
    }

    #[test]
    fn yielding_work_gives_way_every_slice_and_never_past_the_deadline() {
        let machine = Scripted { others_ns: 10_000, ..Scripted::default() };
        spin_yielding(&machine, &machine, 100_000, |n| machine.work(n));
        let gave_way_at = machine.gave_way_at.borrow();
        // Slices of 20 µs alternate with 10 µs of the others: the fourth slice crosses 100 µs.
        assert_eq!(gave_way_at.len(), 3);
        for (slice, at) in gave_way_at.iter().enumerate() {
            let expected = 20_000 + slice as u64 * 30_000;
            assert!(at.abs_diff(expected) < 500, "{at} ns instead of {expected}");
        }
        assert!(machine.ns.get() - 100_000 < 100);
    }

    #[test]
    fn yielding_work_that_comes_back_too_late_does_no_more() {
        let machine = Scripted { others_ns: 1_000_000, ..Scripted::default() };
        spin_yielding(&machine, &machine, 100_000, |n| machine.work(n));
        assert_eq!(machine.gave_way_at.borrow().len(), 1);
        assert!(machine.iterations.get() * 10 < 20_100);
    }

    #[test]
    fn hybrid_work_makes_up_for_a_late_wake_up() {
        let machine = Scripted { late_wake_up_ns: 60_000, ..Scripted::default() };
        sleep_then_spin(&machine, &machine, 0.001, |n| machine.work(n));
        assert_eq!(machine.slept_ns.get(), 900_000);
        assert!(machine.iterations.get().abs_diff(4_000) < 64);
        assert!(machine.ns.get() - 1_000_000 < 100);
    }

    #[test]
    fn short_hybrid_work_does_not_sleep() {
        let machine = Scripted::default();
        sleep_then_spin(&machine, &machine, 0.0001, |n| machine.work(n));
        assert_eq!(machine.slept_ns.get(), 0);
        assert!(machine.ns.get() - 100_000 < 100);
    }
}
