//! Pages of every kind and size: no script of theirs fails or has anything to say, and their ids are unique.

use ats_documents::Scoreboard;
use ats_documents::scoreboard::LeftOut;
use ats_presentation::{Page, Tool, page};
use ats_testing::{assert_ids_are_unique, press_all, use_page};

use super::{compared, comparison, diagnosis, example, page_of, profiled};
use crate::common::{EVIL, TWO_CALL_SITES, analyzed, score};
use crate::{causes, problems};

/// A page of every kind: of scores, of many tools, of single programs, of experiments, and of nothing.
fn kinds() -> Vec<(&'static str, String)> {
    let (compared, diagnosis, score) = (compared(), diagnosis(), score());
    let experiments = Page {
        title: "experiments",
        experiments: Some(&compared),
        diagnosis: Some(&diagnosis),
        ..Page::default()
    };
    let with_all = page(&experiments);
    assert!(with_all.contains("<div class=\"severities\"><figure"), "a property is drawn");
    let left_out = vec![LeftOut { what: EVIL.to_owned(), why: EVIL.to_owned() }];
    let board = Scoreboard { schema: String::new(), scores: Vec::new(), rows: Vec::new(), left_out };
    let tools = ["one", "two", "three", EVIL].map(|name| Tool { name, score: &score });
    let scoreboard = Page { title: "tools", tools: tools.to_vec(), board: Some(&board), ..Page::default() };
    vec![
        ("scores and history", example()),
        ("a scoreboard", page(&scoreboard)),
        ("a trace", profiled()),
        ("call sites", page_of(&analyzed(TWO_CALL_SITES))),
        ("problems", problems::changed(|_| ())),
        ("causes", causes::with_page(&causes::example(), page)),
        ("a comparison", comparison::example(true)),
        ("a replay", comparison::replay()),
        ("a comparison without traces", comparison::example(false)),
        ("experiments", with_all),
        ("nothing", page(&Page::default())),
    ]
}

#[test]
fn ids_of_every_kind_are_unique() {
    kinds().iter().for_each(|(_, html)| assert_ids_are_unique(html));
    // Also of those that no page of these has together.
    assert_ids_are_unique(include_str!("../../../src/page/page.html"));
}

#[test]
fn no_button_of_any_kind_ends_in_an_error() {
    for (kind, html) in kinds() {
        let Some(pressed) = press_all(&html) else { return };
        assert!(
            pressed > 0
                || ["experiments", "nothing", "a scoreboard", "a comparison without traces"].contains(&kind),
            "{kind}"
        );
    }
}

/// The page of a run on so many ranks; each waits for its left neighbour.
pub(super) fn of_ranks(ranks: u32) -> String {
    let row = |rank: u32| {
        let (left, right) = (rank.checked_sub(1), Some(rank + 1).filter(|&right| right < ranks));
        let received = left.map_or_else(String::new, |left| format!("; 1..5 MPI_Recv recv {left} bytes 8"));
        let sent = right.map_or_else(String::new, |right| format!("; 5..6 MPI_Send send {right} bytes 8"));
        format!("{rank}: 0 enter main{received}{sent}; 6..9 MPI_Barrier barrier; 9 leave\n")
    };
    let of = analyzed(&(0..ranks).map(row).collect::<String>());
    assert_eq!(of.profile.units.len(), ranks as usize);
    page_of(&of)
}

#[test]
fn pages_of_few_and_many_locations_have_no_errors() {
    for ranks in [1, 2, 64, 65, 1024] {
        let Some(pressed) = press_all(&of_ranks(ranks)) else { return };
        assert!(pressed > 0, "{ranks} ranks");
    }
}

#[test]
fn all_rows_of_64_locations_are_seen_at_once() {
    let script = "return { height: one('#canvas').clientHeight, seen: one('.canvas').clientHeight };";
    let Some(seen) = use_page(&of_ranks(64), 1280, "", script) else { return };
    assert!(seen["height"].as_u64() > Some(64 * 9) && seen["height"].as_u64() <= Some(700), "{seen}");
}

#[test]
fn a_page_of_65536_locations_has_no_errors() {
    assert!(press_all(&of_ranks(65_536)).is_none_or(|pressed| pressed > 0));
}
