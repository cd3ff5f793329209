#![allow(unsafe_code, reason = "asks the system for the counters of the thread")]
//! The counters that the caller of the recorder asks for, as they are read where a thread enters and leaves regions.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::sync::{Once, OnceLock};

use ats_model::Event;
use ats_model::event::MetricRef;
use ats_model::machine_counter::{CounterSource, MachineCounter};
use ats_work::perf_events::{Group, Kernel, Linux, PerfEvent};
use ats_work::say;

use crate::{allocations, metrics};

/// The names of the counters, with commas between them; none where it is not set.
const COUNTERS: &str = "ATS_RECORDER_METRICS";

/// `calls`: they are read at calls of MPI, too.
const PLACES: &str = "ATS_RECORDER_METRICS_AT";

/// The choice of a recording.
#[derive(Debug, Default)]
struct Chosen {
    counters: Vec<(MachineCounter, MetricRef)>,
    at_calls: bool,
}

/// The choice, made when it is asked for first.
fn chosen() -> &'static Chosen {
    static CHOSEN: OnceLock<Chosen> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let names = std::env::var(COUNTERS).unwrap_or_default();
        let (granted, refused) = granted(&names, CounterSource::IO_FILE, Box::new(Linux));
        for why in refused {
            say(format_args!("ats-recorder: the trace does not have the counter {why}"));
        }
        let counters = granted.into_iter().map(|counter| (counter, metrics::defined(counter.definition())));
        let at_calls = std::env::var(PLACES).is_ok_and(|places| places == "calls");
        Chosen { counters: counters.collect(), at_calls }
    })
}

/// Follows allocations from now on, if they are asked for.
pub(crate) fn prepare() {
    let names = std::env::var(COUNTERS).unwrap_or_default();
    let is_of_allocations = |name: &str| {
        MachineCounter::named(name.trim()).is_ok_and(|counter| counter.source() == CounterSource::Allocations)
    };
    if names.split(',').any(is_of_allocations) {
        allocations::follow();
    }
}

/// The counters of these names that the system tells, and the names of the others with the reasons. The file of what is read is
/// `io_file`.
fn granted(names: &str, io_file: &str, kernel: Box<dyn Kernel + Send>) -> (Vec<MachineCounter>, Vec<String>) {
    let (mut granted, mut refused) = (Vec::new(), Vec::new());
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match counter(name, io_file) {
            Ok(counter) if granted.contains(&counter) => {}
            Ok(counter) => granted.push(counter),
            Err(why) => refused.push(format!("{name}: {why}")),
        }
    }
    let of_hardware: Vec<MachineCounter> =
        granted.iter().copied().filter(|counter| counter.hardware().is_some()).collect();
    for (place, refusal) in Group::open_by(kernel, &events(of_hardware.iter().copied())).1 {
        let counter = of_hardware[place];
        granted.retain(|&other| other != counter);
        refused.push(format!("{}: {refusal}; {}", counter.name(), refusal.fix()));
    }
    (granted, refused)
}

/// The events of the hardware among counters, in their order.
fn events(counters: impl Iterator<Item = MachineCounter>) -> Vec<PerfEvent> {
    let events = counters.filter_map(MachineCounter::hardware);
    events.map(|event| PerfEvent { kind: event.kind, config: event.config }).collect()
}

/// The counter of a name, if the system tells it: the reason why not, else. Those of the hardware are asked for
/// together, later.
fn counter(name: &str, io_file: &str) -> Result<MachineCounter, String> {
    let counter = MachineCounter::named(name)?;
    let refused = |error: io::Error| format!("{} is refused: {error}", counter.source().name());
    match counter.source() {
        CounterSource::Usage => usage().map(|_| counter).map_err(refused),
        CounterSource::Clock => clock().map(|_| counter).map_err(refused),
        CounterSource::Io => Io::open(io_file).and_then(|mut io| io.read()).map(|_| counter).map_err(refused),
        CounterSource::Hardware(_) => Ok(counter),
        CounterSource::Allocations => allocations::own()
            .map(|_| counter)
            .ok_or_else(|| "nothing that is loaded calls malloc of another library".to_owned()),
    }
}

/// The counters of a thread.
#[derive(Debug)]
pub(crate) struct Meter {
    io: Option<Io>,
    hardware: Option<Group>,
    /// Whether this thread's sources are open.
    is_open: bool,
    /// The least [share](Meter::counted_permille) of the threads that the track had before.
    least_permille: u32,
    /// By counter: the last value, and that of the threads that the track had before.
    last: Vec<u64>,
    earlier: Vec<u64>,
    pub(crate) at_calls: bool,
}

impl Meter {
    /// That of a new thread; `None` if no counters are asked for.
    pub(crate) fn new() -> Option<Box<Self>> {
        let Chosen { counters, at_calls } = chosen();
        let nothing = vec![0; counters.len()];
        let meter = || Meter {
            io: None,
            hardware: None,
            is_open: false,
            least_permille: 1000,
            last: nothing.clone(),
            earlier: nothing.clone(),
            at_calls: *at_calls,
        };
        (!counters.is_empty()).then(|| Box::new(meter()))
    }

