#![allow(unsafe_code, reason = "functions that C calls")]
//! The properties of one process of one thread.

use std::ffi::c_int;

use ats_props::CValue;

use crate::argument::value;
use crate::failure::{Problem, call};
use crate::work;

/// Runs a property.
fn property(name: &str, run: impl FnOnce() -> Result<(), Problem>) {
    call(name, || {
        work::set_up()?;
        run()
    });
}

include!("../generated/sequential.rs");
