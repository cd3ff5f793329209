//! Gates: programs in virtual time beside others, whose causes are known, and small traces.

use ats_analyzer::{Options, notation};
use ats_diagnosis::{GateError, Limits, explain_trace, judge};
use ats_documents::Explanation;
use ats_documents::explanation::{
    CauseKind, Gate, JudgedCalls, JudgedProblem, KnownProblem, KnownWait, NoteKind, Numbers, ProblemState,
};
use ats_documents::machine::{Machine, SharedProcessors};
use ats_model::EventSource;
use ats_props::{Catalogue, Entry};
use ats_truth::{GivenSize, Planned, TruthOptions, ideal_trace};

use crate::common::{assert_close, planned};

fn explained<S: EventSource>(trace: &S, name: &str) -> Explanation
where
    S::Error: std::fmt::Debug,
{
    explain_trace(trace, name, &Options::default(), Limits::default(), &mut |_| {}).unwrap().explanation
}

fn of_program(planned: &Planned) -> Explanation {
    let trace = ideal_trace::in_memory(&planned.subject, planned.size, &TruthOptions::default()).unwrap();
    explained(&trace, planned.subject.name())
}

fn of_name(program: &str, parameters: &[&str]) -> Explanation {
    of_program(&planned(program, parameters, 4, 1))
}

fn of_text(text: &str) -> Explanation {
    explained(&notation::parse(text).unwrap(), "test")
}

fn failing(gate: &Gate) -> Vec<&JudgedProblem> {
    gate.problems.iter().filter(|of| of.state.fails()).collect()
}

/// The explanation of a run and of that it is judged by are one: nothing differs.
fn assert_as_itself(explanation: &Explanation, what: &str) {
    let gate = judge(explanation, std::slice::from_ref(explanation)).unwrap();
    assert!(gate.is_passed(), "{what}: {gate:#?}");
    assert!(gate.calls.is_empty(), "{what}: {gate:#?}");
    assert_eq!(
        gate.numbers,
        Numbers { unchanged: gate.problems.len() as u64, ..Numbers::default() },
        "{what}"
    );
}

#[test]
fn the_solver_is_told_from_each_of_its_siblings() {
    let sound = of_name("heat_solver", &[]);
    assert_as_itself(&sound, "heat_solver");
    for (sibling, causes, more_calls) in [
        ("heat_solver_slow_rank", &[CauseKind::UnevenWork, CauseKind::LateArrival][..], &[][..]),
        ("heat_solver_no_overlap", &[CauseKind::UnevenWork, CauseKind::LateArrival], &[]),
        (
            "heat_solver_serial_output",
            &[CauseKind::LackOfParallelism, CauseKind::LateArrival, CauseKind::LackOfParallelism],
            &["MPI_Gather"],
        ),
        ("heat_solver_wrong_order", &[CauseKind::WrongOrder, CauseKind::UnevenWork], &["MPI_Recv"]),
        ("heat_solver_barrier", &[], &["MPI_Barrier"]),
    ] {
        let run = of_name(sibling, &[]);
        assert_as_itself(&run, sibling);
        let gate = judge(&run, std::slice::from_ref(&sound)).unwrap();
        let failing = failing(&gate);
        let found: Vec<CauseKind> = failing.iter().map(|of| of.cause).collect();
        assert_eq!(found, causes, "{sibling}: {gate:#?}");
        assert!(failing.iter().all(|of| of.state == ProblemState::New), "{sibling}: {gate:#?}");
        assert_eq!(gate.numbers.new, causes.len() as u64);
        for (of, listed) in failing.iter().zip(&run.problems) {
            assert_close(of.share.b, listed.share, sibling);
        }
        let more: Vec<&str> =
            gate.calls.iter().filter(|of| of.are_more()).map(|of| of.call.as_str()).collect();
        assert!(more_calls.iter().all(|call| more.contains(call)), "{sibling}: {gate:#?}");
        assert_eq!(more.is_empty(), more_calls.is_empty(), "{sibling}: {gate:#?}");
        assert!(!gate.is_passed());
        // The other way round, all of it is gone.
        let gate = judge(&sound, &[run]).unwrap();
        assert!(failing_causes(&gate).is_empty(), "{sibling}: {gate:#?}");
        // Without repetitions, 1.1 % that are gone are noise.
        assert_eq!(gate.numbers.gone + gate.numbers.unchanged, causes.len() as u64, "{sibling}: {gate:#?}");
        assert!(causes.is_empty() || gate.numbers.gone > 0, "{sibling}: {gate:#?}");
    }
}

fn failing_causes(gate: &Gate) -> Vec<CauseKind> {
    failing(gate).iter().map(|of| of.cause).collect()
}

