#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! Started operations and their completion.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use ats_model::mpi::Function;
use ats_work::log::{self, Entered};
use mpi::ffi::{self, MPI_Request, MPI_Status};

use super::arguments::{Arrays, int, status_of};
use super::delivery;
use super::failure::{check, fatal};
use super::handle::Handle;
use super::member::Member;
use super::outcome::{logged, note};
use crate::{How, NO_PARTITIONS, Op, Partitions, Request, Status};

/// The operation of a request. Buffers and arrays live as long as it does, since MPI uses them until completion.
#[derive(Debug)]
struct Entry {
    handle: Handle<MPI_Request>,
    op: Op,
    _arrays: Arrays,
    persistent: bool,
    /// Those of a send in partitions.
    partitions: Option<Partitions>,
    /// Started, and not complete yet: since when.
    active: Option<Started>,
}

/// The call that has started an operation, and the log that it is in.
#[derive(Debug)]
struct Started {
    call: Entered,
    session: u64,
}

/// The requests of a communicator.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: HashMap<u64, Entry>,
}

/// A request that a completion call found complete.
pub(super) struct Completed {
    index: usize,
    status: MPI_Status,
}

impl Table {
    pub(super) fn add(&mut self, handle: MPI_Request, op: Op, arrays: Arrays, persistent: bool) -> Request {
        // Of the process, so that a request is never taken for that of another communicator.
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let id = STARTED.fetch_add(1, Ordering::Relaxed);
        let handle = Handle::new(handle);
        let entry = Entry { handle, op, _arrays: arrays, persistent, partitions: None, active: None };
        self.entries.insert(id, entry);
        Request(id)
    }

    /// A persistent request is that of a send in these partitions.
    pub(super) fn divide(&mut self, request: &Request, partitions: Partitions) {
        if let Some(entry) = self.entries.get_mut(&request.0) {
            entry.partitions = Some(partitions);
        }
    }

    /// A partition of a started send is ready. Returns the handle.
    pub(super) fn ready(&mut self, function: Function, request: &Request, partition: usize) -> MPI_Request {
        let handle = self.entry(function, request).handle.for_call(function);
        let entry = self.entries.get_mut(&request.0).expect("it has a handle");
        let said = match &mut entry.partitions {
            Some(partitions) => partitions.ready(partition, entry.active.is_some()),
            None => Err(NO_PARTITIONS.to_owned()),
        };
        if let Err(problem) = said {
            fatal(function, &problem);
        }
        handle
    }

    /// The operation of a request.
    pub(super) fn op(&self, request: &Request) -> &Op {
        &self.entries[&request.0].op
    }

    /// A request is started by a call.
    pub(super) fn activate(&mut self, request: &Request, call: Entered, on: Member) {
        if let Some(entry) = self.entries.get_mut(&request.0) {
            entry.active = Some(Started { call, session: log::session() });
            entry.partitions.iter_mut().for_each(Partitions::start);
            delivery::hold(&entry.op, on);
        }
    }

    fn entry(&self, function: Function, request: &Request) -> &Entry {
        self.entries
            .get(&request.0)
            .unwrap_or_else(|| fatal(function, "the request belongs to another communicator, or is complete"))
    }

    /// The handle of a persistent request that can be started.
    pub(super) fn inactive(&self, function: Function, request: &Request) -> MPI_Request {
        match self.entry(function, request) {
            Entry { persistent: false, .. } => fatal(function, "the request is not persistent"),
            Entry { active: Some(_), .. } => {
                fatal(function, "the request is started already; complete it first")
            }
            entry => entry.handle.for_call(function),
        }
    }

    /// The handles of requests, without duplicates.
    pub(super) fn handles(&self, function: Function, requests: &[Request]) -> Vec<MPI_Request> {
        let mut ids: Vec<u64> = requests.iter().map(|request| request.0).collect();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            fatal(function, "the same request is there twice");
        }
        requests.iter().map(|request| self.entry(function, request).handle.for_call(function)).collect()
    }

    /// Forgets completed requests that are not persistent; yields their statuses, notes the messages that wildcards
    /// matched, and adds delivered data to the checksum.
    pub(super) fn settle(
        &mut self,
        completed: &[Completed],
        requests: &mut Vec<Request>,
        on: Member,
    ) -> Vec<(usize, Status)> {
        let mut done = vec![false; requests.len()];
        let statuses = completed
            .iter()
            .map(|&Completed { index, status }| {
                let id = requests[index].0;
                let entry = self.entries.get_mut(&id).expect("it was asked for its handle");
                let status = match entry.op {
                    Op::Recv { .. } => status_of(&status),
                    _ => Status::default(),
                };
                // Persistent requests that nobody has started are complete, too.
                if let Some(Started { call, session }) = entry.active.take() {
                    if let Op::Recv { from, .. } = entry.op
                        && session == log::session()
                    {
                        note(call, from.choice(), [status.source]);
                    }
                    delivery::release(&entry.op, on);
                    delivery::add(&entry.op, on, status);
                }
                done[index] = !entry.persistent;
                if !entry.persistent {
                    self.entries.remove(&id);
                }
                (index, status)
            })
            .collect();
        let mut done = done.into_iter();
        requests.retain(|_| !done.next().expect("one for each request"));
        statuses
    }

    /// Frees the inactive persistent requests, which the program cannot start any more.
    pub(super) fn free_persistent(&mut self) {
        for (_, entry) in self.entries.extract_if(|_, entry| entry.active.is_none()) {
            let mut handle = entry.handle.for_call(Function::Request_free);
            // SAFETY: a request that was made and never freed.
            check(Function::Request_free, unsafe { ffi::MPI_Request_free(&mut handle) });
        }
    }
}

