//! Traces in, findings out: each test is a trace in the notation of `ats_analyzer::notation` and the findings that it
//! must give, exactly, as text: `WAIT_STATE CALL/PATH RANK:TICKS RANK.THREAD:TICKS …`, by falling waiting time.

mod barrier;
mod basis;
mod call_sites;
mod callbacks;
mod causes;
mod clocks;
mod communicators;
mod damage;
mod early;
mod extrae;
mod eztrace;
mod flushes;
mod in_parts;
mod init_finalize;
mod late_receiver;
mod late_sender;
mod machine;
mod many_requests;
mod matching;
mod memory;
mod n_to_n;
mod neighbors;
mod nonblocking;
mod not_analyzed;
mod notation;
mod odd_archives;
mod omp_barrier;
mod omp_idle;
mod omp_locks;
mod omp_management;
mod omp_random;
mod omp_teams;
mod profile;
mod progress;
mod random;
mod recording_off;
mod rooted_and_prefix;
mod scalasca;
mod segments;
mod threads;
mod waits;
mod wrong_order;

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::{Analysis, Finding};

/// Analyzes a trace in the notation, with the default basis.
fn analysis(trace: &str) -> Analysis {
    analyze(&parse(trace).unwrap(), "test", &Options::default()).unwrap()
}

/// Whether a record is missing in the middle, which spoils the places of those after it: what is judged before that is found
/// out depends on how much of a trace is in memory.
fn has_lost_places(analysis: &Analysis) -> bool {
    analysis.warnings.iter().any(|warning| warning.contains("one before them that was not recorded"))
}

/// The trace gives these findings and no warning.
#[track_caller]
fn check(trace: &str, expected: &str) {
    check_damaged(trace, expected, "");
}

/// Checks that the trace, with an operation over before it can be, gives these findings and a warning about it.
#[track_caller]
fn check_impossible(trace: &str, findings: &str) {
    let analysis = analysis(trace);
    assert_eq!(table(&analysis), trimmed(findings));
    let [warning] = &analysis.warnings[..] else { panic!("{:?}", analysis.warnings) };
    assert!(warning.starts_with("the clocks of the processes contradict each other"), "{warning}");
}

/// The trace gives these findings and these warnings, one a line.
#[track_caller]
fn check_damaged(trace: &str, findings: &str, warnings: &str) {
    let analysis = analysis(trace);
    assert_eq!(table(&analysis), trimmed(findings));
    assert_eq!(analysis.warnings.join("\n"), trimmed(warnings));
}

fn table(analysis: &Analysis) -> String {
    analysis.findings.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn row(finding: &Finding) -> String {
    let mut row = format!("{} {}", finding.property.unwrap().name(), finding.call_path.join("/"));
    for share in &finding.locations {
        let thread = if share.thread == 0 { String::new() } else { format!(".{}", share.thread) };
        row += &format!(" {}{thread}:{}", share.rank, share.waiting_time);
    }
    row
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
