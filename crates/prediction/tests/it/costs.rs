//! Given costs are what runs cost, their bounds are exact, and mistakes have a place.

use std::collections::BTreeMap;

use ats_compose::Subject;
use ats_documents::models::{CostTerm, Count};
use ats_documents::prediction::PredictedCosts;
use ats_prediction::costs::{Costs, Known, Network};
use ats_prediction::{Observed, Predictor, Spent, calibrated};
use ats_props::{Catalogue, Distribution, Value};
use ats_truth::{Planned, Size};

use crate::common::{assert_close, planned, simulated};

/// A file of costs with these lines.
fn read(lines: &str) -> Costs {
    Costs::parse(&format!("schema = \"ats-costs/1\"\n{lines}"), "costs.toml").unwrap()
}

const AMDAHL: &str = include_str!("../data/amdahl.toml");
const PARTIAL: &str = include_str!("../data/partial.toml");
const REPLICATED: &str = include_str!("../data/replicated.toml");
const LOSS: &str = include_str!("../data/loss.toml");

fn of_file(text: &str) -> Costs {
    Costs::parse(text, "costs.toml").unwrap()
}

fn mistakes(lines: &str) -> String {
    Costs::parse(&format!("schema = \"ats-costs/1\"\n{lines}"), "costs.toml").unwrap_err().to_string()
}

fn known(parameters: &[(&str, f64)]) -> Known {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), [*value; 2]));
    Known { parameters: parameters.collect(), ..Known::default() }
}

/// The costs of the program, and those that a run had.
fn assert_costs(costs: &Costs, parameters: &[(&str, f64)], planned: &Planned) {
    let ranks = planned.size.ranks as f64;
    let mut parameters = parameters.to_vec();
    parameters.push(("ranks", ranks));
    let whole = costs.totals(&known(&parameters)).unwrap().remove(0);
    let run = simulated(planned);
    let what = format!("{} on {ranks} ranks", planned.subject.name());
    assert_close(whole.time.value, run.whole.time, &what);
    assert_eq!(whole.time.low, whole.time.high, "{what}");
    for term in CostTerm::ALL {
        let of = whole.terms.get(&term).map_or(0.0, |of| of.value);
        assert_close(of, run.whole.term(term), &format!("{} of {what}", term.name()));
    }
}

const RANKS: [usize; 8] = [1, 2, 3, 4, 8, 16, 36, 64];

#[test]
fn work_that_is_not_parallel() {
    let [amdahl, partial, replicated, loss] = [AMDAHL, PARTIAL, REPLICATED, LOSS].map(of_file);
    for ranks in RANKS {
        let of = |program: &str, words: &[&str]| planned(program, words, ranks, 1);
        assert_costs(&amdahl, &[("r", 5.0), ("serial", 0.02), ("parallel", 0.08)], &of("amdahl", &[]));
        assert_costs(&partial, &[("r", 5.0), ("k", 3.0), ("parallel", 0.1)], &of("partial", &["k=3"]));
        let parameters = [("r", 5.0), ("common", 0.02), ("additional", 0.005), ("parallel", 0.08)];
        assert_costs(&replicated, &parameters, &of("replicated", &[]));
        assert_costs(&loss, &[("sequential", 0.1)], &of("amdahl", &["parallel=0s"]));
    }
}

/// JavaPSL, figures 7 to 9: LAPW0 distributes 36 atoms in blocks, as HPF does.
#[test]
fn blocks_of_36_atoms() {
    let costs = of_file(include_str!("../data/atoms.toml"));
    let work = |rank: usize, ranks: usize, scale: f64| {
        let block = 36_usize.div_ceil(ranks);
        scale * 0.1 * 36_usize.saturating_sub(rank * block).min(block) as f64
    };
    let program = Catalogue::builtin().program("imbalance_at_mpi_barrier").unwrap();
    let work = Value::new(Distribution::user("36 atoms", work));
    let arguments = program.property.arguments([("r", "4")]).unwrap().with("distribution", work);
    let subject = Subject::Property { program, arguments };
    for ranks in 2..=40 {
        let planned = Planned { subject: subject.clone(), size: Size { ranks, threads: 1 } };
        assert_costs(&costs, &[("r", 4.0)], &planned);
    }
}

