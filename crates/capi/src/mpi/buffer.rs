#![allow(unsafe_code, reason = "functions that C calls, and memory that it uses")]
#![allow(non_camel_case_types, reason = "the report's names")]
//! Message buffers (report, section 3.1.3).

use std::collections::BTreeSet;
use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_mpi::real::MpiCommunicator;
use ats_mpi::{BaseComm, Communicator, Datatype, Memory, MpiBuf};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype};

use super::handle::{Element, communicator};
use crate::argument::count;
use crate::distribution::{distr_func_t, distr_t, distribution};
use crate::failure::{Problem, call};
use crate::work;

/// A buffer of `cnt` elements.
#[repr(C)]
pub(crate) struct mpi_buf_t {
    buf: *mut c_void,
    r#type: MPI_Datatype,
    cnt: c_int,
}

/// A buffer for the irregular collectives: a part of its own size for every rank; all of them, with their sizes and
/// where they begin, at the root.
#[repr(C)]
pub(crate) struct mpi_vbuf_t {
    buf: *mut c_void,
    rootbuf: *mut c_void,
    r#type: MPI_Datatype,
    cnt: c_int,
    rootcnt: *mut c_int,
    rootdispl: *mut c_int,
    isroot: c_int,
}

/// Zeroed memory for `number` things of `bytes` each, to be freed by `free`.
fn allocate<T>(number: usize, bytes: usize) -> Result<*mut T, Problem> {
    // SAFETY: takes and returns plain numbers; the product is checked there.
    let memory = unsafe { libc::calloc(number.max(1), bytes.max(1)) };
    if memory.is_null() {
        return Err(Problem(format!("there is no memory for {number} x {bytes} bytes")));
    }
    Ok(memory.cast())
}

/// Memory for a structure with its value.
fn boxed<T>(value: T) -> Result<*mut T, Problem> {
    let place: *mut T = allocate(1, size_of::<T>())?;
    // SAFETY: memory of this size, aligned for everything.
    unsafe { place.write(value) };
    Ok(place)
}

/// Frees memory of `allocate`.
fn free<T>(memory: *mut T) {
    // SAFETY: a null pointer, or one of `allocate` that the program frees once.
    unsafe { libc::free(memory.cast()) }
}

/// The addresses of the buffers made by `alloc_mpi_buf`.
fn made() -> MutexGuard<'static, BTreeSet<usize>> {
    static MADE: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a buffer of `cnt` elements. In the measured part of a program that begins with `ats_begin`, the patterns fill
