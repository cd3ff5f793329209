//! The comparison of two runs on a page.

use ats_documents::comparison::{
    CauseDifference, Compared, Difference, MatchedPlace, Measure, PlaceDifference, Side, Term, TermDifference,
};
use ats_documents::what_if::{StateOfRun, WhatIfAnswer};
use ats_documents::{Comparison, WhatIf};
use ats_model::WaitState;
use ats_presentation::{ComparedRuns, Found, Limits, Page, Program, Timeline, page, timeline};
use ats_testing::use_page;
use serde_json::json;

use crate::common::{Analyzed, EVIL, TWO_PROPERTIES, analyzed};

/// A run on three ranks, half as long; its receives are in a function of another name.
const THREE_RANKS: &str = "
    0: 0 enter ats_measured; 0 enter later; 0..5 work; 5..9 MPI_Send send 1 tag 7 bytes 64; 9 leave; 9 enter at_barrier
    0: 9..15 MPI_Barrier barrier; 15 leave; 15 leave
    1: 0 enter ats_measured; 0 enter later; 2..5 MPI_Recv recv 2; 5..9 MPI_Recv recv 0 tag 7 bytes 64; 9 leave; 9 enter at_barrier
    1: 9..14 work; 14..15 MPI_Barrier barrier; 15 leave; 15 leave
    2: 0 enter ats_measured; 0 enter later; 0..4 MPI_Send send 1; 4 leave; 4 enter at_barrier; 4..15 MPI_Barrier barrier; 15 leave; 15 leave";

fn names(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}

/// Differences with a place that has another name in B, one that B alone has, and a root cause.
fn document(a: &Analyzed, b: &Analyzed) -> Comparison {
    let difference = |a, b| Difference { a, b, noise: None };
    let recv = MatchedPlace {
        call_path: names("ats_measured/late_sender/MPI_Recv"),
        call_path_in_b: Some(names("ats_measured/later/MPI_Recv")),
        ..MatchedPlace::default()
    };
    let work = MatchedPlace { call_path: names("ats_measured/at_barrier/work"), ..MatchedPlace::default() };
    let alone =
        MatchedPlace { call_path: vec![EVIL.to_owned()], only_in: Some(Side::B), ..MatchedPlace::default() };
    let late = PlaceDifference {
        wait_state: Some(WaitState::LateSender),
        place: recv,
        difference: difference(3.0, 9.0),
        causes: vec![CauseDifference { place: work, difference: difference(3.0, 8.0) }],
        ..PlaceDifference::default()
    };
    let alone =
        PlaceDifference { place: alone, difference: difference(0.0, 2.0), ..PlaceDifference::default() };
    let term = |term, a, b, places| TermDifference { term, difference: difference(a, b), places };
    let side = |of: &Analyzed, name: &str, ranks| Compared {
        runs: vec![name.to_owned()],
        ranks,
        locations: ranks,
        basis: of.analysis.basis.clone(),
    };
    Comparison {
        schema: Comparison::SCHEMA.to_owned(),
        a: side(a, "before", 2),
        b: side(b, EVIL, 3),
        measure: Measure::Seconds,
        whole: difference(60.0, 45.0),
        terms: vec![
            term(Term::Messages, 3.0, 9.0, vec![late]),
            term(Term::MoreWork, 0.0, 2.0, vec![alone]),
            term(Term::Runtime, 0.1, 0.2, Vec::new()),
        ],
        notes: vec![format!("before: {EVIL}")],
    }
}

/// The page of two runs, with their timelines or without.
pub(crate) fn example(has_timelines: bool) -> String {
    with_page(has_timelines, None)
}

/// The same of a run and a replay of it.
pub(crate) fn replay() -> String {
    let run = |seconds| StateOfRun { seconds, efficiency: 0.5, ..StateOfRun::default() };
    let answer = |change: &str, seconds| WhatIfAnswer {
        changes: vec!["--balance".to_owned(), change.to_owned()],
        after: run(seconds),
        gain: 30.0 - seconds,
        is_certain: true,
        ..WhatIfAnswer::default()
    };
    let document = WhatIf {
        trace: "before".to_owned(),
        recorded: 30.0,
        before: run(30.0),
        floor: 12.0,
        answers: vec![answer("solve", 20.0), answer(EVIL, 15.0)],
        ..WhatIf::default()
    };
    with_page(true, Some(&document))
}

