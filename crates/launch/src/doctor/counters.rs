//! The counters of the machine that `ats record --metrics` takes.

use std::fs;
use std::io;

use ats_model::machine_counter::{CounterSource, HardwareEvent, MachineCounter};
use ats_work::perf_events::{PerfEvent, Refusal};

use super::Check;

/// Looks at each counter, where the file of what a thread reads and writes is `io_file`, and `refusal` tells why the kernel
/// refuses an event of the hardware.
pub(super) fn counters(io_file: &str, refusal: impl Fn(PerfEvent) -> Option<Refusal>) -> Vec<Check> {
    let io = fs::read_to_string(io_file).err();
    let of_counter = |counter: MachineCounter| {
        let refused = match counter.source() {
            CounterSource::Io => io.as_ref().map(|error| (error.to_string(), fix_of_io(error))),
            CounterSource::Hardware(event) => {
                let known = PerfEvent { kind: event.kind, config: event.config };
                refusal(known).map(|refusal| of_hardware(event, &refusal))
            }
            // Every Linux grants the others.
            CounterSource::Usage | CounterSource::Clock | CounterSource::Allocations => None,
        };
        check(counter, refused)
    };
    MachineCounter::ALL.map(of_counter).to_vec()
}

/// The check of a counter that is granted, or refused for a reason, with the remedy.
fn check(counter: MachineCounter, refused: Option<(String, String)>) -> Check {
    let names: Vec<&str> = [counter.name()].iter().chain(counter.aliases()).copied().collect();
    let source = counter.source().name();
    let (said, fix) = match refused {
        None => (format!("granted by {source}"), None),
        Some((why, fix)) => (format!("refused by {source}: {why}"), Some(fix)),
    };
    let found = format!("{}; {said}", counter.about());
    Check { what: format!("counter {}", names.join(", ")), required: false, found, bytes: None, fix }
}

fn fix_of_io(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "use a Linux kernel with CONFIG_TASK_IO_ACCOUNTING, and mount /proc",
        _ => "run programs that are not set-user-ID, as the user that they belong to",
    }
    .to_owned()
}

/// The reason and the remedy where an event of the hardware is refused.
fn of_hardware(event: HardwareEvent, refusal: &Refusal) -> (String, String) {
    if event.is_simulated {
        (format!("{refusal}; simulated only, by valgrind --tool=cachegrind"), refusal.fix())
    } else {
        (refusal.to_string(), refusal.fix())
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::{OwnedFd, RawFd};

    use ats_work::perf_events::{Group, Kernel};

    use super::*;

    /// A kernel that grants cycles alone, for want of rights.
    #[derive(Debug)]
    struct Strict;

    impl Kernel for Strict {
        fn open(&self, event: PerfEvent, _leader: Option<RawFd>) -> io::Result<OwnedFd> {
            const EACCES: i32 = 13;
            match event {
                PerfEvent { kind: 0, config: 0 } => Ok(fs::File::open("/dev/null")?.into()),
                _ => Err(io::Error::from_raw_os_error(EACCES)),
            }
        }

        fn start(&self, _leader: RawFd) {}

        fn read(&self, _leader: RawFd, _words: &mut [u64]) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    #[test]
    fn refused_counters_have_a_reason_and_a_fix() {
        let by_strict =
            |event| Group::open_by(Box::new(Strict), &[event]).1.pop().map(|(_, refusal)| refusal);
        let checks = counters("/proc/no-such-thread/io", by_strict);
        let begins = |check: &&Check, name: &str| check.what.starts_with(&format!("counter {name}"));
        let named = |name: &str| checks.iter().find(|check| begins(check, name)).unwrap();
        assert_eq!(named("ru_minflt").fix, None);
        let refused = named("syscw");
        assert!(refused.found.contains("refused by /proc/thread-self/io: No such file"), "{refused:?}");
        assert!(refused.fix.as_ref().unwrap().contains("CONFIG_TASK_IO_ACCOUNTING"));
        assert!(checks.iter().all(|check| !check.required));
        assert!(named("cycles, cpu-cycles, PAPI_TOT_CYC").found.ends_with("; granted by perf_event_open"));
        let simulated = named("instructions");
        assert!(
            simulated.found.contains("refused by perf_event_open: kernel.perf_event_paranoid"),
            "{simulated:?}"
        );
        assert!(simulated.found.ends_with("simulated only, by valgrind --tool=cachegrind"), "{simulated:?}");
        assert!(simulated.fix.as_ref().unwrap().contains("sysctl kernel.perf_event_paranoid=2"));
        assert!(!named("dTLB-load-misses").found.contains("simulated"));
    }
}
