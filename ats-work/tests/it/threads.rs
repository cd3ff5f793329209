//! Work on real threads: its results belong to the thread, follow its configuration, and can be taken over.

use std::cell::{Cell, RefCell};

use crate::turn;
use ats_work::calibration::Rates;
use ats_work::{
    Amount, Config, Executor, Kind, MemoryWork, configure, configure_thread, do_flops, do_int_ops, do_memory,
    do_work, install, thread_checksum,
};

/// Counted work whose iterations do not depend on the machine: a million in a second.
fn counted(seed: u64) -> Config {
    let rates = Rates { iterations_per_second: 1e6, ticks_per_second: 1e9 };
    Config { kind: Kind::Counted, seed, rates: Some(rates) }
}

/// Runs on a thread of its own, so that its state is new.
fn on_new_thread<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| scope.spawn(run).join().unwrap())
}

fn checksum_after(config: Config, seconds: &[f64]) -> u64 {
    on_new_thread(|| {
        configure_thread(config);
        seconds.iter().for_each(|seconds| do_work(*seconds));
        thread_checksum()
    })
}

#[test]
fn counted_work_is_the_same_in_every_run_with_the_same_seed() {
    let _turn = turn();
    let once = checksum_after(counted(1), &[0.001, 0.002]);
    assert_eq!(once, checksum_after(counted(1), &[0.001, 0.002]));
    assert_eq!(once, checksum_after(counted(1), &[0.003]), "the same iterations in one piece");
    assert_ne!(once, checksum_after(counted(1), &[0.003, 0.000001]), "one iteration more");
    assert_ne!(once, checksum_after(counted(2), &[0.003]));
}

#[test]
fn a_threads_work_does_not_touch_anothers() {
    let _turn = turn();
    let alone = checksum_after(counted(1), &[0.01]);
    let together: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| checksum_after(counted(1), &[0.01]))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(together, [alone; 4]);
}

#[test]
fn no_time_is_no_work() {
    let _turn = turn();
    for kind in Kind::ALL {
        let config = Config { kind, ..counted(1) };
        let idle = checksum_after(config, &[]);
        let none = [0.0, -0.0, -1.0, f64::NEG_INFINITY, f64::NAN, f64::INFINITY];
        assert_eq!(checksum_after(config, &none), idle, "{kind}");
    }
}

#[test]
fn work_is_done_unless_it_is_sleep_or_none() {
    let _turn = turn();
    // Hybrid is missing: after a late wake-up nothing is left to do.
    for kind in [Kind::Spin, Kind::Yield, Kind::Cpu, Kind::Counted, Kind::Sleep, Kind::None] {
        let config = Config { kind, rates: None, ..counted(1) };
        let worked = checksum_after(config, &[0.02]) != checksum_after(config, &[]);
        assert_eq!(worked, !matches!(kind, Kind::Sleep | Kind::None), "{kind}");
    }
}

#[test]
fn threads_of_one_process_draw_from_different_parts_of_the_sequence() {
    let _turn = turn();
    configure(counted(1));
    let sum = || {
        do_work(0.001);
        thread_checksum()
    };
    let sums = [on_new_thread(sum), on_new_thread(sum), on_new_thread(sum)];
    assert!(sums[0] != sums[1] && sums[1] != sums[2] && sums[0] != sums[2], "{sums:?}");
}

#[test]
fn a_new_configuration_reaches_a_thread_that_is_at_work() {
    let _turn = turn();
    on_new_thread(|| {
        let under = |config| {
            configure(config);
            do_work(0.001);
            thread_checksum()
        };
        let (first, other, again) = (under(counted(1)), under(counted(2)), under(counted(1)));
        assert_ne!(first, other);
        assert_eq!(first, again, "the generator starts anew, in the same part of the sequence");
    });
}

#[test]
fn a_thread_with_its_own_configuration_keeps_it() {
    let _turn = turn();
    let undisturbed = checksum_after(counted(1), &[0.002]);
    let disturbed = on_new_thread(|| {
        configure_thread(counted(1));
        do_work(0.001);
        configure(counted(2));
        do_work(0.001);
        thread_checksum()
    });
    assert_eq!(disturbed, undisturbed);
}

const MEMORY: MemoryWork = MemoryWork { loads: 10, stores: 20, working_set_bytes: 800, stride_bytes: 8 };

#[test]
fn work_by_amount_is_in_the_checksum() {
    let _turn = turn();
    let after = |work: fn()| {
        on_new_thread(|| {
            configure_thread(counted(1));
            work();
            thread_checksum()
        })
    };
    let none = after(|| {});
    for work in [|| do_flops(3), || do_int_ops(3), || do_memory(&MEMORY)] as [fn(); 3] {
        assert_ne!(after(work), none);
        assert_eq!(after(work), after(work));
    }
    assert_ne!(after(|| do_flops(3)), after(|| do_flops(4)));
    assert_ne!(after(|| do_int_ops(3)), after(|| do_int_ops(4)));
}

/// An engine that notes the work it is asked for instead of doing it.
#[derive(Default)]
struct Noting {
    seconds: Cell<f64>,
    amounts: RefCell<Vec<Amount>>,
}

impl Executor for Noting {
    fn work(&self, seconds: f64) {
        self.seconds.set(self.seconds.get() + seconds);
    }

    fn amount(&self, amount: &Amount) {
        self.amounts.borrow_mut().push(*amount);
    }

    fn enter(&self, _: &'static str) {}

    fn leave(&self, _: &'static str) {}

    fn now(&self) -> f64 {
        self.seconds.get()
    }
}

#[test]
fn an_engine_takes_work_over() {
    let _turn = turn();
    on_new_thread(|| {
        configure_thread(counted(1));
        let idle = thread_checksum();
        let engine: &'static Noting = Box::leak(Box::default());
        install(Some(engine));
        do_work(1e9);
        do_flops(u64::MAX);
        do_int_ops(7);
        do_memory(&MEMORY);
        install(None);
        assert_eq!(engine.seconds.get(), 1e9);
        assert_eq!(
            *engine.amounts.borrow(),
            [Amount::Flops(u64::MAX), Amount::IntOps(7), Amount::Memory(MEMORY)]
        );
        assert_eq!(thread_checksum(), idle);
    });
}
