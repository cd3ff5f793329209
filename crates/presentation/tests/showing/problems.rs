//! The problems of a run beside its timeline.

use ats_documents::Explanation;
use ats_documents::explanation::{
    CauseKind, Culprit, Division, Effect, FittingCause, Intervals, Omitted, Problem, SourceLine, Waiting,
};
use ats_model::WaitState;
use ats_model::clock_correction::ClockMethod;
use ats_model::locations::Location;
use ats_presentation::{Found, Limits, Page, Program, Timeline, page, timeline};
use ats_testing::use_page;
use serde_json::{Value, json};

use crate::common::{Analyzed, EVIL, TWO_PROPERTIES, analyzed, data};

fn rank(rank: u32) -> Location {
    Location { rank, thread: 0 }
}

/// A problem in which `waiting` waits for the other rank.
fn problem(cause: CauseKind, state: WaitState, waiting: u32, interval: Option<(f64, f64)>) -> Problem {
    let intervals =
        interval.map(|(begin, end)| Intervals { number: 2, begin, end, waiting: vec![rank(waiting)] });
    let seconds = interval.map_or(1.5, |(begin, end)| end - begin);
    let effect = Effect {
        finding: state.name().to_owned(),
        property: state,
        call_path: vec!["main".to_owned()],
        source: None,
        seconds,
        waiting: vec![rank(waiting)],
        intervals,
    };
    let fit = FittingCause { cause, confidence: 0.9, evidence: Vec::new(), advice: String::new() };
    Problem {
        seconds,
        share: seconds / 60.0,
        culprits: vec![Culprit { location: rank(1 - waiting), seconds }],
        effects: vec![effect],
        causes: vec![fit],
        text: format!("Rank {waiting} waits in `MPI_Recv`. {EVIL}"),
        ..Problem::default()
    }
}

/// Two problems with intervals and one without.
fn explanation(of: &Analyzed) -> Explanation {
    let solve = SourceLine { file: "src/solve.c".to_owned(), line: 12 };
    Explanation {
        basis: of.analysis.basis.clone(),
        division: Division {
            computing: 34.5,
            waiting: Waiting { messages: 25.5, ..Waiting::default() },
            ..Division::default()
        },
        lost: 25.5,
        efficiency: 0.575,
        problems: vec![
            problem(CauseKind::LateArrival, WaitState::WaitAtBarrier, 0, Some((9.0, 29.0))),
            Problem {
                source: Some(solve),
                ..problem(CauseKind::UnevenWork, WaitState::LateSender, 1, Some((1.0, 5.0)))
            },
            problem(CauseKind::SerialPart, WaitState::IdleThreads, 1, None),
        ],
        omitted: Omitted { problems: 2, seconds: 0.25, largest: 0.2, by_call: Vec::new() },
        notes: vec!["No regions are recorded.".to_owned()],
        ..Explanation::default()
    }
}

/// Shows the page of a trace, with this picture and explanation.
fn with_page<T>(
    of: &Analyzed,
    picture: &Timeline,
    explanation: Option<&Explanation>,
    show: impl FnOnce(&Page<'_>) -> T,
) -> T {
    let found = Found {
        tool: "ats",
        findings: &of.analysis.findings,
        basis: Some(&of.analysis.basis),
        ..Found::default()
    };
    let program = Program {
        name: "two",
        ranks: 2,
        threads: 1,
        found: vec![found],
        timeline: Some(picture),
        explanation,
        ..Program::default()
    };
    show(&Page { title: "two", programs: vec![program], ..Page::default() })
}

fn picture(of: &Analyzed) -> Timeline {
    timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default())
}

/// A page with the explanation that `change` leaves.
pub(crate) fn changed(change: impl FnOnce(&mut Explanation)) -> String {
    let of = analyzed(TWO_PROPERTIES);
    let mut explanation = explanation(&of);
    change(&mut explanation);
    with_page(&of, &picture(&of), Some(&explanation), page)
}

#[test]
fn problems_are_data_of_the_page() {
    let of = analyzed(TWO_PROPERTIES);
    let shown = |picture: &Timeline| {
        with_page(&of, picture, Some(&explanation(&of)), data)["programs"][0]["explanation"].clone()
    };
    let mut picture = picture(&of);
    let all = shown(&picture);
    assert_eq!(all["efficiency"], "57.5 %: 34.500 s of 60.000 s computing, 25.500 s waiting");
    assert_eq!(
        all["notes"],
        json!([
            "No regions are recorded.",
            "2 smaller problems of 0.250 s not shown; see --top and --above of `ats explain`."
        ])
    );
    let [barrier, late, idle] = &all["problems"].as_array().unwrap()[..] else { panic!("{all:#}") };
    assert_eq!((&late["cause"], &late["place"]), (&"Uneven work".into(), &"src/solve.c:12".into()));
    assert_eq!((late["seconds"].as_f64(), late["share"].as_f64()), (Some(4.0), Some(4.0 / 60.0)));
    let group = |rank: u32| json!({ "words": format!("rank {rank}"), "locations": { "rank": [rank], "thread": [0] } });
    assert_eq!((&late["waiting"], &late["culprits"]), (&group(1), &group(0)));
    assert_eq!((&idle["waiting"], idle.get("worst"), barrier.get("place")), (&group(1), None, None));

    // Intervals are since the begin of the trace, and the timeline begins with the first event that it shows.
    let ticks = |seconds: u64| seconds * picture.resolution;
    let worst = |shown: &Value| shown["problems"][1].get("worst").cloned();
    assert_eq!(worst(&all), Some(json!({ "begin": ticks(1), "end": ticks(5), "number": 2 })));
    picture.origin += ticks(2);
    assert_eq!(worst(&shown(&picture)), Some(json!({ "begin": ticks(3), "end": ticks(7), "number": 2 })));
    picture.detail.clocks = Some(ClockMethod::Derived);
    assert_eq!(worst(&shown(&picture)), None, "of other clocks than those of the timeline");
    assert!(with_page(&of, &picture, None, data)["programs"][0].get("explanation").is_none());
}

