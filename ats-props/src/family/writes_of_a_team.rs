//! Calls of the threads of a team that write.

use ats_props::{Amount, Target, Team, Thread, Writes, cause, do_amount, region};

use crate::family::writes::{BYTES, CALLS, WRITES};

/// In each of `r` parallel regions every thread writes `bytes` as often as `calls` says for its number, each to a file of its
/// own.
pub(crate) fn write_in_a_team(bytes: usize, r: usize, team: &impl Team, calls: impl Fn(usize) -> u64 + Sync) {
    let bytes = bytes as u64;
    for _ in 0..r {
        team.parallel(team.max_threads(), |t| {
            let calls = calls(t.number());
            let _region = region(WRITES);
            do_amount(&Amount::Writes(Writes { calls, bytes, to: Target::Scratch }));
            cause(CALLS.metric(WRITES), calls);
            cause(BYTES.metric(WRITES), calls * bytes);
        });
    }
}
