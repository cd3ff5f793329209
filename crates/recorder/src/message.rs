//! Messages that a matched probe has found, until they are received: from MPI's handle to their communicator.

use std::collections::hash_map::Entry;
use std::sync::Mutex;

use ats_model::event::CommunicatorRef;
use mpi::ffi::{MPI_Comm, MPI_Message, MPI_Status};
use rustc_hash::FxHashMap;

use crate::communicator;
use crate::lock::lock;

/// The messages by their handles, each with its number among all that were found.
#[derive(Default)]
struct Table {
    found: u64,
    messages: FxHashMap<usize, (u64, CommunicatorRef)>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn key(message: MPI_Message) -> usize {
    message.0 as usize
}

/// Follows a message that a probe has found; none from `MPI_PROC_NULL` or on a communicator that is not followed.
pub(crate) fn found(message: MPI_Message, status: &MPI_Status, comm: MPI_Comm) {
    if status.MPI_SOURCE >= 0
        && let Some(known) = communicator::find(comm)
    {
        let mut table = lock(&TABLE);
        let table = table.get_or_insert_default();
        table.found += 1;
        table.messages.insert(key(message), (table.found, known.reference));
    }
}

/// A message that is being received.
pub(crate) struct Followed {
    key: usize,
    number: u64,
    pub(crate) communicator: CommunicatorRef,
}

/// The message of this handle, if it is followed.
pub(crate) fn find(message: MPI_Message) -> Option<Followed> {
    let key = key(message);
    let (number, communicator) = *lock(&TABLE).as_ref()?.messages.get(&key)?;
    Some(Followed { key, number, communicator })
}

/// Forgets a message whose receive has returned, unless its handle stands for another one already; if it has failed and
/// the handle `now` is the same, MPI still has the message.
pub(crate) fn forget(message: &Followed, has_failed: bool, now: MPI_Message) {
    if has_failed && message.key == key(now) {
        return;
    }
    let mut table = lock(&TABLE);
    if let Entry::Occupied(entry) = table.get_or_insert_default().messages.entry(message.key)
        && entry.get().0 == message.number
    {
        entry.remove();
    }
}