/// The seconds of the program, from the least to the most.
fn bounds(lines: &str) -> [f64; 2] {
    let time = read(lines).totals(&Known::default()).unwrap()[0].time;
    assert!(time.low <= time.value && time.value <= time.high, "{time:?}");
    [time.low, time.high]
}

#[test]
fn ranges_give_the_exact_interval() {
    let of = |part: &str, expression: &str| {
        bounds(&format!("[let]\nm = \"{part}\"\n[region.f]\nio = \"{expression}\""))
    };
    for (part, expression, expected) in [
        ("0.25 .. 0.5", "2 * m + 1", [1.5, 2.0]),
        ("2 .. 4", "1 / m", [0.25, 0.5]),
        ("2 .. 4", "10 - m^2", [-6.0, 6.0]),
        // Least between its ends, which have the same square.
        ("1 .. 3", "(m - 2)^2", [0.0, 1.0]),
        ("1 .. 3", "(m - 2)^0", [1.0, 1.0]),
        // Where a range is needed more than once, interval arithmetic alone would be too wide.
        ("1 .. 3", "2 * m - m", [1.0, 3.0]),
        ("0.6 .. 0.9", "m * (1 - m)", [0.09, 0.24]),
        ("3 .. 5", "m + 4 / m", [13.0 / 3.0, 5.8]),
    ] {
        if expected[0] < 0.0 {
            let lines = format!("[let]\nm = \"{part}\"\n[region.f]\nio = \"{expression}\"");
            let error = read(&lines).totals(&Known::default()).unwrap_err().to_string();
            assert!(
                error.contains("io of the program would be -6 at least, and no cost is negative"),
                "{error}"
            );
            continue;
        }
        let found = of(part, expression);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{expression}: {found}, and not {expected}");
        }
    }
    // Extremes that are not at an end.
    for (part, expression, expected) in [
        ("0.2 .. 0.9", "m * (1 - m)", [0.09, 0.25]),
        ("1 .. 5", "m + 4 / m", [4.0, 5.8]),
        // With another range beside it.
        ("0.04 .. 1", "2 - sqrt(m) + m + (0 .. 1)", [1.75, 3.0]),
    ] {
        let [low, high] = of(part, expression);
        for (found, expected) in [(low, expected[0]), (expected[1], high)] {
            let beyond = (expected - found) / expected.abs().max(1.0);
            assert!((0.0..2e-9).contains(&(beyond + 1e-12)), "{expression}: [{low}, {high}]");
        }
    }
    // An extreme in two places, or everywhere, is met from outside.
    for (part, expression, expected) in [
        ("0 .. 1", "3 * m + (1 - m) * 3", [3.0, 3.0]),
        ("0 .. 1", "1 + (m - 0.5)^2 * (1 - 8 * (m - 0.5)^2)", [0.75, 1.03125]),
    ] {
        let [low, high] = of(part, expression);
        assert!(low <= expected[0] && low > 0.99 * expected[0], "{expression}: {low}");
        assert!(high >= expected[1] && high < 1.01 * expected[1], "{expression}: {high}");
    }
    // The same range in two regions, which partly cancel.
    let two = "[let]\nm = \"0 .. 1\"\n[region.f]\nio = \"m\"\n[region.g]\nio = \"2 * (1 - m)\"";
    for (found, expected) in bounds(two).iter().zip([1.0, 2.0]) {
        assert!((found - expected).abs() < 1e-9, "{found}, and not {expected}");
    }
    assert_eq!(bounds("[region.f]\nio = \"(1 .. 2) * (1 .. 2)\""), [1.0, 4.0], "two ranges are not one");
}

