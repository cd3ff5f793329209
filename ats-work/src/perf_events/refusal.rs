//! The reasons why the kernel refuses an event.

use std::fmt;
use std::fs;
use std::io;

/// The file with the rights that the kernel wants for events.
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// A refusal of an event; shown, it says who refuses it.
#[derive(Debug)]
pub struct Refusal {
    error: io::Error,
    /// Whether the event is granted alone, and refused beside others.
    beside_others: bool,
}

impl Refusal {
    /// The refusal of an event that has failed so; `beside_others` if it is granted alone.
    pub(super) fn new(error: io::Error, beside_others: bool) -> Self {
        Refusal { error, beside_others }
    }

    /// Whether the hardware counts fewer events at a time than were asked for.
    pub fn is_of_too_many(&self) -> bool {
        self.beside_others || self.error.raw_os_error() == Some(libc::ENOSPC)
    }

    /// The remedy.
    pub fn fix(&self) -> String {
        let fix = match self.error.raw_os_error() {
            _ if self.is_of_too_many() => {
                "ask for fewer events of the hardware, and for the others in another run"
            }
            Some(libc::EACCES) => {
                "have the administrator allow it: sysctl kernel.perf_event_paranoid=2, or the capability CAP_PERFMON"
            }
            Some(libc::EPERM) => {
                "start the container with a seccomp profile that allows perf_event_open, or with \
                 --security-opt seccomp=unconfined"
            }
            Some(libc::EMFILE | libc::ENFILE) => "allow more open files: ulimit -n",
            Some(libc::ENOSYS) => {
                "use a Linux kernel with CONFIG_PERF_EVENTS, outside of sandboxes that replace it"
            }
            _ => {
                "run on hardware that counts it; a virtual machine must be given the counters of its host's processor"
            }
        };
        fix.to_owned()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by = match self.error.raw_os_error() {
            _ if self.is_of_too_many() => {
                return f.write_str("the hardware does not count that many events at a time");
            }
            Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP | libc::EINVAL) => {
                "the hardware here has no counter for it"
            }
            Some(libc::EACCES) => {
                let level = fs::read_to_string(PARANOID);
                let level = level.map(|level| format!(", which is {}", level.trim())).unwrap_or_default();
                return write!(f, "kernel.perf_event_paranoid{level}, refuses it: {}", self.error);
            }
            Some(libc::EPERM) => "the seccomp profile of a container, or the kernel, refuses it",
            Some(libc::EMFILE | libc::ENFILE) => "there are too many open files",
            Some(libc::ENOSYS) => "the kernel has no such events",
            _ => "the kernel refuses it",
        };
        write!(f, "{by}: {}", self.error)
    }
}
