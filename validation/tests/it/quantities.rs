//! The quantities that a property may show besides waits and counts of calls: an entry of each kind.

use std::sync::atomic::AtomicBool;

use ats_compose::{Composition, Subject};
use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_documents::{Report, Truth, written};
use ats_launch::tool::CallPaths;
use ats_model::witness::{Clock, MeasuredRegion, Span};
use ats_model::{View, Witness};
use ats_props::{Catalogue, Program, Property};
use ats_truth::{Planned, Size, TruthOptions, nominal, observed};
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::{Case, Rules, judge};
use serde_json::{Value, json};

/// A number that the program counts itself.
mod evaluations {
    use ats_props::{Communicator, Counter, count, property, region};

    /// A function is evaluated again and again.
    #[property(finds = Count(Counter::Witness("evaluations"), "transform"), formula = 2 * P * k * r)]
    fn evaluations(
        /// Evaluations of each of the two functions in a repetition.
        #[default(500)]
        k: usize,
        /// Number of repetitions.
        #[default(3)]
        r: usize,
        _c: &dyn Communicator,
    ) {
        for _ in 0..r {
            let _region = region("transform");
            count("evaluations", 2 * k as u64);
        }
    }

    /// Each function is evaluated once.
    fn balanced(_: usize, r: usize, _c: &dyn Communicator) {
        for _ in 0..r {
            let _region = region("transform");
            count("evaluations", 2);
        }
    }
}

/// A number that the hardware counts.
mod flops {
    use ats_props::{Communicator, Counter, count, do_flops, property, region};

    const FLOPS: Counter = Counter::Hardware { name: "PAPI_FP_OPS", within_percent: 5 };

    /// Every rank multiplies and adds.
    #[property(finds = Count(FLOPS, "multiply"), formula = P * n)]
    fn flops(
        /// Operations of a rank.
        #[default(10_000)]
        n: usize,
        _c: &dyn Communicator,
    ) {
        let _region = region("multiply");
        do_flops(n as u64);
        count("PAPI_FP_OPS", n as u64);
    }

    /// Nothing is multiplied.
    fn balanced(_: usize, _c: &dyn Communicator) {
        let _region = region("multiply");
    }
}

/// A number that the hardware counts, by PAPI's name.
mod instructions {
    use ats_props::{Communicator, Counter, count, property, region};

    const INSTRUCTIONS: Counter = Counter::Hardware { name: "PAPI_TOT_INS", within_percent: 5 };

    /// Every rank executes as many instructions.
    #[property(finds = Count(INSTRUCTIONS, "loop"), formula = P * n)]
    fn instructions(
        /// Instructions of a rank.
        #[default(10_000)]
        n: usize,
        _c: &dyn Communicator,
    ) {
        let _region = region("loop");
        count("PAPI_TOT_INS", n as u64);
    }

    /// Nothing is executed.
    fn balanced(_: usize, _c: &dyn Communicator) {
        let _region = region("loop");
    }
}

/// The time of a region.
mod hot {
    use ats_props::{Communicator, Seconds, do_work, property, region};

    /// One procedure takes most of the time.
    #[property(finds = Time("solve"), formula = P * r * work)]
    fn hot(
        /// Work of a rank in the procedure in a repetition.
        #[default(Seconds(0.05))]
        work: Seconds,
        /// Number of repetitions.
        #[default(3)]
        r: usize,
        c: &dyn Communicator,
    ) {
        for _ in 0..r {
            {
                let _region = region("solve");
                do_work(work.0);
            }
            do_work(work.0 / 10.0);
            c.barrier();
        }
    }

    /// Most of the work is elsewhere.
    fn balanced(work: Seconds, r: usize, c: &dyn Communicator) {
        for _ in 0..r {
            do_work(1.1 * work.0);
            c.barrier();
        }
    }
}

/// The time of one way of doing something, over that of another.
mod packing {
    use ats_props::{Communicator, Seconds, do_work, property, region};

    /// Strided access takes twice as long as packed access.
    #[property(
        finds = Ratio { of: "strided", over: "packed", at_least: 1.5 },
        formula = 2
    )]
    fn packing(
        /// Work of the packed variant.
        #[default(Seconds(0.04))]
        work: Seconds,
        _c: &dyn Communicator,
    ) {
        for (name, times) in [("strided", 2.0), ("packed", 1.0)] {
            let _region = region(name);
            do_work(times * work.0);
        }
    }

    /// Both take the same time.
    fn balanced(work: Seconds, _c: &dyn Communicator) {
        for name in ["strided", "packed"] {
            let _region = region(name);
            do_work(1.5 * work.0);
        }
    }
}