#[test]
fn a_region_costs_its_own_and_its_calls_once() {
    let costs = read(
        "[region.main]\nio = \"1\"\n[region.step]\nwithin = \"main\"\nvisits = \"10\"\ncomputation = \"2\"\n\
         [region.kernel]\ncomputation = \"0.5\"\nbytes = \"8 * bytes\"\n\
         [calls.step]\nkernel = \"3\"\n[calls.main]\nkernel = \"1\"",
    );
    let totals = costs.totals(&Known::default()).unwrap();
    let of = |name: Option<&str>| -> &PredictedCosts {
        totals.iter().find(|of| of.region.as_deref() == name).unwrap()
    };
    assert_eq!(of(None).time.value, 1.0 + 10.0 * 2.0 + 31.0 * 0.5);
    assert_eq!(of(Some("main")).time, of(None).time);
    assert_eq!(of(Some("step")).time.value, 10.0 * 3.5);
    assert_eq!(of(Some("kernel")).counts[&Count::Visits].value, 31.0);
    assert_eq!(of(None).counts[&Count::Bytes].value, 31.0 * 8.0);
}

/// A run of a region `solve` with these parameters and seconds of computation.
fn run(parameters: &[(&str, f64)], seconds: f64, visits: &[(&str, f64)]) -> Observed {
    let spent = |seconds: f64, visits: f64| Spent {
        time: seconds,
        terms: BTreeMap::from([(CostTerm::Computation, seconds)]),
        counts: BTreeMap::from([(Count::Visits, visits)]),
    };
    let mut run = Observed { whole: spent(seconds, 0.0), ..Observed::default() };
    run.whole.counts.clear();
    run.parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    run.id = format!("{parameters:?}");
    run.regions.insert("solve".to_owned(), spent(seconds, 1.0));
    run.regions.extend(visits.iter().map(|(name, visits)| ((*name).to_owned(), spent(0.0, *visits))));
    run
}

const SOLVE: &str = "[region.solve]\ncomputation = \"a * n^3 / ranks + b * n^2\"";

fn solved(n: f64, ranks: f64) -> Observed {
    run(&[("n", n), ("ranks", ranks)], 2e-9 * n.powi(3) / ranks + 3e-8 * n.powi(2), &[])
}

#[test]
fn runs_calibrate_coefficients() {
    let runs = [solved(100.0, 1.0), solved(200.0, 1.0), solved(200.0, 4.0), solved(400.0, 8.0)];
    let text = format!("schema = \"ats-costs/1\"\n{SOLVE}");
    let models = calibrated(&read(SOLVE), ("costs.toml", &text), &runs, false).unwrap();
    let costs = models.costs.as_ref().unwrap();
    assert!(costs.inseparable.is_empty() && costs.error == 0.0, "{costs:?}");
    let asked = BTreeMap::from([("n".to_owned(), 1e4), ("ranks".to_owned(), 64.0)]);
    let size = Predictor::new(&models).unwrap().size(&asked).unwrap();
    assert_close(size.whole.time.value, 2e-9 * 1e12 / 64.0 + 3e-8 * 1e8, "the time");
    assert_eq!(size.whole.time.low, size.whole.time.high);
    let base = 2e-9 * 1e12 + 3e-8 * 1e8;
    assert_close(size.speed_up.unwrap().value, base / size.whole.time.value, "speed-up over one rank");
}

#[test]
fn noise_widens_the_bounds() {
    let noisy = |n: f64, ranks: f64, factor: f64| {
        let run = solved(n, ranks);
        self::run(&[("n", n), ("ranks", ranks)], run.whole.time * factor, &[])
    };
    let runs =
        [noisy(100.0, 1.0, 1.05), noisy(200.0, 1.0, 0.95), noisy(200.0, 4.0, 1.05), noisy(400.0, 8.0, 0.97)];
    let text = format!("schema = \"ats-costs/1\"\n{SOLVE}");
    let models = calibrated(&read(SOLVE), ("costs.toml", &text), &runs, false).unwrap();
    let asked = BTreeMap::from([("n".to_owned(), 800.0), ("ranks".to_owned(), 8.0)]);
    let time = Predictor::new(&models).unwrap().size(&asked).unwrap().whole.time;
    let exact = 2e-9 * 800.0_f64.powi(3) / 8.0 + 3e-8 * 800.0_f64.powi(2);
    assert!(time.low < exact && exact < time.high && time.holds(exact), "{time:?}, and {exact}");
}

