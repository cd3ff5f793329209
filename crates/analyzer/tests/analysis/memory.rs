//! A trace is analyzed and profiled in less memory than it has bytes: the analysis holds only records under way, and
//! the profile only sums by place.
//!
//! Traces of 50 MB are analyzed with little in memory. `ATS_TRACE_MB` sets their approximate size in MB; then they are
//! analyzed as by `ats profile`.

#![cfg(target_os = "linux")]

use std::{fs, path::Path, process::Command};

use ats_analyzer::{Options, analyze_and_profile_with};
use ats_model::{
    Definitions, Event,
    definitions::{Communicator, LocationDefinition, Members, Paradigm, Region, RegionRole, Team},
    event::{CollectiveOperation, CommunicatorRef, RegionRef, Root, TeamRef},
};
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter, ChunkSize};

/// The number of bytes of each event file that are read at a time, if little is to be in memory.
const CHUNK: usize = 256 << 10;
const WORLD: CommunicatorRef = CommunicatorRef(0);
const RECEIVE: &str = "MPI_Recv";
const PARALLEL: &str = "!$omp parallel";
const IMPLICIT_BARRIER: &str = "!$omp implicit barrier";
const REGIONS: [(&str, Paradigm, RegionRole); 11] = [
    ("MPI_Isend", Paradigm::Mpi, RegionRole::PointToPoint),
    ("MPI_Irecv", Paradigm::Mpi, RegionRole::PointToPoint),
    ("MPI_Waitall", Paradigm::Mpi, RegionRole::PointToPoint),
    ("MPI_Allreduce", Paradigm::Mpi, RegionRole::CollAllToAll),
    ("MPI_Ibarrier", Paradigm::Mpi, RegionRole::Barrier),
    ("MPI_Send", Paradigm::Mpi, RegionRole::PointToPoint),
    (RECEIVE, Paradigm::Mpi, RegionRole::PointToPoint),
    (PARALLEL, Paradigm::OpenMp, RegionRole::Parallel),
    (IMPLICIT_BARRIER, Paradigm::OpenMp, RegionRole::ImplicitBarrier),
    ("!$omp barrier", Paradigm::OpenMp, RegionRole::Barrier),
    ("!$omp critical", Paradigm::OpenMp, RegionRole::Critical),
];

fn region(name: &str) -> RegionRef {
    RegionRef(REGIONS.iter().position(|(known, ..)| *known == name).unwrap() as u32)
}

/// A trace that does the same again and again, every step 1000 ticks long.
struct Kind {
    name: &'static str,
    ranks: u32,
    threads: u32,
    /// Members of its teams, as locations.
    teams: &'static [&'static [u32]],
    /// Before the first step, in each, and after the last, on each location.
    before: fn(&mut Location<'_>),
    step: fn(&mut Location<'_>),
    after: fn(&mut Location<'_>),
    /// Whether the clocks of its ranks differ, by seconds and more and more, without being measured.
    are_clocks_unmeasured: bool,
    /// The expected findings, in ticks of each step.
    finds: &'static [(&'static str, u64)],
}

/// A location whose events are written.
struct Location<'a> {
    writer: &'a mut ArchiveWriter,
    index: u32,
    rank: u32,
    thread: u32,
    ranks: u32,
    /// The begin of the step, in ticks.
    begin: u64,
    step: u64,
    are_clocks_unmeasured: bool,
}

