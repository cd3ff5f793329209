//! Failures while recording: they are reported and marked in the folder, and do not hinder the program.

use std::ffi::OsStr;
use std::path::Path;

use crate::mpi;
use crate::mpi::{Mpi, stderr, succeeded};

fn program(mpi: Mpi, folder: &Path) -> std::path::PathBuf {
    mpi.compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/endings.c"), folder)
}

/// The text of a rank's marker; empty if there is none.
fn marker(folder: &Path, rank: u32) -> String {
    std::fs::read_to_string(folder.join(format!("incomplete.{rank}"))).unwrap_or_default()
}

#[test]
fn a_recorder_for_another_mpi_refuses_before_anything_is_called() {
    if !Mpi::ALL.iter().all(|mpi| ats_testing::required(mpi.compiler())) {
        return;
    }
    for (mpi, other) in [(Mpi::Open, Mpi::Mpich), (Mpi::Mpich, Mpi::Open)] {
        let folder = tempfile::tempdir().expect("a folder");
        let program = program(mpi, folder.path());
        let output = mpi.run(2, &[("LD_PRELOAD", other.recorder().as_os_str())], &program, &["none"]);
        assert!(!output.status.success(), "{mpi:?} under the recorder of {other:?}");
        let said = stderr(&output);
        assert!(said.contains("ats-recorder: this recorder is built for"), "{said}");
        assert!(said.contains(mpi.compiler()), "it says what to build: {said}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_the_program_goes_on() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = program(mpi, folder.path());
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").expect("written");
        let output = mpi.record(2, &file.join("trace"), &program, &["none"]);
        succeeded(&output);
        let said = stderr(&output);
        assert!(said.contains(&format!("cannot record into {}", file.join("trace").display())), "{said}");
        assert!(said.contains("ATS_RECORDER_DIR"), "{said}");
    }
}

#[test]
fn a_full_disk_is_reported_and_leaves_the_ranks_marker() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = program(mpi, folder.path());
        let output = mpi.record(2, folder.path(), &program, &["full"]);
        succeeded(&output);
        let said = stderr(&output);
        assert!(said.contains("ats-recorder: rank 1: cannot write"), "{said}");
        assert!(said.contains(&folder.path().display().to_string()), "{said}");
        assert!(marker(folder.path(), 1).starts_with("rank 1: "), "the marker stays");
        assert_eq!(marker(folder.path(), 0), "", "rank 0 has written all it has");
    }
}

#[test]
fn a_rank_that_ends_early_is_known_by_its_marker() {
    for mpi in Mpi::tested() {
        for (ending, expected) in [
            ("abort", "rank 1: the program called MPI_Abort with 7\n"),
            ("exit", "rank 1: the program ended without MPI_Finalize\n"),
            ("crash", "rank 1: ended by signal SIGSEGV\n"),
            ("destructor", "rank 1: ended by signal SIGSEGV\n"),
            ("handler", "rank 1: ended by signal SIGABRT\n"),
            ("kill", "rank 1: it did not end; was it killed?\n"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let program = program(mpi, folder.path());
            let output = mpi.record(2, folder.path(), &program, &[ending]);
            assert!(!output.status.success(), "{ending} is no success");
            assert_eq!(marker(folder.path(), 1), expected, "{ending} with {mpi:?}: {output:?}");
            assert!(!folder.path().join("traces.otf2").exists(), "nobody takes it for a trace");
            let kept = folder.path().join("definitions.1.json").exists();
            assert_eq!(
                kept,
                ending != "kill",
                "events that could be saved are, {ending} with {mpi:?}: {output:?}"
            );
        }
    }
}

#[test]
fn a_trace_is_complete_once_mpi_is_finalized_however_the_program_ends() {
    let milliseconds = |from: u64, to: u64| (to - from) / 1_000_000;
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&mpi::source("after.c"), folder.path());
        for ending in ["return", "late", "fork", "atexit", "_exit", "quick_exit", "exec", "kill"] {
            let folder = folder.path().join(ending);
            let output = mpi.record(2, &folder, &program, &[ending]);
            assert_eq!(output.status.success(), ending != "kill", "{ending}: {}", stderr(&output));
            assert!(!stderr(&output).contains("ats-recorder"), "{ending}: {}", stderr(&output));
            assert_eq!([0, 1].map(|rank| marker(&folder, rank)), ["", ""], "{ending}");
            let trace = mpi::Trace::read(&folder);
            trace.is_sound();
            if ending == "atexit" {
                continue;
            }
            let calls = ["MPI_Init", "MPI_Comm_rank", "solve", "MPI_Finalized", "MPI_Finalize"];
            let listing = trace.listing(1);
            let entered = listing.lines().map(str::trim).filter(|line| calls.contains(line));
            assert!(entered.eq(calls), "what begins after MPI_Finalize is not recorded: {listing}");
            let times: Vec<u64> = trace.events[1].iter().map(|(time, _)| *time).collect();
            let [.., finalized, left, end] = times.as_slice() else { panic!("{ending}: {times:?}") };
            let least = match ending {
                "return" | "fork" => 20,
                "late" => 1200,
                _ => 0,
            };
            assert!(milliseconds(*finalized, *left) >= least && end >= left, "{ending}: {times:?}");
        }
    }
}

#[test]
fn a_program_without_mpi_runs_as_without_the_recorder() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = std::process::Command::new("true")
            .env("LD_PRELOAD", mpi.recorder())
            .env("ATS_RECORDER_DIR", folder.path())
            .output()
            .expect("true runs");
        succeeded(&output);
        assert_eq!(stderr(&output), "");
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
    }
}

#[test]
fn little_memory_for_events_loses_none() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/many.c");
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source, folder.path());
        let variables = [
            ("LD_PRELOAD", mpi.recorder().as_os_str()),
            ("ATS_RECORDER_DIR", folder.path().as_os_str()),
            ("ATS_RECORDER_BUFFER", OsStr::new("1")),
        ];
        succeeded(&mpi.run(2, &variables, &program, &[]));
        let trace = mpi::Trace::read(folder.path());
        trace.is_sound();
        let enters =
            |location| trace.count(location, |event| matches!(event, ats_model::Event::Enter { .. }));
        assert_eq!([enters(0), enters(1)], [100_002; 2], "{mpi:?}");
        for location in 0..2 {
            let mut until = 0;
            let mut flushes = 0;
            for &(time, event) in &trace.events[location] {
                assert!(
                    time >= until,
                    "{mpi:?}: {event:?} at {time}, while events were written until {until}"
                );
                if let ats_model::Event::BufferFlush { stop } = event {
                    assert!(stop.0 > time, "{mpi:?}: from {time} to {stop:?}");
                    (until, flushes) = (stop.0, flushes + 1);
                }
            }
            assert!(flushes > 0, "{mpi:?}: rank {location} has written none during the run");
        }
    }
}
