//! Call sites: a call of the same function elsewhere in the source is another row.

use std::collections::BTreeSet;
use std::process::Command;

use ats_documents::{Analysis, Finding};
use ats_model::WaitState;
use ats_model::openmp::without_place;

use super::{Foreign, TWO_RANKS, assert_as_measured, numbers};
use crate::common::ats_in;

/// The findings of late senders, in the order of their call sites.
fn late_senders(foreign: &Foreign) -> Vec<Finding> {
    let analysis = foreign.analysis();
    assert_eq!(analysis.counts["MPI_Recv"], 11);
    let mut findings = analysis.findings;
    findings.retain(|finding| finding.property == Some(WaitState::LateSender));
    findings.sort_by(|a, b| a.call_site.cmp(&b.call_site));
    findings
}

/// The line of a program with the receive of this tag.
fn line(source: &str, tag: u32) -> u32 {
    let tag = format!(", 0, {tag},");
    let is_call = |line: &str| line.contains("MPI_Recv(") && line.contains(&tag);
    source.lines().position(is_call).unwrap() as u32 + 1
}

/// Fails unless the receives of a program are told apart.
#[track_caller]
fn assert_told_apart(name: &str, source: &str, functions: [&str; 2]) {
    let foreign = Foreign::compiled(name);
    let late = foreign.measured(&TWO_RANKS);
    let findings = late_senders(&foreign);
    let sites: Vec<_> = findings.iter().map(|finding| finding.call_site.as_ref().unwrap()).collect();
    let right = [(functions[0], line(source, 2)), (functions[1], line(source, 1))];
    let found: Vec<_> = sites.iter().map(|site| (site.function.as_str(), site.line)).collect();
    assert_eq!(found, right);
    findings.iter().zip(late).for_each(|(finding, late)| assert_as_measured(finding.waiting_time, late));
    assert!(sites.iter().all(|site| site.file.ends_with(&format!("/{name}"))), "{sites:?}");

    let text = foreign.answer(&["analyze", "trace"]);
    for (function, line) in right {
        let call = format!("MPI_Recv ({name}:{line})");
        let rows: Vec<&str> = text.lines().filter(|row| row.contains(&call)).collect();
        assert!(rows.len() == 1 && rows[0].contains(function), "{call} in {function}: {text}");
    }
}

#[test]
fn calls_of_one_function_are_told_apart_by_function_and_line() {
    assert_told_apart("two.c", include_str!("../../programs/foreign/two.c"), ["halo", "setup"]);
}

#[test]
fn calls_from_fortran_are_told_apart_by_subroutine_and_line() {
    let source = include_str!("../../programs/foreign/two.f90");
    assert_told_apart("two.f90", source, ["steps::halo", "steps::setup"]);
}