impl Location<'_> {
    fn event(&mut self, time: u64, event: Event) {
        let mut time = self.begin + time;
        if self.are_clocks_unmeasured {
            time += u64::from(self.rank) * (10_000_000_000 + time / 100_000);
        }
        self.writer.event(self.index as usize, time, &event).unwrap();
    }

    fn call(&mut self, name: &str, from: u64, to: u64, records: &[Event]) {
        self.event(from, Event::Enter { region: region(name) });
        records.iter().for_each(|&record| self.event(to, record));
        self.event(to, Event::Leave { region: region(name) });
    }

    fn allreduce(&mut self, from: u64, to: u64) {
        self.event(from, Event::Enter { region: region("MPI_Allreduce") });
        self.event(from, Event::MpiCollectiveBegin);
        let operation = CollectiveOperation::Allreduce;
        let end =
            Event::MpiCollectiveEnd { operation, communicator: WORLD, root: None, sent: 8, received: 8 };
        self.event(to, end);
        self.event(to, Event::Leave { region: region("MPI_Allreduce") });
    }

    fn post(&mut self, time: u64, request: u64) {
        self.call("MPI_Irecv", time, time + 1, &[Event::MpiIrecvRequest { request }]);
    }

    /// A part in a team: `inside` happens before the threads come to the barrier at its end at `end`, or 40 ticks
    /// earlier on all but the master, and leave it after `end`.
    fn team(&mut self, team: u32, is_master: bool, begin: u64, end: u64, inside: impl FnOnce(&mut Self)) {
        let team = TeamRef(team);
        if is_master {
            self.event(begin, Event::ThreadFork { requested: 2 });
        }
        self.event(begin, Event::ThreadTeamBegin { team });
        self.event(begin, Event::Enter { region: region(PARALLEL) });
        inside(self);
        let came = if is_master { end } else { end - 40 };
        self.call(IMPLICIT_BARRIER, came, end, &[]);
        self.event(end, Event::Leave { region: region(PARALLEL) });
        self.event(end, Event::ThreadTeamEnd { team });
        if is_master {
            self.event(end, Event::ThreadJoin);
        }
    }

    /// Every thread in turn, all from `begin` on, has the lock for 10 ticks.
    fn critical(&mut self, begin: u64, threads: u32) {
        let acquired = begin + 10 * u64::from(self.thread);
        let order = (self.step * u64::from(threads)) as u32 + self.thread + 1;
        self.event(begin, Event::Enter { region: region("!$omp critical") });
        self.event(acquired, Event::ThreadAcquireLock { lock: 1, order });
        self.event(acquired + 10, Event::ThreadReleaseLock { lock: 1, order });
        self.event(acquired + 10, Event::Leave { region: region("!$omp critical") });
    }
}

fn nothing(_: &mut Location<'_>) {}

/// Every rank exchanges with its neighbours, which rank 0 keeps waiting for 100 ticks, then all reduce.
fn exchange(location: &mut Location<'_>) {
    let Location { rank, ranks, step, .. } = *location;
    let (receiver, sender) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    let (communicator, tag, bytes) = (WORLD, 7, 1 << 20);
    let late = if rank == 0 { 100 } else { 0 };
    location.post(1, 2 * step);
    let request = 2 * step + 1;
    let sends = Event::MpiIsend { receiver, communicator, tag, bytes, request };
    location.call("MPI_Isend", 10 + late, 11 + late, &[sends]);
    let received = Event::MpiIrecv { sender, communicator, tag, bytes, request: 2 * step };
    location.call("MPI_Waitall", 12 + late, 200, &[received, Event::MpiIsendComplete { request }]);
    location.allreduce(300, 310);
}

const OPEN: u64 = u64::MAX / 2;

fn open_requests(location: &mut Location<'_>) {
    location.post(1, OPEN);
}

fn close_requests(location: &mut Location<'_>) {
    let Location { rank, ranks, .. } = *location;
    let (receiver, sender) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    let (communicator, tag, bytes) = (WORLD, 8, 8);
    location.call("MPI_Send", 1, 2, &[Event::MpiSend { receiver, communicator, tag, bytes }]);
    let received = Event::MpiIrecv { sender, communicator, tag, bytes, request: OPEN };
    location.call("MPI_Waitall", 3, 4, &[received]);
}

fn open_collective(location: &mut Location<'_>) {
    location.call("MPI_Ibarrier", 1, 2, &[Event::NonBlockingCollectiveRequest { request: OPEN }]);
}

fn close_collective(location: &mut Location<'_>) {
    let complete = Event::NonBlockingCollectiveComplete {
        operation: CollectiveOperation::Barrier,
        communicator: WORLD,
        root: Root::NONE,
        sent: 0.into(),
        received: 0.into(),
        request: OPEN,
    };
    location.call("MPI_Waitall", 3, 4, &[complete]);
}

/// Every thread exchanges with that of its number on the other rank; the first of them is late by 100 ticks.
fn exchange_of_threads(location: &mut Location<'_>) {
    let Location { rank, thread, .. } = *location;
    let (communicator, tag, bytes) = (WORLD, thread, 1 << 20);
    let late = if rank == 0 { 100 } else { 0 };
    location.call(
        "MPI_Send",
        10 + late,
        11 + late,
        &[Event::MpiSend { receiver: 1 - rank, communicator, tag, bytes }],
    );
    let receives = Event::MpiRecv { sender: 1 - rank, communicator, tag, bytes };
    location.call(RECEIVE, 12 + late, 200, &[receives]);
}

/// As [`exchange`], three times, but another thread completes the requests.
fn exchange_by_two_threads(location: &mut Location<'_>) {
    let Location { rank, thread, step, .. } = *location;
    let (peer, communicator, tag, bytes) = (1 - rank, WORLD, 7, 1 << 20);
    let late = if rank == 0 { 100 } else { 0 };
    for (number, from) in [0, 300, 600].into_iter().enumerate() {
        let receive = 2 * (3 * step + number as u64);
        let request = receive + 1;
        if thread == 0 {
            location.post(from + 1, receive);
            let sends = Event::MpiIsend { receiver: peer, communicator, tag, bytes, request };
            location.call("MPI_Isend", from + 10 + late, from + 11 + late, &[sends]);
        } else {
            let received = Event::MpiIrecv { sender: peer, communicator, tag, bytes, request: receive };
            let completed = [received, Event::MpiIsendComplete { request }];
            location.call("MPI_Waitall", from + 12 + late, from + 200, &completed);
        }
    }
}

fn parallel_region(location: &mut Location<'_>) {
    location.team(0, location.thread == 0, 0, 1000, |location| location.critical(200, 4));
}

fn nested_regions(location: &mut Location<'_>) {
    let thread = location.thread;
    let inner = |location: &mut Location<'_>| {
        location.team(1 + thread % 2, thread < 2, 200, 400, |location| {
            location.call("!$omp barrier", 300, 310, &[]);
        });
    };
    if thread < 2 {
        location.team(0, thread == 0, 0, 1000, inner);
    } else {
        inner(location);
    }
}

