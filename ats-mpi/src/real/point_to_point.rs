#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! Sends and receives: blocking, non-blocking and persistent. Each function yields `None` if `op` is not such a call.

use std::ffi::{c_int, c_void};

use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Message, MPI_Request, MPI_Status};

use super::arguments::{int, source_of, tag, tag_of};
use super::bsend;
use super::derived::message;
use crate::{MpiBuf, Op, SendMode};

type Send = unsafe extern "C" fn(*const c_void, c_int, MPI_Datatype, c_int, c_int, MPI_Comm) -> c_int;
type StartSend = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;
type StartRecv =
    unsafe extern "C" fn(*mut c_void, c_int, MPI_Datatype, c_int, c_int, MPI_Comm, *mut MPI_Request) -> c_int;

/// Receives a message that a matched probe has taken away; `status` tells of it.
pub(super) fn receive_matched(buf: &MpiBuf, mut matched: MPI_Message, status: &mut MPI_Status) -> c_int {
    let (address, count, datatype) = message(buf);
    // SAFETY: the buffer holds `count` elements of its type and lives until the call returns; message and status are ours.
    unsafe { ffi::MPI_Mrecv(address, count, datatype, &mut matched, status) }
}

/// Makes the blocking call; `status` tells of the message if one is received.
pub(super) fn call(op: &Op, comm: MPI_Comm, status: &mut MPI_Status) -> Option<c_int> {
    let code = match op {
        Op::Send { mode, to, tag: send_tag, buf } => {
            reserve(*mode, buf.bytes());
            let send: Send = match mode {
                SendMode::Standard => ffi::MPI_Send,
                SendMode::Synchronous => ffi::MPI_Ssend,
                SendMode::Buffered => ffi::MPI_Bsend,
                SendMode::Ready => ffi::MPI_Rsend,
            };
            let (address, count, datatype) = message(buf);
            // SAFETY: the buffer holds `count` elements of its type and lives until the call returns.
            unsafe { send(address, count, datatype, int(*to), tag(*send_tag), comm) }
        }
        Op::Recv { from, tag, buf } => {
            let (address, count, datatype) = message(buf);
            // SAFETY: as above; the status is ours.
            unsafe { ffi::MPI_Recv(address, count, datatype, source_of(*from), tag_of(*tag), comm, status) }
        }
        Op::Sendrecv { to, send_tag, send, from, recv_tag, recv } => {
            let (address, count, datatype) = message(send);
            let (into, room, into_type) = message(recv);
            let (to, send_tag) = (int(*to), tag(*send_tag));
            let (from, recv_tag) = (source_of(*from), tag_of(*recv_tag));
            // SAFETY: as above, for two buffers.
            unsafe {
                ffi::MPI_Sendrecv(
                    address, count, datatype, to, send_tag, into, room, into_type, from, recv_tag, comm,
                    status,
                )
            }
        }
        _ => return None,
    };
    Some(code)
}

/// Makes the non-blocking call. The caller keeps the buffer until the request is complete.
pub(super) fn start(op: &Op, comm: MPI_Comm, request: &mut MPI_Request) -> Option<c_int> {
    let send = |mode| -> StartSend {
        match mode {
            SendMode::Standard => ffi::MPI_Isend,
            SendMode::Synchronous => ffi::MPI_Issend,
            SendMode::Buffered => ffi::MPI_Ibsend,
            SendMode::Ready => ffi::MPI_Irsend,
        }
    };
    request_of(op, send, ffi::MPI_Irecv, comm, request)
}

/// Prepares a persistent request. The caller keeps the buffer as long as the request.
pub(super) fn init(op: &Op, comm: MPI_Comm, request: &mut MPI_Request) -> Option<c_int> {
    let send = |mode| -> StartSend {
        match mode {
            SendMode::Standard => ffi::MPI_Send_init,
            SendMode::Synchronous => ffi::MPI_Ssend_init,
            SendMode::Buffered => ffi::MPI_Bsend_init,
            SendMode::Ready => ffi::MPI_Rsend_init,
        }
    };
    request_of(op, send, ffi::MPI_Recv_init, comm, request)
}

fn request_of(
    op: &Op,
    send: impl Fn(SendMode) -> StartSend,
    recv: StartRecv,
    comm: MPI_Comm,
    request: &mut MPI_Request,
) -> Option<c_int> {
    let code = match op {
        Op::Send { mode, to, tag: send_tag, buf } => {
            reserve(*mode, buf.bytes());
            let (address, count, datatype) = message(buf);
            // SAFETY: the buffer holds `count` elements of its type, and the caller keeps it.
            unsafe { send(*mode)(address, count, datatype, int(*to), tag(*send_tag), comm, request) }
        }
        Op::Recv { from, tag, buf } => {
            let (address, count, datatype) = message(buf);
            // SAFETY: as above.
            unsafe { recv(address, count, datatype, source_of(*from), tag_of(*tag), comm, request) }
        }
        _ => return None,
    };
    Some(code)
}

fn reserve(mode: SendMode, bytes: usize) {
    if mode == SendMode::Buffered {
        bsend::reserve(bytes);
    }
}