impl Drop for Table {
    /// Keeps active requests for ever: MPI may still read and write their buffers.
    fn drop(&mut self) {
        let active = self.entries.drain().filter(|(_, entry)| entry.active.is_some());
        active.for_each(std::mem::forget);
    }
}

/// Makes the completion call.
pub(super) fn complete(how: How, handles: &mut [MPI_Request]) -> Vec<Completed> {
    let function = how.function();
    let count = int(handles.len());
    let mut statuses = vec![empty_status(); handles.len().max(1)];
    let mut indices: Vec<c_int> = Vec::new();
    let (requests, into) = (handles.as_mut_ptr(), statuses.as_mut_ptr());
    let all = 0..count;
    // SAFETY: the handles and as many statuses and indices are ours.
    let (call, code) = logged(function, || unsafe {
        match how {
            How::Wait => {
                indices.extend(all);
                ffi::MPI_Wait(requests, into)
            }
            How::Test => {
                let mut flag = 0;
                let code = ffi::MPI_Test(requests, &mut flag, into);
                indices.extend(all.filter(|_| flag != 0));
                code
            }
            How::Waitall => {
                indices.extend(all);
                ffi::MPI_Waitall(count, requests, into)
            }
            How::Testall => {
                let mut flag = 0;
                let code = ffi::MPI_Testall(count, requests, &mut flag, into);
                indices.extend(all.filter(|_| flag != 0));
                code
            }
            How::Waitany => {
                let mut index = ffi::RSMPI_UNDEFINED;
                let code = ffi::MPI_Waitany(count, requests, &mut index, into);
                indices.extend((index != ffi::RSMPI_UNDEFINED).then_some(index));
                code
            }
            How::Waitsome => {
                let mut found = 0;
                indices.resize(handles.len(), 0);
                let code = ffi::MPI_Waitsome(count, requests, &mut found, indices.as_mut_ptr(), into);
                indices.truncate(if found == ffi::RSMPI_UNDEFINED { 0 } else { found as usize });
                code
            }
            How::Testany => {
                let (mut index, mut flag) = (ffi::RSMPI_UNDEFINED, 0);
                let code = ffi::MPI_Testany(count, requests, &mut index, &mut flag, into);
                indices.extend((index != ffi::RSMPI_UNDEFINED).then_some(index));
                code
            }
            How::Testsome => {
                let mut found = 0;
                indices.resize(handles.len(), 0);
                let code = ffi::MPI_Testsome(count, requests, &mut found, indices.as_mut_ptr(), into);
                indices.truncate(if found == ffi::RSMPI_UNDEFINED { 0 } else { found as usize });
                code
            }
        }
    });
    check(function, code);
    note(call, how.choice(), indices.iter().map(|&index| index as usize));
    // Those for some pack their statuses in the order of their indices; those for any have a single one; the others one
    // a request.
    indices
        .iter()
        .enumerate()
        .map(|(order, &index)| Completed { index: index as usize, status: statuses[order] })
        .collect()
}

pub(super) fn empty_status() -> MPI_Status {
    // SAFETY: a plain C structure of integers.
    unsafe { std::mem::zeroed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Datatype, Memory, MpiBuf, Source, Tag};

    /// Drops a table with a receive, and says whether the receive still has its memory.
    fn is_kept(persistent: bool, active: bool) -> bool {
        // SAFETY: constants of the library. No call is made on them.
        let (request, comm) = unsafe { (ffi::RSMPI_REQUEST_NULL, ffi::RSMPI_COMM_NULL) };
        let memory = Memory::zeroed(4);
        let buf = MpiBuf::new(memory.clone(), Datatype::Int, 1);
        let mut table = Table::default();
        let op = Op::Recv { from: Source::Any, tag: Tag::Any, buf };
        let request = table.add(request, op, Arrays::default(), persistent);
        if active {
            table.activate(
                &request,
                log::enter(Function::Irecv.name()),
                Member { comm, rank: 0, size: 1, degrees: None },
            );
        }
        drop(table);
        memory.owners() > 1
    }

    #[test]
    fn a_pending_buffer_outlives_its_communicator() {
        assert!(is_kept(false, true));
        assert!(is_kept(true, true));
        assert!(!is_kept(true, false));
    }
}