/// What a page shows of its problems, by `await state()`.
const STATE: &str = "
    const rows = () => all('#problem-list .row');
    const state = async () => {
        await wait();
        const { zoom, waiting, culprits } = one('#timeline').dataset;
        return { zoom: Number(zoom), waiting, culprits, said: one('#marked').textContent, chosen: rows().map((row) => row.getAttribute('aria-selected') === 'true').indexOf(true) };
    };
    const key = (name, at) => (at ?? document.activeElement).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));";

/// The share of the timeline that is seen with a chosen interval: it has a margin of a quarter on both sides.
fn is_zoomed(state: &Value, seconds: f64) -> bool {
    (state["zoom"].as_f64().unwrap() - 1.5 * seconds / 30.0).abs() < 0.002
}

#[test]
fn choosing_a_problem_zooms_to_its_worst_interval_and_marks_rows() {
    let script = format!(
        "{STATE}
        const box = (id) => one(id).getBoundingClientRect();
        const list = rows().map((row) => [...row.children].map((part) => part.textContent));
        const names = rows().map((row) => row.querySelector('.text code').textContent);
        const notes = all('#problem-notes li').map((note) => note.textContent);
        const around = [one('#efficiency').textContent, one('#no-problem').hidden, one('#problems').hidden];
        const isBeside = box('#problems').right <= box('#timeline').left, isAbove = box('#problems').bottom <= box('#timeline').top;
        const start = await state();
        rows()[1].click();
        const late = await state();
        const {{ address }} = one('#view').dataset;
        rows()[0].click();
        const barrier = await state();
        rows()[2].click();
        const idle = await state();
        rows()[2].click();
        return {{ list, names, notes, around, isBeside, isAbove, start, late, address, barrier, idle, end: await state(), title: document.title }};"
    );
    for width in [390, 1280] {
        let Some(seen) = use_page(&changed(|_| ()), width, "two/2×1", &script) else { return };
        let text = |rank: u32| format!("Rank {rank} waits in MPI_Recv. {}", EVIL.replace('`', ""));
        assert_eq!(
            seen["list"],
            json!([
                ["1. Late arrival", "20.00 s", "33.33 %", text(0)],
                ["2. Uneven work", "4.000 s", "6.67 %", text(1), "solve.c:12"],
                ["3. Serial part", "1.500 s", "2.50 %", text(1)],
            ])
        );
        assert_eq!((&seen["names"][0], &seen["title"]), (&"MPI_Recv".into(), &"two".into()));
        assert!(seen["notes"][1].as_str().unwrap().ends_with("--above of ats explain."), "{seen}");
        assert_eq!(
            seen["around"],
            json!(["57.5 %: 34.500 s of 60.000 s computing, 25.500 s waiting", true, false])
        );
        let is_wide = width > 900;
        assert_eq!((&seen["isBeside"], &seen["isAbove"]), (&json!(is_wide), &json!(!is_wide)));
        let (late, idle) = (&seen["late"], &seen["idle"]);
        assert_eq!(
            seen["start"],
            json!({ "zoom": seen["start"]["zoom"], "waiting": "", "culprits": "", "said": "", "chosen": -1 })
        );
        assert!(is_zoomed(late, 4.0), "{late}");
        assert_eq!(
            (&late["waiting"], &late["culprits"], &late["chosen"]),
            (&"1.0".into(), &"0.0".into(), &json!(1))
        );
        let said = "The worst of 2 intervals, 1.000 s to 5.000 s:waiting: rank 1awaited: rank 0";
        assert_eq!(late["said"], said);
        assert!(seen["barrier"]["zoom"].as_f64() > Some(0.9) && seen["barrier"]["chosen"] == 0, "{seen}");
        assert_eq!((&idle["zoom"], &idle["waiting"]), (&seen["start"]["zoom"], &"1.0".into()));
        assert_eq!(idle["said"], "When they wait is not known:waiting: rank 1awaited: rank 0");
        assert_eq!(seen["end"], seen["start"], "a second click undoes it");

        // The address that was kept opens the same view.
        let address = seen["address"].as_str().unwrap().trim_start_matches('#').to_owned();
        assert!(address.contains("problem=2"), "{address}");
        let script =
            format!("{STATE} const first = await state(); rows()[1].click(); return [first, await state()];");
        let Some(again) = use_page(&changed(|_| ()), width, &address, &script) else { return };
        assert_eq!((&again[0], &again[1]), (late, &seen["start"]));
    }
}

