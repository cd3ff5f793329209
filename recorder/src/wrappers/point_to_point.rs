//! Sends and receives.

use std::ffi::{c_int, c_void};

use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Message, MPI_Request, MPI_Status};

use crate::call::{calls, receive, send};
use crate::message;
use crate::request::{self, Operation};
use crate::status::{SUCCESS, has_message, no_status, status_or};

/// The four modes of a call; each is MPI's name, and the library's own function.
macro_rules! blocking_sends {
    ($($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
        ) |call| {
            let code = call.make(|| ffi::$original(buf, count, datatype, dest, tag, comm));
            if code == SUCCESS {
                call.sent(send(count, datatype, dest, tag, comm));
            }
            code
        }
    )*} };
}
blocking_sends! {
    MPI_Send = PMPI_Send
    MPI_Ssend = PMPI_Ssend
    MPI_Bsend = PMPI_Bsend
    MPI_Rsend = PMPI_Rsend
}

macro_rules! starting_sends {
    ($($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| ffi::$original(buf, count, datatype, dest, tag, comm, request));
            if code == SUCCESS {
                call.started(request, send(count, datatype, dest, tag, comm));
            }
            code
        }
    )*} };
}
starting_sends! {
    MPI_Isend = PMPI_Isend
    MPI_Issend = PMPI_Issend
    MPI_Ibsend = PMPI_Ibsend
    MPI_Irsend = PMPI_Irsend
}

macro_rules! persistent_sends {
    ($($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| ffi::$original(buf, count, datatype, dest, tag, comm, request));
            if code == SUCCESS && let Some(operation) = send(count, datatype, dest, tag, comm) {
                request::prepare(*request, operation);
            }
            code
        }
    )*} };
}
persistent_sends! {
    MPI_Send_init = PMPI_Send_init
    MPI_Ssend_init = PMPI_Ssend_init
    MPI_Bsend_init = PMPI_Bsend_init
    MPI_Rsend_init = PMPI_Rsend_init
}

calls! {
    fn MPI_Recv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
        status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Recv(buf, count, datatype, source, tag, comm, status));
        if has_message(code) {
            call.received(&*status, comm);
        }
        code
    }

    fn MPI_Irecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
        request: *mut MPI_Request,
    ) |call| {
        let code = call.make(|| ffi::PMPI_Irecv(buf, count, datatype, source, tag, comm, request));
        if code == SUCCESS {
            call.started(request, receive(source, comm));
        }
        code
    }

    fn MPI_Mprobe(
        source: c_int, tag: c_int, comm: MPI_Comm, message: *mut MPI_Message, status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Mprobe(source, tag, comm, message, status));
        if code == SUCCESS {
            message::found(*message, &*status, comm);
        }
        code
    }

    fn MPI_Improbe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, message: *mut MPI_Message,
        status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Improbe(source, tag, comm, flag, message, status));
        if code == SUCCESS && *flag != 0 {
            message::found(*message, &*status, comm);
        }
        code
    }

    fn MPI_Mrecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, message: *mut MPI_Message, status: *mut MPI_Status,
    ) |call| {
        let taken = message::take(*message);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Mrecv(buf, count, datatype, message, status));
        if let Some(taken) = taken {
            if has_message(code) {
                call.received_on(&*status, taken.communicator);
            } else {
                message::put_back(taken, *message);
            }
        }
        code
    }

    fn MPI_Imrecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, message: *mut MPI_Message, request: *mut MPI_Request,
    ) |call| {
        let taken = message::take(*message);
        let code = call.make(|| ffi::PMPI_Imrecv(buf, count, datatype, message, request));
        if let Some(taken) = taken {
            if code == SUCCESS {
                call.started(request, Some(Operation::Receive { communicator: taken.communicator }));
            } else {
                message::put_back(taken, *message);
            }
        }
        code
    }

    fn MPI_Recv_init(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
        request: *mut MPI_Request,
    ) |call| {
        let code = call.make(|| ffi::PMPI_Recv_init(buf, count, datatype, source, tag, comm, request));
        if code == SUCCESS && let Some(operation) = receive(source, comm) {
            request::prepare(*request, operation);
        }
        code
    }

    fn MPI_Sendrecv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int,
        recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype, source: c_int, recvtag: c_int,
        comm: MPI_Comm, status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| {
            ffi::PMPI_Sendrecv(
                sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                status,
            )
        });
        if has_message(code) {
            call.sent(send(sendcount, sendtype, dest, sendtag, comm));
            call.received(&*status, comm);
        }
        code
    }

    fn MPI_Sendrecv_replace(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int,
        recvtag: c_int, comm: MPI_Comm, status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| {
            ffi::PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
        });
        if has_message(code) {
            call.sent(send(count, datatype, dest, sendtag, comm));
            call.received(&*status, comm);
        }
        code
    }
}