fn begin_region(location: &mut Location<'_>) {
    if location.thread == 0 {
        location.event(0, Event::ThreadFork { requested: 4 });
    }
    location.event(0, Event::ThreadTeamBegin { team: TeamRef(0) });
    location.event(0, Event::Enter { region: region(PARALLEL) });
}

fn barrier_and_critical(location: &mut Location<'_>) {
    let came = 100 + 10 * u64::from(location.thread);
    location.call("!$omp barrier", came, 150, &[]);
    location.critical(200, 4);
}

fn end_region(location: &mut Location<'_>) {
    location.event(0, Event::Leave { region: region(PARALLEL) });
    location.event(0, Event::ThreadTeamEnd { team: TeamRef(0) });
    if location.thread == 0 {
        location.event(0, Event::ThreadJoin);
    }
}

const KINDS: [Kind; 9] = [
    Kind {
        name: "messages",
        ranks: 4,
        threads: 1,
        teams: &[],
        before: nothing,
        step: exchange,
        after: nothing,
        are_clocks_unmeasured: false,
        finds: &[("late_progress@MPI_Waitall", 100), ("late_sender@MPI_Waitall", 98)],
    },
    Kind {
        name: "open requests",
        ranks: 4,
        threads: 1,
        teams: &[],
        before: open_requests,
        step: exchange,
        after: close_requests,
        are_clocks_unmeasured: false,
        finds: &[("late_progress@MPI_Waitall", 100), ("late_sender@MPI_Waitall", 98)],
    },
    Kind {
        name: "an open collective operation",
        ranks: 4,
        threads: 1,
        teams: &[],
        before: open_collective,
        step: exchange,
        after: close_collective,
        are_clocks_unmeasured: false,
        finds: &[("late_progress@MPI_Waitall", 100), ("late_sender@MPI_Waitall", 98)],
    },
    Kind {
        name: "clocks that differ",
        ranks: 4,
        threads: 1,
        teams: &[],
        before: nothing,
        step: exchange,
        after: nothing,
        are_clocks_unmeasured: true,
        finds: &[("late_progress@MPI_Waitall", 100), ("late_sender@MPI_Waitall", 98)],
    },
    Kind {
        name: "threads with messages",
        ranks: 2,
        threads: 2,
        teams: &[],
        before: nothing,
        step: exchange_of_threads,
        after: nothing,
        are_clocks_unmeasured: false,
        finds: &[("late_sender@MPI_Recv", 2 * 98)],
    },
    Kind {
        name: "requests that another thread completes",
        ranks: 2,
        threads: 2,
        teams: &[],
        before: nothing,
        step: exchange_by_two_threads,
        after: nothing,
        are_clocks_unmeasured: false,
        finds: &[("late_progress@MPI_Waitall", 3 * 2), ("late_sender@MPI_Waitall", 3 * 98)],
    },
    Kind {
        name: "parallel regions",
        ranks: 1,
        threads: 4,
        teams: &[&[0, 1, 2, 3]],
        before: nothing,
        step: parallel_region,
        after: nothing,
        are_clocks_unmeasured: false,
        finds: &[
            ("omp_critical_contention@!$omp parallel/!$omp critical", 60),
            ("wait_at_implicit_omp_barrier@!$omp parallel/!$omp implicit barrier", 120),
        ],
    },
    Kind {
        name: "one parallel region",
        ranks: 1,
        threads: 4,
        teams: &[&[0, 1, 2, 3]],
        before: begin_region,
        step: barrier_and_critical,
        after: end_region,
        are_clocks_unmeasured: false,
        finds: &[
            ("omp_critical_contention@!$omp parallel/!$omp critical", 60),
            ("wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier", 60),
        ],
    },
    Kind {
        name: "nested parallel regions",
        ranks: 1,
        threads: 4,
        teams: &[&[0, 1], &[0, 2], &[1, 3]],
        before: nothing,
        step: nested_regions,
        after: nothing,
        are_clocks_unmeasured: false,
        finds: &[
            ("limited_parallelism@!$omp parallel", 2 * 800),
            ("wait_at_implicit_omp_barrier@!$omp parallel/!$omp implicit barrier", 40),
            ("wait_at_implicit_omp_barrier@!$omp parallel/!$omp parallel/!$omp implicit barrier", 2 * 40),
        ],
    },
];

