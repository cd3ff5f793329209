//! Calls of one function at different places are different findings; counts by name stay together.

use ats_analyzer::{analyze_and_profile, analyze_with, notation::parse};
use ats_documents::{Finding, Profile};
use ats_model::CallSite;

use crate::{analysis, trimmed};

/// Rank 1 receives 5 s late in `setup` and 2 s and 2 s late in `halo`, and 1 s late wherever that is.
const TRACE: &str = "0: 0..5 work; 5..6 MPI_Send@setup@two.c:8 send 1
                     0: 6..8 work; 8..9 MPI_Send@halo@two.c:20 send 1; 9..11 work; 11..12 MPI_Send@halo@two.c:20 send 1
                     0: 12..13 work; 13..14 MPI_Send send 1
                     1: 0..6 MPI_Recv@setup@two.c:10 recv 0; 6..9 MPI_Recv@halo@two.c:22 recv 0
                     1: 9..12 MPI_Recv@halo@two.c:22 recv 0; 12..14 MPI_Recv recv 0";

/// The findings of a trace: `ID SECONDS INSTANCES SITE`.
#[track_caller]
fn check(trace: &str, expected: &str) {
    let row = |finding: &Finding| {
        let site = finding.call_site.as_ref().map_or("nowhere".to_owned(), CallSite::short);
        format!("{} {} {} {site}", finding.id, finding.waiting_time, finding.instances)
    };
    let rows: Vec<String> = analysis(trace).findings.iter().map(row).collect();
    assert_eq!(rows.join("\n"), trimmed(expected));
}

#[test]
fn calls_at_different_places_are_different_findings() {
    check(
        TRACE,
        "late_sender@MPI_Recv called in setup at two.c:10 5 1 setup (two.c:10)
         late_sender@MPI_Recv called in halo at two.c:22 4 2 halo (two.c:22)
         late_sender@MPI_Recv 1 1 nowhere",
    );
}

#[test]
fn counts_are_by_name() {
    let analysis = analysis(TRACE);
    assert_eq!((analysis.counts["MPI_Recv"], analysis.counts["MPI_Send"]), (4, 4));
    assert_eq!(analysis.traffic["MPI_Recv"].messages_received, 4);
}

#[test]
fn single_waits_are_of_the_finding_of_their_call() {
    let trace = parse(TRACE).unwrap();
    let mut waits = Vec::new();
    analyze_with(&trace, "test", &Default::default(), &mut |wait| waits.push((wait.begin, wait.finding)))
        .unwrap();
    waits.sort_unstable();
    assert_eq!(waits, [(0, 0), (6, 1), (9, 1), (12, 2)]);
}

#[test]
fn ranks_that_wait_in_one_call_share_a_finding() {
    check(
        "0: 0..3 work; 3..4 MPI_Barrier@late@a.c:3 barrier
         1: 0..4 MPI_Barrier@early@a.c:5 barrier
         2: 0..1 work; 1..4 MPI_Barrier@early@a.c:5 barrier",
        "wait_at_barrier@MPI_Barrier called in early at a.c:5 5 2 early (a.c:5)",
    );
}

#[test]
fn call_paths_differ_by_the_call_around_them() {
    check(
        "team t 0 0.1
         0: 0 enter MPI_Reduce@norm@a.c:3; 0 fork; 0 begin t; 0 enter $parallel; 0..5 work; 5..9 $barrier; 9 leave
         0: 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 0..9 work; 9..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier@MPI_Reduce/!$omp parallel/!$omp barrier called in norm at a.c:3 4 1 norm (a.c:3)",
    );
}

/// The call paths of a profile: `LABEL/LABEL TIME VISITS WAITS`.
#[track_caller]
fn check_profile(trace: &str, wait: &str, expected: &str) {
    let (_, profile) = analyze_and_profile(&parse(trace).unwrap(), "test", &Default::default()).unwrap();
    let all = |metric: &str| profile.exclusive(metric, |_| true);
    let (time, visits, waits) = (all(Profile::TIME), all(Profile::VISITS), all(wait));
    let row = |node: &ats_documents::profile::CallNode| {
        let at = node.id as usize;
        let mut path: Vec<String> =
            profile.ancestors(node.id).map(|outer| profile.regions[outer.region as usize].label()).collect();
        path.reverse();
        format!("{} {} {} {}", path.join("/"), time[at], visits[at], waits[at])
    };
    let rows: Vec<String> = profile.call_tree.iter().map(row).collect();
    assert_eq!(rows.join("\n"), trimmed(expected));
}

#[test]
fn calls_at_different_places_are_different_call_paths_of_a_profile() {
    check_profile(
        TRACE,
        "late_sender",
        "work 10 4 0
         MPI_Send in setup (two.c:8) 1 1 0
         MPI_Send in halo (two.c:20) 2 2 0
         MPI_Send 1 1 0
         MPI_Recv in setup (two.c:10) 6 1 5
         MPI_Recv in halo (two.c:22) 6 2 4
         MPI_Recv 2 1 1",
    );
}
