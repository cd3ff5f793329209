//! The offset of a process's clock from rank 0's.

use ats_mpi::real::MpiCommunicator;
use ats_mpi::real::clock::offset_to_rank0;
use ats_trace::ClockOffset;

/// Measures it, collectively.
pub(crate) fn measure(world: &MpiCommunicator) -> ClockOffset {
    let offset = offset_to_rank0(world);
    ClockOffset { time: offset.at_ns, offset: offset.offset_ns, standard_deviation: 0.0 }
}

/// A time of this process on rank 0's clock, both in nanoseconds: on the line through the offsets that were measured
/// first and last, as readers of the trace draw it, but rounded down.
pub(crate) fn on_rank_0s_clock(offsets: &[ClockOffset], ns: u64) -> i64 {
    let [first, .., last] = offsets else {
        return ns as i64 + offsets.first().map_or(0, |only| only.offset);
    };
    let since_first = i128::from(ns) - i128::from(first.time);
    let drift = since_first * i128::from(last.offset - first.offset);
    let drift = drift.div_euclid(i128::from((last.time - first.time).max(1)));
    ns as i64 + first.offset + drift as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_of_the_measurements_are_on_the_line_through_them() {
        let offsets = [(100, 10), (200, 30)].map(|(time, offset)| ClockOffset {
            time,
            offset,
            standard_deviation: 0.0,
        });
        assert_eq!([50, 100, 203].map(|ns| on_rank_0s_clock(&offsets, ns)), [50, 110, 233]);
        assert_eq!([on_rank_0s_clock(&offsets[..1], 50), on_rank_0s_clock(&[], 50)], [60, 50]);
    }
}
