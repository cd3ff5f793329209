//! The page's table of a program, call path by call path, agrees with the judgement.

use ats_documents::score::{Cause, Disturbance, ProgramResult};
use ats_documents::{Basis, Finding, Score, Truth, finding::LocationShare};
use ats_model::{CallSite, WaitState};
use ats_presentation::{Found, Page, Program, Tool, page};
use serde_json::Value;

use crate::common::{TWO_PROPERTIES, analyzed, data, program, score, truth};

fn wait(state: WaitState, path: &str, seconds: f64) -> Finding {
    let share = LocationShare { rank: 0, thread: 1, waiting_time: seconds };
    let path = path.split('/').map(str::to_owned).collect();
    Finding::wait(Some(state), path, vec![share], 1, &Basis::new(None, 2.0, 2), true)
}

/// `path: truth | found` of every row of the page.
fn rows(known: Vec<Finding>, found: Vec<Finding>) -> Vec<String> {
    let of = analyzed(TWO_PROPERTIES);
    let truth = Truth { findings: known, ..truth("barrier", &of.analysis) };
    let found = Found { tool: "ats", findings: &found, basis: Some(&of.analysis.basis), ..Found::default() };
    let program = Program { truth: Some(&truth), found: vec![found], ..Program::default() };
    let data = data(&Page { programs: vec![program], ..Page::default() });
    let rows = data["programs"][0]["rows"].as_array().unwrap();
    let row = |row: &Value| {
        let path: Vec<_> =
            row["path"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        format!("{}: {} | {}", path.join("/"), row["truth"]["amount"], row["found"][0]["amount"])
    };
    rows.iter().map(row).collect()
}

#[test]
fn the_line_of_a_construct_does_not_make_it_another() {
    use WaitState::WaitAtExplicitOmpBarrier as Barrier;
    let known = vec![wait(Barrier, "at_barrier/!$omp barrier", 1.0)];
    let found = |path: &str, seconds| wait(Barrier, path, seconds);
    assert_eq!(
        rows(
            known.clone(),
            vec![
                found(
                    "main/ats_measured/at_barrier/!$omp parallel @file.rs:40/!$omp barrier @file.rs:45",
                    0.75
                ),
                found(
                    "main/ats_measured/at_barrier/!$omp parallel @file.rs:40/!$omp barrier @file.rs:51",
                    0.25
                ),
            ]
        ),
        ["at_barrier/!$omp barrier: 1.0 | 1.0"]
    );
    assert_eq!(
        rows(known, vec![found("ats_measured/elsewhere/!$omp barrier @file.rs:45", 0.5)]),
        ["at_barrier/!$omp barrier: 1.0 | null", "elsewhere/!$omp barrier: null | 0.5"]
    );
}

#[test]
fn neither_does_the_spelling_of_a_call() {
    use WaitState::LateSender;
    assert_eq!(
        rows(
            vec![wait(LateSender, "late_sender/MPI_Recv", 1.0)],
            vec![wait(LateSender, "mine::late_sender::late_sender/mpi_recv_/PMPI_Recv", 1.0)]
        ),
        ["late_sender/MPI_Recv: 1.0 | 1.0"]
    );
}

fn called_in(function: &str, line: u32) -> impl Fn(Finding) -> Finding {
    let site = CallSite { function: function.to_owned(), file: "src/two.c".to_owned(), line };
    move |finding| finding.called_at(Some(site.clone()))
}

#[test]
fn calls_at_two_places_are_two_rows_unless_the_truth_has_one_of_both() {
    let (setup, halo) = (called_in("setup", 10), called_in("halo", 22));
    let found = vec![
        setup(wait(WaitState::LateSender, "main/MPI_Recv", 5.0)),
        halo(wait(WaitState::LateSender, "main/MPI_Recv", 2.0)),
    ];
    assert_eq!(
        rows(Vec::new(), found.clone()),
        ["main/MPI_Recv in setup (two.c:10): null | 5.0", "main/MPI_Recv in halo (two.c:22): null | 2.0"]
    );
    assert_eq!(
        rows(vec![wait(WaitState::LateSender, "main/MPI_Recv", 7.0)], found),
        ["main/MPI_Recv: 7.0 | 7.0"]
    );
}

#[test]
fn a_tool_with_call_sites_stands_beside_one_without() {
    let (setup, halo) = (called_in("setup", 10), called_in("halo", 22));
    let late = |seconds| wait(WaitState::LateSender, "main/MPI_Recv", seconds);
    let tools = [vec![setup(late(5.0)), halo(late(2.0))], vec![halo(late(2.5))], vec![late(7.0)]];
    let found = tools.iter().map(|findings| Found { tool: "ats", findings, ..Found::default() }).collect();
    let program = Program { found, ..Program::default() };
    let rows = data(&Page { programs: vec![program], ..Page::default() })["programs"][0]["rows"].take();
    let found = |row: &Value, tool: usize| row["found"][tool]["amount"].as_f64();
    let shown: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| [0, 1, 2].map(|tool| found(row, tool))).collect();
    assert_eq!(shown, [[Some(5.0), None, Some(7.0)], [Some(2.0), Some(2.5), None]]);
}

