#![allow(unsafe_code, reason = "asks the system through libc")]
//! Cores that this process may run on.

/// The numbers of the cores that this process may run on; empty if the system does not say.
pub(crate) fn cores() -> Vec<usize> {
    // SAFETY: a plain bit set, for which all zeros is the empty one.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the size is that of the set, which is ours.
    let status = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) };
    // SAFETY: the numbers are below the size of the set.
    let is_set = |&core: &usize| unsafe { libc::CPU_ISSET(core, &set) };
    if status == 0 { (0..libc::CPU_SETSIZE as usize).filter(is_set).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_a_core_to_run_on() {
        assert!(!super::cores().is_empty());
    }
}
