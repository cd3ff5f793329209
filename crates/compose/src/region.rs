//! Names of regions that a composition brings itself.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Longest name.
const LONGEST: usize = 64;

/// The prefixes of names of the harness, of MPI and of OpenMP.
const RESERVED: [&str; 5] = ["ats_", "mpi_", "pmpi_", "omp_", "ompt_"];

/// A region's name for as long as the process lives, as a region mark wants it.
///
/// # Errors
/// It is not an identifier, or one that means something else.
pub(crate) fn name(text: &str) -> Result<&'static str, String> {
    identifier(text)?;
    let lower = text.to_ascii_lowercase();
    if let Some(prefix) = RESERVED.into_iter().find(|prefix| lower.starts_with(prefix)) {
        return Err(format!("`{text}` begins with {prefix}, which is reserved; choose another name"));
    }
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(text) {
        return Ok(known);
    }
    let name: &'static str = String::leak(text.to_owned());
    names.insert(name);
    Ok(name)
}

/// Whether a text can name something in every language that programs are written in.
///
/// # Errors
/// It cannot.
pub(crate) fn identifier(text: &str) -> Result<(), String> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(letters);
    if fits && text.len() <= LONGEST {
        return Ok(());
    }
    Err(format!(
        "`{}` is not a valid name; use up to {LONGEST} of a-z, A-Z, 0-9 and _, beginning with a letter",
        text.escape_debug()
    ))
}
