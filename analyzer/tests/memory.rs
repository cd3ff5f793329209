//! A trace is analyzed in less memory than it has bytes: the analysis holds what is under way.
//!
//! How large the trace is, in MB, is said by `ATS_TRACE_MB`; some 50 by default.

#![cfg(target_os = "linux")]

use std::{fs, path::Path};

use ats_analyzer::{Options, analyze};
use ats_model::{
    Definitions, Event,
    definitions::{Communicator, LocationDefinition, Members, Paradigm, Region},
    event::{CollectiveOperation, CommunicatorRef, RegionRef},
};
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter};

const RANKS: u32 = 4;
const NAMES: [&str; 5] = ["MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Allreduce", "do_work"];
/// Bytes of a step in the trace, about.
const STEP: u64 = 4 * 140;

fn definitions() -> Definitions {
    let region = |name: &str| Region { name: name.into(), paradigm: Paradigm::Mpi, ..Region::default() };
    let location = |rank| LocationDefinition {
        id: u64::from(rank),
        name: "Master thread".into(),
        rank,
        thread: 0,
        events: 0,
    };
    let world = Communicator { name: "MPI_COMM_WORLD".into(), members: Members::Ranks((0..RANKS).collect()) };
    Definitions {
        regions: NAMES.map(region).to_vec(),
        communicators: vec![world],
        locations: (0..RANKS).map(location).collect(),
        ..Definitions::default()
    }
}

/// Nothing but MPI, which is the worst case: every rank exchanges with its neighbours, whom rank 0 keeps waiting for 100
/// ticks, then all reduce.
fn write(dir: &Path, steps: u64) {
    let mut writer = ArchiveWriter::create(dir).unwrap().common_clock();
    let communicator = CommunicatorRef(0);
    for rank in 0..RANKS {
        let location = writer.add_location(u64::from(rank));
        for step in 0..steps {
            let mut event = |time: u64, event| writer.event(location, step * 1000 + time, &event).unwrap();
            let mut call = |region: u32, from, to, records: &[Event]| {
                event(from, Event::Enter { region: RegionRef(region) });
                records.iter().for_each(|&record| event(to, record));
                event(to, Event::Leave { region: RegionRef(region) });
            };
            let (receiver, sender) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
            let (tag, bytes) = (7, 1 << 20);
            let late = if rank == 0 { 100 } else { 0 };
            call(1, 1, 2, &[Event::MpiIrecvRequest { request: 2 * step }]);
            let request = 2 * step + 1;
            call(0, 10 + late, 11 + late, &[Event::MpiIsend { receiver, communicator, tag, bytes, request }]);
            let received = Event::MpiIrecv { sender, communicator, tag, bytes, request: 2 * step };
            let sent = Event::MpiIsendComplete { request };
            call(2, 12 + late, 200, &[received, sent]);
            event(300, Event::Enter { region: RegionRef(3) });
            event(300, Event::MpiCollectiveBegin);
            let operation = CollectiveOperation::Allreduce;
            event(310, Event::MpiCollectiveEnd { operation, communicator, root: None, sent: 8, received: 8 });
            event(310, Event::Leave { region: RegionRef(3) });
        }
    }
    writer.finish(&definitions(), &ArchiveProperties::default()).unwrap();
}

/// A figure of this process, in bytes.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn memory_holds_what_is_under_way() {
    let megabytes = std::env::var("ATS_TRACE_MB").map_or(50, |text| text.parse().unwrap());
    let steps = (megabytes << 20) / STEP;
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), steps);
    let files = fs::read_dir(dir.path().join("traces")).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();

    let mut archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    archive.set_part_bytes(1 << 20);
    let options = Options { records_in_memory: 200_000, ..Options::default() };
    // Forgets the peak of the writing.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS");
    let analysis = analyze(&archive, "large", &options).unwrap();
    let peak = status("VmHWM") - before;
    eprintln!("{} MB of trace, {} MB at the peak of its analysis", bytes >> 20, peak >> 20);

    assert_eq!(analysis.events, steps * u64::from(RANKS) * 14);
    let found: Vec<_> =
        analysis.findings.iter().map(|finding| (&*finding.id, finding.waiting_time)).collect();
    let [(late, seconds)] = found[..] else { panic!("{found:?}") };
    assert_eq!((late, (seconds * 1e9).round()), ("late_sender@MPI_Waitall", 98.0 * steps as f64));
    assert!(peak < bytes / 2 || peak < 24 << 20, "{peak} for {bytes}");
}
