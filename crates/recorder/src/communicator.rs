#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Communicators: from MPI's handle to what the trace calls it.
//!
//! The processes of a communicator agree on its identity when it is made: its first member names it by its own rank in
//! `MPI_COMM_WORLD` and a counter, and tells the others. After a non-blocking call the members cannot talk without a
//! risk that one waits for ever, and need not: they duplicate a communicator in the same order, so each can count for
//! itself. Intercommunicators are not followed: calls on them are recorded as regions, without their messages.

use std::collections::hash_map::Entry;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ats_model::event::CommunicatorRef;
use ats_model::neighbors::Neighbors;
use ats_trace::parts::{Identity, LocalCommunicator, PREDEFINED};
use mpi::ffi::{self, MPI_Comm, MPI_Group};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::lock::Shared;
use crate::topology;

/// A communicator that this process belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) reference: CommunicatorRef,
    pub(crate) rank: u32,
    pub(crate) size: u32,
}

/// `MPI_COMM_WORLD` and `MPI_COMM_SELF`, the predefined ones.
pub(crate) const WORLD: CommunicatorRef = CommunicatorRef(0);
const OWN: CommunicatorRef = CommunicatorRef(1);

/// Those that the program made.
struct Table {
    made: FxHashMap<usize, Known>,
    defined: Vec<LocalCommunicator>,
    /// The number of duplicates that non-blocking calls have made, by the original's reference.
    duplicates: FxHashMap<u32, u32>,
}

impl Table {
    fn define(
        &mut self,
        comm: MPI_Comm,
        known: Known,
        identity: Identity,
        members: Vec<u32>,
        neighbors: Option<Neighbors>,
    ) {
        let reference = CommunicatorRef((PREDEFINED + self.defined.len()) as u32);
        self.defined.push(LocalCommunicator { identity, name: String::new(), members, neighbors });
        self.made.insert(key(comm), Known { reference, ..known });
    }
}

/// `MPI_COMM_WORLD` and `MPI_COMM_SELF`, once MPI is initialised.
static CONSTANT: OnceLock<[Known; PREDEFINED]> = OnceLock::new();
static TABLE: Shared<Table> = Shared::new(Table {
    made: FxHashMap::with_hasher(FxBuildHasher),
    defined: Vec::new(),
    duplicates: FxHashMap::with_hasher(FxBuildHasher),
});
/// The number of communicators that this process has named, the predefined ones included.
static NAMED: AtomicU32 = AtomicU32::new(PREDEFINED as u32);

/// Begins with the predefined communicators; MPI is initialised.
pub(crate) fn start() -> Known {
    // SAFETY: constants of the library.
    let (world, own) = unsafe { (ffi::RSMPI_COMM_WORLD, ffi::RSMPI_COMM_SELF) };
    CONSTANT.get_or_init(|| [place(world, WORLD), place(own, OWN)])[0]
}

fn place(comm: MPI_Comm, reference: CommunicatorRef) -> Known {
    let (mut rank, mut size) = (0, 0);
    // SAFETY: a communicator; the results are ours.
    unsafe {
        ffi::PMPI_Comm_rank(comm, &mut rank);
        ffi::PMPI_Comm_size(comm, &mut size);
    }
    Known { reference, rank: rank as u32, size: size as u32 }
}

fn key(comm: MPI_Comm) -> usize {
    comm.0 as usize
}

/// The communicator of this handle, if it is followed.
#[inline]
pub(crate) fn find(comm: MPI_Comm) -> Option<Known> {
    // SAFETY: constants of the library.
    let (world, own) = unsafe { (ffi::RSMPI_COMM_WORLD, ffi::RSMPI_COMM_SELF) };
    if comm == world || comm == own {
        return CONSTANT.get().map(|known| known[usize::from(comm == own)]);
    }
    TABLE.lock().made.get(&key(comm)).copied()
}

