//! The page in a browser: headless Chromium opens it, a script that each test adds uses it as a reader would and
//! reports the result, and the test checks that.

mod comparison;
mod every_page;
mod names;
mod processes;

use crate::common::{Analyzed, EVIL, TWO_CALL_SITES, TWO_PROPERTIES, analyzed, score, truth};
use crate::profiles::{sources, with_places};
use ats_documents::diagnosis::{Evaluated, Instance};
use ats_documents::experiment::{Listed, Run};
use ats_documents::summaries::{RegionSummaries, Spent};
use ats_documents::{Diagnosis, Experiment};
use ats_presentation::{Compared, Found, Limits, Moment, Page, Program, Tool, communication, page, timeline};
use ats_testing::use_page;
use serde_json::Value;

/// The page with everything that a page can have.
fn example() -> String {
    let of = analyzed(TWO_PROPERTIES);
    let picture = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    let truth = truth("late_sender", &of.analysis);
    let score = score();
    let found = |tool| Found {
        tool,
        findings: &of.analysis.findings,
        basis: Some(&of.analysis.basis),
        not_analyzed: &of.analysis.not_analyzed,
        warnings: &of.analysis.warnings,
    };
    let nothing = Found { tool: "silent tool", ..Found::default() };
    let program = |name| Program {
        name,
        ranks: 2,
        threads: 1,
        truth: Some(&truth),
        found: vec![found("ats-analyzer"), nothing],
        timeline: Some(&picture),
        profile: Some(&of.profile),
        ..Program::default()
    };
    let moment = |time: &str| Moment {
        time: time.to_owned(),
        label: EVIL.to_owned(),
        tool: "ats-analyzer".to_owned(),
        totals: score.totals.clone(),
    };
    page(&Page {
        title: EVIL,
        tools: vec![Tool { name: "ats-analyzer", score: &score }, Tool { name: EVIL, score: &score }],
        programs: vec![program("late_sender"), program(EVIL)],
        history: vec![moment("2026-01-01T00:00:00Z"), moment("2026-02-01T00:00:00Z")],
        ..Page::default()
    })
}

#[test]
fn the_scorecard_fits_every_width_and_shows_every_verdict() {
    for width in [390, 800, 1280] {
        let script = "return { title: document.title, verdicts: [...new Set(all('.verdict').map((v) => v.textContent))].sort(),
            view: document.documentElement.dataset.view, circles: all('circle').length, programs: one('#score').tBodies.length,
            remarks: all('.remark').length, scatter: all('.scatter circle').map((one) => [one.getAttribute('cx'), one.getAttribute('cy')]) };";
        let Some(seen) = use_page(&example(), width, "", script) else { return };
        let title: String = EVIL.replace('\u{1}', "\u{fffd}");
        let shown = seen["title"].as_str().unwrap();
        assert_eq!(shown.trim_end_matches(['\u{1}', '\u{fffd}']), title.trim_end_matches('\u{fffd}'));
        assert_eq!(
            seen["verdicts"],
            serde_json::json!([
                "below threshold",
                "found",
                "missed",
                "not manifested",
                "timeout",
                "wrong amount"
            ])
        );
        assert_eq!((seen["view"].as_str(), seen["programs"].as_u64()), (Some("overview"), Some(6)));
        assert_eq!((seen["circles"].as_u64(), seen["remarks"].as_u64()), (Some(9), Some(6)));
        assert_eq!(seen["scatter"], serde_json::json!([["25.0", "50.0"]]), "both tools are at one place");
    }
}

#[test]
fn the_scorecard_can_be_searched() {
    let script = "
        const shown = () => [...one('#score').tBodies].filter((body) => !body.hidden).map((body) => body.dataset.name);
        const before = shown().length;
        one('#differences').click();
        const differing = shown();
        one('#differences').click();
        one('#search').value = 'late sender mpi_recv';
        one('#search').dispatchEvent(new Event('input', { bubbles: true }));
        return { before, differing, found: shown() };";
    let Some(seen) = use_page(&example(), 1280, "", script) else { return };
    assert_eq!(seen["before"], 6);
    let differing = seen["differing"].as_array().unwrap();
    assert_eq!(differing.len(), 4, "{differing:?}");
    assert!(!differing.contains(&"late_sender".into()));
    assert_eq!(seen["found"], serde_json::json!(["late_sender", "wrong_order"]));
}