#[test]
fn without_call_sites_calls_of_one_function_are_one() {
    let foreign = Foreign::compiled("two.c");
    let record = ["record", "-o", "trace", "--stacks", "off", "--"];
    let output = ats_in(foreign.dir.path(), &[&record[..], &TWO_RANKS].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let findings = late_senders(&foreign);
    let [one] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((one.id.as_str(), &one.call_site), ("late_sender@MPI_Recv", &None));
    let late = numbers(&String::from_utf8_lossy(&output.stdout));
    assert_as_measured(one.waiting_time, late.iter().sum());
}

#[test]
fn without_symbols_calls_are_told_apart_by_where_they_are_in_the_program() {
    let foreign = Foreign::compiled("two.c");
    let stripped = Command::new("strip").arg(foreign.dir.path().join("program")).status().unwrap();
    assert!(stripped.success());
    let late = foreign.measured(&TWO_RANKS);
    let findings = late_senders(&foreign);
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert_as_measured(findings.iter().map(|finding| finding.waiting_time).sum(), late.iter().sum());
    for finding in findings {
        let site = finding.call_site.unwrap();
        assert!(site.function.starts_with("program+0x"), "{site:?}");
        assert_eq!((site.file.as_str(), site.line), ("", 0));
    }
}

/// The call paths of the findings of a wait state without their places in the source, with the threads that wait there.
fn paths(analysis: &Analysis, property: WaitState) -> BTreeSet<(String, Vec<u32>)> {
    let path = |finding: &Finding| {
        finding.call_path.iter().map(|name| without_place(name)).collect::<Vec<_>>().join("/")
    };
    let threads = |finding: &Finding| {
        let waits = finding.locations.iter().filter(|location| location.waiting_time > 0.02);
        waits.map(|location| location.thread).collect()
    };
    let findings = analysis.findings.iter().filter(|finding| finding.property == Some(property));
    findings
        .map(|finding| (path(finding), threads(finding)))
        .filter(|(_, threads): &(_, Vec<u32>)| !threads.is_empty())
        .collect()
}

#[test]
fn functions_lead_to_parallel_regions_and_locks_alike_on_all_threads() {
    let foreign = Foreign::empty();
    for options in [&["-O2", "-fomit-frame-pointer"][..], &["-O0"]] {
        foreign.compile_with("callers.c", "program", options);
        let analysis = foreign.record(&["./program"]).analysis();
        let right = |paths: &[(&str, &[u32])]| -> BTreeSet<(String, Vec<u32>)> {
            paths.iter().map(|&(path, threads)| (format!("main/{path}"), threads.to_vec())).collect()
        };
        let locks = [
            ("coarse/solve/!$omp parallel/update/omp_set_lock", &[1][..]),
            ("fine/solve/!$omp parallel/update/omp_set_lock", &[0]),
        ];
        assert_eq!(paths(&analysis, WaitState::OmpLockContention), right(&locks), "{options:?}");
        let barriers = [
            ("nested/!$omp parallel/inner/!$omp parallel/!$omp implicit barrier", &[0, 1][..]),
            ("descend/!$omp parallel/!$omp implicit barrier", &[0]),
            ("descend/descend/!$omp parallel/!$omp implicit barrier", &[0]),
        ];
        assert_eq!(paths(&analysis, WaitState::WaitAtImplicitOmpBarrier), right(&barriers), "{options:?}");
        let of_lock = |finding: &&Finding| finding.property == Some(WaitState::OmpLockContention);
        for finding in analysis.findings.iter().filter(of_lock) {
            assert_eq!(finding.call_site.as_ref().unwrap().function, "update", "{finding:?}");
        }
    }
}

#[test]
fn instrumented_functions_are_on_call_paths_once() {
    let foreign = Foreign::empty();
    foreign.compile_with("instrumented.c", "program", &["-finstrument-functions"]);
    foreign.record(&TWO_RANKS);
    let analysis = foreign.analysis();
    let waits = analysis.findings.iter().filter(|finding| finding.waiting_time > 0.1);
    let waits: Vec<_> = waits.map(|finding| (finding.property, finding.call_path.join("/"))).collect();
    assert_eq!(waits, [(Some(WaitState::WaitAtNxN), "main/step/meet/MPI_Allreduce".to_owned())]);

    let profile = foreign.profile();
    let mut paths: Vec<String> = Vec::new();
    for node in &profile.call_tree {
        let around = node.parent.map_or(String::new(), |parent| format!("{}/", paths[parent as usize]));
        paths.push(around + &profile.regions[node.region as usize].name);
    }
    for path in ["program/main/step/relay/MPI_Barrier", "program/main/step/solve/norm"] {
        assert!(paths.iter().any(|own| own == path), "{path}: {paths:?}");
    }
    let warnings = profile.warnings.join("\n");
    assert!(warnings.contains("functions left out since they are short: norm ("), "{warnings}");

    let explained = foreign.answer(&["explain", "trace"]);
    assert!(explained.contains("of `solve` (instrumented.c:11)"), "{explained}");
}
