//! Relation of the ranks' clocks. A clock here is [`ats_work::log::now_ns`], the monotonic clock of a machine.

use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};

use ats_work::log::now_ns;

use super::{MpiCommunicator, quiet};
use crate::Communicator;

/// Round trips that a measurement chooses the shortest of.
const ROUND_TRIPS: usize = 20;
const TAG: c_int = 1;

/// One measurement: rank 0's time = own time + offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockOffset {
    /// When it was made, on this rank's clock, in nanoseconds.
    pub at_ns: u64,
    /// To be added to this rank's time, in nanoseconds.
    pub offset_ns: i64,
}

/// Measures this rank's offset to rank 0 of `c`. All members call it together.
///
/// Processes of one machine have one clock: their offset is 0 exactly. For the others rank 0 answers one after the
/// other; the shortest of twenty round trips counts, and its error is below half its duration.
pub fn offset_to_rank0(c: &MpiCommunicator) -> ClockOffset {
    let comm = c.quiet();
    let machine = machine();
    let same = quiet::from_rank_0(comm, machine) == machine;
    let machines = quiet::to_rank_0(comm, machine, c.size());
    if c.rank() == 0 {
        for peer in (1..c.size()).filter(|&peer| machines[peer] != machine) {
            for _ in 0..ROUND_TRIPS {
                quiet::recv(comm, peer, TAG, &mut []);
                quiet::send(comm, peer, TAG, &now_ns().to_le_bytes());
            }
        }
    }
    if same {
        return ClockOffset { at_ns: now_ns(), offset_ns: 0 };
    }
    let round_trip = |_| {
        let mut theirs = [0; 8];
        let sent = now_ns();
        quiet::send(comm, 0, TAG, &[]);
        quiet::recv(comm, 0, TAG, &mut theirs);
        RoundTrip { sent, theirs: u64::from_le_bytes(theirs), received: now_ns() }
    };
    shortest((0..ROUND_TRIPS).map(round_trip))
}

/// A question to another clock: own times before and after, and its answer.
struct RoundTrip {
    sent: u64,
    theirs: u64,
    received: u64,
}

fn shortest(trips: impl Iterator<Item = RoundTrip>) -> ClockOffset {
    trips
        .min_by_key(|trip| trip.received - trip.sent)
        .map(|RoundTrip { sent, theirs, received }| {
            let at_ns = sent + (received - sent) / 2;
            ClockOffset { at_ns, offset_ns: theirs as i64 - at_ns as i64 }
        })
        .unwrap_or_default()
}

/// A number that processes of one machine, since its last boot, have in common: those that share a monotonic clock.
fn machine() -> u64 {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let name = boot.ok().or_else(|| mpi::environment::processor_name().ok());
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_round_trip_decides() {
        let trips = [
            RoundTrip { sent: 1_000, theirs: 51_900, received: 3_000 },
            RoundTrip { sent: 4_000, theirs: 54_050, received: 4_100 },
            RoundTrip { sent: 5_000, theirs: 55_010, received: 5_900 },
        ];
        assert_eq!(shortest(trips.into_iter()), ClockOffset { at_ns: 4_050, offset_ns: 50_000 });
    }

    #[test]
    fn a_clock_that_is_ahead_has_a_negative_offset() {
        let trips = [RoundTrip { sent: 10_000, theirs: 6, received: 10_010 }];
        assert_eq!(shortest(trips.into_iter()), ClockOffset { at_ns: 10_005, offset_ns: -9_999 });
    }
}