#[test]
fn coefficients_that_runs_do_not_tell_apart_are_named() {
    let runs = [solved(100.0, 1.0), solved(100.0, 1.0), solved(100.0, 1.0)];
    let text = format!("schema = \"ats-costs/1\"\n{SOLVE}");
    let models = calibrated(&read(SOLVE), ("costs.toml", &text), &runs, false).unwrap();
    assert_eq!(models.costs.as_ref().unwrap().inseparable, [["a", "b"]]);
    assert!(models.notes[0].starts_with("the runs do not tell a and b apart"), "{:?}", models.notes);
    let predictor = Predictor::new(&models).unwrap();
    let time = |n: f64| {
        let asked = BTreeMap::from([("n".to_owned(), n), ("ranks".to_owned(), 1.0)]);
        predictor.size(&asked).unwrap().whole.time
    };
    // All of it may be of one kind, or of the other.
    let seconds = runs[0].whole.time;
    assert_close(time(100.0).low, seconds, "where it was measured");
    assert_close(time(100.0).high, seconds, "where it was measured");
    assert_close(time(200.0).low, 4.0 * seconds, "all in b");
    assert_close(time(200.0).high, 8.0 * seconds, "all in a");
}

#[test]
fn branches_are_counted() {
    let costs = "[region.solve]\ncomputation = \"1e-3 * steps\"\n\
                 [region.fast]\nwithin = \"solve\"\nvisits = \"steps * taken\"\ntaken = 'visits(\"fast\") / visits(\"step\")'\n";
    let counted =
        |steps: f64, fast: f64| run(&[("steps", steps)], 1e-3 * steps, &[("step", steps), ("fast", fast)]);
    let runs = [counted(100.0, 25.0), counted(200.0, 60.0), counted(400.0, 100.0)];
    let text = format!("schema = \"ats-costs/1\"\n{costs}");
    let models = calibrated(&read(costs), ("costs.toml", &text), &runs, false).unwrap();
    assert_eq!(models.costs.as_ref().unwrap().fractions["taken"], [0.25, 0.3]);
    let asked = BTreeMap::from([("steps".to_owned(), 1000.0)]);
    let size = Predictor::new(&models).unwrap().size(&asked).unwrap();
    let fast = size.regions.iter().find(|of| of.region.as_deref() == Some("fast")).unwrap();
    let visits = fast.counts[&Count::Visits];
    assert_eq!([visits.low, visits.high], [250.0, 300.0]);
    let error = Costs::totals(&read(costs), &known(&[("steps", 10.0)])).unwrap_err().to_string();
    assert!(
        error.contains("visits(\"fast\") is counted in runs; give some to `ats model --costs`"),
        "{error}"
    );
}

