#![allow(unsafe_code, reason = "reads the strings of C")]
//! Texts that programs pass.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};
use std::sync::{Mutex, PoisonError};

use crate::failure::Problem;

/// The string of C that a parameter is.
///
/// # Safety
/// `text` is a string of C, or null.
pub(crate) unsafe fn text(name: &str, text: *const c_char) -> Result<String, Problem> {
    if text.is_null() {
        return Err(Problem(format!("{name} is a null pointer")));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A text for as long as the process lives, once.
pub(crate) fn intern(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(text) {
        return known;
    }
    let text: &'static str = String::leak(text.to_owned());
    all.insert(text);
    text
}