#[test]
fn each_property_fails_beside_its_twin_and_passes_beside_itself() {
    let catalogue = Catalogue::builtin();
    let size = GivenSize { ranks: Some(4), threads: None };
    let mut told = 0;
    for program in catalogue.programs() {
        let Some(twin) = program.twin().filter(|_| program.property.entry == Entry::Function) else {
            continue;
        };
        let [twin, run] = [twin, program].map(|of| {
            let size = if of.property.needs.ranks { size } else { GivenSize::default() };
            of_program(&Planned::named(of.name(), &[], size, &catalogue).unwrap())
        });
        assert_as_itself(&run, program.name());
        let gate = judge(&run, std::slice::from_ref(&twin)).unwrap();
        let was = |problem: &ats_documents::explanation::Problem| {
            twin.known.iter().any(|of| of.causes.first() == Some(&problem.cause()))
        };
        // Problems that wait at the same call for the same code are judged as one, with the cause of the largest.
        for (at, problem) in
            run.problems.iter().enumerate().take(1).filter(|(_, of)| of.share >= 0.05 && !was(of))
        {
            let judged = gate.problems.iter().find(|of| of.problem == Some(at));
            let judged = judged.unwrap_or_else(|| panic!("{}: {gate:#?}", program.name()));
            assert_eq!(judged.cause, problem.cause(), "{}: {judged:#?}", program.name());
            assert!(judged.state.fails(), "{}: {judged:#?}", program.name());
            told += 1;
        }
    }
    assert!(told >= 60, "{told}");
}

#[test]
fn a_delay_that_moves_to_another_rank_fails() {
    let [first, last] = ["slow=0", "slow=3"].map(|slow| of_name("heat_solver_slow_rank", &[slow]));
    let gate = judge(&last, &[first]).unwrap();
    let Numbers { new, moved, grown, unchanged, .. } = gate.numbers;
    assert_eq!((new, moved, grown, unchanged), (0, 2, 0, 0), "{gate:#?}");
    for of in failing(&gate) {
        let ranks =
            [&of.culprits, &of.culprits_before].map(|of| of.iter().map(|of| of.rank).collect::<Vec<_>>());
        assert_eq!(ranks, [[3], [0]]);
        assert_close(of.share.a, of.share.b, "the share");
    }
}

#[test]
fn a_share_fails_beyond_the_spread_of_repetitions() {
    let run = |extra: &str| of_name("late_sender", &[&format!("extrawork={extra}")]);
    let alike = ["0.048", "0.05", "0.052"].map(run);
    // Their shares are 41.4, 41.7 and 41.9 %: by Student's t, 3.2 % more are noise, and a hundredth of the run is too little.
    for (extra, grown) in [("0.055", 0), ("0.08", 0), ("0.15", 1)] {
        let gate = judge(&run(extra), &alike).unwrap();
        assert_eq!(
            (gate.numbers.grown, gate.numbers.new + gate.numbers.moved),
            (grown, 0),
            "{extra}: {gate:#?}"
        );
        assert_eq!(gate.is_passed(), grown == 0);
        assert!(gate.problems[0].share.noise.is_some());
    }
    // One run knows of no spread: a quarter of the share, and a hundredth of the run.
    let one = |extra: &str| judge(&run(extra), &[run("0.002")]).unwrap();
    assert!(one("0.0025").is_passed());
    assert_eq!(one("0.005").numbers.grown, 1);
    assert!(one("0.005").not_judged.iter().any(|note| note.starts_with("There is one earlier run")));
}

/// Rank 0 waits in two receives for rank 1; before the first in line 10, after lines moved in line 20.
fn moved(lines: [u32; 2], seconds: [u32; 2]) -> Explanation {
    let [one, two] = lines;
    let [first, second] = seconds;
    let (a, b, c) = (1 + first, 2 + first, 2 + first + second);
    of_text(&format!(
        "0: 0..1 MPI_Init; 1..{a} MPI_Recv@main@f.c:{one} recv 1; {b}..{c} MPI_Recv@main@f.c:{two} recv 1; 30..31 MPI_Finalize
         1: 0..1 MPI_Init; {a}..{a} MPI_Send@main@f.c:1 send 0; {c}..{c} MPI_Send@main@f.c:2 send 0; 30..31 MPI_Finalize"
    ))
}

#[test]
fn problems_are_the_same_where_lines_have_moved() {
    let before = moved([10, 20], [8, 4]);
    assert_eq!(before.known.len(), 2, "{:#?}", before.known);
    // The second line is where the first has been.
    let gate = judge(&moved([5, 10], [8, 4]), std::slice::from_ref(&before)).unwrap();
    assert_eq!(gate.numbers, Numbers { unchanged: 2, ..Numbers::default() }, "{gate:#?}");
    let gate = judge(&moved([5, 10], [4, 8]), std::slice::from_ref(&before)).unwrap();
    assert_eq!((gate.numbers.grown, gate.numbers.unchanged), (1, 1), "{gate:#?}");
    let grown = failing(&gate)[0];
    assert_eq!(grown.call.as_ref().unwrap().call_site.as_ref().unwrap().line, 10);
}

