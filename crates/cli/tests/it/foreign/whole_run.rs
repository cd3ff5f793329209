//! A trace has the whole run: from the loading of the program to its end, whatever of it is MPI or OpenMP.

use ats_model::own_metric::OwnMetric;
use ats_model::{Event, EventSource, WaitState};
use ats_trace::Archive;

use super::{Foreign, assert_waits, seconds};

/// Seconds of the program of each process: from its begin to its last event in a region, and to its end.
fn programs(foreign: &Foreign) -> Vec<[f64; 2]> {
    let archive = Archive::open(&foreign.dir.path().join("trace/traces.otf2")).unwrap();
    let definitions = archive.definitions();
    let program = |location: usize| {
        let mut events = Vec::new();
        let mut keep = |time, event: Event| {
            // The end of a recording has a sample of the machine's counters.
            if !matches!(event, Event::Metric { .. }) {
                events.push((time, event));
            }
        };
        archive.read_location(location, &mut keep).unwrap();
        let [(begin, Event::ProgramBegin { program }), .., (last, _), (end, Event::ProgramEnd { .. })] =
            events.as_slice()
        else {
            panic!("{events:?}")
        };
        let name = definitions.strings.get(program.0).unwrap();
        assert!(name.ends_with("/program"), "{name}");
        [*last, *end].map(|time| definitions.clock.seconds(time - begin))
    };
    let locations = definitions.locations.iter().enumerate();
    locations.filter(|(_, location)| location.thread == 0).map(|(index, _)| program(index)).collect()
}

#[test]
fn a_program_of_threads_alone_is_recorded_from_its_begin_to_its_end() {
    let foreign = Foreign::compiled("ompserial.c");
    let analysis = foreign.record(&["./program"]).analysis();
    let wall_time = analysis.basis.wall_time;
    assert!((0.45..0.9).contains(&wall_time), "{wall_time} s");
    let idle = seconds(&analysis, WaitState::IdleThreads);
    assert!((0.2..0.8).contains(&idle), "{idle} s");
    let [[last_in_region, end]] = programs(&foreign)[..] else { panic!("one process") };
    assert!(last_in_region >= 0.25 && end >= last_in_region + 0.2, "{last_in_region} s, {end} s");
    let regions = foreign.profile().regions;
    assert!(regions.iter().any(|region| region.name == "program"), "{regions:?}");
}

#[test]
fn calls_after_mpi_finalize_are_in_the_program() {
    let foreign = Foreign::compiled("finalized.c");
    for (argument, after) in [("", 0.02), ("atexit", 0.0)] {
        let launch = ["mpirun.openmpi", "--timeout", "60", "-np", "2", "./program", argument];
        assert_waits(&foreign.record(&launch).analysis(), WaitState::WaitAtBarrier, 0.05);
        let programs = programs(&foreign);
        let right = programs.iter().all(|[finalized, end]| end - finalized >= after);
        assert!(programs.len() == 2 && right, "{programs:?}");
    }
}

#[test]
fn a_first_thread_that_makes_no_call_has_the_program() {
    let foreign = Foreign::compiled("initthread.c");
    assert_waits(&foreign.on_ranks(2).analysis(), WaitState::WaitAtBarrier, 0.05);
    let archive = Archive::open(&foreign.dir.path().join("trace/traces.otf2")).unwrap();
    let events: Vec<u64> = archive.definitions().locations.iter().map(|location| location.events).collect();
    let program_and_sample = 2 + OwnMetric::ALL.len() as u64;
    assert_eq!(events[..2], [program_and_sample; 2], "the program alone");
}