#[test]
fn choosing_a_property_filters_call_paths_locations_and_timeline() {
    for width in [390, 1280] {
        let script = "
            const state = () => ({ calls: names('calls'), locations: names('locations'), waits: one('#timeline').dataset.waits });
            const all = state();
            row('properties', 'Late sender').click();
            const lateSender = state();
            row('properties', 'Wait at barrier').click();
            const barrier = state();
            row('properties', 'Waiting').click();
            row('calls', 'MPI_Recv').click();
            const recv = state();
            row('calls', 'MPI_Recv').click();
            row('locations', 'rank 0').click();
            const rank0 = state();
            return { all, lateSender, barrier, recv, rank0, definition: one('#definition').textContent };";
        let Some(seen) = use_page(&example(), width, "late_sender/2×1", script) else { return };
        let state = |calls: &[&str], locations: &[&str], waits: &str| serde_json::json!({ "calls": calls, "locations": locations, "waits": waits });
        let (recv, barrier) = (["late_sender", "MPI_Recv"], ["at_barrier", "MPI_Barrier"]);
        let both = [barrier, recv].concat();
        assert_eq!(seen["all"], state(&both, &["rank 0", "rank 1"], "2"));
        assert_eq!(seen["lateSender"], state(&recv, &["rank 1"], "1"));
        assert_eq!(seen["barrier"], state(&barrier, &["rank 0"], "1"));
        assert_eq!(seen["recv"], state(&both, &["rank 1"], "1"));
        assert_eq!(seen["rank0"], state(&both, &["rank 0", "rank 1"], "1"));
    }
}

#[test]
fn findings_that_a_tool_lacks_differ_from_the_truth() {
    let script = "
        const differs = () => all('#properties .differs').length;
        const numbers = () => all('#properties .row')[0].textContent;
        const before = [differs(), numbers()];
        one('#tool').value = '1';
        one('#tool').dispatchEvent(new Event('change'));
        return { before, after: [differs(), numbers()] };";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    assert_eq!(seen["before"], serde_json::json!([0, "▾Waiting38.33 %38.33 %"]));
    assert_eq!(seen["after"][1], "▾Waiting38.33 %0.00 %");
    assert!(seen["after"][0].as_u64() >= Some(4));
}

#[test]
fn the_timeline_zooms_by_wheel_keys_buttons_and_fingers() {
    let script = "
        const canvas = one('#canvas');
        const zoom = async () => { await wait(); return Number(one('#timeline').dataset.zoom); };
        const box = canvas.getBoundingClientRect();
        const at = (x, y) => ({ clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true });
        const key = (name) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        const finger = (kind, id, x) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: id, pointerType: 'touch', ...at(x, 60) }));
        const zooms = { start: await zoom() };
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ...at(200, 60) }));
        zooms.unasked = await zoom();
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ctrlKey: true, ...at(200, 60) }));
        zooms.wheel = await zoom();
        key('+'); zooms.key = await zoom();
        key('0'); zooms.all = await zoom();
        one('[data-do=in]').click(); zooms.button = await zoom();
        key('0'); await wait();
        finger('pointerdown', 1, 150); finger('pointerdown', 2, 200); finger('pointermove', 2, 250);
        zooms.pinch = await zoom();
        finger('pointerup', 1, 150); finger('pointerup', 2, 250);
        key('0'); await wait();
        canvas.dispatchEvent(new PointerEvent('pointermove', { pointerId: 9, ...at(canvas.clientWidth * 0.6, 38) }));
        const tip = one('#tip').hidden ? '' : one('#tip').textContent;
        key('n');
        const first = one('#tip').textContent;
        key('n');
        return { zooms, tip, first, second: one('#tip').textContent };";
    for width in [390, 1280] {
        let Some(seen) = use_page(&example(), width, "late_sender/2×1", script) else { return };
        let zoom = |name: &str| seen["zooms"][name].as_f64().unwrap();
        assert_eq!(zoom("start"), zoom("unasked"), "a page stays scrollable");
        assert!(zoom("wheel") < 0.7 * zoom("start"), "{seen}");
        assert!(zoom("key") < 0.6 * zoom("wheel"), "{seen}");
        assert!(zoom("all") > 1.0 && zoom("button") < 0.6, "{seen}");
        assert!((zoom("pinch") / zoom("all") - 0.5).abs() < 0.05, "{seen}");
        assert!(seen["tip"].as_str().unwrap().contains("ats_measured"), "{seen}");
        assert!(
            seen["first"]
                .as_str()
                .unwrap()
                .contains("1 of 2: rank 1waits 3.000 s for rank 0, which came 3.000 s later: Late sender"),
            "{seen}"
        );
        assert!(
            seen["second"].as_str().unwrap().contains(
                "2 of 2: rank 0waits 20.00 s for rank 1, which came 20.00 s later: Wait at barrier"
            ),
            "{seen}"
        );
    }
}

