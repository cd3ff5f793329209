//! Samples of the machine's counters, and what they tell of each location.

use ats_analyzer::{Options, analyze_and_profile, notation::parse};
use ats_documents::machine::{Counted, Machine, SharedProcessors};
use ats_model::affinity::Affinity;
use ats_model::locations::Location;

use crate::analysis;

const METRICS: &str = "metric ATS::PROCESSOR_TIME accumulated s
    metric ATS::INVOLUNTARY_SWITCHES accumulated occ
    metric ATS::VOLUNTARY_SWITCHES accumulated occ
    metric ATS::PAGE_FAULTS accumulated occ
    metric ATS::PROCESSOR absolute\n";

/// The statements of a sample: seconds with a processor, involuntary and voluntary switches, and page faults.
fn sample(time: u64, [processor, taken, given, faults]: [u64; 4]) -> String {
    format!(
        "{time} count ATS::PROCESSOR_TIME {processor}; {time} count ATS::INVOLUNTARY_SWITCHES {taken}; \
         {time} count ATS::VOLUNTARY_SWITCHES {given}; {time} count ATS::PAGE_FAULTS {faults}; \
         {time} count ATS::PROCESSOR 1"
    )
}

fn counted(machine: &Machine, rank: u32, thread: u32) -> Counted {
    *machine.counted(Location { rank, thread }).expect("it was sampled")
}

#[test]
fn a_rank_that_others_ran_instead_of_is_told_from_one_that_slept_and_from_one_that_waited() {
    // All are without a processor for 6 of the first 10 s. Rank 1 has slept, after it gave way in short calls; rank 2 has
    // waited in a call, giving way.
    let samples =
        |values: [[u64; 4]; 3]| [0, 10, 20].into_iter().zip(values).map(|(time, of)| sample(time, of));
    let [taken, slept, waited] = [
        [[0, 5, 2, 100], [4, 305, 2, 100], [14, 305, 2, 400]],
        [[0; 4], [4, 700, 1, 0], [14, 700, 1, 0]],
        [[0; 4], [4, 900, 0, 0], [14, 900, 0, 0]],
    ]
    .map(|values| samples(values).collect::<Vec<_>>());
    let of = |[first, second, third]: [&str; 3], call: &str| format!("{first}; {call} {second}; {third}");
    let line = |samples: &[String], call: &str| of([&samples[0], &samples[1], &samples[2]], call);
    let trace = format!(
        "{METRICS} 0: {}; 20..20 MPI_Barrier barrier
         1: {}; 20..20 MPI_Barrier barrier
         2: {}; 20..20 MPI_Barrier barrier",
        line(&taken, ""),
        line(&slept, ""),
        line(&waited, "1..9 MPI_Recv;"),
    );
    let machine = analysis(&trace).machine;
    let of_first = counted(&machine, 0, 0);
    assert_eq!(
        (of_first.seconds, of_first.processor, of_first.computing, of_first.not_running),
        (20.0, 14.0, 14.0, 6.0)
    );
    assert_eq!((of_first.involuntary_switches, of_first.voluntary_switches), (300, 0));
    assert_eq!((of_first.page_faults, of_first.page_faults_computing), (300, 300));
    let others = [1, 2].map(|rank| counted(&machine, rank, 0));
    assert!(others.iter().all(|of| of.not_running == 0.0), "{others:?}");
    assert_eq!(others.map(|of| of.computing), [14.0, 12.0]);
    let (_, profile) = analyze_and_profile(&parse(&trace).unwrap(), "test", &Options::default()).unwrap();
    assert_eq!(profile.machine, machine);
    assert!(profile.metrics.iter().all(|metric| !metric.name.starts_with("ATS::")));
}

#[test]
fn a_thread_computes_in_its_team_and_not_in_barriers_nor_while_buffers_are_written() {
    let [begin, end] = [sample(0, [0; 4]), sample(20, [7, 50, 0, 0])];
    let machine = analysis(&format!(
        "{METRICS} team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 0..18 work; 18..20 $implicit-barrier; 20 leave; 20 end t; 20 join
         0.1: 0 begin t; 0 enter $parallel; {begin}; 0 enter work; 1 flush 3; 12 leave; 12..16 $implicit-barrier
         0.1: 16 leave; 16 end t; {end}"
    ))
    .machine;
    assert_eq!(machine.locations.len(), 1, "the other was not sampled");
    let of = counted(&machine, 0, 1);
    // From 0 to 12 without the flush.
    assert_eq!((of.computing, of.not_running, of.recording), (7.0, 3.0, 2.0));
}

#[test]
fn processors_that_locations_share_and_page_faults_are_counted() {
    let [begin, end] = [sample(0, [0; 4]), sample(1, [1, 0, 0, 40_000])];
    let mut trace = parse(&format!("{METRICS} 0: {begin}; {end}\n 1: 0..1 work")).unwrap();
    let affinity = Affinity { host: "node".into(), processors: [0].into() };
    trace.definitions.affinities = [(0, affinity.clone()), (1, affinity)].into();
    let machine = ats_analyzer::analyze(&trace, "test", &Options::default()).unwrap().machine;
    assert_eq!(machine.shared, [SharedProcessors { host: "node".into(), locations: 2, processors: 1 }]);
    assert_eq!(counted(&machine, 0, 0).page_faults_computing, 40_000);
}

#[test]
fn a_trace_without_samples_tells_nothing_and_a_counter_that_falls_is_damage() {
    assert!(analysis("0: 0..1 work").machine.is_empty());
    let [begin, end] = [sample(0, [5; 4]), sample(1, [4; 4])];
    let damaged = analysis(&format!("{METRICS} 0: {begin}; {end}"));
    assert_eq!(counted(&damaged.machine, 0, 0).seconds, 0.0);
    assert!(damaged.warnings[0].contains("values of a metric"), "{:?}", damaged.warnings);
}
