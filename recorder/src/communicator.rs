#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Communicators: from MPI's handle to what the trace calls it.
//!
//! The processes of a communicator agree on its identity when it is made: its first member names it by its own rank in
//! `MPI_COMM_WORLD` and a counter, and tells the others. Intercommunicators, and communicators made by non-blocking
//! calls, are not followed: calls on them are recorded as regions, without their messages.

use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ats_model::event::CommunicatorRef;
use mpi::ffi::{self, MPI_Comm, MPI_Group};
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use crate::lock::Shared;

/// A communicator that this process belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) reference: CommunicatorRef,
    pub(crate) rank: u32,
    pub(crate) size: u32,
}

/// What a communicator is called in all its processes: the rank in the world of its first member, and that process's count.
pub(crate) type Identity = [u32; 2];

/// A communicator as this process defines it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Defined {
    pub(crate) identity: Identity,
    pub(crate) name: String,
    /// Ranks in the world, at the process that named it.
    pub(crate) members: Vec<u32>,
}

/// `MPI_COMM_WORLD` and `MPI_COMM_SELF` come first in every process's list.
pub(crate) const WORLD: CommunicatorRef = CommunicatorRef(0);
const OWN: CommunicatorRef = CommunicatorRef(1);
pub(crate) const PREDEFINED: usize = 2;

/// Those that the program made.
struct Table {
    made: FxHashMap<usize, Known>,
    defined: Vec<Defined>,
}

/// `MPI_COMM_WORLD` and `MPI_COMM_SELF`, once MPI is initialised.
static CONSTANT: OnceLock<[Known; PREDEFINED]> = OnceLock::new();
static TABLE: Shared<Table> =
    Shared::new(Table { made: FxHashMap::with_hasher(FxBuildHasher), defined: Vec::new() });
static NAMED: AtomicU32 = AtomicU32::new(0);

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

/// Follows a communicator that was just made; all its members do so together.
pub(crate) fn follow(comm: MPI_Comm) {
    // SAFETY: a constant of the library.
    let world = unsafe { ffi::RSMPI_COMM_WORLD };
    let Some(world) = find(world) else { return };
    if !is_intracommunicator(comm) {
        return;
    }
    let known = place(comm, WORLD);
    let mut identity: Identity = [0; 2];
    let mut members = Vec::new();
    if known.rank == 0 {
        identity = [world.rank, NAMED.fetch_add(1, Ordering::Relaxed)];
        members = members_of(comm, known.size);
    }
    // SAFETY: eight bytes, ours; all members take part.
    unsafe { ffi::PMPI_Bcast((&raw mut identity).cast(), 1, ffi::RSMPI_UINT64_T, 0, comm) };
    let mut table = TABLE.lock();
    let reference = CommunicatorRef((PREDEFINED + table.defined.len()) as u32);
    table.defined.push(Defined { identity, name: String::new(), members });
    table.made.insert(key(comm), Known { reference, ..known });
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
    in_world.into_iter().map(|rank| rank as u32).collect()
}

/// Names a communicator, as the program does.
pub(crate) fn name(comm: MPI_Comm, name: &str) {
    let mut table = TABLE.lock();
    if let Some(known) = table.made.get(&key(comm)).copied() {
        table.defined[known.reference.0 as usize - PREDEFINED].name = name.to_owned();
    }
}

/// Forgets a handle, since MPI may use it again.
pub(crate) fn forget(comm: MPI_Comm) {
    TABLE.lock().made.remove(&key(comm));
}

/// Remembers a handle that was to be freed, and was not. Of the predefined ones none is ever forgotten.
pub(crate) fn remember(comm: MPI_Comm, known: Known) {
    if known.reference.0 >= PREDEFINED as u32 {
        TABLE.lock().made.insert(key(comm), known);
    }
}

/// The communicators that the program made, in the order of their references after the predefined ones.
pub(crate) fn made() -> Vec<Defined> {
    TABLE.lock().defined.clone()
}
