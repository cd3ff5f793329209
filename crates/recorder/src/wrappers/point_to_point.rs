//! Sends and receives.

use std::ffi::{c_int, c_void};

#[cfg(has_large_counts)]
use mpi::ffi::MPI_Count;
use mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Message, MPI_Request, MPI_Status};

use crate::call::{receive, send};
use crate::calls::calls;
use crate::message;
use crate::pmpi;
use crate::request::{self, Operation};
use crate::status::{SUCCESS, has_message, no_status, status_or};

/// The four modes of a call; each is MPI's name, and the library's own function, which counts elements in this type.
macro_rules! blocking_sends {
    ($count:ty: $($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: $count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
        ) |call| {
            let code = call.make(|| pmpi::$original(buf, count, datatype, dest, tag, comm));
            if code == SUCCESS {
                call.sent(send(count, datatype, dest, tag, comm));
            }
            code
        }
    )*} };
}
blocking_sends! {
    c_int:
    MPI_Send = PMPI_Send
    MPI_Ssend = PMPI_Ssend
    MPI_Bsend = PMPI_Bsend
    MPI_Rsend = PMPI_Rsend
}
#[cfg(has_large_counts)]
blocking_sends! {
    MPI_Count:
    MPI_Send_c = PMPI_Send_c
    MPI_Ssend_c = PMPI_Ssend_c
    MPI_Bsend_c = PMPI_Bsend_c
    MPI_Rsend_c = PMPI_Rsend_c
}

macro_rules! starting_sends {
    ($count:ty: $($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: $count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| pmpi::$original(buf, count, datatype, dest, tag, comm, request));
            if code == SUCCESS {
                call.started(request, send(count, datatype, dest, tag, comm));
            }
            code
        }
    )*} };
}
starting_sends! {
    c_int:
    MPI_Isend = PMPI_Isend
    MPI_Issend = PMPI_Issend
    MPI_Ibsend = PMPI_Ibsend
    MPI_Irsend = PMPI_Irsend
}
#[cfg(has_large_counts)]
starting_sends! {
    MPI_Count:
    MPI_Isend_c = PMPI_Isend_c
    MPI_Issend_c = PMPI_Issend_c
    MPI_Ibsend_c = PMPI_Ibsend_c
    MPI_Irsend_c = PMPI_Irsend_c
}

macro_rules! persistent_sends {
    ($count:ty: $($name:ident = $original:ident)*) => { calls! {$(
        fn $name(
            buf: *const c_void, count: $count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| pmpi::$original(buf, count, datatype, dest, tag, comm, request));
            if code == SUCCESS && let Some(operation) = send(count, datatype, dest, tag, comm) {
                request::prepare(*request, operation);
            }
            code
        }
    )*} };
}
persistent_sends! {
    c_int:
    MPI_Send_init = PMPI_Send_init
    MPI_Ssend_init = PMPI_Ssend_init
    MPI_Bsend_init = PMPI_Bsend_init
    MPI_Rsend_init = PMPI_Rsend_init
}
#[cfg(has_large_counts)]
persistent_sends! {
    MPI_Count:
    MPI_Send_init_c = PMPI_Send_init_c
    MPI_Ssend_init_c = PMPI_Ssend_init_c
    MPI_Bsend_init_c = PMPI_Bsend_init_c
    MPI_Rsend_init_c = PMPI_Rsend_init_c
}