#[test]
fn mistakes_have_a_place_and_a_fix() {
    for (lines, said) in [
        ("[region.f]\ncomputation = \"2 +\"", "costs.toml:3:19: the expression is not complete"),
        (
            "[region.f]\ncomputaton = \"2\"",
            "costs.toml:3:15: there is no `computaton`; did you mean computation?",
        ),
        (
            "[region.f]\nio = \"2\"\nwithin = \"man\"\n[region.main]\nio = \"1\"",
            "costs.toml:4:11: there is no region `man`; did you mean main?",
        ),
        ("[region.f]\nio = \"2 .. 1 .. 3\"", ""),
        ("", "costs.toml:1:11: there is no region; write one"),
        ("[let]\na = \"b\"\nb = \"a\"\n[region.f]\nio = \"a\"", "a and b are defined by each other"),
        ("[region.f]\nwithin = \"g\"\n[region.g]\nwithin = \"f\"", "f, g call each other in a circle"),
        ("[region.f]\nio = 2", "invalid type: integer `2`, expected a string"),
        (
            "[let]\ns = \"2\"\n[region.f]\nio = \"1\"",
            "costs.toml:3:6: `s` has a meaning already; rename the part",
        ),
    ] {
        if said.is_empty() {
            assert!(read(lines).totals(&Known::default()).is_err(), "{lines}");
            continue;
        }
        let found = mistakes(lines);
        assert!(found.contains(said), "{lines}\n{found}");
    }
    for (expression, said) in [
        ("rank * 2", "costs.toml:3:7: there is no number for `rank`; did you mean ranks?"),
        ("log2(0.5)", "it would be the logarithm of a number below 1"),
        ("1 / (ranks - 4)", "it would be a division by 0"),
        ("sqrt(1 - ranks)", "it would be a root of a negative number"),
        ("2 * bytes", "costs.toml:3:7: it is in bytes, and has to be in s; convert it"),
        ("2 * s + 3 * bytes", "it adds numbers in s and bytes"),
        ("5 .. 2", "write 2 .. 5"),
        ("ranks > 2", "it has to be a number, and is true or false"),
    ] {
        let costs = read(&format!("[region.f]\nio = \"{expression}\""));
        let error = costs.totals(&known(&[("ranks", 4.0)])).unwrap_err().to_string();
        assert!(error.contains(said), "{expression}: {error}");
    }
}

#[test]
fn costs_that_runs_cannot_calibrate_are_refused() {
    let runs = [solved(100.0, 1.0), solved(200.0, 4.0), solved(400.0, 2.0)];
    for (lines, said) in [
        ("[region.slove]\nio = \"a * n\"", "no run has a region `slove`; did you mean solve?"),
        ("[region.solve]\ncomputation = \"n^a\"", "the costs are no sum of coefficients times numbers"),
        (
            "coefficients = [\"a\"]\n[region.solve]\ncomputation = \"a * rank\"",
            "costs.toml:4:20: there is no parameter or coefficient `rank`; did you mean ranks?",
        ),
        ("[let]\nt = 'visits(\"f\")'\n[region.solve]\ncomputation = \"t\"", "has no `visits(\"f\")`"),
    ] {
        let error = read(lines).calibrated(&runs).unwrap_err().to_string();
        assert!(error.contains(said), "{lines}\n{error}");
    }
}

#[test]
fn a_network_gives_the_time_of_messages() {
    let network = Network { latency: 2e-6, bandwidth: 1e9, overhead: 5e-7 };
    let costs = || {
        read(
            "[region.halo]\nvisits = \"steps\"\nmessages = \"2 .. 4\"\nbytes = \"8 * n\"\n\
             [region.residual]\nmessages = \"1\"\ncommunication = \"1e-3\"",
        )
    };
    let at = known(&[("steps", 10.0), ("n", 1000.0)]);
    let whole = costs().on_network(network).unwrap().totals(&at).unwrap().remove(0);
    let communication = whole.terms[&CostTerm::Communication];
    // What is given stays.
    let of = |messages: f64| 10.0 * (messages * (2e-6 + 2.0 * 5e-7) + 8000.0 / 1e9) + 1e-3;
    for (found, messages) in [(communication.low, 2.0), (communication.value, 3.0), (communication.high, 4.0)]
    {
        assert!((found - of(messages)).abs() < 1e-12, "{found}, and not {}", of(messages));
    }
    let alone = costs().totals(&at).unwrap().remove(0);
    assert_eq!(alone.terms[&CostTerm::Communication].value, 1e-3);
    assert!(read("[region.a]\ncomputation = \"1\"").on_network(network).is_none());
    let refused =
        Predictor::of_costs(read("[region.a]\ncomputation = \"1\"")).on_network(network).unwrap_err();
    assert!(refused.to_string().starts_with("no region has messages or bytes without communication"));
}