#[test]
fn the_timeline_is_really_painted_in_both_themes() {
    let script = "
        const colours = () => {
            const canvas = one('#canvas');
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            const seen = new Map();
            for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) {
                const colour = pixels.slice(i, i + 3).join();
                seen.set(colour, (seen.get(colour) ?? 0) + 1);
            }
            return [...seen].filter(([, count]) => count > 60).map(([colour]) => colour);
        };
        const themes = {};
        for (let i = 0; i < 3; i += 1) {
            one('#theme').click();
            await wait();
            themes[document.documentElement.dataset.theme ?? 'auto'] = [getComputedStyle(document.documentElement).backgroundColor, colours()];
        }
        return themes;";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    let has = |theme: &str, colour: &str| seen[theme][1].as_array().unwrap().contains(&colour.into());
    assert!(has("light", "213,94,0") && has("dark", "255,138,61"), "the colour of waits: {seen}");
    assert_ne!(seen["light"][0], seen["dark"][0]);
    assert!(seen["auto"][0] == seen["light"][0] || seen["auto"][0] == seen["dark"][0]);
}

#[test]
fn keys_are_enough() {
    let script = "
        const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        const focused = () => document.activeElement.dataset.key?.split('\\0').at(-1);
        one('#properties .row[tabindex=\"0\"]').focus();
        const walk = [focused()];
        for (const name of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) { key(name); walk.push(focused()); }
        key('Enter');
        const chosen = one('#view').dataset.property;
        key('Home'); key('ArrowLeft');
        const folded = names('properties');
        key('ArrowRight');
        return { walk, chosen, folded, unfolded: names('properties').length, focused: focused() };";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    assert_eq!(
        seen["walk"],
        serde_json::json!(["Waiting", "MPI", "Barrier", "Wait at barrier", "Point-to-point", "Late sender"])
    );
    assert_eq!(seen["chosen"], "Waiting/MPI/Point-to-point/Late sender");
    assert_eq!(seen["folded"], serde_json::json!(["Waiting"]));
    assert_eq!((seen["unfolded"].as_u64(), seen["focused"].as_str()), (Some(6), Some("Waiting")));
}

#[test]
fn a_page_of_one_analysis_opens_with_it() {
    let of = analyzed(TWO_PROPERTIES);
    let warnings = ["the recording is incomplete".to_owned()];
    let found = vec![Found {
        tool: "ats-analyzer",
        findings: &of.analysis.findings,
        basis: Some(&of.analysis.basis),
        warnings: &warnings,
        ..Found::default()
    }];
    let program = Program { name: "mine", ranks: 2, threads: 1, found, ..Program::default() };
    let html = page(&Page { title: "mine", programs: vec![program], ..Page::default() });
    let script =
        "return { name: one('#name').textContent, calls: names('calls'), timeline: one('#timeline').hidden,
        none: one('#none').hidden, warnings: all('#warnings li').map((one) => one.textContent),
        heads: all('#properties .heads span').map((head) => head.textContent) };";
    let Some(seen) = use_page(&html, 390, "", script) else { return };
    assert_eq!(seen["name"], "mine 2×1");
    assert_eq!(seen["heads"], serde_json::json!(["found"]));
    assert_eq!(seen["warnings"], serde_json::json!(warnings));
    assert_eq!(seen["calls"].as_array().map(Vec::len), Some(4));
    assert_eq!((seen["timeline"].as_bool(), seen["none"].as_bool()), (Some(true), Some(false)));
}

