//! Counters of the operating system that are read at regions.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use ats_model::Event;
use ats_model::machine_counter::MachineCounter;

use crate::mpi::{Mpi, Trace, source, stderr, succeeded};

/// Records `meters.c` on a rank of two threads with these variables; its standard error must be this.
#[track_caller]
fn record(folder: &Path, variables: &[(&str, &str)], error: &str) -> Trace {
    record_of("meters.c", folder, variables, error)
}

/// As [`record`], of another program.
#[track_caller]
fn record_of(program: &str, folder: &Path, variables: &[(&str, &str)], error: &str) -> Trace {
    let mpi = Mpi::tested().next().expect("one is tested");
    let program = mpi.compile_with_clang(&source(program), folder);
    let own = [
        ("LD_PRELOAD", mpi.recorder().as_os_str()),
        ("ATS_RECORDER_DIR", folder.as_os_str()),
        ("OMP_NUM_THREADS", OsStr::new("2")),
    ];
    let variables: Vec<_> =
        own.into_iter().chain(variables.iter().map(|&(name, value)| (name, OsStr::new(value)))).collect();
    let output = mpi.run(1, &variables, &program, &[]);
    succeeded(&output);
    assert_eq!(stderr(&output), error);
    let trace = Trace::read(folder);
    trace.is_sound();
    trace
}

/// The growth of a counter by region, the innermost one, on a location.
fn growth(trace: &Trace, location: usize, counter: MachineCounter) -> BTreeMap<String, u64> {
    let mut stack: Vec<String> = Vec::new();
    let (mut before, mut sums) = (None, BTreeMap::new());
    for (_, event) in &trace.events[location] {
        match *event {
            Event::Enter { region } => {
                stack.push(trace.definitions.regions[region.0 as usize].name.clone());
            }
            Event::Leave { .. } => _ = stack.pop(),
            Event::Metric { metric, value }
                if trace.definitions.metrics[metric.0 as usize].name == counter.name() =>
            {
                if let Some(before) = before.replace(value.bits) {
                    let region = stack.last().cloned().unwrap_or_default();
                    *sums.entry(region).or_default() +=
                        value.bits.checked_sub(before).expect("it never falls");
                }
            }
            _ => {}
        }
    }
    sums
}

#[test]
fn counters_grow_in_the_regions_that_cause_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = record(folder.path(), &[("ATS_RECORDER_METRICS", "syscw,wchar,page_faults,task_clock")], "");
    let of = |counter| growth(&trace, 0, counter);
    assert_eq!(of(MachineCounter::WriteCalls)["writes"], 70);
    assert_eq!(of(MachineCounter::BytesWritten)["writes"], 7000);
    let faults = of(MachineCounter::PageFaults);
    assert_eq!(of(MachineCounter::WriteCalls)["nothing"], 0);
    // The kernel may map the pages around one that is touched, of a file, but never more of fresh memory.
    assert!((300..330).contains(&faults["pages"]) && faults["nothing"] < 10, "{faults:?}");
    assert!(of(MachineCounter::TaskClock).values().sum::<u64>() > 0);
    for thread in 0..2 {
        let faults = growth(&trace, thread, MachineCounter::PageFaults);
        let (_, in_team) =
            faults.iter().find(|(region, _)| region.starts_with("!$omp parallel")).expect("a team");
        assert!((300..360).contains(in_team), "{thread}: {faults:?}");
    }
    assert!(!faults.contains_key("MPI_Barrier"), "calls are not asked for: {faults:?}");
}

#[test]
fn counters_are_read_at_calls_if_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("ATS_RECORDER_METRICS", "ru_utime"), ("ATS_RECORDER_METRICS_AT", "calls")];
    let trace = record(folder.path(), &variables, "");
    assert!(growth(&trace, 0, MachineCounter::UserTime).contains_key("MPI_Barrier"));
}

#[test]
fn an_unknown_counter_is_left_out_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = "ats-recorder: the trace does not have the counter page_fault: there is no counter `page_fault`; did you mean \
               page_faults?\n";
    let trace = record(folder.path(), &[("ATS_RECORDER_METRICS", "page_fault,ru_stime")], why);
    let names: Vec<&str> = trace.definitions.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert!(names.ends_with(&["ru_stime"]) && !names.contains(&"page_faults"), "{names:?}");
}

/// Whatever the machine grants, a run ends well, and what is refused is not in the trace but told.
#[test]
fn events_of_the_hardware_are_recorded_or_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mpi = Mpi::tested().next().expect("one is tested");
    let program = mpi.compile_with_clang(&source("meters.c"), folder.path());
    let variables = [
        ("LD_PRELOAD", mpi.recorder().as_os_str()),
        ("ATS_RECORDER_DIR", folder.path().as_os_str()),
        ("OMP_NUM_THREADS", OsStr::new("2")),
        ("ATS_RECORDER_METRICS", OsStr::new("PAPI_TOT_INS,cycles,syscw")),
    ];
    let output = mpi.run(1, &variables, &program, &[]);
    succeeded(&output);
    let (trace, said) = (Trace::read(folder.path()), stderr(&output));
    trace.is_sound();
    for counter in [MachineCounter::Instructions, MachineCounter::Cycles] {
        let why = format!("ats-recorder: the trace does not have the counter {}: ", counter.name());
        let is_defined = trace.definitions.metrics.iter().any(|metric| metric.name == counter.name());
        assert_eq!(is_defined, !said.contains(&why), "{said}");
        if is_defined {
            let growth = growth(&trace, 0, counter);
            assert!(growth["pages"] > growth["nothing"], "{growth:?}");
        }
    }
    assert_eq!(growth(&trace, 0, MachineCounter::WriteCalls)["writes"], 70);
}

#[test]
fn allocations_of_the_program_are_counted_by_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("ATS_RECORDER_METRICS", "allocations,frees,allocated_bytes")];
    let trace = record_of("allocations.c", folder.path(), &variables, "");
    let counters = [MachineCounter::Allocations, MachineCounter::Frees, MachineCounter::AllocatedBytes];
    let [main, worker] = [0, 1].map(|thread| counters.map(|counter| growth(&trace, thread, counter)));
    let of = |region: &str| [0, 1, 2].map(|counter| main[counter][region]);
    assert_eq!(of("allocates"), [50, 0, 5000]);
    assert_eq!(of("frees"), [0, 50, 0]);
    // A realloc is both; strdup allocates within the C library.
    assert_eq!(of("others"), [4, 4, 80 + 200 + 64 + 4]);
    assert_eq!(of("nothing"), [0, 0, 0], "the recorder's own are not counted");
    let in_team = [0, 1].map(|counter| worker[counter].values().sum::<u64>());
    assert!(in_team.iter().all(|count| (50..60).contains(count)), "{worker:?}");
}
