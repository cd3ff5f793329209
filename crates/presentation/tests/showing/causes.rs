//! Root causes on a page.

use ats_documents::causes::CausedFinding;
use ats_presentation::{Found, Limits, Page, Program, page, timeline};
use ats_testing::use_page;
use serde_json::json;

use crate::common::{Analyzed, TWO_PROPERTIES, analyzed, causes, data};

/// A trace with its causes.
pub(crate) fn example() -> Analyzed {
    let mut of = analyzed(TWO_PROPERTIES);
    let causes = causes(&of.analysis);
    of.profile.add_causes(&causes);
    of.analysis.causes = Some(causes);
    of
}

/// Shows the page of a trace.
pub(crate) fn with_page<T>(of: &Analyzed, show: impl FnOnce(&Page<'_>) -> T) -> T {
    let picture = timeline(&of.trace, Some((&of.analysis, &of.waits)), &Limits::default());
    let program = Program {
        name: "two",
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
        causes: of.analysis.causes.as_ref(),
        ..Program::default()
    };
    show(&Page { title: "two", programs: vec![program], ..Page::default() })
}

#[test]
fn causes_are_data_of_the_page() {
    let mut of = example();
    let shown = with_page(&of, data);
    let program = &shown["programs"][0];
    let causes = &program["causes"];
    let row = |at: usize| program["rows"][causes["caused"]["finding"][at].as_u64().unwrap() as usize].clone();
    assert_eq!(
        (row(0)["property"].as_str(), row(1)["property"].as_str()),
        (Some("wait_at_barrier"), Some("late_sender"))
    );
    assert_eq!(causes["caused"]["total"], json!([20.0, 3.0]));
    assert_eq!(causes["costs"]["direct"], json!([20.0, 2.0]));
    assert_eq!(causes["costs"]["hops"], json!([0.0, 1.0]));
    assert_eq!(causes["units"], json!({ "rank": [0, 1], "thread": [0, 0] }));
    assert_eq!(
        causes["critical"]["stretches"],
        json!({ "unit": [0, 1], "begin": [0.0, 9.0], "end": [9.0, 30.0] })
    );
    // The call paths are those of the profile.
    let profile = &program["profile"];
    for at in 0..2 {
        let [place] = &causes["paths"]["places"][at].as_array().unwrap()[..] else { panic!("one place") };
        let region = profile["paths"]["region"][place.as_u64().unwrap() as usize].as_u64().unwrap();
        assert_eq!(profile["regions"][region as usize]["label"], causes["paths"]["names"][at][2]);
    }
    let metric =
        profile["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == "delay_barrier");
    assert_eq!(metric.unwrap()["group"], "Root causes");
    assert_eq!(metric.unwrap()["title"], "Short-term MPI Barrier Delay Costs");

    // Seconds without a cause are among the direct ones.
    let late = of.analysis.causes.as_mut().unwrap().findings.iter_mut().find(|of| of.indirect > 0.0).unwrap();
    (late.direct, late.unattributed) = (late.direct + 1.0, 1.0);
    let shown = with_page(&of, data);
    assert_eq!(shown["programs"][0]["causes"]["caused"]["total"], json!([20.0, 4.0]));
    assert_eq!(shown["programs"][0]["causes"]["caused"]["unattributed"], json!([0.0, 1.0]));

    of.analysis.causes = None;
    assert!(with_page(&of, data)["programs"][0].get("causes").is_none());
}

#[test]
fn of_many_causes_the_small_ones_share_an_entry() {
    let mut of = example();
    let causes = of.analysis.causes.as_mut().unwrap();
    let unit = causes.units[0];
    causes.units = (0..5_000).map(|rank| ats_documents::profile::ProcessingUnit { rank, ..unit }).collect();
    let one = causes.findings[0].causes[0];
    causes.findings[0].causes = (0..5_000)
        .map(|unit| ats_documents::causes::Cause { unit, direct: f64::from(unit + 1), ..one })
        .collect();
    let shown = with_page(&of, data);
    let costs = &shown["programs"][0]["causes"]["costs"];
    let direct: Vec<f64> =
        costs["direct"].as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect();
    assert_eq!(direct.iter().sum::<f64>(), f64::from(5_000 * 5_001 / 2) + 2.0, "nothing is lost");
    assert_eq!(costs["unit"].as_array().unwrap().iter().filter(|unit| unit.is_null()).count(), 2);
    assert_eq!(direct.len(), 2_000 + 2);
}

#[test]
fn choosing_a_wait_lights_up_its_causes_and_choosing_a_cause_says_whom_it_costs() {
    let html = with_page(&example(), page);
    let script = "
        const state = () => ({
            lit: one('#causes').dataset.lit, path: one('#causes').dataset.path, chain: one('#chain').textContent,
            calls: all('#profile-calls .lit .label').map((label) => label.title), ranks: all('#profile-locations .lit .label').map((label) => label.title),
            property: one('#view').dataset.property,
        });
        const matrix = all('#costs tr').map((line) => [...line.cells].map((cell) => cell.textContent));
        const start = state();
        row('properties', 'Late sender').click();
        const wait = state();
        all('#caused button')[0].click();
        const barrier = state();
        all('#costs th button')[1].click();
        const cause = state();
        await wait_();
        const address = one('#view').dataset.address;
        all('#costs td button')[0].click();
        const cell = state();
        const critical = all('#critical tr').map((line) => line.textContent);
        const canvas = one('#canvas');
        const pink = () => {
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let count = 0;
            for (let i = 0; i < pixels.length; i += 4) if (pixels[i] === 179 && pixels[i + 1] === 0 && pixels[i + 2] === 94) count += 1;
            return count;
        };
        one('#theme').click();
        await wait_();
        const drawn = pink();
        one('[data-do=critical]').click();
        await wait_();
        return { matrix, start, wait, barrier, cause, cell, address, critical, drawn, without: pink() };"
        .replace("wait_()", "new Promise((done) => setTimeout(done, 300))");
    for width in [390, 1280] {
        let Some(seen) = use_page(&html, width, "two/2×1", &script) else { return };
        let (late, barrier) = ("ats_measured/late_sender/work", "ats_measured/at_barrier/work");
        assert_eq!(seen["matrix"], json!([[barrier, "20.00 s", ""], [late, "", "3.000 s"]]));
        assert_eq!((seen["start"]["lit"].as_str(), seen["start"]["chain"].as_str()), (Some(""), Some("")));
        assert_eq!((seen["wait"]["lit"].as_str(), &seen["wait"]["calls"]), (Some("0.0"), &json!(["work"])));
        assert_eq!(seen["wait"]["ranks"], json!(["rank 0"]));
        assert_eq!(
            seen["wait"]["chain"],
            format!(
                "Late sender at MPI_Recv3.000 s (100.00 %) {late}, rank 0: 66.67 % direct, else through 1 wait"
            )
        );
        assert_eq!(
            (seen["barrier"]["lit"].as_str(), seen["barrier"]["property"].as_str()),
            (Some("1.0"), Some("Waiting/MPI/Barrier/Wait at barrier"))
        );
        assert_eq!(
            (seen["cause"]["lit"].as_str(), seen["cause"]["path"].as_str()),
            (Some("0.0"), Some(late))
        );
        assert_eq!(
            seen["cause"]["chain"],
            format!(
                "{late} costs 3.000 s3.000 s (100.00 %) of Late sender at MPI_Recv, 66.67 % direct, else through 1 wait, from rank 0; 1 location waits"
            )
        );
        assert!(seen["address"].as_str().unwrap().contains("cause=1"), "{seen}");
        assert_eq!(
            (seen["cell"]["path"].as_str(), seen["cell"]["lit"].as_str()),
            (Some(barrier), Some("1.0"))
        );
        assert_eq!(
            seen["critical"],
            json!([format!("{barrier}21.00 s70.00 %10.00 s"), format!("{late}9.000 s30.00 %0.000 s")])
        );
        let pixels = |name: &str| seen[name].as_u64().unwrap();
        assert!(pixels("drawn") > pixels("without") + 100 && pixels("without") > 20, "{seen}");
    }
}

#[test]
fn choosing_a_call_path_of_many_waits_says_how_many_are_left_out() {
    let mut of = example();
    // Fourteen waits of one cause, and twelve lines.
    let finding = of.analysis.findings[0].clone();
    let causes = of.analysis.causes.as_mut().unwrap();
    let first = causes.findings[0].clone();
    for number in 0..13 {
        let mut other = finding.clone();
        other.id = format!("another {number}");
        other.call_path = vec![format!("phase {number}")];
        causes.findings.push(CausedFinding { finding: other.id.clone(), ..first.clone() });
        of.analysis.findings.push(other);
    }
    let script = "
        all('#costs th button').find((one) => one.textContent.includes('at_barrier')).click();
        const lines = all('#chain li').map((line) => line.textContent);
        return { number: lines.length, last: lines.at(-1) };";
    let Some(seen) = use_page(&with_page(&of, page), 1280, "two/2×1", script) else { return };
    assert_eq!(seen, json!({ "number": 13, "last": "40.00 s in 2 more" }));
}
