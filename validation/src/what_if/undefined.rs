//! Changes with results that no trace tells.

use ats_documents::what_if_score::KindOfChange::{self, EvenWork, Network, Processors, Speed};

/// The reason why turns on processors may differ.
pub(super) const UNDIVIDED: &str = "a processor is shared piece by piece, and pieces of work that no event divides are one piece in a replay";

/// The reason why programs that test for messages may differ.
pub(super) const POLLING: &str = "it tests for a message again and again; how often, a replay repeats";

/// Kinds of changes, the properties that leave them undefined, and the reason.
const UNDEFINED: [(&[KindOfChange], &[&str], &str); 7] = [
    (
        &[Speed, Network, Processors],
        &["barrier_completion", "nxn_completion"],
        "its calls last longer than they need, which is neither work nor network",
    ),
    (&[Speed, Network, Processors], &["late_sender_test_polling"], POLLING),
    (&[Speed], &["concurrent_page_faults"], "its pages are amounts beside its times"),
    (
        &[Network, Processors],
        &["derived_datatype_packing"],
        "its messages are gathered from memory and scattered to it, and no record tells that from other time in the calls",
    ),
    (
        &[Network],
        &["imbalance_at_neighbor_alltoall"],
        "no record has the bytes of an operation between neighbours",
    ),
    (
        &[Processors],
        &["no_overlap_nonblocking_collective"],
        "the transfers of its operations take time on the ideal machine, and those of a replay do not",
    ),
    (
        &[Processors],
        &["late_broadcast_hybrid_serial_root", "mpi_outside_parallel", "unparallelized_in_ordered_loop"],
        UNDIVIDED,
    ),
];

/// Why a change of this kind is undefined for a property; `None` if it is not. Even work is in
/// [`region_of_even_work`](super::region_of_even_work).
pub fn undefined(kind: KindOfChange, property: &str) -> Option<&'static str> {
    debug_assert!(kind != EvenWork, "it has a list of its own");
    let of_it = UNDEFINED.iter().find(|(kinds, names, _)| kinds.contains(&kind) && names.contains(&property));
    of_it.map(|(_, _, reason)| *reason)
}