/// Follows a communicator that was just made from `parent`; all its members do so together. One with members outside of
/// the world, as `MPI_Intercomm_merge` makes it with processes that were spawned, is not followed: those are not
/// recorded.
pub(crate) fn follow(parent: MPI_Comm, comm: MPI_Comm) {
    // SAFETY: a constant of the library.
    let world = unsafe { ffi::RSMPI_COMM_WORLD };
    let Some(world) = find(world) else { return };
    if !is_intracommunicator(comm) {
        return;
    }
    let known = place(comm, WORLD);
    let mut identity = [0; 2];
    let mut members = Vec::new();
    if find(parent).is_none() && members_of(comm, known.size).contains(&OUTSIDE) {
        return;
    }
    if known.rank == 0 {
        identity = [world.rank, NAMED.fetch_add(1, Ordering::Relaxed)];
        members = members_of(comm, known.size);
    }
    // SAFETY: eight bytes, ours; all members take part.
    unsafe { ffi::PMPI_Bcast((&raw mut identity).cast(), 1, ffi::RSMPI_UINT64_T, 0, comm) };
    let neighbors = topology::neighbors(comm, known.rank);
    TABLE.lock().define(comm, known, identity.into(), members, neighbors);
}

/// Follows a duplicate that a non-blocking call has begun to make; each member does so by itself.
pub(crate) fn follow_duplicate(original: MPI_Comm, comm: MPI_Comm) {
    let Some(known) = find(original) else { return };
    let members = if known.rank == 0 { members_of(original, known.size) } else { Vec::new() };
    let first = CONSTANT.get().map_or(0, |[world, _]| world.rank);
    let mut table = TABLE.lock();
    let (mut identity, neighbors) = match known.reference {
        WORLD => (vec![0, WORLD.0], None),
        OWN => (vec![first, OWN.0], None),
        CommunicatorRef(made) => {
            let original = &table.defined[made as usize - PREDEFINED];
            (original.identity.clone(), original.neighbors.clone())
        }
    };
    let number = table.duplicates.entry(known.reference.0).or_default();
    identity.push(*number);
    *number += 1;
    table.define(comm, known, identity, members, neighbors);
}

fn is_intracommunicator(comm: MPI_Comm) -> bool {
    let mut inter = 1;
    // SAFETY: constants of the library; the flag is ours.
    unsafe {
        if comm != ffi::RSMPI_COMM_NULL {
            ffi::PMPI_Comm_test_inter(comm, &mut inter);
        }
    }
    inter == 0
}

/// Stands for a member that is not in the world.
const OUTSIDE: u32 = u32::MAX;

/// The members' ranks in the world.
fn members_of(comm: MPI_Comm, size: u32) -> Vec<u32> {
    let ranks: Vec<c_int> = (0..size as c_int).collect();
    let mut in_world = vec![0; ranks.len()];
    // SAFETY: groups are made and freed here; both lists have `size` elements.
    unsafe {
        let (mut group, mut world): (MPI_Group, MPI_Group) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        ffi::PMPI_Comm_group(comm, &mut group);
        ffi::PMPI_Comm_group(ffi::RSMPI_COMM_WORLD, &mut world);
        ffi::PMPI_Group_translate_ranks(group, size as c_int, ranks.as_ptr(), world, in_world.as_mut_ptr());
        ffi::PMPI_Group_free(&mut group);
        ffi::PMPI_Group_free(&mut world);
    }
    in_world.into_iter().map(|rank| u32::try_from(rank).unwrap_or(OUTSIDE)).collect()
}

/// Names a communicator, as the program does.
pub(crate) fn name(comm: MPI_Comm, name: &str) {
    let mut table = TABLE.lock();
    if let Some(known) = table.made.get(&key(comm)).copied() {
        table.defined[known.reference.0 as usize - PREDEFINED].name = name.to_owned();
    }
}

/// Forgets the handle of a communicator that was freed, unless it stands for another one already.
pub(crate) fn forget(comm: MPI_Comm, freed: Known) {
    if let Entry::Occupied(entry) = TABLE.lock().made.entry(key(comm))
        && entry.get().reference == freed.reference
    {
        entry.remove();
    }
}

/// The communicators that the program made, in the order of their references after the predefined ones.
pub(crate) fn made() -> Vec<LocalCommunicator> {
    TABLE.lock().defined.clone()
}