/// The time in a region over the processor's time there.
mod crowded {
    use ats_props::{Amount, Balance, Bound, Communicator, do_amount, property, region};

    /// All ranks compute on one core.
    #[property(
        finds = Ratio { of: "compute", over: "task_clock", at_least: 1.8 },
        formula = P,
        twin = 1,
        min_ranks = 2
    )]
    fn crowded(
        /// Operations of a rank.
        #[default(40_000_000)]
        n: usize,
        c: &dyn Communicator,
        balance: Balance,
    ) {
        let (place, places) = (c.rank() as u64, c.size() as u64);
        let cores = balance.pick(1, places);
        let _region = region("compute");
        do_amount(&Amount::Bound(Bound { operations: n as u64, place, places, cores }));
    }
}

const ALL: [&Property; 4] = [&evaluations::PROPERTY, &flops::PROPERTY, &hot::PROPERTY, &packing::PROPERTY];

fn catalogue() -> Catalogue {
    ALL.into_iter().fold(Catalogue::builtin(), Catalogue::with)
}

fn truth(subject: &Subject, ranks: usize) -> Truth {
    nominal(subject, Size::ranks(ranks), &TruthOptions::default()).unwrap()
}

/// Metric, amount and place of everything that is to be found.
fn shown(truth: &Truth) -> Vec<(String, f64, String)> {
    let one = |finding: &ats_documents::Finding| {
        let amount = (finding.quantity().value * 1e9).round() / 1e9;
        (finding.unit().metric().unwrap_or_default().to_owned(), amount, finding.call_path.join("/"))
    };
    truth.findings.iter().map(one).collect()
}

fn one(metric: &str, amount: f64, place: &str) -> Vec<(String, f64, String)> {
    vec![(metric.to_owned(), amount, place.to_owned())]
}

#[test]
fn the_truth_follows_the_closed_forms_and_twins_show_nothing() {
    for ranks in 1..=5 {
        let size = ranks as f64;
        let known = [
            one("evaluations", 3000.0 * size, "evaluations/transform"),
            one("PAPI_FP_OPS", 10_000.0 * size, "flops/multiply"),
            one("time", (15 * ranks) as f64 / 100.0, "hot/solve"),
            one("time_ratio", 2.0, "packing/strided"),
        ];
        for (property, known) in ALL.into_iter().zip(known) {
            assert_eq!(shown(&truth(&Subject::from(property), ranks)), known, "{ranks}");
            let program = Program { property, balanced: true };
            let arguments = property.arguments([]).unwrap();
            assert_eq!(shown(&truth(&Subject::Property { program, arguments }, ranks)), []);
        }
    }
}

#[test]
fn kinds_of_truth_have_their_words() {
    assert_eq!(ALL.map(|property| property.finds.truth().name()), ["count", "count", "time", "ratio"]);
    let amounts = ALL.map(|property| ats_truth::severities(property).unwrap()[0].amount);
    let known = [12_000.0, 40_000.0, 0.6, 2.0];
    for (amount, known) in amounts.into_iter().zip(known) {
        let ats_truth::Amount::Number(amount) = amount else { panic!("{amount:?}") };
        assert!((amount - known).abs() < 1e-9, "{amount}, not {known}");
    }
}

/// Time and ratio follow from the regions of a trace; numbers of the program itself are in no trace.
#[test]
fn our_own_analyzer_finds_times_and_ratios() {
    let outcomes = ALL.map(|property| {
        let request = Request {
            programs: vec![Planned { subject: Subject::from(property), size: Size::ranks(4) }],
            reporter: Reporter::Simulated(TruthOptions::default()),
            rules: Rules::EXACT,
            causes: None,
            explanations: false,
            repeats: 1,
            catalogue: catalogue(),
        };
        let result = validate(&request, &mut (), &AtomicBool::new(false)).unwrap().programs.remove(0);
        only(&result).outcome
    });
    assert_eq!(outcomes, [Outcome::Unsupported, Outcome::Unsupported, Outcome::Found, Outcome::Found]);
}

fn only(result: &ProgramResult) -> &Expectation {
    let [expectation] = &result.expectations[..] else { panic!("{result:#?}") };
    assert!(expectation.planted);
    expectation
}