/// Receives, alone or together with a send; each is MPI's name, and the library's own function, which counts elements in
/// this type.
macro_rules! receives {
    (
        $count:ty:
        $recv:ident = $precv:ident
        $irecv:ident = $pirecv:ident
        $mrecv:ident = $pmrecv:ident
        $imrecv:ident = $pimrecv:ident
        $recv_init:ident = $precv_init:ident
        $sendrecv:ident = $psendrecv:ident
        $sendrecv_replace:ident = $psendrecv_replace:ident
    ) => { calls! {
        fn $recv(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
            status: *mut MPI_Status,
        ) |call| {
            let mut own = no_status();
            let status = status_or(status, &mut own);
            let code = call.make(|| pmpi::$precv(buf, count, datatype, source, tag, comm, status));
            if has_message(code) {
                call.received(&*status, comm);
            }
            code
        }

        fn $irecv(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| pmpi::$pirecv(buf, count, datatype, source, tag, comm, request));
            if code == SUCCESS {
                call.started(request, receive(source, comm));
            }
            code
        }

        fn $mrecv(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, message: *mut MPI_Message, status: *mut MPI_Status,
        ) |call| {
            let followed = message::find(*message);
            let mut own = no_status();
            let status = status_or(status, &mut own);
            let code = call.make(|| pmpi::$pmrecv(buf, count, datatype, message, status));
            if let Some(followed) = followed {
                let has_message = has_message(code);
                message::forget(&followed, !has_message, *message);
                if has_message {
                    call.received_on(&*status, followed.communicator);
                }
            }
            code
        }

        fn $imrecv(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, message: *mut MPI_Message, request: *mut MPI_Request,
        ) |call| {
            let followed = message::find(*message);
            let code = call.make(|| pmpi::$pimrecv(buf, count, datatype, message, request));
            if let Some(followed) = followed {
                message::forget(&followed, code != SUCCESS, *message);
                if code == SUCCESS {
                    call.started(request, Some(Operation::Receive { communicator: followed.communicator }));
                }
            }
            code
        }

        fn $recv_init(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm,
            request: *mut MPI_Request,
        ) |call| {
            let code = call.make(|| pmpi::$precv_init(buf, count, datatype, source, tag, comm, request));
            if code == SUCCESS && let Some(operation) = receive(source, comm) {
                request::prepare(*request, operation);
            }
            code
        }

        fn $sendrecv(
            sendbuf: *const c_void, sendcount: $count, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int,
            recvbuf: *mut c_void, recvcount: $count, recvtype: MPI_Datatype, source: c_int, recvtag: c_int,
            comm: MPI_Comm, status: *mut MPI_Status,
        ) |call| {
            let mut own = no_status();
            let status = status_or(status, &mut own);
            let code = call.make(|| {
                pmpi::$psendrecv(
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

        fn $sendrecv_replace(
            buf: *mut c_void, count: $count, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int,
            recvtag: c_int, comm: MPI_Comm, status: *mut MPI_Status,
        ) |call| {
            let mut own = no_status();
            let status = status_or(status, &mut own);
            let code = call.make(|| {
                pmpi::$psendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
            });
            if has_message(code) {
                call.sent(send(count, datatype, dest, sendtag, comm));
                call.received(&*status, comm);
            }
            code
        }
    } };
}
receives! {
    c_int:
    MPI_Recv = PMPI_Recv
    MPI_Irecv = PMPI_Irecv
    MPI_Mrecv = PMPI_Mrecv
    MPI_Imrecv = PMPI_Imrecv
    MPI_Recv_init = PMPI_Recv_init
    MPI_Sendrecv = PMPI_Sendrecv
    MPI_Sendrecv_replace = PMPI_Sendrecv_replace
}
#[cfg(has_large_counts)]
receives! {
    MPI_Count:
    MPI_Recv_c = PMPI_Recv_c
    MPI_Irecv_c = PMPI_Irecv_c
    MPI_Mrecv_c = PMPI_Mrecv_c
    MPI_Imrecv_c = PMPI_Imrecv_c
    MPI_Recv_init_c = PMPI_Recv_init_c
    MPI_Sendrecv_c = PMPI_Sendrecv_c
    MPI_Sendrecv_replace_c = PMPI_Sendrecv_replace_c
}

calls! {
    fn MPI_Probe(source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Probe(source, tag, comm, status));
        if code == SUCCESS {
            call.found(&*status, comm);
        }
        code
    }

    fn MPI_Mprobe(
        source: c_int, tag: c_int, comm: MPI_Comm, message: *mut MPI_Message, status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Mprobe(source, tag, comm, message, status));
        if code == SUCCESS {
            message::found(*message, &*status, comm);
            call.found(&*status, comm);
        }
        code
    }

    fn MPI_Improbe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, message: *mut MPI_Message,
        status: *mut MPI_Status,
    ) |call| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Improbe(source, tag, comm, flag, message, status));
        if code == SUCCESS && *flag != 0 {
            message::found(*message, &*status, comm);
        }
        code
    }
}
