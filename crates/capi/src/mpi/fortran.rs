#![allow(unsafe_code, reason = "functions that Fortran calls")]
//! Functions that the Fortran module calls: they take handles as integers, as Fortran has them.

use std::ffi::c_int;

use mpi::ffi;

use super::buffer::{mpi_buf_t, mpi_vbuf_t};
use super::pattern::mpi_dir_t;
use crate::distribution::{distr_func_t, distr_t};

include!("../../generated/fortran.rs");