/// The outcome where a tool reports this, of a run that showed that.
fn outcome(property: &'static Property, observed: &Truth, report: Value) -> Outcome {
    let mut report: Report = serde_json::from_value(json!({
        "schema": Report::SCHEMA, "tool": "mine", "version": null, "ranks": 2, "threads": 1,
        "findings": report["findings"].as_array().cloned().unwrap_or_default(),
        "calls": report["calls"].as_array().cloned().unwrap_or_default(),
    }))
    .unwrap();
    report.complete().unwrap();
    let nominal = truth(&Subject::from(property), 2);
    let (report, catalogue) = (&report, &catalogue());
    let case = Case { nominal: &nominal, observed, report, call_paths: CallPaths::UserRegions, catalogue };
    only(&judge(case, &Rules::MEASURED)).outcome
}

fn number(metric: &str, region: &str, number: u64) -> Value {
    json!({ "findings": [{ "view": "count", "metric": metric, "call_path": [region], "instances": number }] })
}

/// A call in a profile, on two ranks.
fn call(path: &[&str], seconds: [f64; 2]) -> Value {
    let share =
        |(rank, seconds): (usize, &f64)| json!({ "rank": rank, "inclusive_time": seconds, "visits": 3 });
    json!({ "call_path": path, "locations": seconds.iter().enumerate().map(share).collect::<Vec<_>>() })
}

#[test]
fn reports_of_tools_are_judged() {
    use Outcome::{Found, Missed, Unsupported, Wrong};
    let is = |property: &'static Property, report: Value, known: Outcome| {
        let nominal = truth(&Subject::from(property), 2);
        assert_eq!(outcome(property, &nominal, report.clone()), known, "{report}");
    };
    let nothing = json!({});
    for property in ALL {
        is(property, nothing.clone(), Unsupported);
    }
    is(&evaluations::PROPERTY, number("evaluations", "transform", 6000), Found);
    is(&evaluations::PROPERTY, number("evaluations", "transform", 5999), Wrong);
    is(&evaluations::PROPERTY, number("evaluations", "elsewhere", 6000), Missed);
    is(&flops::PROPERTY, number("PAPI_FP_OPS", "multiply", 20_900), Found);
    is(&flops::PROPERTY, number("PAPI_FP_OPS", "multiply", 21_100), Wrong);
    // perf's name of the counter, and another counter.
    is(&instructions::PROPERTY, number("instructions", "loop", 20_900), Found);
    is(&instructions::PROPERTY, number("instructions", "loop", 21_100), Wrong);
    is(&instructions::PROPERTY, number("instructions", "elsewhere", 20_900), Missed);
    is(&instructions::PROPERTY, number("cycles", "loop", 20_900), Unsupported);
    let solve = |seconds| json!({ "calls": [call(&["main", "hot", "solve"], seconds)] });
    is(&hot::PROPERTY, solve([0.15, 0.1501]), Found);
    is(&hot::PROPERTY, solve([0.15, 0.2]), Wrong);
    let inside = call(&["hot", "solve", "solve"], [0.1, 0.1]);
    is(&hot::PROPERTY, json!({ "calls": [call(&["hot", "solve"], [0.15, 0.15]), inside] }), Found);
    let time = json!({ "view": "time", "call_path": ["solve"], "waiting_time": 0.3 });
    is(&hot::PROPERTY, json!({ "findings": [time] }), Found);
    let both = |strided| json!({ "calls": [call(&["packing", "strided"], strided), call(&["packing", "packed"], [0.04, 0.04])] });
    is(&packing::PROPERTY, both([0.08, 0.08]), Found);
    is(&packing::PROPERTY, both([0.08, 0.07]), Wrong);
    let ratio = json!({ "view": "ratio", "metric": "time_ratio", "call_path": ["strided"], "ratio": 2.01 });
    is(&packing::PROPERTY, json!({ "findings": [ratio] }), Found);
}

/// The witness of a rank that was 100 ms in its measured part.
fn witness(property: &'static Property, rank: u32, regions: Vec<MeasuredRegion>) -> Witness {
    let text = json!({
        "schema": Witness::SCHEMA, "program": property.name, "rank": rank, "ranks": 2,
        "parameters": Subject::from(property).parameters(), "clock": Clock::default(),
        "measured": Span { enter_ns: 0, leave_ns: 100_000_000 },
        "constructs": [], "work": [], "choices": [], "regions": regions,
        "eager_held": null, "environment": {},
    });
    serde_json::from_value(text).unwrap()
}

fn measured(region: &str, milliseconds: u64, counts: &[(&str, u64)]) -> MeasuredRegion {
    let counts = counts.iter().map(|&(counter, number)| (counter.to_owned(), number)).collect();
    MeasuredRegion { region: region.to_owned(), visits: 1, time_ns: milliseconds * 1_000_000, counts }
}

