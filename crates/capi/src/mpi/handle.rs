#![allow(unsafe_code, reason = "asks MPI about handles that a C program passes")]
//! Handles of MPI that the program owns.

use std::ffi::{CStr, c_char, c_int};

use ats_mpi::Datatype;
use ats_mpi::real::MpiCommunicator;
use mpi::ffi::{self, MPI_Aint, MPI_Comm, MPI_Datatype};

use crate::failure::Problem;

/// Fails before `MPI_Init` and after `MPI_Finalize`.
pub(crate) fn initialized() -> Result<(), Problem> {
    match MpiCommunicator::world() {
        Some(_) => Ok(()),
        None => Err(Problem("MPI is not initialised; call it between MPI_Init and MPI_Finalize".to_owned())),
    }
}

/// The program's communicator, for the duration of a call.
///
/// # Safety
/// `c` is a handle of MPI, or null.
pub(crate) unsafe fn communicator(c: MPI_Comm) -> Result<MpiCommunicator, Problem> {
    initialized()?;
    // SAFETY: a constant of the library.
    if c == unsafe { ffi::RSMPI_COMM_NULL } {
        return Err(Problem("the communicator is MPI_COMM_NULL".to_owned()));
    }
    let mut inter = 0;
    // SAFETY: MPI is initialised, and this is a communicator; the flag is ours.
    unsafe { ffi::PMPI_Comm_test_inter(c, &mut inter) };
    if inter != 0 {
        return Err(Problem(
            "the communicator is an intercommunicator; it takes an intracommunicator".to_owned(),
        ));
    }
    // SAFETY: MPI is initialised, and this is an intracommunicator, which the program keeps through the call.
    Ok(unsafe { MpiCommunicator::borrowed(c) })
}

/// The element that messages are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    size: usize,
    extent: usize,
    lower: usize,
    true_extent: usize,
    is_int: bool,
    is_double: bool,
}

impl Element {
    /// MPI's facts about a type.
    ///
    /// # Safety
    /// `kind` is a handle of MPI, or null.
    pub(crate) unsafe fn from_datatype(kind: MPI_Datatype) -> Result<Self, Problem> {
        initialized()?;
        // SAFETY: a constant of the library.
        if kind == unsafe { ffi::RSMPI_DATATYPE_NULL } {
            return Err(Problem("the type is MPI_DATATYPE_NULL".to_owned()));
        }
        let mut size: c_int = 0;
        let (mut lower, mut extent, mut true_lower, mut true_extent): (
            MPI_Aint,
            MPI_Aint,
            MPI_Aint,
            MPI_Aint,
        ) = (0, 0, 0, 0);
        // SAFETY: MPI is initialised, and this is a type; the results are ours.
        unsafe {
            ffi::PMPI_Type_size(kind, &mut size);
            ffi::PMPI_Type_get_extent(kind, &mut lower, &mut extent);
            ffi::PMPI_Type_get_true_extent(kind, &mut true_lower, &mut true_extent);
        }
        let name = name(kind);
        let unfit = |_| Problem(format!("the type {name} reaches below the address of its buffer"));
        Ok(Element {
            size: usize::try_from(size).map_err(unfit)?,
            extent: usize::try_from(extent).map_err(unfit)?,
            lower: usize::try_from(true_lower).map_err(unfit)?,
            true_extent: usize::try_from(true_extent).map_err(unfit)?,
            // The suite's own name for it is the second.
            is_int: ["MPI_INT", "MPI_INT32_T"].contains(&&*name),
            is_double: name == "MPI_DOUBLE",
        })
    }

    /// Bytes from the address of a buffer of `count` elements to the end of its last one.
    pub(crate) fn bytes(&self, count: usize) -> usize {
        if count == 0 { 0 } else { self.lower + (count - 1) * self.extent + self.true_extent }
    }

    /// The suite's type for it, and the number of them in an element; a type other than int and double is sent as
    /// bytes.
    pub(crate) fn datatype(&self) -> Result<(Datatype, usize), Problem> {
        if self.is_int {
            Ok((Datatype::Int, 1))
        } else if self.is_double {
            Ok((Datatype::Double, 1))
        } else if self.lower == 0 && self.size == self.extent && self.size == self.true_extent {
            Ok((Datatype::Byte, self.size))
        } else {
            Err(Problem("the type has gaps, which the suite does not send; use one without".to_owned()))
        }
    }
}

fn name(kind: MPI_Datatype) -> String {
    let mut text = [0 as c_char; ffi::MPI_MAX_OBJECT_NAME as usize + 1];
    let mut length = 0;
    // SAFETY: a type; the text has the room that MPI demands, and one zero more.
    unsafe {
        ffi::PMPI_Type_get_name(kind, text.as_mut_ptr(), &mut length);
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}