#[test]
fn a_finding_goes_to_the_longest_call_path_and_to_its_own_name_first() {
    use WaitState::{LateSender, LateSenderWrongOrderSameSource as WrongOrder};
    let known = vec![
        wait(LateSender, "a/MPI_Recv", 1.0),
        wait(LateSender, "a/b/MPI_Recv", 2.0),
        wait(WrongOrder, "a/b/MPI_Recv", 4.0),
    ];
    let found = vec![
        wait(LateSender, "a/b/MPI_Recv", 2.0),
        wait(LateSender, "a/MPI_Recv", 1.0),
        wait(WrongOrder, "a/b/MPI_Recv", 4.0),
    ];
    assert_eq!(
        rows(known, found),
        ["a/MPI_Recv: 1.0 | 1.0", "a/b/MPI_Recv: 2.0 | 2.0", "a/b/MPI_Recv: 4.0 | 4.0"]
    );
    // A tool without a word for it may say late sender.
    assert_eq!(
        rows(vec![wait(WrongOrder, "a/MPI_Recv", 4.0)], vec![wait(LateSender, "a/MPI_Recv", 4.0)]),
        ["a/MPI_Recv: 4.0 | 4.0"]
    );
}

#[test]
fn a_barrier_beside_its_loop_is_at_its_place_unless_there_is_one_below() {
    use WaitState::WaitAtImplicitOmpBarrier as Barrier;
    let below = "work/!$omp parallel/!$omp for/!$omp implicit barrier";
    let beside = "work/!$omp parallel/!$omp implicit barrier";
    let known = || vec![wait(Barrier, below, 1.0)];
    assert_eq!(rows(known(), vec![wait(Barrier, beside, 0.5)]), [format!("{below}: 1.0 | 0.5")]);
    let both = vec![wait(Barrier, beside, 0.5), wait(Barrier, below, 1.0)];
    assert_eq!(rows(known(), both), [format!("{below}: 1.0 | 1.0"), format!("{beside}: null | 0.5")]);
}

#[test]
fn findings_outside_the_measured_part_answer_nothing_in_it() {
    use WaitState::LateSender;
    let outside = Finding { in_basis: false, ..wait(LateSender, "ats_warmup/a/MPI_Recv", 3.0) };
    assert_eq!(
        rows(vec![wait(LateSender, "a/MPI_Recv", 1.0)], vec![outside, wait(LateSender, "a/MPI_Recv", 1.0)])
            [0],
        "a/MPI_Recv: 1.0 | 1.0"
    );
}

#[test]
fn disturbances_and_reruns_are_reported() {
    let disturbed = |folder: Option<&str>| Disturbance {
        cause: Cause::Noise,
        share: 0.052,
        folder: folder.map(str::to_owned),
        out_of_reruns: false,
    };
    let late_sender = score().programs.swap_remove(0);
    let again = ProgramResult {
        runs: 3,
        disturbed: vec![disturbed(Some("late_sender~1")), disturbed(Some("late_sender~2"))],
        ..late_sender
    };
    let silent = ProgramResult {
        runs: 2,
        disturbed: vec![disturbed(Some("silent~1"))],
        ..program("silent", Vec::new())
    };
    let score = Score { programs: vec![again, silent], ..score() };
    let tools = vec![Tool { name: "ats", score: &score }];
    let html = page(&Page { tools, ..Page::default() });
    let text = "waits that nobody planned took 5.20 % of all locations' time; run again, and this run is kept in late_sender~";
    assert_eq!(html.matches(&text.replace('\'', "&#x27;")).count(), 2, "{html}");
    assert!(html.contains("2×1, 3 runs</span>") && html.contains("2×1, 2 runs</span></li>"), "{html}");
}

#[test]
fn findings_link_to_the_reference_that_is_named() {
    let score = score();
    let tools = || vec![Tool { name: "ats", score: &score }];
    let link = "<a href=\"..&#x2f;pages&#x2f;wait-states.html#late_sender\">Late sender</a>";
    let linked = Page { tools: tools(), reference: Some("../pages"), ..Page::default() };
    assert!(page(&linked).contains(link), "{}", page(&linked));
    assert!(
        page(&Page { tools: tools(), ..Page::default() }).contains("<td class=\"property\">Late sender</td>")
    );
    let place = |name: &str| data(&linked)["properties"][name]["reference"].take();
    assert_eq!(place("late_sender"), "../pages/wait-states.html#late_sender");
    assert_eq!(place("visits"), "../pages/metrics.html#visits");
    assert!(data(&Page::default())["properties"]["visits"]["reference"].is_null());
}
