//! Code between calls whose places are known is a region, if the program marks none.

use ats_analyzer::{Options, analyze, analyze_and_profile, notation::parse};
use ats_documents::{Finding, Profile, profile::Sampled};
use ats_model::{
    definitions::{CallingContext, Region},
    delay::Extent,
    event::RegionRef,
    source::InMemory,
};

use crate::trimmed;

/// The call paths of a profile: `PATH TIME VISITS`.
#[track_caller]
fn check_profile(trace: &str, expected: &str) {
    check_profile_of(&parse(trace).unwrap(), expected);
}

#[track_caller]
fn check_profile_of(trace: &InMemory, expected: &str) {
    let (_, profile) = analyze_and_profile(trace, "test", &Default::default()).unwrap();
    let [time, visits] = [Profile::TIME, Profile::VISITS].map(|metric| profile.exclusive(metric, |_| true));
    let row = |node: &ats_documents::profile::CallNode| {
        let at = node.id as usize;
        format!("{} {} {}", profile.path(node.id).join("/"), time[at], visits[at])
    };
    let rows: Vec<String> = profile.call_tree.iter().map(row).collect();
    assert_eq!(rows.join("\n"), trimmed(expected));
}

/// The causes of the largest finding: `PATH RANK SECONDS`.
#[track_caller]
fn check_causes(trace: &str, expected: &str) {
    let options = Options { causes: Some(Extent::All), ..Options::default() };
    let analysis = analyze(&parse(trace).unwrap(), "test", &options).unwrap();
    let causes = analysis.causes.as_ref().unwrap();
    let of = causes.findings.iter().find(|of| of.finding == analysis.findings[0].id).unwrap();
    let row = |cause: &ats_documents::causes::Cause| {
        let rank = causes.units[cause.unit as usize].rank;
        format!("{} {rank} {}", causes.label(cause.call_path), cause.seconds())
    };
    let rows: Vec<String> = of.causes.iter().map(row).collect();
    assert_eq!(rows.join("\n"), trimmed(expected));
}

/// Two rounds of a step in `main` and a norm in a function of its own; rank 1 is late with both.
const ROUNDS: &str = "0: 0..1 MPI_Barrier@main@a.c:3 barrier; 1..3 MPI_Barrier@main@a.c:5 barrier
                      0: 3..6 MPI_Barrier@norm@b.c:7 barrier; 6..9 MPI_Barrier@main@a.c:5 barrier
                      1: 0..1 MPI_Barrier@main@a.c:3 barrier; 2..3 MPI_Barrier@main@a.c:5 barrier
                      1: 5..6 MPI_Barrier@norm@b.c:7 barrier; 8..9 MPI_Barrier@main@a.c:5 barrier";

#[test]
fn code_is_named_by_the_calls_around_it() {
    check_profile(
        ROUNDS,
        "MPI_Barrier 2 2
         MPI_Barrier 7 4
         MPI_Barrier 4 2
         main between a.c:3 and a.c:5 1 1
         code between a.c:5 and b.c:7 2 1
         code between b.c:7 and a.c:5 2 1",
    );
}

#[test]
fn delays_are_those_of_the_segment() {
    check_causes(
        ROUNDS,
        "code between b.c:7 and a.c:5 1 2
         main between a.c:3 and a.c:5 1 1",
    );
}

#[test]
fn marked_regions_and_calls_without_place_end_segments() {
    check_profile(
        "0: 0..1 MPI_Barrier@main@a.c:3 barrier; 2..3 work; 4..5 MPI_Barrier@main@a.c:5 barrier; 6..7 MPI_Barrier barrier
         0: 8..9 MPI_Barrier@main@a.c:7 barrier",
        "PROGRAM 4 0
         PROGRAM/MPI_Barrier 1 1
         PROGRAM/work 1 1
         PROGRAM/MPI_Barrier 1 1
         PROGRAM/MPI_Barrier 1 1
         PROGRAM/MPI_Barrier 1 1",
    );
}

#[test]
fn begin_and_end_of_the_program_have_one_end() {
    check_profile(
        "0: 0 program heat; 2..3 MPI_Init@main@a.c:3; 5..6 MPI_Finalize@leave@a.c:9; 9 exit",
        "heat 0 1
         heat/code before a.c:3 2 1
         heat/MPI_Init 1 1
         heat/code between a.c:3 and a.c:9 2 1
         heat/MPI_Finalize 1 1
         heat/code after a.c:9 3 1",
    );
}