#[test]
fn calls_are_counted_exactly_and_what_repetitions_differ_in_is_not_judged() {
    let run = |sends: usize| {
        let ops = |call: &str, of: &str| {
            (0..sends).map(|at| format!("{0}..{0} {call} {of}; ", 2 + at)).collect::<String>()
        };
        of_text(&format!(
            "0: 0..1 MPI_Init; {}30..31 MPI_Finalize\n1: 0..1 MPI_Init; {}30..31 MPI_Finalize",
            ops("MPI_Send", "send 1"),
            ops("MPI_Recv", "recv 0")
        ))
    };
    let gate = judge(&run(3), &[run(2)]).unwrap();
    let numbers: Vec<(&str, [u64; 2])> = gate.calls.iter().map(|of| (&of.call[..], of.visits)).collect();
    assert_eq!(numbers, [("MPI_Recv", [2, 3]), ("MPI_Send", [2, 3])]);
    assert!(gate.calls.iter().all(JudgedCalls::are_more));
    assert_eq!((gate.numbers.more_calls, gate.is_passed()), (2, false));
    let fewer = judge(&run(2), &[run(3)]).unwrap();
    assert_eq!((fewer.numbers.more_calls, fewer.calls.len(), fewer.is_passed()), (0, 2, true));
    let by_chance = judge(&run(9), &[run(2), run(3)]).unwrap();
    assert!(by_chance.is_passed() && by_chance.calls.is_empty());
    assert!(by_chance.not_judged.iter().any(|note| note.contains("MPI_Recv, MPI_Send")), "{by_chance:#?}");
}

/// A run of 4 locations for 25 s each with a problem of so many seconds.
fn of_problem(seconds: f64, may_be_of_machine: bool) -> Explanation {
    let mut run = Explanation { locations: 4, trace: "made".to_owned(), ..Explanation::default() };
    run.basis.location_seconds = 100.0;
    let waits = vec![KnownWait { seconds, ..KnownWait::default() }];
    let causes = vec![CauseKind::LateArrival];
    run.known = vec![KnownProblem { causes, seconds, may_be_of_machine, waits, ..KnownProblem::default() }];
    run
}

#[test]
fn seconds_of_the_machine_let_no_gate_fail() {
    let before = of_problem(0.0, false);
    let state = |run: &Explanation, before: &Explanation| {
        let gate = judge(run, std::slice::from_ref(before)).unwrap();
        (gate.problems[0].state, gate.machine.b, gate.not_judged.join(" "))
    };
    assert_eq!(state(&of_problem(5.0, false), &before).0, ProblemState::New);
    let (of_machine, share, said) = state(&of_problem(40.0, true), &before);
    assert_eq!(of_machine, ProblemState::NotJudged);
    assert_close(share, 0.4, "the share of the machine");
    assert!(said.contains("lacked processors for 40.0 %"), "{said}");
    // Where processors are shared, few seconds are noise.
    let shared = |mut run: Explanation| {
        let shared = SharedProcessors { host: "h".to_owned(), locations: 4, processors: 2 };
        run.machine = Machine { shared: vec![shared], ..Machine::default() };
        run
    };
    assert_eq!(state(&shared(of_problem(5.0, false)), &before).0, ProblemState::NotJudged);
    assert_eq!(state(&shared(of_problem(10.0, false)), &before).0, ProblemState::New);
    // The machine has taken a fifth: a quarter of that may be left in problems, and in an earlier run it may all hide one.
    let with_lack = |mut run: Explanation| {
        run.division.not_running = 20.0;
        run
    };
    assert_eq!(state(&with_lack(of_problem(5.0, false)), &before).0, ProblemState::NotJudged);
    assert_eq!(state(&with_lack(of_problem(8.0, false)), &before).0, ProblemState::New);
    assert_eq!(state(&of_problem(15.0, false), &with_lack(before.clone())).0, ProblemState::NotJudged);
    assert_eq!(state(&of_problem(25.0, false), &with_lack(before.clone())).0, ProblemState::New);
    // What was lost as without a processor is not new as a problem.
    assert_eq!(state(&of_problem(40.0, false), &of_problem(40.0, true)).0, ProblemState::Unchanged);
}

#[test]
fn a_gate_repeats_what_is_not_known_and_no_remark() {
    let mut run = of_problem(5.0, false);
    run.add_note(NoteKind::Remark, "This is not known to be a limit.".to_owned());
    run.add_note(NoteKind::NotKnown, "Who is late cannot be said.".to_owned());
    let notes = judge(&run, &[of_problem(5.0, false), of_problem(5.0, false)]).unwrap().not_judged;
    assert_eq!(notes, ["made: Who is late cannot be said."]);
}

#[test]
fn only_runs_of_one_size_are_judged() {
    let run = of_problem(5.0, false);
    let other = Explanation { locations: 8, ..run.clone() };
    assert!(matches!(judge(&run, &[other]), Err(GateError::OtherSize { before: 8, now: 4, .. })));
    let old = Explanation { locations: 0, ..run.clone() };
    assert!(matches!(judge(&run, &[old]), Err(GateError::Old { .. })));
}
