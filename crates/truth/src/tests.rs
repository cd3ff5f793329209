use ats_model::witness::{Clock, ClockOffset, Construct, Span};
use ats_props::Catalogue;

use super::*;

fn subject(name: &str) -> Subject {
    let program = Catalogue::builtin().program(name).unwrap();
    Subject::Property { program, arguments: program.property.arguments([("r", "3")]).unwrap() }
}

fn truth(name: &str, ranks: usize) -> Truth {
    nominal(&subject(name), Size::ranks(ranks), &TruthOptions::default()).unwrap()
}

#[test]
fn late_sender_is_as_the_catalogue_says() {
    let truth = truth("late_sender", 5);
    let [finding] = &truth.findings[..] else { panic!("{:?}", truth.findings) };
    assert_eq!(finding.property, Some(WaitState::LateSender));
    assert_eq!(finding.call_path, ["late_sender", "mpi_commpattern_sendrecv", "MPI_Recv"]);
    assert!((finding.waiting_time - 2.0 * 3.0 * 0.05).abs() < 1e-9);
    assert!((truth.basis.wall_time - 3.0 * 0.06).abs() < 1e-9);
    assert!((finding.severity - 2.0 / 5.0 * 0.05 / 0.06).abs() < 1e-9);
    assert_eq!(finding.locations.iter().map(|share| share.rank).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(finding.instances, 6);
    assert_eq!(truth.counts["MPI_Ssend"].moved.messages_sent, 6);
    assert!(truth.absent.contains(&WaitState::LateReceiver));
    assert!(truth.ambient.is_empty(), "no skew is left: {:?}", truth.ambient);
}

#[test]
fn skew_is_left_and_shows_at_finalize() {
    let truth = truth("right_order", 4);
    let skew: Vec<i64> = truth.skew_left.iter().map(|skew| (skew * 1000.0).round() as i64).collect();
    assert_eq!(skew, [0, 20, 10, 0]);
    let [finalize] = &truth.ambient[..] else { panic!("{:?}", truth.ambient) };
    assert_eq!(finalize.property, Some(WaitState::WaitAtFinalize));
    assert!((finalize.waiting_time - 0.03).abs() < 1e-9);
}

#[test]
fn too_few_ranks_are_an_error() {
    let error = nominal(&subject("wrong_order"), Size::ranks(2), &TruthOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "wrong_order needs at least 3 ranks, 2 given; use --np 3 or more");
}

/// Witnesses of a run that is exactly nominal, but in which rank i is late by `skew[i]` ms in every repetition, and
/// whose clocks are off by `offset[i]` ns.
fn late_sender_witnesses(skew: [u64; 2], offset: [i64; 2]) -> Vec<Witness> {
    let parameters = subject("late_sender").parameters();
    let ms = 1_000_000;
    let mut start = 1_000 * ms;
    let mut calls: [Vec<(&str, u64, u64)>; 2] = Default::default();
    for _ in 0..3 {
        let (send, receive) = (start + (60 + skew[0]) * ms, start + (10 + skew[1]) * ms);
        let end = send.max(receive);
        calls[0].push(("MPI_Ssend", send, end));
        calls[1].push(("MPI_Recv", receive, end));
        start = end;
    }
    let witness = |rank: usize| {
        let own = |ns: u64| (ns as i64 - offset[rank]) as u64;
        let span = |enter, leave| Span { enter_ns: own(enter), leave_ns: own(leave) };
        let clock = ClockOffset { at_ns: own(0), offset_ns: offset[rank] };
        let construct = |&(name, enter, leave): &(&str, u64, u64)| Construct {
            name: name.to_owned(),
            span: span(enter, leave),
            times: 1,
        };
        Witness {
            schema: Witness::SCHEMA.to_owned(),
            program: "late_sender".to_owned(),
            parameters: parameters.clone(),
            rank: rank as u32,
            ranks: 2,
            clock: Clock { start: clock, end: clock },
            measured: span(1_000 * ms, start),
            constructs: calls[rank].iter().map(construct).collect(),
            work: Vec::new(),
            choices: Vec::new(),
            begins_ns: Vec::new(),
            regions: Vec::new(),
            threads: Vec::new(),
            eager_held: None,
            eager_limit: None,
            environment: BTreeMap::new(),
        }
    };
    vec![witness(1), witness(0)]
}

fn observed_waits(witnesses: &[Witness]) -> Vec<(Option<WaitState>, f64)> {
    let truth = observed(&subject("late_sender"), Size::ranks(2), witnesses).unwrap();
    truth
        .findings
        .iter()
        .map(|finding| (finding.property, (finding.waiting_time * 1e6).round() / 1e6))
        .collect()
}

#[test]
fn an_exact_run_shows_the_nominal_truth() {
    assert_eq!(observed_waits(&late_sender_witnesses([0, 0], [0, 0])), [(Some(WaitState::LateSender), 0.15)]);
}

#[test]
fn an_artificial_skew_is_observed() {
    assert_eq!(
        observed_waits(&late_sender_witnesses([20, 5], [0, 0])),
        [(Some(WaitState::LateSender), 0.195)]
    );
    assert_eq!(
        observed_waits(&late_sender_witnesses([0, 60], [0, 0])),
        [(Some(WaitState::LateReceiver), 0.03)]
    );
}

#[test]
fn clocks_are_aligned_first() {
    let offset = [0, -7_000_000_000];
    assert_eq!(
        observed_waits(&late_sender_witnesses([20, 5], offset)),
        [(Some(WaitState::LateSender), 0.195)]
    );
}

/// Senders wait if a library does not send the property's messages eagerly.
#[test]
fn eager_messages_that_are_not_sent_so_promise_late_receivers() {
    let promised = |eager_held| {
        let mut witnesses = late_sender_witnesses([0, 0], [0, 0]);
        witnesses.iter_mut().for_each(|witness| witness.eager_held = Some(eager_held));
        promised(&subject("late_receiver_eager"), Size::ranks(2), &witnesses, None).unwrap()
    };
    let without = promised(false).unwrap();
    let found: Vec<_> = without.findings.iter().map(|one| (one.property, one.waiting_time)).collect();
    assert_eq!(found, [(Some(WaitState::LateReceiver), 0.15)]);
    assert_eq!(without.network.as_deref(), Some("eager=0"));
    assert!(promised(true).is_none());
}

#[test]
fn witnesses_of_something_else_are_refused() {
    let message = |witnesses: &[Witness]| {
        observed(&subject("late_sender"), Size::ranks(2), witnesses).unwrap_err().to_string()
    };
    let whole = late_sender_witnesses([0, 0], [0, 0]);
    assert!(message(&whole[..1]).contains("rank 1 of 2 is there, where rank 0 of 2 ranks is due"));
    assert!(message(&[]).contains("there are 0, where 2 ranks were to run"));
    let mut other = whole.clone();
    other[0].program = "late_receiver".to_owned();
    assert!(message(&other).contains("rank 1 ran late_receiver"));
    let mut other = whole.clone();
    other[0].constructs[1].name = "MPI_Barrier".to_owned();
    assert!(message(&other).contains("its call 1 is MPI_Barrier, where the program makes MPI_Recv"));
    let mut other = whole.clone();
    other[1].constructs.pop();
    assert!(message(&other).contains("it ends after 2 calls"));
    let mut other = whole;
    let extra = other[1].constructs[0].clone();
    other[1].constructs.push(extra);
    assert!(message(&other).contains("it has 4 calls, the program makes 3"));
}

#[test]
fn waiting_for_ones_turn_may_be_called_a_locks() {
    let subject = subject("unparallelized_in_ordered_loop");
    let size = Size::defaults(subject.needs())[0];
    let truth = nominal(&subject, size, &TruthOptions::default()).unwrap();
    let blocked: Vec<_> = truth.findings.iter().filter(|finding| finding.property.is_none()).collect();
    let [turn] = &blocked[..] else { panic!("{blocked:?}") };
    assert_eq!(turn.call_path.last().map(String::as_str), Some("!$omp ordered"));
    assert_eq!(turn.accept, ["omp_lock_contention_api", "omp_lock_api", "omp_synchronization", "omp_time"]);
}

#[test]
fn a_run_that_is_longer_than_the_clock_has_no_truth_and_no_trace() {
    for (name, given) in [
        ("imbalance_at_mpi_barrier", [("distribution", "block2:1h:2h"), ("r", "5000")]),
        ("late_sender", [("extrawork", "1e7"), ("r", "10")]),
        ("late_sender", [("extrawork", "1e10"), ("r", "1")]),
        ("late_sender", [("extrawork", "1e308"), ("basework", "1e308")]),
        ("imbalance_at_omp_barrier", [("distribution", "same:1e308"), ("r", "1")]),
    ] {
        let program = Catalogue::builtin().program(name).unwrap();
        let subject = Subject::Property { program, arguments: program.property.arguments(given).unwrap() };
        let size = Size::defaults(subject.needs())[0];
        let nominal = nominal(&subject, size, &TruthOptions::default()).map(drop);
        let trace = crate::ideal_trace::in_memory(&subject, size, &TruthOptions::default()).map(drop);
        for error in [nominal.unwrap_err(), trace.unwrap_err()] {
            let text = error.to_string();
            let begin = format!("{name} on {size} in virtual time: rank ");
            assert!(text.starts_with(&begin) && text.contains(" is beyond the 213 days"), "{text}");
        }
    }
}

#[test]
fn seconds_of_many_ranks_add_up_beyond_what_one_clock_can_tell() {
    let program = Catalogue::builtin().program("late_sender").unwrap();
    let given = [("extrawork", "1.8e7"), ("basework", "0"), ("r", "1")];
    let subject = Subject::Property { program, arguments: program.property.arguments(given).unwrap() };
    let truth = nominal(&subject, Size::ranks(64), &TruthOptions::default()).unwrap();
    assert!((truth.findings[0].waiting_time - 32.0 * 1.8e7).abs() < 1e-3);
}

#[test]
fn a_property_has_the_network_that_it_depends_on_unless_another_is_given() {
    let subject = subject("no_overlap_nonblocking_collective");
    let of = |words: &str| {
        let network = if words.is_empty() { Network::default() } else { network(words).unwrap() };
        nominal(&subject, Size::ranks(4), &TruthOptions { network, ..TruthOptions::default() }).unwrap()
    };
    let ratio =
        |truth: &Truth| truth.findings.iter().map(|finding| finding.ratio.unwrap()).collect::<Vec<_>>();
    let own = of("");
    assert_eq!(own.network.as_deref(), Some("bandwidth=100000000B/s,progress=calls"));
    assert_eq!(ratio(&own), [1.0]);
    // Three times two operations of two rounds, and 20 ms before or while each.
    let operation = |bandwidth| 2.0 * f64::from(1 << 20) / bandwidth;
    let seconds = |bandwidth| 3.0 * 2.0 * (0.02 + operation(bandwidth));
    assert!((own.basis.wall_time - seconds(1e8)).abs() < 1e-9);
    assert!((of("bandwidth=2GB/s").basis.wall_time - seconds(2e9)).abs() < 1e-9);
    let hidden = of("progress=always");
    assert_eq!(hidden.network.as_deref(), Some("bandwidth=100000000B/s,progress=always"));
    for (truth, bandwidth) in [(hidden, 1e8), (of("progress=always,bandwidth=1GB/s"), 1e9)] {
        let (work, operation) = (0.02, operation(bandwidth));
        let [ratio] = ratio(&truth)[..] else { panic!("{truth:?}") };
        assert!((ratio - f64::max(work, operation) / (work + operation)).abs() < 1e-9);
    }
}

#[test]
fn ranks_on_one_processor_work_one_after_the_other() {
    // Ranks 0 and 1 work 3 ms, ranks 2 and 3 18 ms, ten times.
    let subject = subject("imbalance_at_mpi_barrier");
    let of = |words: &str| {
        let options =
            TruthOptions { processors: Some(processors(words).unwrap()), ..TruthOptions::default() };
        nominal(&subject, Size::ranks(4), &options).unwrap()
    };
    for (words, waits) in [
        ("4", [15, 15, 0, 0]),
        // Rank 2 begins when rank 1 has finished.
        ("0,1,1,2", [18, 18, 0, 3]),
        ("2", [18, 18, 0, 0]),
        ("1", [39, 36, 18, 0]),
    ] {
        let truth = of(words);
        assert_eq!(truth.processors.as_deref(), Some(words));
        let mut seconds = [0.0; 4];
        truth.findings[0].locations.iter().for_each(|of| seconds[of.rank as usize] = of.waiting_time);
        let expected = waits.map(|ms| f64::from(ms) / 100.0);
        assert!(seconds.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{words}: {seconds:?}");
    }
}