impl Kind {
    fn definitions(&self) -> Definitions {
        let regions = REGIONS.iter().map(|&(name, paradigm, role)| Region {
            name: name.into(),
            paradigm,
            role,
            ..Region::default()
        });
        let location = |index: u32| LocationDefinition {
            id: u64::from(index),
            name: format!("thread {index}"),
            rank: index / self.threads,
            thread: index % self.threads,
            events: 0,
        };
        let world = Communicator {
            name: "MPI_COMM_WORLD".into(),
            members: Members::Ranks((0..self.ranks).collect()),
        };
        Definitions {
            regions: regions.collect(),
            communicators: vec![world],
            teams: self
                .teams
                .iter()
                .map(|members| Team { members: members.to_vec(), ..Team::default() })
                .collect(),
            locations: (0..self.ranks * self.threads).map(location).collect(),
            ..Definitions::default()
        }
    }

    /// Writes it; how many steps it has.
    fn write(&self, dir: &Path, bytes: u64) -> u64 {
        let mut writer = ArchiveWriter::create(dir).unwrap().chunk(ChunkSize::nearest(CHUNK));
        if !self.are_clocks_unmeasured {
            writer = writer.common_clock();
        }
        let locations = self.ranks * self.threads;
        (0..locations).for_each(|location| _ = writer.add_location(u64::from(location)));
        let mut play = |part: fn(&mut Location<'_>), step: u64| {
            for index in 0..locations {
                let (rank, thread) = (index / self.threads, index % self.threads);
                let ranks = self.ranks;
                let begin = step * 1000;
                part(&mut Location {
                    writer: &mut writer,
                    index,
                    rank,
                    thread,
                    ranks,
                    begin,
                    step,
                    are_clocks_unmeasured: self.are_clocks_unmeasured,
                });
            }
        };
        play(self.before, 0);
        // A record takes about ten bytes.
        let steps = bytes / (u64::from(locations) * 120);
        (1..=steps).for_each(|step| play(self.step, step));
        play(self.after, steps + 1);
        writer.finish(&self.definitions(), &ArchiveProperties::default()).unwrap();
        steps
    }
}

/// The bytes that a profile may take for each call path and location.
const OF_EACH: u64 = 16;