#[test]
fn keys_choose_problems_and_undo_it() {
    let script = format!(
        "{STATE}
        const start = await state();
        one('#problem-list .row[tabindex=\"0\"]').focus();
        for (const name of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter']) key(name);
        const chosen = await state();
        const focused = rows().indexOf(document.activeElement);
        key('Escape');
        const undone = await state();
        key(' ');
        const again = await state();
        key('Escape', one('#canvas'));
        const stops = rows().filter((row) => row.tabIndex === 0).length;
        return {{ start, chosen, focused, undone, again, end: await state(), stops, live: one('#marked').getAttribute('aria-live'), role: one('#problem-list').getAttribute('role') }};"
    );
    let Some(seen) = use_page(&changed(|_| ()), 1280, "two/2×1", &script) else { return };
    assert!(is_zoomed(&seen["chosen"], 4.0) && seen["chosen"]["waiting"] == "1.0", "{seen}");
    assert_eq!((&seen["focused"], &seen["stops"]), (&json!(1), &json!(1)));
    assert_eq!((&seen["undone"], &seen["again"]), (&seen["start"], &seen["chosen"]));
    assert_eq!(seen["end"], seen["start"], "Escape in the timeline undoes it, too");
    assert_eq!((&seen["live"], &seen["role"]), (&"polite".into(), &"listbox".into()));
}

#[test]
fn a_page_without_an_explanation_has_no_problems_and_an_explanation_without_problems_says_so() {
    let script = "return [one('#problems').hidden, one('#problem-list').hidden, one('#no-problem').hidden, one('#no-problem').textContent,
        one('#timeline').clientWidth / one('#view').clientWidth > 0.95];";
    let none = "No cause of the lost time is known.";
    let without = changed(|explanation| explanation.problems.clear());
    let Some(seen) = use_page(&without, 1280, "", script) else { return };
    assert_eq!(seen, json!([false, true, false, none, false]));
    let of = analyzed(TWO_PROPERTIES);
    let Some(seen) = use_page(&with_page(&of, &picture(&of), None, page), 1280, "", script) else { return };
    assert_eq!((&seen[0], &seen[4]), (&json!(true), &json!(true)), "the timeline has the whole width");
}

#[test]
fn a_chosen_problem_can_be_read_and_its_rows_are_marked_in_both_themes() {
    let script = format!(
        "{STATE}
        const channels = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
        const light = (colour) => channels(colour).map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)).reduce((sum, value, at) => sum + [0.2126, 0.7152, 0.0722][at] * value, 0);
        const contrast = (one, other) => {{ const [more, less] = [light(one), light(other)].sort((a, b) => b - a); return (more + 0.05) / (less + 0.05); }};
        const canvas = one('#canvas');
        /** The pixels of this colour beside the name of a row. */
        const marked = (row, colour) => {{
            const scale = canvas.width / canvas.clientWidth, top = 30, height = (canvas.clientHeight - top - 4) / 2;
            const {{ data }} = canvas.getContext('2d').getImageData(...[70, top + row * height, 14, height].map((length) => length * scale));
            let count = 0;
            for (let i = 0; i < data.length; i += 4) if (channels(colour).every((value, at) => Math.abs(value - data[i + at]) < 4) && data[i + 3] > 200) count += 1;
            return count;
        }};
        // In virtual time a transition never ends.
        document.head.append(Object.assign(document.createElement('style'), {{ textContent: '* {{ transition: none !important; }}' }}));
        const themes = {{}};
        for (let i = 0; i < 3; i += 1) {{
            one('#theme').click();
            rows()[1].click();
            await new Promise((done) => setTimeout(done, 300));
            const style = (selector) => getComputedStyle(rows()[1].querySelector(selector) ?? rows()[1]);
            const ground = style('none').backgroundColor;
            const colour = (name) => getComputedStyle(one(`#marked .${{name}}`)).backgroundColor;
            themes[document.documentElement.dataset.theme ?? 'auto'] = {{
                contrasts: ['.label', '.number', '.text', '.place'].map((part) => contrast(style(part).color, ground)),
                culprit: [0, 1].map((row) => marked(row, colour('culprit'))),
            }};
            rows()[1].click();
        }}
        return themes;"
    );
    let Some(seen) = use_page(&changed(|_| ()), 1280, "two/2×1", &script) else { return };
    for theme in ["light", "dark"] {
        let of = &seen[theme];
        let contrasts = of["contrasts"].as_array().unwrap();
        assert!(contrasts.iter().all(|contrast| contrast.as_f64() >= Some(4.5)), "{theme}: {contrasts:?}");
        let culprit = |row: usize| of["culprit"][row].as_u64().unwrap();
        assert!(culprit(0) > 20 && culprit(1) == 0, "rank 1 waits for rank 0: {theme}: {of}");
    }
}