#[test]
fn nothing_in_the_page_leads_out_of_it() {
    let html = example();
    for lead in ["http://", "https://", "src=", "@import", "url(", "<link rel=\"stylesheet\""] {
        assert!(!html.contains(lead), "{lead}");
    }
    assert_eq!(html.matches("</script>").count(), 2, "data cannot end its element");
}

#[test]
fn a_wait_says_for_whom_it_is_and_work_is_work() {
    let script = "
        one('#canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
        return { tip: one('#tip').textContent, partner: one('#timeline').dataset.partner, legend: one('#legend').textContent };";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    let tip = seen["tip"].as_str().unwrap();
    assert!(tip.contains("waits 3.000 s for rank 0, which came 3.000 s later: Late sender"), "{tip}");
    assert_eq!(seen["partner"], "0.0");
    assert!(seen["legend"].as_str().unwrap().starts_with("Work"), "{seen}");
}

#[test]
fn a_span_that_is_drawn_is_zoomed_into_and_summed_up() {
    let script = "
        const canvas = one('#canvas');
        const box = canvas.getBoundingClientRect();
        const at = (x, y) => ({ clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true, pointerId: 1 });
        const mouse = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, at(x, y)));
        one('[data-do=measured]').click();
        await wait();
        const before = Number(one('#timeline').dataset.zoom);
        // From 2 s to 9 s, in which rank 1 receives: the view is of 30 s with a margin of a hundredth.
        const x = (time) => 84 + (time + 0.3) / 30.6 * (canvas.clientWidth - 84);
        mouse('pointerdown', x(2), 5); mouse('pointermove', x(6), 5); mouse('pointermove', x(9), 5); mouse('pointerup', x(9), 5);
        await wait();
        const after = Number(one('#timeline').dataset.zoom), sums = one('#sums').textContent;
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        return { ratio: after / before, sums, cleared: one('#sums').textContent };";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    assert!((seen["ratio"].as_f64().unwrap() - 7.0 / 30.6).abs() < 0.01, "{seen}");
    let sums = seen["sums"].as_str().unwrap();
    for part in
        [" to ", ", 2 locations: ", "Point-to-point 11.", "Work 3.", "waiting: Late sender 3.000 s (21."]
    {
        assert!(sums.contains(part), "{part} in {sums}");
    }
    assert_eq!(seen["cleared"], "");
}

#[test]
fn rows_are_sorted_and_regions_found() {
    let script = "
        const choose = (id, value, kind) => { one(id).value = value; one(id).dispatchEvent(new Event(kind, { bubbles: true })); };
        const order = () => one('#timeline').dataset.order;
        const orders = [order()];
        choose('#order', 'waiting', 'change');
        orders.push(order());
        row('properties', 'Late sender').click();
        orders.push(order());
        choose('#find', 'barrier', 'input');
        const hits = [one('#hits').textContent];
        one('#find').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        hits.push(one('#hits').textContent);
        await wait();
        return { orders, hits, zoom: Number(one('#timeline').dataset.zoom), address: one('#view').dataset.address };";
    let Some(seen) = use_page(&example(), 1280, "late_sender/2×1", script) else { return };
    assert_eq!(
        seen["orders"],
        serde_json::json!(["0.0 1.0", "0.0 1.0", "1.0 0.0"]),
        "who waits most is first"
    );
    assert_eq!(seen["hits"], serde_json::json!(["4", "1 of 4"]), "at_barrier and MPI_Barrier, twice");

    // The address that was kept opens the same view.
    let address = seen["address"].as_str().unwrap().trim_start_matches('#').to_owned();
    let script = "return { zoom: Number(one('#timeline').dataset.zoom), find: one('#find').value, order: one('#timeline').dataset.order,
        property: one('#view').dataset.property, hits: one('#hits').textContent };";
    let Some(again) = use_page(&example(), 1280, &address, script) else { return };
    assert_eq!(again["zoom"], seen["zoom"]);
    assert_eq!(
        (&again["find"], &again["order"], &again["hits"]),
        (&"barrier".into(), &"1.0 0.0".into(), &"4".into())
    );
    assert_eq!(again["property"], "Waiting/MPI/Point-to-point/Late sender");
}