fn with_page(has_timelines: bool, what_if: Option<&WhatIf>) -> String {
    let (a, b) = (analyzed(TWO_PROPERTIES), analyzed(THREE_RANKS));
    let document = document(&a, &b);
    let picture = |of: &Analyzed| -> Timeline {
        timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default())
    };
    let pictures = [picture(&a), picture(&b)];
    let findings = [&a, &b].map(|of| Found {
        tool: "ats",
        findings: &of.analysis.findings,
        basis: Some(&of.analysis.basis),
        ..Found::default()
    });
    let compared = ComparedRuns {
        document: &document,
        above: 0.01,
        timelines: has_timelines.then_some(pictures.each_ref()),
        what_if,
    };
    let program = Program {
        name: "B against A",
        found: findings.to_vec(),
        comparison: Some(compared),
        ..Program::default()
    };
    page(&Page { title: "Two runs", programs: vec![program], ..Page::default() })
}

#[test]
fn a_place_is_shown_in_both_timelines() {
    let script = "
        const lines = all('#difference-rows tr');
        const press = (at) => { lines[at].querySelector('button').click(); return one('#marked').textContent; };
        const texts = lines.map((line) => [...line.children].map((cell) => cell.textContent));
        const order = one('#timeline').dataset.order;
        const recv = press(1), cause = press(2), alone = press(4);
        const address = one('#view').dataset.address;
        press(4);
        const key = (name) => one('#canvas').dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        key('0'); await wait();
        const zoom = one('#timeline').dataset.zoom;
        for (let at = 0; at < 2; at += 1) key('n');
        const tip = one('#tip').textContent;
        return { texts, order, recv, cause, alone, address, zoom, tip, none: one('#marked').textContent, panes: one('.panes').hidden,
            said: all('#sentences p').map((one) => one.textContent), remarks: all('#comparison-notes li').length };";
    for width in [400, 1280] {
        let Some(seen) = use_page(&example(true), width, "", script) else { return };
        assert_eq!(seen["order"], "0.0 1.0 0.0 1.0 2.0", "A above B");
        assert_eq!(seen["zoom"], "1.0200", "of the longer run");
        assert_eq!(
            seen["texts"][1],
            json!([
                "late_sender at ats_measured/late_sender/MPI_Recv, in B ats_measured/later/MPI_Recv",
                "+6.000 s",
                "+10.00 %",
                "3.000 s",
                "9.000 s"
            ])
        );
        for (place, bars) in [("recv", "1 times in A, 2 times in B"), ("cause", "1 times in A, 1 times in B")]
        {
            assert!(seen[place].as_str().unwrap().ends_with(bars), "{seen}");
        }
        assert!(seen["alone"].as_str().unwrap().ends_with("0 times in A, 0 times in B"), "{seen}");
        assert!(seen["address"].as_str().unwrap().contains("difference=5"), "{seen}");
        assert_eq!((&seen["none"], &seen["panes"]), (&json!(""), &json!(true)), "a second time undoes it");
        assert!(seen["tip"].as_str().unwrap().contains("rank "), "{seen}");
        let said = &seen["said"];
        assert_eq!(said[0], "A: 30.000000 s on 2 ranks: before");
        assert!(said[3].as_str().unwrap().starts_with("There is one run a side"), "{said}");
        assert_eq!(seen["remarks"], 1);
        assert_eq!(seen["texts"].as_array().map(Vec::len), Some(6), "and the rest");
    }
}

#[test]
fn runs_without_traces_have_differences_alone() {
    let script = "return { timeline: one('#timeline').hidden, none: one('#none').textContent, buttons: all('#difference-rows button').length,
        lines: all('#difference-rows tr').length };";
    let Some(seen) = use_page(&example(false), 400, "", script) else { return };
    let none = "There are no timelines: not both runs have a trace.";
    assert_eq!(seen, json!({ "timeline": true, "none": none, "buttons": 0, "lines": 6 }));
}

#[test]
fn the_gains_of_changes_stand_above_the_timelines() {
    let script = "
        const rows = all('#gain-rows tr').map((row) => [...row.children].map((cell) => cell.textContent));
        return { rows, note: one('#gain-table .note').textContent, order: one('#timeline').dataset.order,
            said: all('#sentences p').map((one) => one.textContent),
            above: one('#gain-table').getBoundingClientRect().bottom <= one('#canvas').getBoundingClientRect().top };";
    let Some(seen) = use_page(&replay(), 1280, "", script) else { return };
    assert_eq!(seen["rows"][0], json!(["none", "30.000000 s", "", "50.00 %", "0.000000 s"]));
    assert_eq!(seen["rows"][2][2], "+15.000000 s (50.00 %)");
    assert!(seen["note"].as_str().unwrap().starts_with("floor 12.000000 s. "), "{seen}");
    assert_eq!((&seen["order"], &seen["above"]), (&json!("0.0 1.0 0.0 1.0 2.0"), &json!(true)));
    assert_eq!(seen["said"][0], "before: 30.000000 s recorded; a replay without changes is +0.000000 s off");
    assert_eq!(seen["said"][1], "A: 30.000000 s on 2 ranks: before");
}
