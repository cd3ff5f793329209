#![allow(unsafe_code, reason = "hands memory to the MPI library")]
//! The buffer that buffered sends go through.

use std::ffi::{c_int, c_void};
use std::sync::Mutex;

use ats_model::mpi::Function;
use mpi::ffi;

use super::arguments::int;
use super::failure::check;

/// The number of messages of the largest size seen that fit in the buffer at once.
const MESSAGES: usize = 64;

static ATTACHED: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// Makes sure that [`MESSAGES`] buffered sends of `bytes` fit, waiting for those under way if the buffer must grow.
pub(super) fn reserve(bytes: usize) {
    let words = (MESSAGES * (bytes + ffi::MPI_BSEND_OVERHEAD as usize)).div_ceil(8);
    let mut attached = ATTACHED.lock().expect("nobody panics while holding it");
    if attached.len() >= words {
        return;
    }
    if !attached.is_empty() {
        let (mut address, mut size): (*mut c_void, c_int) = (std::ptr::null_mut(), 0);
        // SAFETY: our buffer is attached; both results are ours.
        let code = unsafe { ffi::PMPI_Buffer_detach((&raw mut address).cast(), &mut size) };
        check(Function::Buffer_detach, code);
    }
    *attached = vec![0; words];
    // SAFETY: the memory is in a static and replaced only after it was detached.
    let code = unsafe { ffi::PMPI_Buffer_attach(attached.as_mut_ptr().cast(), int(words * 8)) };
    check(Function::Buffer_attach, code);
}