/// A page of the example alone, with its profile and a source file.
fn profiled() -> String {
    let mut of = analyzed(TWO_PROPERTIES);
    with_places(&mut of.profile);
    page_of(&of)
}

/// A page of a trace alone, with its profile and a source file.
fn page_of(of: &Analyzed) -> String {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(&of.profile, folder.path());
    let picture = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    let program = Program {
        name: "mine",
        ranks: 2,
        threads: 1,
        found: vec![Found {
            tool: "ats",
            findings: &of.analysis.findings,
            basis: Some(&of.analysis.basis),
            ..Found::default()
        }],
        timeline: Some(&picture),
        profile: Some(&of.profile),
        sources: Some(&sources),
        communication: Some(&communication(&of.trace)),
        ..Program::default()
    };
    page(&Page { title: "mine", programs: vec![program], ..Page::default() })
}

#[test]
fn calls_at_two_places_are_told_apart() {
    let script = "
        const texts = (pane) => all('#' + pane + ' .row .label').map((label) => label.textContent);
        row('profile-calls', 'MPI_Recv in halo (two.c:22)').click();
        return { calls: texts('calls'), profile: texts('profile-calls'), place: one('#place').textContent };";
    let html = page_of(&analyzed(TWO_CALL_SITES));
    let Some(seen) = use_page(&html, 1280, "", script) else { return };
    let [setup, halo] = ["MPI_Recv in setup (two.c:10)", "MPI_Recv in halo (two.c:22)"];
    for pane in ["calls", "profile"] {
        for call in [setup, halo] {
            let rows = seen[pane].as_array().unwrap();
            assert_eq!(
                rows.iter().filter(|row| row.as_str().unwrap().ends_with(call)).count(),
                1,
                "{rows:?}"
            );
        }
    }
    assert_eq!(seen["place"], format!("{halo} in src/two.c, line 22"));
}

#[test]
fn a_profile_is_shown_by_call_path_and_location_for_each_metric() {
    let script = "
        const numbers = (pane) => Object.fromEntries(all('#' + pane + ' .row').map((row) => [row.querySelector('.label').textContent.replace('▾', ''), [...row.querySelectorAll('.number')].map((number) => number.textContent)]));
        const choose = (id, value) => { one(id).value = value; one(id).dispatchEvent(new Event('change', { bubbles: true })); };
        const time = [numbers('profile-calls'), numbers('profile-locations'), one('#spread').textContent];
        const metrics = all('#metric option').map((option) => option.value);
        choose('#metric', 'late_sender');
        const late = [numbers('profile-calls'), numbers('profile-locations')];
        choose('#metric', 'visits');
        choose('#extent', 'alone');
        row('profile-calls', 'MPI_Recv').click();
        const recv = numbers('profile-locations');
        const order = () => one('#view').dataset.profileOrder;
        const orders = [order()];
        one('#histogram').click();
        orders.push(order());
        row('profile-calls', 'MPI_Recv').click();
        row('profile-locations', 'rank 1').click();
        return { time, metrics, late, recv, orders, rank1: numbers('profile-calls'), address: one('#view').dataset.address };";
    for width in [390, 1280] {
        let Some(seen) = use_page(&profiled(), width, "", script) else { return };
        let main = |calls: &str| seen["time"][0][calls].clone();
        assert_eq!(main("ats_measured"), serde_json::json!(["60.00 s", "0.000 s"]));
        assert_eq!(main("late_sender"), serde_json::json!(["18.00 s", "2.000 s"]));
        assert_eq!(seen["time"][1], serde_json::json!({ "rank 0": ["30.00 s"], "rank 1": ["30.00 s"] }));
        assert_eq!(seen["time"][2], "30.00 s to 30.00 s, 30.00 s on average");
        let metrics = seen["metrics"].as_array().unwrap();
        for metric in ["time", "visits", "waiting", "late_sender", "wait_at_barrier", "bytes_sent"] {
            assert!(metrics.contains(&metric.into()), "{metric} in {metrics:?}");
        }
        assert_eq!(seen["late"][0]["MPI_Recv"], serde_json::json!(["3.000 s", "3.000 s"]));
        assert_eq!(seen["late"][0]["work"], Value::Null, "there is nothing of it");
        assert_eq!(seen["late"][1], serde_json::json!({ "rank 0": ["0.000 s"], "rank 1": ["3.000 s"] }));
        assert_eq!(seen["recv"], serde_json::json!({ "rank 0": ["0"], "rank 1": ["1"] }));
        assert_eq!(seen["orders"], serde_json::json!(["0 1", "1 0"]), "a click orders by amount");
        assert_eq!(seen["rank1"]["MPI_Recv"], serde_json::json!(["1", "1"]));
        assert_eq!(seen["rank1"]["MPI_Send"], Value::Null);

        // The address that was kept opens the same view.
        let address = seen["address"].as_str().unwrap().trim_start_matches('#').to_owned();
        let script = "return [one('#metric').value, one('#extent').value, one('#view').dataset.unit, one('#view').dataset.profileOrder];";
        let Some(again) = use_page(&profiled(), width, &address, script) else { return };
        assert_eq!(again, serde_json::json!(["visits", "alone", "rank 1", "0 1"]));
    }
}

