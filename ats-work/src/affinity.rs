#![allow(unsafe_code, reason = "binds threads through libc")]
//! Cores that threads are bound to.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::sync::OnceLock;

use crate::machine;

/// The cores that threads of this process may be bound to, whatever it is bound to now, found by the first that asks; or why
/// it is bound to none.
pub(crate) fn granted_cores() -> Result<&'static [usize], &'static str> {
    static GRANTED: OnceLock<Result<Vec<usize>, String>> = OnceLock::new();
    let find = || affinity(OWN).and_then(|before| granted(&before)).map_err(|error| error.to_string());
    GRANTED.get_or_init(find).as_deref().map_err(String::as_str)
}

/// The same on a machine that binds threads; another one is unfit.
pub(crate) fn usable_cores() -> &'static [usize] {
    granted_cores().unwrap_or_else(|error| cannot(&error))
}

/// The cores that any thread of this process may run on now.
pub(crate) fn cores_of_all_threads() -> io::Result<Vec<usize>> {
    let mut all = BTreeSet::new();
    for thread in fs::read_dir("/proc/self/task")? {
        let Some(Ok(thread)) = thread?.file_name().to_str().map(str::parse) else { continue };
        // A thread that has just ended has none.
        all.extend(affinity(thread).map(|set| numbers(&set)).unwrap_or_default());
    }
    Ok(all.into_iter().collect())
}

/// Binds the thread to cores that are usable, runs, and puts the thread back to where it was.
pub(crate) fn on_cores<R>(cores: &[usize], run: impl FnOnce() -> R) -> R {
    let before = affinity(OWN).unwrap_or_else(|error| cannot(&error));
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
    let granted = affinity(OWN)?;
    bind(before)?;
    Ok(numbers(&granted))
}

/// The cores of a set.
fn numbers(set: &libc::cpu_set_t) -> Vec<usize> {
    // SAFETY: the numbers are below the size of the set.
    let is_there = |&core: &usize| unsafe { libc::CPU_ISSET(core, set) };
    (0..libc::CPU_SETSIZE as usize).filter(is_there).collect()
}

fn none() -> libc::cpu_set_t {
    // SAFETY: a plain bit set, for which all zeros is the empty one.
    unsafe { std::mem::zeroed() }
}

/// The calling thread, in place of a thread's number.
const OWN: libc::pid_t = 0;

/// The cores that a thread may run on.
fn affinity(thread: libc::pid_t) -> io::Result<libc::cpu_set_t> {
    let mut set = none();
    // SAFETY: the size is that of the set, which is ours.
    checked(unsafe { libc::sched_getaffinity(thread, size_of_val(&set), &mut set) })?;
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
        let own = || numbers(&affinity(OWN).unwrap());
        let before = own();
        for &core in usable_cores() {
            assert_eq!(on_cores(&[core], own), [core]);
        }
        assert_eq!(own(), before);
        let of_all = cores_of_all_threads().unwrap();
        assert!(before.iter().all(|core| of_all.contains(core)), "{before:?} of {of_all:?}");
    }
}
