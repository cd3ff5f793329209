//! The checksum of a process: the same for any thread, order and duration of the work.

use crate::turn;
use ats_work::calibration::Rates;
use ats_work::{Config, Kind, MemoryWork, checksum, configure, do_flops, do_int_ops, do_memory, do_work};

fn config(kind: Kind, seed: u64) -> Config {
    Config { kind, seed, rates: Some(Rates { iterations_per_second: 1e6, ticks_per_second: 1e9 }) }
}

/// The checksum of threads that work for these seconds each.
fn checksum(config: Config, threads: &[&[f64]]) -> u64 {
    let _turn = turn();
    configure(config);
    checksum::start();
    std::thread::scope(|scope| {
        for seconds in threads {
            scope.spawn(|| seconds.iter().for_each(|seconds| do_work(*seconds)));
        }
    });
    checksum::sum()
}

#[test]
fn it_is_that_of_the_work_asked_for() {
    let none = config(Kind::None, 1);
    let one = checksum(none, &[&[0.01, 0.02], &[0.02]]);
    for same in [&[&[0.02, 0.01], &[0.02][..]][..], &[&[0.02, 0.02, 0.01]], &[&[0.02], &[0.01], &[0.02]]] {
        assert_eq!(checksum(none, same), one, "{same:?}");
    }
    for other in [&[&[0.01, 0.02][..]][..], &[&[0.01, 0.02, 0.02, 0.02]], &[&[0.01, 0.02, 0.020000001]]] {
        assert_ne!(checksum(none, other), one, "{other:?}");
    }
    assert_ne!(
        checksum(config(Kind::None, 2), &[&[0.01, 0.02], &[0.02]]),
        one,
        "another seed computes something else"
    );
    assert_eq!(checksum(none, &[&[0.0, -1.0, f64::NAN, f64::INFINITY]]), checksum(none, &[]), "no work");
}

#[test]
fn every_kind_has_the_same() {
    let threads: [&[f64]; 2] = [&[0.0002, 0.001], &[0.0005]];
    for kind in Kind::ALL {
        assert_eq!(checksum(config(kind, 1), &threads), checksum(config(Kind::None, 1), &threads), "{kind}");
    }
}

#[test]
fn amounts_are_in_it() {
    let memory = |loads| MemoryWork { loads, stores: 20, working_set_bytes: 800, stride_bytes: 8 };
    let of = |work: &dyn Fn()| {
        let _turn = turn();
        checksum::start();
        work();
        checksum::sum()
    };
    let works: [&dyn Fn(); 6] = [
        &|| do_flops(3),
        &|| do_flops(4),
        &|| do_int_ops(3),
        &|| do_int_ops(4),
        &|| do_memory(&memory(10)),
        &|| do_memory(&memory(11)),
    ];
    for (at, work) in works.iter().enumerate() {
        assert_eq!(of(work), of(work));
        assert!(works[..at].iter().all(|other| of(other) != of(work)), "{at}");
    }
}