#[test]
fn a_call_path_leads_to_the_lines_of_its_source() {
    let script = "
        const lines = () => all('#lines tbody tr').map((line) => [...line.children].map((cell) => cell.textContent));
        const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        const before = one('#source').hidden;
        row('profile-calls', 'late_sender').focus();
        key('Enter');
        const solve = [one('#place').textContent, one('#read').textContent, lines(), all('#lines tr.in').length];
        row('profile-calls', 'work').click();
        const work = [one('#place').textContent, one('#read').textContent, lines()];
        row('profile-calls', 'MPI_Send').click();
        return { before, solve, work, send: [one('#place').textContent, one('#source').hidden], title: document.title };";
    let Some(seen) = use_page(&profiled(), 1280, "", script) else { return };
    assert_eq!((&seen["before"], &seen["title"]), (&true.into(), &"mine".into()));
    let solve = &seen["solve"];
    assert_eq!(solve[0], "late_sender in solve.c, lines 2 to 4");
    assert!(solve[1].as_str().unwrap().ends_with("solve.c when this page was made."), "{solve}");
    let first = "// </script><script>document.title = 'broken'</script>";
    assert_eq!(
        solve[2],
        serde_json::json!([
            ["1", "", "", "", "", first],
            ["2", "2", "2.000 s", "18.00 s", "3.000 s", "void late_sender() { // <b>&amp;"],
            ["", "2", "0.000 s", "42.00 s", "20.00 s", "at_barrier"],
            ["3", "", "", "", "", "\twork();"],
            ["4", "", "", "", "", "}"],
        ])
    );
    assert_eq!(solve[3], 4, "the lines of the region are marked");
    let work = &seen["work"];
    assert!(work[0].as_str().unwrap().contains("</script><script>"), "{work}");
    assert!(work[1].as_str().unwrap().starts_with("Not shown: there is no such file in "), "{work}");
    assert_eq!((&work[2][0][0], &work[2][0][5]), (&"7".into(), &"work".into()));
    let send = "MPI_Send: the trace does not say where it is in the source.";
    assert_eq!(seen["send"], serde_json::json!([send, true]));
}

