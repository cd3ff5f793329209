//! A non-blocking operation that makes no progress during the work that is to hide it.

use ats_mpi::{Datatype, Op, ReduceOp};
use ats_props::{Balance, Bytes, Communicator, Seconds, do_work, property, region};

use crate::family::started::overlapped;

/// Ranks start an allreduce and work on, but its data is transferred only when they wait for it.
///
/// In the region `apart`, every rank works `overlap` and reduces `bytes` in a blocking call. In the region `overlapped`
/// it starts to reduce as much, works `overlap` and waits for the result. `bytes` are rounded down to a multiple of 8.
///
/// ```text
/// all  ├─ overlap ─┼─ MPI_Allreduce ─┼─ overlap ─┬─ MPI_Wait ─┤
///      └────────── apart ────────────┴─────── overlapped ─────┘
///                              MPI_Iallreduce
/// ```
///
/// All ranks come at the same time, so none waits for another, and no wait state shows: the finding is the time of one
/// region over that of the other. It is 1 if a library makes progress only inside of calls, as in virtual time here,
/// unless `--network progress=always` is given; if it makes progress by itself, the longer one of work and operation
/// hides the shorter one. A real run measures its library, and any ratio is right: it is above 1 if the library is
/// faster in the blocking operation.
///
/// In virtual time an operation takes t = ceil(log2 P)·`bytes` at 100 MB/s, unless `--network` has another bandwidth.
/// The twin works before it starts the operation, in both regions.
#[property(
    finds = Ratio { of: "overlapped", over: "apart", at_least: 0.0 },
    formula = 1,
    min_ranks = 2,
    progress = Calls,
    bandwidth = 1e8
)]
pub fn no_overlap_nonblocking_collective(
    /// Work of every rank before the blocking operation, and again between start and `MPI_Wait` of the other.
    #[default(Seconds(0.02))]
    overlap: Seconds,
    /// Size of the data of a rank.
    #[default(Bytes::Exactly(1 << 20))]
    bytes: Bytes,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    // The twin: all of the work is before the start.
    reduce(balance.pick([0.0, overlap.0], [overlap.0, 0.0]), bytes, r, c);
}

/// Work before the start of the non-blocking operation, and between that and the wait for it; as much in all before the
/// blocking one.
fn reduce([before, between]: [f64; 2], bytes: Bytes, r: usize, c: &dyn Communicator) {
    let count = bytes.on(c) / Datatype::Double.size();
    let buf = || c.alloc_mpi_buf(Datatype::Double, count);
    let op = Op::Allreduce { op: ReduceOp::Min, send: buf(), recv: buf() };
    for _ in 0..r {
        {
            let _region = region("apart");
            do_work(before + between);
            c.call(op.clone());
        }
        let _region = region("overlapped");
        do_work(before);
        overlapped(op.clone(), between, c);
    }
}

#[cfg(test)]
mod tests {
    use ats_virtual::Network;

    use super::*;
    use crate::Progress;
    use crate::testing::{RANKS, assert_close, simulate_on};

    const BYTES: usize = 1_000_000;

    #[test]
    fn without_progress_nothing_is_hidden_and_with_it_the_shorter_one_of_work_and_operation_is() {
        let bytes = BYTES.to_string();
        for ranks in RANKS {
            let rounds = (ranks as f64).log2().ceil();
            let operation = rounds * BYTES as f64 / 1e9;
            for (at, overlap) in [0.0, 0.0005, 0.0025, 0.008].into_iter().enumerate() {
                let r = 1 + (ranks + 2 * at) % 7;
                let (overlap_text, r_text) = (overlap.to_string(), r.to_string());
                let given = [("overlap", &*overlap_text), ("bytes", &*bytes), ("r", &*r_text)];
                let apart = overlap + operation;
                let cases = [(Progress::Calls, apart), (Progress::Always, f64::max(overlap, operation))];
                for (progress, together) in cases {
                    let network = Network { progress: Some(progress), bandwidth: 1e9, ..Network::default() };
                    let outcome = simulate_on(network, &PROPERTY, (ranks, 1), &given, false);
                    assert!(outcome.waits.is_empty(), "{:?}", outcome.waits);
                    let all = r as f64 * (apart + together);
                    outcome.ends.iter().for_each(|&end| assert_close(end, all));
                    for (region, seconds) in [("apart", apart), ("overlapped", together)] {
                        let sums = outcome.regions.iter().filter(|sum| sum.region == region);
                        assert_eq!(sums.clone().count(), ranks);
                        sums.for_each(|sum| assert_close(sum.seconds, r as f64 * seconds));
                    }
                }
            }
        }
    }
}
