#![allow(unsafe_code, reason = "binds threads through libc")]
//! Operations of threads that are bound to cores.

use std::io;
use std::sync::OnceLock;

use super::arithmetic::int_ops;
use crate::amount::Bound;
use crate::machine;

/// The cores that threads of this process may be bound to, whatever it is bound to now; found by the first that asks.
static USABLE: OnceLock<Result<Vec<usize>, String>> = OnceLock::new();

/// Really binds the thread, does the operations, and puts the thread back to where it was; returns their result.
pub(crate) fn bound(work: &Bound) -> u64 {
    let before = affinity().unwrap_or_else(|error| cannot(&error));
    let cores = USABLE.get_or_init(|| usable(&before).map_err(|error| error.to_string()));
    let cores = cores.as_ref().unwrap_or_else(|error| cannot(error));
    if cores.len() < 2 {
        machine::unfit("threads are bound to a part of the cores, and there is one core");
    }
    let mut one = none();
    // SAFETY: the number is one that the system has given.
    unsafe { libc::CPU_SET(cores[work.core() as usize % cores.len()], &mut one) };
    bind(&one).unwrap_or_else(|error| cannot(&error));
    let result = int_ops(work.operations);
    bind(&before).unwrap_or_else(|error| cannot(&error));
    result
}

fn cannot(error: &dyn std::fmt::Display) -> ! {
    machine::unfit(&format!("threads cannot be bound to cores ({error})"))
}

/// The cores that the system grants to a thread that asks for all; the thread is `before` again.
fn usable(before: &libc::cpu_set_t) -> io::Result<Vec<usize>> {
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
        let cores = usable(&before).unwrap();
        let work = Bound { operations: 10, place: 1, places: 2, cores: 2 };
        if cores.len() > 1 {
            assert_eq!(bound(&work), int_ops(10));
        }
        let after = affinity().unwrap();
        // SAFETY: both are sets of ours.
        assert!(unsafe { libc::CPU_EQUAL(&before, &after) });
    }
}