/// the messages that they send from it with contents of their own, which the program's checksum is made of.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn alloc_mpi_buf(r#type: MPI_Datatype, cnt: c_int) -> *mut mpi_buf_t {
    call("alloc_mpi_buf", || {
        // SAFETY: the program passes a handle of MPI.
        let bytes = unsafe { Element::from_datatype(r#type) }?.bytes(count("cnt", cnt)?);
        let buf: *mut c_void = allocate(1, bytes)?;
        made().insert(buf.addr());
        boxed(mpi_buf_t { buf, r#type, cnt })
    })
}

/// Frees a buffer that `alloc_mpi_buf` has made.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn free_mpi_buf(buf: *mut mpi_buf_t) {
    // SAFETY: a null pointer, or a buffer that the program frees once.
    if let Some(mpi_buf_t { buf, .. }) = unsafe { buf.as_ref() } {
        made().remove(&buf.addr());
        free(*buf);
    }
    free(buf);
}

/// Makes a buffer for the irregular collectives. How many elements a rank has is the whole part of its share of the
/// distribution; `root` counts modulo the number of ranks.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn alloc_mpi_vbuf(
    r#type: MPI_Datatype,
    df: distr_func_t,
    dd: *mut distr_t,
    root: c_int,
    c: MPI_Comm,
) -> *mut mpi_vbuf_t {
    call("alloc_mpi_vbuf", || {
        // SAFETY: the program passes handles of MPI, and a function with a descriptor that it understands.
        let (element, c, shares) =
            unsafe { (Element::from_datatype(r#type)?, communicator(c)?, distribution(df, dd)?) };
        let isroot = c.rank() == count("root", root)? % c.size();
        let cnt = elements(shares.value(c.rank(), c.size(), 1.0))?;
        let mut vbuf = mpi_vbuf_t {
            buf: allocate(1, element.bytes(count("cnt", cnt)?))?,
            rootbuf: ptr::null_mut(),
            r#type,
            cnt,
            rootcnt: ptr::null_mut(),
            rootdispl: ptr::null_mut(),
            isroot: isroot.into(),
        };
        if isroot {
            vbuf.rootcnt = allocate(c.size(), size_of::<c_int>())?;
            vbuf.rootdispl = allocate(c.size(), size_of::<c_int>())?;
            let mut next = 0;
            for rank in 0..c.size() {
                let count = elements(shares.value(rank, c.size(), 1.0))?;
                // SAFETY: both have a place for every rank.
                unsafe {
                    vbuf.rootcnt.add(rank).write(count);
                    vbuf.rootdispl.add(rank).write(next);
                }
                next = next.checked_add(count).ok_or_else(|| too_many("all parts together"))?;
            }
            vbuf.rootbuf = allocate(1, element.bytes(next as usize))?;
        }
        boxed(vbuf)
    })
}

/// Frees a buffer that `alloc_mpi_vbuf` has made.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn free_mpi_vbuf(buf: *mut mpi_vbuf_t) {
    // SAFETY: a null pointer, or a buffer that the program frees once.
    if let Some(vbuf) = unsafe { buf.as_ref() } {
        free(vbuf.buf);
        free(vbuf.rootbuf);
        free(vbuf.rootcnt);
        free(vbuf.rootdispl);
    }
    free(buf);
}

/// A rank's share, which is finite and not negative, as a number of elements.
fn elements(share: f64) -> Result<c_int, Problem> {
    if share > f64::from(c_int::MAX) {
        return Err(too_many("a part"));
    }
    Ok(share as c_int)
}

fn too_many(what: &str) -> Problem {
    Problem(format!("{what} would have more than {} elements, which MPI cannot send", c_int::MAX))
}

/// The default type and count, as the program set them.
#[derive(Clone, Copy)]
struct Base {
    r#type: MPI_Datatype,
    cnt: c_int,
}

// SAFETY: a handle only names an object of the MPI library, whichever thread asks for it.
unsafe impl Send for Base {}

fn base() -> MutexGuard<'static, Option<Base>> {
    static BASE: Mutex<Option<Base>> = Mutex::new(None);
    BASE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the type and the number of elements that the messages of the property functions have; one `MPI_INT` until
/// then. Types other than `MPI_INT` and `MPI_DOUBLE` are sent as the bytes that they have, which must be without gaps.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn set_base_comm(r#type: MPI_Datatype, cnt: c_int) {
    call("set_base_comm", || {
        // SAFETY: the program passes a handle of MPI.
        let (datatype, times) = unsafe { Element::from_datatype(r#type) }?.datatype()?;
        let count = count("cnt", cnt)? * times;
        if count > c_int::MAX as usize {
            return Err(too_many("a message"));
        }
        work::set_up()?;
        let world = MpiCommunicator::world().expect("the type's size was asked for, so MPI is initialised");
        world.set_base_comm(BaseComm { datatype, count });
        *base() = Some(Base { r#type, cnt });
        Ok(())
    });
}

/// The type that `set_base_comm` has set.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn get_base_type() -> MPI_Datatype {
    base().map_or_else(|| datatype(of_world().datatype), |base| base.r#type)
}

/// The number of elements that `set_base_comm` has set.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn get_base_cnt() -> c_int {
    base().map_or_else(|| of_world().count as c_int, |base| base.cnt)
}

/// The type and count of messages if the program has not set them: those of its command line, else the suite's
/// default.
fn of_world() -> BaseComm {
    MpiCommunicator::world().map(|world| world.base_comm()).unwrap_or_default()
}

fn datatype(datatype: Datatype) -> MPI_Datatype {
    // SAFETY: constants of the library.
    unsafe {
        match datatype {
            Datatype::Byte => ffi::RSMPI_UINT8_T,
            Datatype::Int => ffi::RSMPI_INT32_T,
            Datatype::Double => ffi::RSMPI_DOUBLE,
        }
    }
}

/// The program's buffer as the suite's, for the duration of a call.
///
/// # Safety
/// It is a null pointer or a buffer whose memory holds its elements.
pub(crate) unsafe fn borrowed(name: &str, buf: *const mpi_buf_t) -> Result<MpiBuf, Problem> {
    // SAFETY: the caller's promise.
    let Some(mpi_buf_t { buf, r#type, cnt }) = (unsafe { buf.as_ref() }) else {
        return Err(Problem(format!("{name} is a null pointer")));
    };
    // SAFETY: the type of a buffer is one of MPI.
    let (datatype, times) = unsafe { Element::from_datatype(*r#type) }?.datatype()?;
    let count = count("cnt", *cnt)? * times;
    let at = NonNull::new(buf.cast::<u8>());
    if at.is_none() && count > 0 {
        return Err(Problem(format!("{name} has no memory")));
    }
    let (at, bytes) = (at.unwrap_or(NonNull::dangling()).as_ptr(), datatype.bytes(count));
    // SAFETY: the caller's promise; where there are no elements, nobody looks.
    let memory = unsafe {
        if made().contains(&at.addr()) { Memory::lent(at, bytes) } else { Memory::borrowed(at, bytes) }
    };
    Ok(MpiBuf::new(memory, datatype, count))
}
