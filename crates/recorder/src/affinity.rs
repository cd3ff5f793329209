#![allow(unsafe_code, reason = "asks the system for the processors of the process")]
//! The processors that the process may run on.

use std::fs;
use std::mem::MaybeUninit;

use ats_model::affinity::Affinity;

/// Those of the first thread, now; `None` if the system does not tell.
pub(crate) fn own() -> Option<Affinity> {
    let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
    let process = i32::try_from(std::process::id()).ok()?;
    // SAFETY: the set is as large as it is said to be, and one of zeros is valid.
    let set = unsafe {
        if libc::sched_getaffinity(process, size_of::<libc::cpu_set_t>(), set.as_mut_ptr()) != 0 {
            return None;
        }
        set.assume_init()
    };
    let all = 0..8 * size_of::<libc::cpu_set_t>();
    // SAFETY: the numbers are within the set.
    let processors = all.filter(|&number| unsafe { libc::CPU_ISSET(number, &set) });
    Some(Affinity { host: host_name(), processors: processors.map(|number| number as u32).collect() })
}

/// The name of the machine.
pub(crate) fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_run_on_as_many_processors_as_the_standard_library_says() {
        let processors = own().unwrap().processors.len();
        // The library takes quotas of control groups into account, too.
        assert!(processors >= std::thread::available_parallelism().unwrap().get());
    }
}