/// Ranks, whether it is sequential, and the seconds in regions.
type Ran<'a> = (u32, bool, &'a [(&'a str, f64)]);

/// Experiments of a region with a hostile name and of another that the sequential run does not have.
fn compared() -> Compared {
    let mut compared = Compared::default();
    let runs: [Ran; 6] = [
        (128, false, &[("elsewhere", 0.125)]),
        (64, false, &[("elsewhere", 0.25)]),
        (1, true, &[(EVIL, 10.0)]),
        (2, false, &[(EVIL, 5.0), ("MPI_Recv", 1.0)]),
        (4, false, &[(EVIL, 4.0), ("MPI_Recv", 0.5)]),
        (4, false, &[(EVIL, 4.0)]),
    ];
    for (ranks, sequential, times) in runs {
        let application = if ranks >= 64 { "other" } else { "heat" };
        let run = Run { name: "heat".to_owned(), ranks, threads: 1, sequential, ..Run::default() };
        let listed = Listed {
            application: application.to_owned(),
            version: EVIL.to_owned(),
            run,
            ..Listed::default()
        };
        let spent = |time| Spent { time: Some(time), ..Spent::default() };
        let of_region = |&(region, time): &(&str, f64)| RegionSummaries::new(region, [(0, spent(time))]);
        let summaries = times.iter().map(of_region).collect();
        compared.add(listed, &Experiment { summaries, ..Experiment::default() });
    }
    compared
}

/// Properties, with the drawing of one that was evaluated for several sizes.
fn diagnosis() -> Diagnosis {
    let experiments = [2, 4].map(|ranks| Listed {
        application: "heat".to_owned(),
        run: Run { ranks, threads: 1, ..Run::default() },
        ..Listed::default()
    });
    let instance = |(at, severity)| Instance {
        property: EVIL.to_owned(),
        region: EVIL.to_owned(),
        experiments: vec![at],
        holds: true,
        severity: Some(severity),
        confidence: Some(1.0),
        ..Instance::default()
    };
    Diagnosis {
        experiments: experiments.to_vec(),
        properties: vec![Evaluated { name: EVIL.to_owned(), ..Evaluated::default() }],
        instances: [(0, 0.25), (1, 0.5)].map(instance).to_vec(),
        ..Diagnosis::default()
    }
}

#[test]
fn experiments_have_time_and_speed_up_by_region() {
    let (compared, diagnosis) = (compared(), diagnosis());
    let of =
        Page { title: "all", experiments: Some(&compared), diagnosis: Some(&diagnosis), ..Page::default() };
    let html = page(&of);
    let script = "
        const rows = () => all('#experiment-rows tr').map((row) => [...row.children].slice(1).map((cell) => cell.textContent));
        const dots = (id) => all(id + ' circle').map((dot) => dot.textContent.split(': ').at(-1));
        const evil = [rows(), dots('#times'), dots('#speed-ups'), one('#bases').textContent, all('#speed-ups .ideal').length];
        one('#region').value = 1;
        one('#region').dispatchEvent(new Event('change'));
        return { evil, recv: [rows(), dots('#times'), dots('#speed-ups')], title: document.title };";
    for width in [390, 1280] {
        let Some(seen) = use_page(&html, width, "", script) else { return };
        // What was never in a region is not beside it.
        let evil = &seen["evil"];
        let rows = serde_json::json!([
            ["sequential", "1", "10.00 s", "1.00", "100 %", "sequential"],
            ["2×1", "1", "5.000 s", "2.00", "100 %", "sequential"],
            ["4×1", "2", "4.000 s", "2.50", "63 %", "sequential"],
        ]);
        assert_eq!((&evil[0], &seen["title"]), (&rows, &"all".into()));
        assert_eq!(
            (&evil[1], &evil[2]),
            (&serde_json::json!(["5.000 s", "4.000 s"]), &serde_json::json!(["2.00", "2.50"]))
        );
        assert!(evil[3].as_str().unwrap().ends_with(": against the sequential run"), "{evil}");
        assert_eq!(evil[4], 1, "an ideal line of its own");
        let rows = serde_json::json!([
            ["sequential", "1", "–", "–", "–", "sequential"],
            ["2×1", "1", "1.000 s", "–", "–", "sequential"],
            ["4×1", "2", "500.0 ms", "–", "–", "sequential"],
        ]);
        assert_eq!(seen["recv"], serde_json::json!([rows, ["1.000 s", "500.0 ms"], []]));
    }
}