    /// Reads the counters of this thread, as events. What is not told now is left out: the next value has it.
    pub(crate) fn read(&mut self) -> impl Iterator<Item = Event> {
        let counters = &chosen().counters;
        let uses = |source| counters.iter().any(|(counter, _)| counter.source() == source);
        if !self.is_open {
            self.is_open = true;
            self.io = uses(CounterSource::Io).then(|| Io::open(CounterSource::IO_FILE).ok()).flatten();
            self.hardware = open_hardware(&events(counters.iter().map(|&(counter, _)| counter)));
        }
        let Meter { io, hardware, last, earlier, .. } = self;
        let mut hardware = hardware.as_mut().and_then(Group::read).into_iter().flatten();
        let io = io.as_mut().and_then(|io| io.read().ok());
        let used = if uses(CounterSource::Usage) { usage().ok() } else { None };
        let time = if uses(CounterSource::Clock) { clock().ok() } else { None };
        counters.iter().enumerate().filter_map(move |(at, &(counter, metric))| {
            let value = match counter.hardware() {
                Some(_) => *hardware.next()?,
                None => value(counter, used.as_ref(), io.as_ref(), time)?,
            };
            last[at] = earlier[at] + value;
            Some(metrics::total(metric, last[at]))
        })
    }

    /// The share of the time, in 1/1000, that the hardware counted for the thread; those that the track had before count, too.
    pub(crate) fn counted_permille(&self) -> u32 {
        let own = self.hardware.as_ref().map_or(1000, |group| group.share().permille());
        own.min(self.least_permille)
    }

    /// That of another thread, which goes on with the track.
    pub(crate) fn of_successor(&self) -> Box<Self> {
        let [last, earlier] = [(); 2].map(|()| self.last.clone());
        let least_permille = self.counted_permille();
        Box::new(Meter {
            io: None,
            hardware: None,
            is_open: false,
            least_permille,
            last,
            earlier,
            at_calls: self.at_calls,
        })
    }
}

/// Opens events of the hardware for this thread. They were granted once; if they are not now, says so, once for all threads.
fn open_hardware(events: &[PerfEvent]) -> Option<Group> {
    static SAID: Once = Once::new();
    let (group, refused) = Group::open(events);
    if let Some((_, refusal)) = refused.first() {
        SAID.call_once(|| {
            say(format_args!(
                "ats-recorder: the trace does not have the counters of the hardware of some threads: {refusal}; {}",
                refusal.fix()
            ));
        });
        return None;
    }
    (!events.is_empty()).then_some(group)
}

/// The value of a counter of the operating system, by what its source tells; none of the hardware.
fn value(
    counter: MachineCounter,
    used: Option<&libc::rusage>,
    io: Option<&[u64; 4]>,
    time: Option<u64>,
) -> Option<u64> {
    let microseconds = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    Some(match counter {
        MachineCounter::TaskClock => time?,
        MachineCounter::Allocations => allocations::own()?.allocations,
        MachineCounter::Frees => allocations::own()?.frees,
        MachineCounter::AllocatedBytes => allocations::own()?.bytes,
        MachineCounter::BytesRead => io?[0],
        MachineCounter::BytesWritten => io?[1],
        MachineCounter::ReadCalls => io?[2],
        MachineCounter::WriteCalls => io?[3],
        MachineCounter::PageFaults => (used?.ru_minflt + used?.ru_majflt) as u64,
        MachineCounter::MinorFaults => used?.ru_minflt as u64,
        MachineCounter::MajorFaults => used?.ru_majflt as u64,
        MachineCounter::ContextSwitches => (used?.ru_nvcsw + used?.ru_nivcsw) as u64,
        MachineCounter::VoluntarySwitches => used?.ru_nvcsw as u64,
        MachineCounter::InvoluntarySwitches => used?.ru_nivcsw as u64,
        MachineCounter::UserTime => microseconds(used?.ru_utime),
        MachineCounter::SystemTime => microseconds(used?.ru_stime),
        _ => return None,
    })
}

fn usage() -> io::Result<libc::rusage> {
    let mut used = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the result is ours, and of the type that is filled in; one of zeros is valid.
    let (code, used) =
        unsafe { (libc::getrusage(libc::RUSAGE_THREAD, used.as_mut_ptr()), used.assume_init()) };
    if code == 0 { Ok(used) } else { Err(io::Error::last_os_error()) }
}

fn clock() -> io::Result<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the result is ours, and of the type that is filled in.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    if code != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// Calls and bytes that a thread has read and written, as the kernel counts them.
#[derive(Debug)]
struct Io {
    file: File,
    /// Calls of this reader, and bytes that they have read: they are none of the program's.
    calls: u64,
    bytes: u64,
}

impl Io {
    /// That of this thread.
    fn open(file: &str) -> io::Result<Self> {
        Ok(Io { file: File::open(file)?, calls: 0, bytes: 0 })
    }

