#![allow(unsafe_code, reason = "binds threads through libc")]
//! Cores that threads are bound to.

use std::io;
use std::sync::OnceLock;

use crate::machine;

/// The cores that threads of this process may be bound to, whatever it is bound to now, found by the first that asks; or why
/// it is bound to none.
pub(crate) fn granted_cores() -> Result<&'static [usize], &'static str> {
    static GRANTED: OnceLock<Result<Vec<usize>, String>> = OnceLock::new();
    let find = || affinity().and_then(|before| granted(&before)).map_err(|error| error.to_string());
    GRANTED.get_or_init(find).as_deref().map_err(String::as_str)
}

/// The same on a machine that binds threads; another one is unfit.
pub(crate) fn usable_cores() -> &'static [usize] {
    granted_cores().unwrap_or_else(|error| cannot(&error))
}

/// Binds the thread to cores that are usable, runs, and puts the thread back to where it was.
pub(crate) fn on_cores<R>(cores: &[usize], run: impl FnOnce() -> R) -> R {
    let before = affinity().unwrap_or_else(|error| cannot(&error));
    let mut set = none();
    // SAFETY: the numbers are those that the system has given.
    cores.iter().for_each(|&core| unsafe { libc::CPU_SET(core, &mut set) });
    bind(&set).unwrap_or_else(|error| cannot(&error));
    let result = run();
    bind(&before).unwrap_or_else(|error| cannot(&error));
    result
}

fn cannot(error: &dyn std::fmt::Display) -> ! {
    machine::unfit(&format!("threads cannot be bound to cores ({error})"))
}

/// The cores that the system grants to a thread that asks for all; the thread is `before` again.
fn granted(before: &libc::cpu_set_t) -> io::Result<Vec<usize>> {
    let mut all = none();
    for core in 0..libc::CPU_SETSIZE as usize {
        // SAFETY: the number is below the size of the set.
        unsafe { libc::CPU_SET(core, &mut all) };
    }
    bind(&all)?;
    let granted = affinity()?;
    bind(before)?;
    // SAFETY: the numbers are below the size of the set.
    let is_granted = |&core: &usize| unsafe { libc::CPU_ISSET(core, &granted) };
    Ok((0..libc::CPU_SETSIZE as usize).filter(is_granted).collect())
}

fn none() -> libc::cpu_set_t {
    // SAFETY: a plain bit set, for which all zeros is the empty one.
    unsafe { std::mem::zeroed() }
}

/// The cores that this thread may run on.
fn affinity() -> io::Result<libc::cpu_set_t> {
    let mut set = none();
    // SAFETY: the size is that of the set, which is ours.
    checked(unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) })?;
    Ok(set)
}

/// Lets this thread run on these cores alone.
fn bind(set: &libc::cpu_set_t) -> io::Result<()> {
    // SAFETY: the size is that of the set, which outlives the call.
    checked(unsafe { libc::sched_setaffinity(0, size_of_val(set), set) })
}

fn checked(status: libc::c_int) -> io::Result<()> {
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_where_it_was_before() {
        let before = affinity().unwrap();
        for &core in usable_cores() {
            // SAFETY: both are sets of ours, and the number is one that the system has given.
            let is_there =
                |set: &libc::cpu_set_t| unsafe { (libc::CPU_COUNT(set), libc::CPU_ISSET(core, set)) };
            assert_eq!(on_cores(&[core], || is_there(&affinity().unwrap())), (1, true));
        }
        // SAFETY: both are sets of ours.
        assert!(unsafe { libc::CPU_EQUAL(&before, &affinity().unwrap()) });
    }
}
