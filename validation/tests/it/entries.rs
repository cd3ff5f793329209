//! The purposes of a catalogue entry: several quantities, numbers, or nothing at all.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_compose::Subject;
use ats_documents::score::{Expectation, Outcome, ProgramResult};
use ats_launch::ready::RealOptions;
use ats_props::{Catalogue, Property};
use ats_truth::{self as truth, Planned, Size, TruthOptions};
use ats_validation::pipeline::{Reporter, Request, validate};
use ats_validation::score::judge::Rules;

/// Two wait states and two numbers.
mod several {
    use ats_mpi::{Datatype, Source, Tag};
    use ats_props::{Communicator, Counter, MpiFunction, Seconds, do_work, property};

    /// Rank 1 waits for a message, and then all wait for the last rank.
    #[property(
        finds = LateSender, formula = late,
        finds = WaitAtBarrier, formula = (P - 1) * alone,
        finds = Count(Counter::MESSAGES_SENT, MpiFunction::Ssend.name()), formula = k,
        finds = Count(Counter::BYTES_SENT, MpiFunction::Ssend.name()), formula = 4 * k,
        min_ranks = 2,
        send_mode = Synchronous
    )]
    fn several(
        /// The delay of the first message.
        #[default(Seconds(0.01))]
        late: Seconds,
        /// The work of the last rank alone.
        #[default(Seconds(0.02))]
        alone: Seconds,
        /// The number of messages.
        #[default(3)]
        k: usize,
        c: &dyn Communicator,
    ) {
        if c.rank() != 1 {
            do_work(late.0);
        }
        messages(k, c);
        if c.rank() + 1 == c.size() {
            do_work(alone.0);
        }
        c.barrier();
    }

    /// One message in time, and no rank works alone.
    fn balanced(late: Seconds, alone: Seconds, _: usize, c: &dyn Communicator) {
        let size = c.size() as f64;
        do_work((late.0 * (size - 1.0) + alone.0) / size);
        messages(1, c);
        c.barrier();
    }

    /// From rank 0 to rank 1.
    fn messages(k: usize, c: &dyn Communicator) {
        let buf = c.alloc_mpi_buf(Datatype::Int, 1);
        for _ in 0..k {
            match c.rank() {
                0 => c.ssend(1, 0, &buf),
                1 => drop(c.recv(Source::Rank(0), Tag::Is(0), &buf)),
                _ => {}
            }
        }
    }
}

/// Nothing, though a careless rule would report a wait state.
mod silent {
    use ats_mpi::{Source, Tag};
    use ats_props::{Communicator, Seconds, do_work, property};

    /// The receiver comes long after the message.
    #[property(tempts = LateSender, tempts = LateReceiver, min_ranks = 2, send_mode = Standard)]
    fn silent(
        /// The delay of the receive.
        #[default(Seconds(0.05))]
        late: Seconds,
        c: &dyn Communicator,
    ) {
        let buf = c.base_buf();
        match c.rank() {
            0 => {
                c.send(1, 0, &buf);
                do_work(late.0);
            }
            1 => {
                do_work(late.0);
                c.recv(Source::Rank(0), Tag::Is(0), &buf);
            }
            _ => do_work(late.0),
        }
    }
}

/// A property of a trace that no program can show.
mod impossible {
    use ats_props::{Communicator, Seconds, do_work, property};

    /// Only the last rank works, and all others wait for it.
    #[property(finds = WaitAtBarrier, formula = (P - 1) * work, entry = Trace, min_ranks = 2)]
    fn impossible(
        /// The work of the last rank.
        #[default(Seconds(0.02))]
        work: Seconds,
        c: &dyn Communicator,
    ) {
        if c.rank() + 1 == c.size() {
            do_work(work.0);
        }
        c.barrier();
    }

    /// All share the work.
    fn balanced(work: Seconds, c: &dyn Communicator) {
        do_work(work.0 / c.size() as f64);
        c.barrier();
    }
}

/// A property that several runs show together.
mod amdahl {
    use ats_props::{Communicator, Seconds, do_work, property};

    /// Some of the work is done by rank 0 alone, while the others wait.
    #[property(finds = WaitAtBarrier, formula = (P - 1) * serial, runs = [1, 2, 4, 8])]
    fn amdahl(
        /// The work of rank 0 alone.
        #[default(Seconds(0.1))]
        serial: Seconds,
        /// The work that all share.
        #[default(Seconds(0.8))]
        parallel: Seconds,
        c: &dyn Communicator,
    ) {
        if c.rank() == 0 {
            do_work(serial.0);
        }
        c.barrier();
        do_work(parallel.0 / c.size() as f64);
    }

    /// All of it is shared.
    fn balanced(serial: Seconds, parallel: Seconds, c: &dyn Communicator) {
        do_work(serial.0 / c.size() as f64);
        c.barrier();
        do_work(parallel.0 / c.size() as f64);
    }
}

fn catalogue() -> Catalogue {
    Catalogue::builtin().with(&several::PROPERTY).with(&silent::PROPERTY)
}

fn planned(property: &'static Property, ranks: usize) -> Planned {
    Planned { subject: Subject::from(property), size: Size::ranks(ranks) }
}

fn judged(property: &'static Property) -> ProgramResult {
    judged_on(Reporter::Simulated(TruthOptions::default()), property)
}