/// The bytes of single waits that are not in a temporary file.
const OF_WAITS: u64 = 16 << 20;

/// A figure of this process, in bytes.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// The variable with the trace for [`alone`], which prints its findings and the memory for them.
const TRACE: &str = "ATS_TRACE";

/// The variable with the size of the traces, in MB.
const MEGABYTES: &str = "ATS_TRACE_MB";

/// Analyzes a trace in a process of its own, which the other test starts, since memory is counted by process.
#[test]
fn alone() {
    let Some(trace) = std::env::var_os(TRACE) else { return };
    let mut archive = Archive::open(Path::new(&trace)).unwrap();
    let mut options = Options::default();
    if std::env::var_os(MEGABYTES).is_none() {
        archive.set_part_bytes(CHUNK as u64);
        options.records_in_memory = 50_000;
    }
    let before = status("VmRSS");
    let (analysis, profile) = analyze_and_profile_with(&archive, "large", &options, &mut |_| {}).unwrap();
    println!("\npeak {}", status("VmHWM") - before);
    println!("values {}", profile.call_tree.len() * profile.units.len());
    analysis.warnings.iter().for_each(|warning| println!("warned {warning}"));
    for finding in analysis.findings {
        println!("found {} {}", (finding.waiting_time * 1e9).round(), finding.id);
    }
}

#[test]
fn memory_holds_what_is_under_way() {
    // Each is analyzed in a process of its own, so that two can be at a time.
    std::thread::scope(|scope| {
        for kinds in KINDS.chunks(KINDS.len().div_ceil(2)) {
            scope.spawn(|| kinds.iter().for_each(assert_memory_holds_what_is_under_way));
        }
    });
}

fn assert_memory_holds_what_is_under_way(kind: &Kind) {
    let is_small = std::env::var_os(MEGABYTES).is_none();
    let megabytes: u64 = std::env::var(MEGABYTES).map_or(50, |text| text.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let steps = kind.write(dir.path(), megabytes << 20);
    let files = fs::read_dir(dir.path().join("traces")).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["memory::alone", "--exact", "--nocapture"])
        .env(TRACE, dir.path().join("traces.otf2"))
        // Otherwise glibc keeps as much of what was freed as chance has it, up to a quarter of the limit.
        .env("MALLOC_MMAP_THRESHOLD_", "65536")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {output:?}", kind.name);
    let told = String::from_utf8(output.stdout).unwrap();
    let peak = told.lines().find_map(|line| line.strip_prefix("peak ")).unwrap();
    let peak: u64 = peak.parse().unwrap();
    let values = told.lines().find_map(|line| line.strip_prefix("values ")).unwrap();
    let values: u64 = values.parse().unwrap();
    assert!(values > 0, "{}: nothing was profiled", kind.name);
    eprintln!("{}: {} MB of trace, {} MB at the peak of its analysis", kind.name, bytes >> 20, peak >> 20);
    let mut found: Vec<(String, u64)> = told
        .lines()
        .filter_map(|line| line.strip_prefix("found ")?.split_once(' '))
        .map(|(ticks, id)| (id.to_owned(), ticks.parse().unwrap()))
        .collect();
    found.sort();
    let mut expected: Vec<(String, u64)> =
        kind.finds.iter().map(|&(id, ticks)| (id.to_owned(), ticks * steps)).collect();
    let warnings: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("warned ")).collect();
    if kind.are_clocks_unmeasured {
        assert!(warnings[0].starts_with("the trace has not measured how the clocks"), "{warnings:?}");
        // Derived clocks are off by a tick or two.
        found.retain(|&(_, ticks)| ticks > 5 * steps);
        for (found, expected) in found.iter().zip(&mut expected) {
            assert!(found.1.abs_diff(expected.1) < 3 * steps, "{}: {found:?}, {expected:?}", kind.name);
            expected.1 = found.1;
        }
    } else {
        assert_eq!(warnings, Vec::<&str>::new(), "{}", kind.name);
    }
    assert_eq!(found, expected, "{}", kind.name);
    let most = if is_small { (bytes / 2).max(24 << 20) } else { bytes } + OF_WAITS + OF_EACH * values;
    assert!(peak < most, "{}: {peak} for {bytes}", kind.name);
}