#[test]
fn threads_are_idle_in_code_between_parallel_regions() {
    let trace = parse(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel-@a.c:3; 0..2 work; 2 leave; 2 end t; 2 join
         0: 7 fork; 7 begin t; 7 enter $parallel-@a.c:3; 7..9 work; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel-@a.c:3; 0..2 work; 2 leave; 2 end t
         0.1: 7 begin t; 7 enter $parallel-@a.c:3; 7..9 work; 9 leave; 9 end t",
    );
    let analysis = analyze(&trace.unwrap(), "test", &Options::default()).unwrap();
    let row = |finding: &Finding| format!("{} {}", finding.id, finding.waiting_time);
    assert_eq!(
        analysis.findings.iter().map(row).collect::<Vec<_>>(),
        ["idle_threads@code between a.c:3 and a.c:3 5"]
    );
}

/// A trace whose events refer to these calling contexts, each with its function, its line and its parent.
fn with_contexts(trace: &str, contexts: &[(&str, u32, Option<u32>)]) -> InMemory {
    let mut trace = parse(&format!("attribute ATS::CALLING_CONTEXT\n{trace}")).unwrap();
    let regions = &mut trace.definitions.regions;
    let contexts = contexts.iter().map(|&(function, line, parent)| {
        let known = regions.iter().position(|region| region.name == function);
        let region = known.unwrap_or_else(|| {
            regions.push(Region { name: function.into(), ..Region::default() });
            regions.len() - 1
        });
        CallingContext { function: RegionRef(region as u32), file: "a.c".into(), line, parent }
    });
    trace.definitions.calling_contexts = contexts.collect();
    trace
}

#[test]
fn functions_are_around_calls_and_around_the_code_between_them() {
    // `main` calls `step`, which calls `halo` on line 20 and `norm` on line 21.
    let contexts = [
        ("main", 10, None),
        ("step", 20, Some(0)),
        ("halo", 31, Some(1)),
        ("halo", 33, Some(1)),
        ("step", 21, Some(0)),
        ("norm", 12, Some(4)),
        ("main", 9, None),
    ];
    let trace = with_contexts(
        "0: 0 with ATS::CALLING_CONTEXT 6; 0..1 MPI_Barrier@main@a.c:9 barrier
         0: 2 with ATS::CALLING_CONTEXT 2; 2..3 MPI_Barrier@halo@a.c:31 barrier
         0: 5 with ATS::CALLING_CONTEXT 3; 5..6 MPI_Barrier@halo@a.c:33 barrier
         0: 9 with ATS::CALLING_CONTEXT 5; 9..10 MPI_Barrier@norm@a.c:12 barrier
         0: 14 with ATS::CALLING_CONTEXT 2; 14..15 MPI_Barrier@halo@a.c:31 barrier",
        &contexts,
    );
    check_profile_of(
        &trace,
        "main 0 0
         main/MPI_Barrier 1 1
         main/main between a.c:9 and a.c:31 1 1
         main/step 0 0
         main/step/halo 0 0
         main/step/halo/MPI_Barrier 2 2
         main/step/halo/halo between a.c:31 and a.c:33 2 1
         main/step/halo/MPI_Barrier 1 1
         main/step/step between a.c:33 and a.c:12 3 1
         main/step/norm 0 0
         main/step/norm/MPI_Barrier 1 1
         main/step/step or its callers between a.c:12 and a.c:31 4 1",
    );
}