/// A run shows what its own witness has; a tool is held to that.
#[test]
fn a_run_shows_what_it_has_measured() {
    let ran = |property: &'static Property, regions: [Vec<MeasuredRegion>; 2]| {
        let witnesses: Vec<Witness> =
            (0..).zip(regions).map(|(rank, regions)| witness(property, rank, regions)).collect();
        observed(&Subject::from(property), Size::ranks(2), &witnesses).unwrap()
    };
    let strided = |milliseconds| {
        let rank = || vec![measured("strided", milliseconds, &[]), measured("packed", 50, &[])];
        ran(&packing::PROPERTY, [rank(), rank()])
    };
    assert_eq!(shown(&strided(90)), one("time_ratio", 1.8, "packing/strided"));
    let calls = |strided| {
        let both = [call(&["strided"], [strided; 2]), call(&["packed"], [0.05; 2])];
        json!({ "calls": both })
    };
    assert_eq!(outcome(&packing::PROPERTY, &strided(90), calls(0.09)), Outcome::Found);
    assert_eq!(outcome(&packing::PROPERTY, &strided(90), calls(0.10)), Outcome::Wrong);
    // The machine does not mind the strides.
    assert_eq!(outcome(&packing::PROPERTY, &strided(60), calls(0.06)), Outcome::NotManifested);

    let counted = |number| vec![measured("transform", 1, &[("evaluations", number)])];
    let short = ran(&evaluations::PROPERTY, [counted(3000), counted(2999)]);
    assert_eq!(shown(&short), one("evaluations", 5999.0, "evaluations/transform"));
    let report = number("evaluations", "transform", 5999);
    assert_eq!(outcome(&evaluations::PROPERTY, &short, report), Outcome::NotManifested);
}

/// A run shows the ratio of its own clocks, and a tool is held to that.
#[test]
fn a_ratio_may_be_over_the_processors_time() {
    let property = &crowded::PROPERTY;
    let subject = Subject::from(property);
    for ranks in 2..=5 {
        assert_eq!(shown(&truth(&subject, ranks)), one("time_ratio", ranks as f64, "crowded/compute"));
    }
    let ran = |processor_ns| {
        let rank =
            |rank| witness(property, rank, vec![measured("compute", 90, &[("task_clock", processor_ns)])]);
        observed(&subject, Size::ranks(2), &[rank(0), rank(1)]).unwrap()
    };
    let ratio = |region: &str, ratio: f64| json!({ "findings": [{ "view": "ratio", "metric": "time_ratio", "call_path": [region], "ratio": ratio }] });
    let shared = ran(45_000_000);
    assert_eq!(shown(&shared), one("time_ratio", 2.0, "crowded/compute"));
    assert_eq!(outcome(property, &shared, ratio("compute", 2.01)), Outcome::Found);
    assert_eq!(outcome(property, &shared, ratio("compute", 2.2)), Outcome::Wrong);
    assert_eq!(outcome(property, &shared, ratio("elsewhere", 2.0)), Outcome::Unsupported);
    let alone = ran(89_000_000);
    assert_eq!(outcome(property, &alone, ratio("compute", 90.0 / 89.0)), Outcome::NotManifested);
}

#[test]
fn a_composition_shows_what_its_properties_do() {
    let text = r#"
        schema = "ats-composition/1"
        name = "both"
        ranks = 2
        [[phase]]
        property = [{ name = "packing" }]
        [[phase]]
        property = [{ name = "evaluations", parameters = { k = 7 } }]
        [[phase]]
        property = [{ name = "evaluations", parameters = { k = 5 } }]
    "#;
    let composition = Composition::parse(text, "both.toml", &catalogue()).unwrap();
    let truth = truth(&Subject::from(&composition), 2);
    let mut all = shown(&truth);
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(all, [one("evaluations", 144.0, "transform"), one("time_ratio", 2.0, "strided")].concat());
    assert!(truth.findings.iter().all(|finding| finding.formula.is_none()));
}

#[test]
fn a_document_written_by_hand_is_read() {
    let time = r#"{ "view": "time", "call_path": ["solve"], "seconds": 0.3 }"#;
    let text = format!(r#"{{ "schema": "ats-report/1", "findings": [{time}] }}"#);
    let report = written::report(text.as_bytes()).unwrap();
    let finding = &report.findings[0];
    assert_eq!((finding.view, finding.waiting_time, finding.id.as_str()), (View::Time, 0.3, "time@solve"));
}