    /// Bytes read and written, and the calls that did.
    fn read(&mut self) -> io::Result<[u64; 4]> {
        /// The file has seven lines of at most 44 bytes each.
        const MOST: usize = 512;
        let mut text = [0_u8; MOST];
        // SAFETY: the file is open, and the memory ours. The standard library's reading goes through a cursor.
        let length = unsafe { libc::pread(self.file.as_raw_fd(), text.as_mut_ptr().cast(), MOST, 0) };
        let length = usize::try_from(length).map_err(|_| io::Error::last_os_error())?;
        let told = parse(&text[..length]).ok_or(io::ErrorKind::InvalidData)?;
        let [bytes_read, written, reads, writes] = told;
        let program =
            [bytes_read.saturating_sub(self.bytes), written, reads.saturating_sub(self.calls), writes];
        self.calls += 1;
        self.bytes += length as u64;
        Ok(program)
    }
}

/// The first four numbers of the file: `rchar`, `wchar`, `syscr`, `syscw`.
fn parse(text: &[u8]) -> Option<[u64; 4]> {
    let text = std::str::from_utf8(text).ok()?;
    let mut lines = text.lines();
    let mut number = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(": ")?.parse().ok();
    Some([number("rchar")?, number("wchar")?, number("syscr")?, number("syscw")?])
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::{OwnedFd, RawFd};

    use super::*;

    #[test]
    fn a_counter_that_is_refused_is_told_with_the_reason() {
        let names = "syscw,task_clock,task-clock,sysw";
        let (granted, refused) = granted(names, "/proc/no-such-thread/io", Box::new(Linux));
        assert_eq!(granted, [MachineCounter::TaskClock]);
        assert!(
            refused[0].starts_with("syscw: /proc/thread-self/io is refused: No such file"),
            "{refused:?}"
        );
        assert!(
            refused[1].starts_with("sysw: ") && refused[1].ends_with("did you mean syscw?"),
            "{refused:?}"
        );
    }

    /// A kernel that grants instructions alone.
    #[derive(Debug)]
    struct Poor;

    impl Kernel for Poor {
        fn open(&self, event: PerfEvent, _leader: Option<RawFd>) -> io::Result<OwnedFd> {
            if event.config == 1 {
                Ok(File::open("/dev/null")?.into())
            } else {
                Err(io::Error::from_raw_os_error(libc::ENOENT))
            }
        }

        fn start(&self, _leader: RawFd) {}

        fn read(&self, _leader: RawFd, _words: &mut [u64]) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    #[test]
    fn a_counter_that_the_hardware_lacks_is_told_with_the_remedy() {
        let (granted, refused) = granted("cycles,PAPI_TOT_INS,ru_utime,instructions", "", Box::new(Poor));
        assert_eq!(granted, [MachineCounter::Instructions, MachineCounter::UserTime]);
        let [cycles] = refused.as_slice() else { panic!("{refused:?}") };
        assert!(
            cycles.starts_with("cycles: the hardware here has no counter for it: No such file"),
            "{cycles}"
        );
        assert!(cycles.contains("; run on hardware that counts it"), "{cycles}");
    }

    #[test]
    fn reading_counts_for_the_program_alone() {
        let Ok(mut io) = Io::open(CounterSource::IO_FILE) else { return };
        let mut file = tempfile::tempfile().unwrap();
        let first = io.read().unwrap();
        assert_eq!(io.read().unwrap(), first);
        file.write_all(&[0; 1000]).unwrap();
        let [read, written, reads, writes] = first;
        assert_eq!(io.read().unwrap(), [read, written + 1000, reads, writes + 1]);
    }

    #[test]
    fn the_file_is_told_by_its_names() {
        let text = b"rchar: 1\nwchar: 22\nsyscr: 3\nsyscw: 4\nread_bytes: 0\n";
        assert_eq!(parse(text), Some([1, 22, 3, 4]));
        assert_eq!(
            [&b""[..], b"rchar: 1\nwchar: 2", b"wchar: 1\nrchar: 2\nsyscr: 3\nsyscw: 4"].map(parse),
            [None; 3]
        );
    }

    #[test]
    fn values_are_those_of_their_source() {
        let used = usage().unwrap();
        allocations::follow();
        let all =
            MachineCounter::ALL.map(|counter| value(counter, Some(&used), Some(&[1, 2, 3, 4]), Some(9)));
        assert!(
            all.iter().zip(MachineCounter::ALL).all(|(value, of)| value.is_some() == of.hardware().is_none())
        );
        let faults = |counter| value(counter, Some(&used), None, None).unwrap();
        let [both, minor, major] =
            [MachineCounter::PageFaults, MachineCounter::MinorFaults, MachineCounter::MajorFaults]
                .map(faults);
        assert_eq!(both, minor + major);
        assert_eq!(value(MachineCounter::WriteCalls, Some(&used), None, Some(9)), None, "never 0 instead");
    }
}