#[test]
fn functions_lead_to_a_team_and_go_on_in_it_alike_on_all_threads() {
    // `main` calls `solve`, whose parallel region calls `update`.
    let contexts =
        [("main", 20, None), ("solve", 14, Some(0)), ("solve", 15, Some(0)), ("update", 6, Some(2))];
    let trace = with_contexts(
        "team t 0 0.1
         0: 0 with ATS::CALLING_CONTEXT 1; 0 fork; 0 begin t; 0 with ATS::CALLING_CONTEXT 1; 0 enter $parallel
         0: 1 with ATS::CALLING_CONTEXT 3; 1..4 $barrier; 6 with ATS::CALLING_CONTEXT 3; 6..6 $barrier
         0: 7 enter work; 7 with ATS::CALLING_CONTEXT 3; 7..8 $barrier; 8 leave; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 with ATS::CALLING_CONTEXT 1; 0 enter $parallel
         0.1: 4 with ATS::CALLING_CONTEXT 3; 4..4 $barrier; 5 with ATS::CALLING_CONTEXT 3; 5..6 $barrier
         0.1: 8 enter work; 8 with ATS::CALLING_CONTEXT 3; 8..8 $barrier; 8 leave; 9 leave; 9 end t",
        &contexts,
    );
    let analysis = analyze(&trace, "test", &Options::default()).unwrap();
    assert!(analysis.is_whole(), "{:?}", analysis.warnings);
    let row = |finding: &Finding| {
        let locations = finding.locations.iter().map(|of| (of.thread, of.waiting_time)).collect::<Vec<_>>();
        (finding.call_path.join("/"), locations)
    };
    let team = "main/solve/!$omp parallel";
    assert_eq!(
        analysis.findings.iter().map(row).collect::<Vec<_>>(),
        [
            (format!("{team}/update/!$omp barrier"), vec![(0, 3.0), (1, 1.0)]),
            (format!("{team}/work/!$omp barrier"), vec![(0, 1.0)]),
        ]
    );
}

#[test]
fn contexts_that_are_not_defined_are_passed_over() {
    let trace = with_contexts(
        "0: 0..4 work; 1 with ATS::CALLING_CONTEXT 0; 5..6 MPI_Barrier@main@a.c:9 barrier
         0: 7 with ATS::CALLING_CONTEXT 7; 7..8 MPI_Barrier@main@a.c:9 barrier",
        &[("main", 9, None)],
    );
    check_profile_of(
        &trace,
        "PROGRAM 1 0
         PROGRAM/work 4 1
         PROGRAM/main 0 0
         PROGRAM/main/MPI_Barrier 1 1
         PROGRAM/main between a.c:9 and a.c:9 1 1
         PROGRAM/MPI_Barrier 1 1",
    );
}

/// The samples of a profile: `RANK PATH FUNCTION:LINE SAMPLES`.
fn samples(profile: &Profile) -> Vec<String> {
    let row = |of: &Sampled| {
        let (rank, path) = (profile.units[of.unit as usize].rank, profile.path(of.call_path).join("/"));
        format!("{rank} {path} {}:{} {}", of.function, of.line.unwrap_or_default(), of.samples)
    };
    profile.samples.iter().map(row).collect()
}

#[test]
fn samples_belong_to_the_code_or_region_that_they_were_taken_in() {
    let contexts =
        [("main", 10, None), ("relax", 88, Some(0)), ("relax", 89, Some(0)), ("norm", 40, Some(0))];
    let trace = with_contexts(
        "0: 0 sample 0; 1 with ATS::CALLING_CONTEXT 0; 1..2 MPI_Barrier@main@a.c:3 barrier
         0: 3 sample 1; 4 sample 1; 5 sample 3; 6 sample 2; 7 with ATS::CALLING_CONTEXT 0
         0: 7..8 MPI_Barrier@main@a.c:5 barrier; 9 enter work; 10 sample 3; 11 leave
         0: 12 enter MPI_Comm_rank; 13 sample 1; 14 leave
         1: 0 with ATS::CALLING_CONTEXT 0; 1..2 MPI_Barrier@main@a.c:3 barrier; 3 sample 1
         1: 6 with ATS::CALLING_CONTEXT 0; 7..8 MPI_Barrier@main@a.c:5 barrier; 9 sample 9",
        &contexts,
    );
    let (analysis, profile) = analyze_and_profile(&trace, "test", &Default::default()).unwrap();
    assert!(analysis.is_whole(), "{:?}", analysis.warnings);
    assert_eq!(
        samples(&profile),
        [
            "0 PROGRAM/code before a.c:3 main:10 1",
            "0 PROGRAM/main/main between a.c:3 and a.c:5 norm:40 1",
            "0 PROGRAM/main/main between a.c:3 and a.c:5 relax:88 2",
            "0 PROGRAM/main/main between a.c:3 and a.c:5 relax:89 1",
            "1 PROGRAM/main/main between a.c:3 and a.c:5 relax:88 1",
            "0 PROGRAM/work norm:40 1",
        ],
        "{:?}",
        samples(&profile)
    );
}
