#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! Started operations and their completion.

use std::collections::HashMap;
use std::ffi::c_int;

use ats_work::log;
use mpi::ffi::{self, MPI_Request, MPI_Status};

use super::arguments::{Arrays, int, status_of};
use super::communicator::Member;
use super::delivery;
use super::failure::{check, fatal};
use super::handle::Handle;
use crate::{How, Op, Request, Source, Status};

/// What a request stands for. Buffers and arrays live as long as it does, since MPI uses them until completion.
#[derive(Debug)]
struct Entry {
    handle: Handle<MPI_Request>,
    op: Op,
    _arrays: Arrays,
    persistent: bool,
    /// Started, and not complete yet.
    active: bool,
}

/// The requests of a communicator.
#[derive(Debug, Default)]
pub(super) struct Table {
    started: u64,
    entries: HashMap<u64, Entry>,
}

/// A request that a completion call found complete.
pub(super) struct Completed {
    index: usize,
    status: MPI_Status,
}

impl Table {
    pub(super) fn add(&mut self, handle: MPI_Request, op: Op, arrays: Arrays, persistent: bool) -> Request {
        let id = self.started;
        self.started += 1;
        self.entries
            .insert(id, Entry { handle: Handle(handle), op, _arrays: arrays, persistent, active: false });
        Request(id)
    }

    /// What a request stands for.
    pub(super) fn op(&self, request: &Request) -> &Op {
        &self.entries[&request.0].op
    }

    /// A request is started.
    pub(super) fn activate(&mut self, request: &Request, on: Member) {
        if let Some(entry) = self.entries.get_mut(&request.0) {
            entry.active = true;
            delivery::hold(&entry.op, on);
        }
    }

    pub(super) fn handle(&self, name: &str, request: &Request) -> MPI_Request {
        match self.entries.get(&request.0) {
            Some(entry) => entry.handle.0,
            None => fatal(name, "the request belongs to another communicator"),
        }
    }

    /// Forgets completed requests, those that are not persistent; yields their statuses, notes what wildcards matched and
    /// adds what was delivered to the checksum.
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
                    Op::Recv { from, .. } => {
                        let status = status_of(&status);
                        if from == Source::Any {
                            log::choice(status.source as u32);
                        }
                        status
                    }
                    _ => Status::default(),
                };
                // Persistent requests that nobody has started are complete, too.
                if std::mem::take(&mut entry.active) {
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

    /// Frees the persistent requests, which nobody can start any more.
    pub(super) fn free_persistent(&mut self) {
        for (_, mut entry) in self.entries.drain().filter(|(_, entry)| entry.persistent) {
            // SAFETY: a request that was made and never freed.
            check("MPI_Request_free", unsafe { ffi::MPI_Request_free(&mut entry.handle.0) });
        }
    }
}

/// Makes the completion call.
pub(super) fn complete(how: How, handles: &mut [MPI_Request]) -> Vec<Completed> {
    let name = how.name();
    let count = int(handles.len());
    let mut statuses = vec![empty_status(); handles.len().max(1)];
    let mut indices: Vec<c_int> = Vec::new();
    let (requests, into) = (handles.as_mut_ptr(), statuses.as_mut_ptr());
    let all = 0..count;
    // SAFETY: the handles and as many statuses and indices are ours.
    let code = log::construct(name, || unsafe {
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
        }
    });
    check(name, code);
    if matches!(how, How::Waitany | How::Waitsome) {
        indices.iter().for_each(|&index| log::choice(index as u32));
    }
    // Waitsome packs its statuses in the order of its indices; Waitany has a single one; the others one a request.
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