fn judged_on(reporter: Reporter, property: &'static Property) -> ProgramResult {
    let request = Request {
        programs: vec![planned(property, 4)],
        reporter,
        rules: Rules::EXACT,
        causes: None,
        explanations: false,
        repeats: 1,
        catalogue: Catalogue::builtin(),
    };
    let mut validation = validate(&request, &mut (), &AtomicBool::new(false)).unwrap();
    validation.programs.remove(0)
}

#[test]
fn every_quantity_of_several_is_known_and_asked_for() {
    let Planned { subject, size } = planned(&several::PROPERTY, 4);
    let truth = truth::nominal(&subject, size, &TruthOptions::default()).unwrap();
    let mut known: Vec<_> = truth
        .findings
        .iter()
        .map(|finding| {
            (
                finding.metric.as_deref().unwrap(),
                finding.quantity().value,
                finding.formula.as_deref().unwrap(),
            )
        })
        .collect();
    known.sort_by(|a, b| a.0.cmp(b.0));
    assert_eq!(
        known,
        [
            ("bytes_sent", 12.0, "N = 4·k"),
            ("comms_send", 3.0, "N = k"),
            ("mpi_barrier_wait", 0.06, "W = (P − 1)·alone"),
            ("mpi_latesender", 0.01, "W = late"),
        ]
    );
    let result = judged(&several::PROPERTY);
    let of = |metric: &str| -> &Expectation {
        result
            .expectations
            .iter()
            .find(|e| e.id.starts_with(metric))
            .unwrap_or_else(|| panic!("{metric}: {result:#?}"))
    };
    for (metric, outcome) in [
        ("late_sender", Outcome::Found),
        ("wait_at_barrier", Outcome::Found),
        ("comms_send", Outcome::Found),
        ("bytes_sent", Outcome::Found),
    ] {
        assert_eq!((of(metric).outcome, of(metric).planted), (outcome, true), "{metric}");
    }
}

#[test]
fn a_silent_entry_has_no_twin_and_is_right_if_nothing_is_reported() {
    let named = |program: &ats_props::Program| program.property.name == "silent";
    let programs: Vec<_> = catalogue().programs().filter(named).collect();
    assert_eq!(programs.len(), 1);
    assert!(programs[0].twin().is_none() && catalogue().program("silent_balanced").is_err());
    let result = judged(&silent::PROPERTY);
    assert!(result.has_passed(0.01));
    assert!(result.expectations.is_empty() && result.unexpected.is_empty(), "{result:#?}");
    assert!(truth::severities(&silent::PROPERTY).unwrap().is_empty());
}

#[test]
fn an_ideal_trace_is_judged_as_such_where_others_are_run() {
    let dir = tempfile::tempdir().unwrap();
    let (time, dir) = (Duration::from_secs(10), dir.path().to_owned());
    let real = Reporter::Own(RealOptions {
        launcher: None,
        time,
        build_time: time,
        dir: dir.clone(),
        options: Vec::new(),
        language: None,
    });
    for reporter in [Reporter::Simulated(TruthOptions::default()), real] {
        let result = judged_on(reporter, &impossible::PROPERTY);
        assert!(result.has_passed(0.01), "{result:#?}");
        assert_eq!(result.expectations[0].found, 0.06);
    }
    let options = ats_generator::Options::new(ats_generator::SuiteSource::find().unwrap());
    let refused = ats_generator::generate(&impossible::PROPERTY, &dir.join("program"), &options).unwrap_err();
    assert!(refused.to_string().contains("`ats trace impossible -o DIR`"), "{refused}");
}

#[test]
fn an_experiment_has_a_truth_over_its_runs_and_each_of_them_is_judged() {
    let (subject, sizes) = (Subject::from(&amdahl::PROPERTY), Size::for_property(&amdahl::PROPERTY));
    assert_eq!(sizes, [1, 2, 4, 8].map(Size::ranks));
    assert_eq!((amdahl::PROPERTY.entry.name(), subject.is_experiment()), ("experiment", true));
    let experiment = truth::nominal_runs(&subject, &sizes, &TruthOptions::default()).unwrap();
    for (run, ranks) in experiment.runs.iter().zip([1.0, 2.0, 4.0, 8.0]) {
        let (serial, parallel) = (0.1, 0.8);
        let efficiency = (serial + parallel) / (ranks * serial + parallel);
        let known = [serial + parallel / ranks, (ranks - 1.0) * serial, ranks * efficiency, efficiency];
        let found = [run.wall_time, run.waiting_time, run.speedup, run.efficiency];
        assert!(
            found.iter().zip(known).all(|(found, known)| (found - known).abs() < 1e-9),
            "{run:?}: {known:?}"
        );
    }
    let programs: Vec<Planned> =
        sizes.iter().map(|&size| Planned { subject: subject.clone(), size }).collect();
    assert_eq!(Planned::folders(&programs), ["amdahl-1", "amdahl-2", "amdahl-4", "amdahl-8"]);
    let request = Request {
        programs,
        reporter: Reporter::Simulated(TruthOptions::default()),
        rules: Rules::EXACT,
        causes: None,
        explanations: false,
        repeats: 1,
        catalogue: Catalogue::builtin(),
    };
    let validation = validate(&request, &mut (), &AtomicBool::new(false)).unwrap();
    let found: Vec<f64> =
        validation.programs.iter().flat_map(|run| &run.expectations).map(|expected| expected.found).collect();
    assert!(validation.has_passed(), "{validation:#?}");
    assert!(
        found.iter().zip([0.1, 0.3, 0.7]).all(|(found, known)| (found - known).abs() < 1e-9),
        "{found:?}"
    );
    assert_eq!(found.len(), 3, "one rank waits for nobody");
}
