#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Beginning and end of MPI.

use std::marker::PhantomData;

use ats_model::mpi::Function;
use mpi::{Threading, ffi};

use super::MpiCommunicator;
use super::failure::check;

/// MPI, initialised. Dropping it finalizes MPI; while panicking it aborts all ranks instead, since `MPI_Finalize`
/// would wait for ranks that wait for this one.
pub struct Universe {
    // Only there to be dropped.
    _mpi: mpi::environment::Universe,
    /// The thread that has initialised MPI finalizes it.
    _here: PhantomData<*const ()>,
}

/// Why MPI could not be initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InitError {
    /// It was before, and can be only once in a process.
    #[error("MPI is initialised already; a process can do it only once")]
    Already,
    /// The library does not grant the thread level.
    #[error("the MPI library grants the thread level {granted:?} only, {asked:?} is needed")]
    ThreadLevel {
        /// The level requested.
        asked: Threading,
        /// The level that the library grants.
        granted: Threading,
    },
}

impl Universe {
    /// Initialises MPI for a program whose main thread makes all MPI calls (`MPI_THREAD_FUNNELED`).
    ///
    /// # Errors
    /// MPI is initialised already, or grants less.
    pub fn init() -> Result<Self, InitError> {
        Self::with_threading(Threading::Funneled)
    }

    /// Initialises MPI at a thread level. Ask only for the level that is needed: tools warn about more.
    ///
    /// # Errors
    /// MPI is initialised already, or grants less.
    pub fn with_threading(asked: Threading) -> Result<Self, InitError> {
        let (universe, granted) = mpi::initialize_with_threading(asked).ok_or(InitError::Already)?;
        // SAFETY: MPI is initialised, the handles are predefined. Communicators made from these two inherit it.
        unsafe {
            for handle in [ffi::RSMPI_COMM_WORLD, ffi::RSMPI_COMM_SELF] {
                let code = ffi::PMPI_Comm_set_errhandler(handle, ffi::RSMPI_ERRORS_RETURN);
                check(Function::Comm_set_errhandler, code);
            }
        }
        if granted < asked {
            return Err(InitError::ThreadLevel { asked, granted });
        }
        Ok(Universe { _mpi: universe, _here: PhantomData })
    }

    /// The communicator of all processes (`MPI_COMM_WORLD`).
    pub fn world(&self) -> MpiCommunicator {
        // SAFETY: predefined, and MPI is initialised.
        unsafe { MpiCommunicator::borrowed(ffi::RSMPI_COMM_WORLD) }
    }
}

impl Drop for Universe {
    fn drop(&mut self) {
        if std::thread::panicking() {
            super::failure::fatal(Function::Finalize, "not called, because this rank panicked");
        }
    }
}

/// Name and version of the MPI library, as it calls itself, in one line.
pub fn library_version() -> String {
    // SAFETY: a constant of the library.
    let mut text = vec![0u8; unsafe { ffi::RSMPI_MAX_LIBRARY_VERSION_STRING } as usize + 1];
    let mut length = 0;
    // SAFETY: allowed at any time; the text has the room that MPI demands.
    unsafe { ffi::PMPI_Get_library_version(text.as_mut_ptr().cast(), &mut length) };
    text.truncate(length as usize);
    let text = String::from_utf8_lossy(&text);
    let line = text.trim_matches(['\0', '\n']).lines().next().unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
