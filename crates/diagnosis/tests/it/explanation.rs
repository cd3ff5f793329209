//! Explanations of programs in virtual time, and of small traces.

use std::sync::Arc;

use ats_analyzer::Options;
use ats_compose::{Composition, Subject};
use ats_diagnosis::{Limits, explain_trace};
use ats_documents::Explanation;
use ats_documents::explanation::{CauseKind, Problem, SourceLine};
use ats_model::affinity::Affinity;
use ats_model::definitions::CallingContext;
use ats_model::event::RegionRef;
use ats_model::source::InMemory;
use ats_props::Catalogue;
use ats_truth::{Planned, Size, TruthOptions, ideal_trace, network, processors};

use crate::common::{OfRecorder, planned};

const LIMITS: Limits = Limits { required: None, above: 0.01, most: 5 };

fn explained(trace: &InMemory, limits: Limits) -> Explanation {
    explain_trace(trace, "test", &Options::default(), limits, &mut |_| {}).unwrap().explanation
}

fn of_program(planned: &Planned) -> Explanation {
    let options = TruthOptions::default();
    explained(&ideal_trace::in_memory(&planned.subject, planned.size, &options).unwrap(), LIMITS)
}

fn of_text(text: &str) -> Explanation {
    explained(&ats_analyzer::notation::parse(text).unwrap(), LIMITS)
}

/// A trace of so many ranks with these operations.
fn ranks(number: u32, operations: impl Fn(u32) -> String) -> String {
    let line = |rank| format!("{rank}: {}", operations(rank).trim_end_matches("; "));
    (0..number).map(line).collect::<Vec<_>>().join("\n")
}

/// The operations of all steps.
fn joined<T>(steps: impl IntoIterator<Item = T>, operations: impl Fn(T) -> String) -> String {
    steps.into_iter().map(operations).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn assert_begins(text: &str, words: &str) {
    assert!(text.starts_with(words), "{text}, and not {words}");
}

/// The cause of the first problem, and the ranks of its main culprits.
fn first(explanation: &Explanation) -> (CauseKind, Vec<u32>) {
    let Some(problem) = explanation.problems.first() else { return (CauseKind::Unknown, Vec::new()) };
    let most = problem.culprits.first().map_or(0.0, |worst| worst.seconds);
    let culprits = problem.culprits.iter().filter(|culprit| culprit.seconds >= most * 0.99);
    let mut ranks: Vec<u32> = culprits.map(|culprit| culprit.location.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    (problem.cause(), ranks)
}

#[test]
fn messages_that_look_alike_have_different_causes() {
    // All but the first two of each pair show late senders that wait for rank 0.
    for (program, cause) in [
        ("lack_of_parallelism_p2p", CauseKind::LackOfParallelism),
        ("late_broadcast", CauseKind::LackOfParallelism),
        ("multiple_output", CauseKind::MultipleOutput),
        ("blocked_sender", CauseKind::BlockedSender),
        ("late_sender_propagation", CauseKind::UnevenWork),
        ("intensive_server", CauseKind::BusyMaster),
    ] {
        for ranks in [4, 8, 16, 64] {
            assert_eq!(
                first(&of_program(&planned(program, &[], ranks, 1))),
                (cause, vec![0]),
                "{program} {ranks}"
            );
        }
    }
}

/// A program in virtual time, with its ranks on these processors.
fn on_processors(program: &str, arguments: &[&str], ranks: usize, words: &str) -> Explanation {
    let planned = planned(program, arguments, ranks, 1);
    let processors = Some(processors(words).unwrap());
    let options = TruthOptions { processors, ..TruthOptions::default() };
    explained(&ideal_trace::in_memory(&planned.subject, planned.size, &options).unwrap(), LIMITS)
}

/// Kappa-PI's figure 5: others wait for the last of several ranks that share a processor.
#[test]
fn ranks_on_one_processor_are_a_problem_of_the_mapping() {
    let causes = |program, ranks, words: &str| first(&on_processors(program, &[], ranks, words));
    for ranks in [4, 6, 16, 64] {
        // All but the first and the last rank on one processor.
        let shared = format!("0,{}2", "1,".repeat(ranks - 2));
        let root = format!("root={}", ranks - 2);
        for (balanced, arguments) in
            [("late_broadcast_balanced", &[root.as_str()][..]), ("imbalance_at_mpi_barrier_balanced", &[])]
        {
            let on_processors = |words: &str| on_processors(balanced, arguments, ranks, words);
            let explanation = on_processors(&shared);
            let culprits = vec![ranks as u32 - 2];
            assert_eq!(first(&explanation), (CauseKind::Mapping, culprits), "{balanced} {ranks}");
            let moved = format!("Move some of them to the processors of ranks 0,{}", ranks - 1);
            assert!(explanation.problems[0].text.contains(&moved), "{:?}", explanation.problems[0]);
            // No processor is idle.
            let full = on_processors("2");
            assert_eq!(first(&full).0, CauseKind::Mapping);
            let few = "Start one rank for each processor";
            assert!(full.problems[0].text.contains(few), "{:?}", full.problems[0]);
            assert!(on_processors(&ranks.to_string()).problems.is_empty());
        }
        // The same timeline with other causes, on processors that are named, and on such that others share.
        let own = ranks.to_string();
        assert_eq!(causes("imbalance_at_mpi_barrier", ranks, &own).0, CauseKind::LateArrival);
        assert_eq!(causes("intensive_server", ranks, &own), (CauseKind::BusyMaster, vec![0]));
        let beside = format!("0{}", ",1,2".repeat(ranks / 2));
        assert_eq!(
            causes("lack_of_parallelism_p2p", ranks, &beside),
            (CauseKind::LackOfParallelism, vec![0])
        );
    }
}

#[test]
fn causes_of_processes() {
    for (program, cause) in [
        ("slow_slaves", CauseKind::BusyWorkers),
        ("serialized_chain", CauseKind::BlockedSender),
        ("late_sender", CauseKind::UnevenWork),
        ("late_sender_nonblocking", CauseKind::UnevenWork),
        ("early_reduce", CauseKind::UnevenWork),
        ("late_receiver", CauseKind::LateReceiver),
        ("late_reduce_root", CauseKind::LateReceiver),
        ("ping_pong", CauseKind::Turns),
        ("imbalance_at_mpi_barrier", CauseKind::LateArrival),
        ("imbalance_at_mpi_allreduce", CauseKind::LateArrival),
        ("imbalance_at_iallreduce", CauseKind::LateArrival),
        ("imbalance_at_comm_dup", CauseKind::LateArrival),
        ("serialized_output", CauseKind::LackOfParallelism),
        ("rendezvous_without_progress", CauseKind::LateProgress),
        ("nxn_completion", CauseKind::SlowCommunication),
    ] {
        for ranks in [4, 8, 64] {
            assert_eq!(first(&of_program(&planned(program, &[], ranks, 1))).0, cause, "{program} {ranks}");
        }
    }
}

#[test]
fn the_order_of_receives_is_a_cause_only_where_it_is_wrong() {
    for ranks in [4, 8, 64] {
        let of = |program| of_program(&planned(program, &[], ranks, 1)).problems;
        let of_order = |problem: &Problem| problem.cause() == CauseKind::WrongOrder;
        let wrong: Vec<Problem> = of("wrong_order").into_iter().filter(of_order).collect();
        assert_eq!(wrong.len(), 1, "{ranks}");
        assert_eq!((wrong[0].culprits.len(), wrong[0].culprits[0].location.rank), (1, 0));
        assert!(!of("right_order").iter().any(of_order));
    }
}

#[test]
fn causes_of_threads() {
    for (program, cause) in [
        ("idle_threads_sequential_part", CauseKind::SerialPart),
        ("limited_parallelism", CauseKind::FewThreads),
        ("imbalance_in_omp_loop", CauseKind::UnevenTeam),
        ("imbalance_at_omp_barrier", CauseKind::UnevenTeam),
        ("fewer_tasks_than_threads", CauseKind::FewPieces),
        ("imbalance_due_to_not_enough_sections", CauseKind::FewPieces),
        ("unparallelized_in_single_region", CauseKind::OneThread),
        ("unparallelized_in_master_region", CauseKind::OneThread),
        ("critical_section_contention", CauseKind::Contention),
        ("all_threads_lock_contention", CauseKind::Contention),
    ] {
        for threads in [4, 8, 16] {
            assert_eq!(
                first(&of_program(&planned(program, &[], 1, threads))).0,
                cause,
                "{program} {threads}"
            );
        }
    }
}

/// Thread 0 works and creates tasks in a single until the second `single`; four threads execute them in the barrier at its
/// end, each from a second on for some seconds.
fn of_tasks(single: u64, tasks: [&[(u64, u64)]; 4]) -> Problem {
    of_text(&text_of_tasks(single, tasks)).problems.into_iter().next().unwrap_or_default()
}

fn text_of_tasks(single: u64, tasks: [&[(u64, u64)]; 4]) -> String {
    let mut text = "team t 0 0.1 0.2 0.3\n".to_owned();
    let end = tasks.iter().filter_map(|of| of.last()).map(|(begin, length)| begin + length).max().unwrap();
    let number: usize = tasks.iter().map(|of| of.len()).sum();
    let mut next = 0;
    for (thread, tasks) in tasks.into_iter().enumerate() {
        match thread {
            0 => text += "0: 0 fork; 0 begin t; 0 enter $parallel; 0 enter $single-sblock",
            _ => text += &format!("0.{thread}: 0 begin t; 0 enter $parallel; 0 enter $implicit-barrier"),
        }
        if thread == 0 {
            (0..number).for_each(|_| text += "; 0..0 $create-task");
            text += &format!("; {single} leave; {single} enter $implicit-barrier");
        }
        for (begin, length) in tasks {
            next += 1;
            let done = begin + length;
            text += &format!(
                "; {begin} switch {next}; {begin}..{done} $task; {done} complete {next}; {done} switch 0"
            );
        }
        text += &format!("; {end} leave; {end} leave; {end} end t");
        text += &if thread == 0 { format!("; {end} join\n") } else { "\n".to_owned() };
    }
    text
}

/// The explanation of ranks that share so many processors.
fn on_shared(text: &str, processors: u32) -> Explanation {
    let mut trace = ats_analyzer::notation::parse(text).unwrap();
    share(&mut trace, processors);
    explained(&trace, LIMITS)
}

/// Gives so many processors to all ranks of a trace.
fn share(trace: &mut InMemory, processors: u32) {
    let affinity = Affinity { host: "node".into(), processors: (0..processors).collect() };
    let ranks = trace.definitions.locations.iter().map(|of| of.rank);
    trace.definitions.affinities = ranks.map(|rank| (rank, affinity.clone())).collect();
}

#[test]
fn lateness_of_a_busy_machine_is_no_problem() {
    // In each step one of four ranks comes later than the others, and one leaves the barrier before the others do.
    let steps = |late: u32, is_late: fn(u32, u32) -> bool| {
        let step = |rank: u32, at: u32| {
            let begin = 40 * at;
            let come = begin + 10 + if is_late(rank, at) { late } else { 0 };
            let left = begin + if at % 4 == rank { 30 } else { 34 };
            format!("{begin}..{come} solve; {come}..{left} MPI_Barrier barrier")
        };
        ranks(4, |rank| joined(0..8, |at| step(rank, at)))
    };
    let problems = |text: &str, processors| on_shared(text, processors).problems.len();
    let in_turn: fn(u32, u32) -> bool = |rank, at| at % 4 == rank;
    let the_same: fn(u32, u32) -> bool = |rank, _| rank == 0;
    for (late, is_late) in [(1, in_turn), (1, the_same)] {
        let text = steps(late, is_late);
        assert_eq!((problems(&text, 2), problems(&text, 4) > 0), (0, true), "{text}");
    }
    // That is more than the 96 s of late leaves tell.
    assert_eq!((problems(&steps(9, in_turn), 2), problems(&steps(7, the_same), 2)), (1, 1));
}

#[test]
fn few_tasks_stay_few_on_a_busy_machine() {
    // A task that did not run for a while, and threads that left the barrier late.
    let long: [&[(u64, u64)]; 4] = [&[(0, 30), (30, 90)], &[(0, 30)], &[(0, 30)], &[(0, 30)]];
    let late: [&[(u64, u64)]; 4] = [&[(0, 30), (80, 30)], &[(0, 30)], &[(0, 30)], &[(0, 30)]];
    for (tasks, cause) in [(long, CauseKind::LargeTask), (late, CauseKind::Unknown)] {
        let text = text_of_tasks(0, tasks);
        let cause_on = |processors| on_shared(&text, processors).problems[0].cause();
        assert_eq!((cause_on(2), cause_on(4)), (CauseKind::FewPieces, cause), "{text}");
    }
}

#[test]
fn tasks_are_too_few_or_one_is_too_large() {
    let few = of_tasks(0, [&[(0, 60), (60, 60)], &[(0, 60)], &[(0, 60)], &[(0, 60)]]);
    assert_eq!((few.cause(), few.seconds), (CauseKind::FewPieces, 180.0), "{few:?}");
    assert_begins(&few.text, "5 tasks of `!$omp task`, of 60.0 s each, are few for 4 threads.");
    assert!(few.text.contains("Threads 1-3 are without a task in `!$omp implicit barrier`: 180 s of 480 s."));
    assert!(few.text.contains("more and smaller tasks"));
    let large = of_tasks(0, [&[(0, 5), (5, 90)], &[(0, 5), (5, 5)], &[(0, 5), (5, 5)], &[(0, 5)]]);
    assert_eq!(large.cause(), CauseKind::LargeTask, "{large:?}");
    assert!(large.text.starts_with("The longest of 7 tasks of `!$omp task` takes 90.0 s"), "{large:?}");
    // No task is as long as the others find none: each needs the one before it.
    let chain: Vec<(u64, u64)> = (0..20).map(|task| (task * 5, 5)).collect();
    let chain = of_tasks(0, [&chain, &[], &[], &[]]);
    assert_eq!(chain.cause(), CauseKind::Unknown, "{chain:?}");
    assert!(chain.text.contains("tasks that they depend on") && !chain.text.contains("smaller"), "{chain:?}");
}

/// Threads wait for the one that creates small tasks, and find none at the barrier: both is over with larger ones.
#[test]
fn small_tasks_are_one_problem() {
    let small = of_tasks(60, [&[(60, 0)], &[(70, 0)], &[], &[]]);
    assert_eq!((small.cause(), small.seconds), (CauseKind::SmallTasks, 220.0), "{small:?}");
    let words = "Threads 0-3 wait, or are without a task, in `!$omp implicit barrier`: 220 s of 280 s.";
    assert!(small.text.contains(words), "{small:?}");
}

#[test]
fn a_thread_that_creates_tasks_too_slowly_is_not_one_that_works_before_it_creates_them() {
    let every = |first: u64, step: u64, length| (0..10).map(move |task| (first + task * step, length));
    let meanwhile: Vec<Vec<_>> = (0..3).map(|thread| every(thread, 6, 4).collect()).collect();
    let slowly = of_tasks(70, [&[], &meanwhile[0], &meanwhile[1], &meanwhile[2]]);
    assert_eq!(slowly.cause(), CauseKind::TaskCreation, "{slowly:?}");
    let words =
        "Thread 0 alone creates 30 tasks in `!$omp single sblock`, one each 2.33 s, and each takes 4.00 s";
    assert!(slowly.text.starts_with(words), "{slowly:?}");
    let after: Vec<_> = every(70, 4, 4).collect();
    let late = of_tasks(70, [&after, &after, &after, &after]);
    assert_eq!(late.cause(), CauseKind::OneThread, "{late:?}");
    assert!(!late.text.contains("smaller"), "{late:?}");
}

#[test]
fn threads_that_wait_for_another_process_are_part_of_its_problem() {
    let explanation = of_program(&planned("process_imbalance_only", &[], 4, 4));
    assert_eq!(first(&explanation), (CauseKind::LateArrival, vec![2]));
    assert_eq!(explanation.omitted.problems, 0);
    let [problem] = &explanation.problems[..] else { panic!("{:?}", explanation.problems) };
    let states: Vec<&str> = problem.effects.iter().map(|effect| effect.property.name()).collect();
    assert_eq!(states, ["idle_threads", "wait_at_barrier"]);
}

/// A program in virtual time on a network.
fn on_network(program: &str, words: &str) -> Explanation {
    let planned = planned(program, &[], 4, 1);
    let options = TruthOptions { network: network(words).unwrap(), ..TruthOptions::default() };
    explained(&ideal_trace::in_memory(&planned.subject, planned.size, &options).unwrap(), LIMITS)
}

#[test]
fn small_messages_are_a_problem_and_the_same_bytes_in_one_are_none() {
    let slow = "latency=200us,overhead=100us,bandwidth=1GB/s";
    let small = on_network("small_messages", slow);
    assert_eq!(first(&small).0, CauseKind::SmallMessages);
    let [problem] = &small.problems[..] else { panic!("{:?}", small.problems) };
    assert!((problem.seconds - small.transfers[0].seconds).abs() < 1e-12);
    assert!((small.division.transfer - problem.seconds).abs() < 1e-9, "{small:?}");
    assert!(on_network("small_messages_balanced", slow).problems.is_empty());
    // They take as long, but not because of their number.
    let big = on_network("big_message", slow);
    assert!(big.problems.is_empty(), "{:?}", big.problems);
    assert_eq!((big.transfers[0].number, big.transfers[0].bytes), (80, 80 << 20));
    assert!(big.transfers[0].share > 0.04, "{:?}", big.transfers);
}

#[test]
fn a_barrier_sends_no_less() {
    let explanation = of_text(
        "0: 0..4 work; 4..20 MPI_Barrier barrier; 20..21 work
         1: 0..4 work; 4..9 MPI_Barrier barrier; 9..21 work",
    );
    let completion = explanation.problems.iter().find(|of| of.cause() == CauseKind::SlowCommunication);
    let advice = &completion.expect("a slow barrier").causes[0].advice;
    assert!(advice.starts_with("It sends no data"), "{advice}");
}

/// Ten messages from rank 0 to 1, and as many from 2 to 3: the first `slow` of these take 2000 s, all others 500 s.
fn pairs(slow: usize) -> Explanation {
    explained(&trace_of_pairs(slow), LIMITS)
}

fn trace_of_pairs(slow: usize) -> InMemory {
    let calls = ["MPI_Ssend send 1", "MPI_Recv recv 0", "MPI_Ssend send 3", "MPI_Recv recv 2"];
    let call = |rank: u32, at: usize| {
        let is_slow = rank > 1 && at < slow;
        let (begin, end) = (at * 3_000, at * 3_000 + if is_slow { 2_000 } else { 500 });
        format!("{begin}..{end} {} bytes 20000; {end}..{} work", calls[rank as usize], begin + 3_000)
    };
    ats_analyzer::notation::parse(&ranks(4, |rank| joined(0..10, |at| call(rank, at)))).unwrap()
}

#[test]
fn messages_that_take_longer_than_others_of_their_size_are_slow() {
    assert!(pairs(0).problems.is_empty());
    let far = pairs(10);
    assert_eq!(first(&far), (CauseKind::SlowCommunication, vec![3]));
    assert!((far.problems[0].seconds - 15_000.0).abs() < 1e-6, "{:?}", far.problems);
    assert_eq!(
        far.problems[0].text,
        "Messages from rank 2 to rank 3 take longer than others of their size: 10 of 10 take 2000 s instead of 500 s in \
         `MPI_Recv`. Place rank 2 and rank 3 close to each other, or send less between them."
    );
    let at_times = &pairs(3).problems[0];
    assert!((at_times.seconds - 4_500.0).abs() < 1e-6, "{at_times:?}");
    assert_eq!(
        at_times.causes[0].advice,
        "Send at other times: messages that share a link slow each other down."
    );
}

#[test]
fn locations_that_share_processors_get_no_advice_on_the_network() {
    let on = |processors: u32| {
        let mut trace = trace_of_pairs(10);
        let affinity = Affinity { host: "node".into(), processors: (0..processors).collect() };
        trace.definitions.affinities = (0..4).map(|rank| (rank, affinity.clone())).collect();
        explained(&trace, LIMITS)
    };
    let shared = on(2);
    assert_eq!((shared.machine.shared[0].locations, shared.machine.shared[0].processors), (4, 2));
    assert!(shared.problems.is_empty(), "{:?}", shared.problems);
    let enough = on(4);
    assert!(enough.machine.is_empty(), "{:?}", enough.machine);
    assert!(
        (shared.lacking_processors.seconds - enough.problems[0].seconds).abs() < 1e-9,
        "{}",
        shared.lacking_processors.seconds
    );
    assert_eq!(enough.lacking_processors.problems, 0);
    assert!(enough.problems[0].text.ends_with("send less between them."), "{}", enough.problems[0].text);
}

/// A call that only asks takes no time unless its rank does not run.
#[test]
fn a_rank_that_is_late_in_a_call_that_only_asks_did_not_run() {
    let text = "0: 0..8 MPI_Comm_size; 8..9 MPI_Barrier barrier
                1: 0..1 MPI_Comm_size; 1..9 MPI_Barrier barrier";
    let (shared, enough) = (on_shared(text, 1), on_shared(text, 2));
    assert!(shared.problems.is_empty() && shared.lacking_processors.seconds >= 7.0, "{shared:#?}");
    assert!(enough.problems[0].text.contains("because of `MPI_Comm_size`"), "{:?}", enough.problems);
}

#[test]
fn a_rank_without_its_processor_gets_no_advice_on_its_work() {
    let names = ["PROCESSOR_TIME", "INVOLUNTARY_SWITCHES", "VOLUNTARY_SWITCHES", "PAGE_FAULTS", "PROCESSOR"];
    let sample = |time: u32, values: [u32; 5]| {
        let value = |(name, value)| format!("{time} count ATS::{name} {value}; ");
        names.into_iter().zip(values).map(value).collect::<String>()
    };
    let of = |[ran, taken]: [u32; 2], of_others: u32| {
        let metrics: String = names.map(|name| format!("metric ATS::{name} accumulated\n")).concat();
        let [begin, end] = [sample(0, [0; 5]), sample(10, [ran, taken, 0, 0, 0])];
        let other = sample(4, [of_others, 100, 0, 0, 0]);
        of_text(&format!(
            "{metrics} 0: {begin} 0..10 work; {end} 10..10 MPI_Barrier barrier; 10..12 work
             1: {begin} 0..4 work; {other} 4..10 MPI_Barrier barrier; 10..12 work
             2: {begin} 0..4 work; {other} 4..10 MPI_Barrier barrier; 10..12 work"
        ))
    };
    let taken = of([4, 1500], 4);
    assert_eq!(first(&taken), (CauseKind::Mapping, vec![0]));
    let text = &taken.problems[0].text;
    assert_begins(text, "Rank 0 is late in `work`: it had no processor for 6.00 s of the run.");
    assert!(text.contains("a processor of its own") && !text.contains("Share the work"), "{text}");
    assert!(taken.machine.locations[0].lost_processor());
    assert_eq!(first(&of([10, 3], 4)), (CauseKind::LateArrival, vec![0]));
    assert_eq!(
        first(&of([6, 1500], 1)),
        (CauseKind::LateArrival, vec![0]),
        "all share processors, and it has more work"
    );
}

#[test]
fn a_send_that_waits_a_little_beyond_the_eager_limit_is_a_matter_of_it() {
    let sends = |bytes: u32, call: &str| {
        of_text(&format!(
            "0: 0..1 work; 1..2 {call} send 1 bytes 4096; 2..3 work; 3..9 {call} send 1 bytes {bytes}; 9..10 work
             1: 0..3 work; 3..4 MPI_Recv recv 0 bytes 4096; 4..8 work; 8..9 MPI_Recv recv 0 bytes {bytes}; 9..10 work"
        ))
    };
    let near = &sends(4097, "MPI_Send").problems[0];
    assert_eq!(near.cause(), CauseKind::EagerLimit);
    assert!(near.text.starts_with("Messages of 4097 bytes wait"), "{}", near.text);
    let causes = |of: &Explanation| of.problems[0].causes.iter().map(|fit| fit.cause).collect::<Vec<_>>();
    assert_eq!(causes(&sends(30_000, "MPI_Send")), [CauseKind::LateReceiver, CauseKind::EagerLimit]);
    assert_eq!(causes(&sends(300_000, "MPI_Send")), [CauseKind::LateReceiver]);
    assert_eq!(causes(&sends(4097, "MPI_Ssend")), [CauseKind::LateReceiver]);
}

#[test]
fn balanced_twins_get_no_advice() {
    let catalogue = Catalogue::builtin();
    for twin in catalogue.programs().filter(|program| program.balanced) {
        let needs = twin.property.needs;
        let (ranks, threads) = (if needs.ranks { 4 } else { 1 }, if needs.team { 4 } else { 1 });
        let explanation = of_program(&planned(twin.name(), &[], ranks, threads));
        assert!(explanation.problems.is_empty(), "{}: {:?}", twin.name(), explanation.problems);
    }
}

#[test]
fn an_efficiency_that_is_enough_ends_the_explanation() {
    let program = planned("late_sender", &[], 4, 1);
    let trace = ideal_trace::in_memory(&program.subject, program.size, &TruthOptions::default()).unwrap();
    let with = |required| explained(&trace, Limits { required: Some(required), ..LIMITS });
    assert!((with(0.5).efficiency - 14.0 / 24.0).abs() < 1e-9);
    assert_eq!((with(0.5).problems.len(), with(0.5).is_enough()), (0, true));
    assert_eq!((with(0.6).problems.len(), with(0.6).is_enough()), (1, false));
}

#[test]
fn calls_that_are_not_analyzed_leave_the_efficiency_open() {
    // Rank 0 is late at each fence, which nobody tells.
    let explanation = of_text(
        "0: 0..9 solve; 9..10 MPI_Win_fence; 10..19 solve; 19..20 MPI_Win_fence
         1: 0..4 solve; 4..10 MPI_Win_fence; 10..14 solve; 14..20 MPI_Win_fence",
    );
    let range = (explanation.least_efficiency(), explanation.efficiency);
    assert_eq!((explanation.lost, explanation.unknown, range), (0.0, 14.0, (26.0 / 40.0, 1.0)));
    assert!(explanation.may_hide_problems() && explanation.problems.is_empty());
    let enough = |required| Explanation { required: Some(required), ..explanation.clone() }.is_enough();
    assert_eq!((enough(0.65), enough(0.7)), (true, false), "what may be lost is not enough");
}

#[test]
fn the_text_names_ranks_region_and_seconds() {
    let explanation = of_text(
        "0: 0..9 solve; 9..10 MPI_Barrier barrier; 10..19 solve; 19..20 MPI_Barrier barrier
         1: 0..4 solve; 4..10 MPI_Barrier barrier; 10..14 solve; 14..20 MPI_Barrier barrier
         2: 0..4 solve; 4..10 MPI_Barrier barrier; 10..14 solve; 14..20 MPI_Barrier barrier",
    );
    assert_eq!(
        explanation.problems[0].text,
        "Rank 0 spends 5.00 s more in each of 2 calls of `solve`. Ranks 1,2 wait in `MPI_Barrier`: 20.0 s of 60.0 s. \
         Share the work evenly."
    );
    let intervals = explanation.problems[0].effects[0].intervals.as_ref().unwrap();
    assert_eq!((intervals.number, intervals.begin, intervals.end), (2, 14.0, 19.0));
    assert_eq!(explanation.problems[0].causes[0].evidence[1], "Rank 0 is the last in 2 of 2 operations.");
}

#[test]
fn the_text_names_those_that_wait_because_of_the_problem() {
    // Rank 2 waits for rank 0 at the same barrier, for a fortieth of the time.
    let explanation = barriers(&[&[1, 1, 21, 1], &[2, 1, 1, 1], &[1, 1, 21, 1]]);
    let text = &explanation.problems[0].text;
    assert!(text.contains("Ranks 0,1,3 wait in `MPI_Barrier`: 123 s"), "{text}");
    // They take turns: it waits for as long as they do.
    let explanation = barriers(&[&[1, 1, 11, 1], &[11, 1, 1, 1], &[1, 1, 11, 1], &[11, 1, 1, 1]]);
    let text = &explanation.problems[0].text;
    assert!(text.contains("Ranks 0-3 wait in `MPI_Barrier`: 120 s"), "{text}");
}

#[test]
fn each_call_has_those_that_wait_in_it() {
    // Rank 3 waits for rank 1 in the same call as rank 2 for rank 0, and in no other.
    let explanation = of_text(
        "0: 0..20 work; 20..21 MPI_Send@a.c:1 send 1; 21..22 MPI_Send@a.c:1 send 2; 22..30 rest
         1: 0..1 work; 1..21 MPI_Recv@a.c:2 recv 0; 21..25 other; 25..26 MPI_Send@a.c:4 send 3; 26..30 rest
         2: 0..8 work; 8..22 MPI_Recv@a.c:3 recv 0; 22..30 rest
         3: 0..22 work; 22..26 MPI_Recv@a.c:3 recv 1; 26..30 rest",
    );
    let text = &explanation.problems[0].text;
    let waiting = "Rank 1 waits in `MPI_Recv` (a.c:2), rank 2 in one other call: ";
    assert!(text.contains(waiting), "{text}");
}

#[test]
fn a_region_that_only_one_rank_is_in_is_serial() {
    let explanation = of_text(
        "0: 0..4 solve; 4..9 write; 9..10 MPI_Barrier barrier
         1: 0..4 solve; 4..10 MPI_Barrier barrier
         2: 0..4 solve; 4..10 MPI_Barrier barrier",
    );
    assert_eq!(first(&explanation), (CauseKind::LackOfParallelism, vec![0]));
    assert_begins(&explanation.problems[0].text, "Only rank 0 works in `write`.");
}

#[test]
fn a_chain_that_recurs_is_a_dependence_and_another_is_a_coincidence() {
    let chain = "0: 0..5 a; 5..6 MPI_Send send 1; 6..20 b
                 1: 0..6 MPI_Recv recv 0; 6..11 a; 11..12 MPI_Send send 2; 12..20 b
                 2: 0..12 MPI_Recv recv 1; 12..17 a; 17..20 b";
    let explanation = of_text(chain);
    assert_eq!(first(&explanation), (CauseKind::BlockedSender, vec![0]));
    let [blocked, ..] = &explanation.problems[0].causes[..] else { panic!("no cause") };
    assert_eq!(blocked.evidence[2], "The longest chain: rank 2 for rank 1, rank 1 for rank 0.");
    assert_eq!(blocked.evidence[5], "Along the chain, 100 % of the waiting is passed on.");
    assert!(blocked.advice.starts_with("Shorten the chain"));
    // Rank 1 works the second time, without waiting before.
    let once = "0: 0..5 a; 5..6 MPI_Send send 1; 6..20 b
                1: 0..6 MPI_Recv recv 0; 6..7 MPI_Send send 2; 7..12 a; 12..13 MPI_Send send 2; 13..20 b
                2: 0..7 MPI_Recv recv 1; 7..13 MPI_Recv recv 1; 13..18 a; 18..20 b";
    let blocked = &of_text(once).problems[0].causes[0];
    assert_eq!(
        (blocked.cause, blocked.advice.starts_with("Change the order")),
        (CauseKind::BlockedSender, true)
    );
    // Rank 0 works longer than the others: they wait for that in any order.
    let uneven = "0: 0..5 a; 5..6 MPI_Send send 1; 6..20 b
                  1: 0..1 a; 1..6 MPI_Recv recv 0; 6..7 MPI_Send send 2; 7..20 b
                  2: 0..1 a; 1..7 MPI_Recv recv 1; 7..20 b";
    assert_eq!(first(&of_text(uneven)), (CauseKind::UnevenWork, vec![0]));
}

#[test]
fn a_chain_is_compared_by_all_code_next_to_its_calls() {
    // Rank 0 works 4 s, and the others some, between other calls than it.
    let chain = |others: u32| {
        let length = 5 + 5 * others;
        let rank = |rank: u32| {
            let step = |number: u32| {
                let at = 1 + length * number;
                let received = at + 4 + (rank.max(1) - 1) * others;
                let sent = if rank == 0 { received } else { received + others };
                let receive = format!("{at}..{received} MPI_Recv@a.c:2 recv {}; ", rank.max(1) - 1);
                let send = format!("{sent}..{sent} MPI_Send@a.c:1 send {}; ", rank + 1);
                format!(
                    "{}{}{sent}..{} MPI_Barrier@a.c:3 barrier",
                    if rank > 0 { &receive } else { "" },
                    if rank < 4 { &send } else { "" },
                    at + length
                )
            };
            format!("0..1 MPI_Init@a.c:4; {}", joined(0..4, step))
        };
        of_text(&ranks(5, rank))
    };
    assert_eq!(chain(4).problems[0].cause(), CauseKind::BlockedSender);
    let alone = chain(0);
    assert!(alone.problems.iter().all(|of| of.cause() != CauseKind::BlockedSender), "{:#?}", alone.problems);
}

/// Steps of a number of ranks that end in a barrier, each with these seconds of work.
fn barriers(steps: &[&[u32]]) -> Explanation {
    let line = |rank: u32| {
        let (mut line, mut begin) = (String::new(), 0);
        for step in steps {
            let (work, end) = (begin + step[rank as usize], begin + step.iter().max().unwrap() + 1);
            line += &format!("{begin}..{work} step; {work}..{end} MPI_Barrier barrier; ");
            begin = end;
        }
        line
    };
    of_text(&ranks(steps[0].len() as u32, line))
}

#[test]
fn work_is_to_be_shared_only_if_the_totals_differ() {
    let advice = |steps: &[&[u32]]| {
        let explanation = barriers(steps);
        let first = &explanation.problems[0].causes[0];
        assert_eq!(first.cause, CauseKind::LateArrival);
        first.advice.clone()
    };
    assert_eq!(advice(&[&[4, 1, 1], &[4, 1, 1], &[4, 1, 1]]), "Share the work evenly.");
    // The same rank is late from some step on, or in most.
    assert_eq!(advice(&[&[1, 1, 1], &[1, 1, 1], &[4, 1, 1]]), "Share the work evenly.");
    assert_eq!(advice(&[&[4, 1, 1], &[4, 1, 1], &[4, 1, 1], &[1, 2, 1]]), "Share the work evenly.");
    // Another one in each.
    let in_turn = advice(&[&[4, 1, 1], &[1, 4, 1], &[1, 1, 4]]);
    assert!(in_turn.starts_with("Over the run, all spend about as long there"), "{in_turn}");
    let random: Vec<Vec<u32>> = (0..32_u32)
        .map(|step| (0..4).map(|rank| if step * 7 % 11 % 4 == rank { 4 } else { 1 }).collect())
        .collect();
    let random: Vec<&[u32]> = random.iter().map(Vec::as_slice).collect();
    assert!(!advice(&random).contains("Share"), "{}", advice(&random));
}

/// Sweeps of blocks through a number of ranks: each receives a block, works a second, and sends it on; then all meet.
fn sweeps(number: u32, sweeps: u32, blocks: u32) -> Explanation {
    let line = |rank: u32| {
        let (mut line, length) = (String::new(), number + blocks);
        for sweep in 0..sweeps {
            let (mut now, end) = (sweep * length, (sweep + 1) * length);
            for block in 0..blocks {
                let begin = sweep * length + rank + block;
                if rank > 0 {
                    line += &format!("{now}..{begin} MPI_Recv recv {}; ", rank - 1);
                }
                now = begin + 1;
                line += &format!("{begin}..{now} block; ");
                if rank + 1 < number {
                    line += &format!("{now}..{now} MPI_Send send {}; ", rank + 1);
                }
            }
            line += &format!("{now}..{end} MPI_Barrier barrier; ");
        }
        line
    };
    of_text(&ranks(number, line))
}

#[test]
fn waits_at_an_operation_behind_a_chain_are_the_chains() {
    for ranks in [4, 8] {
        for (blocks, advice) in [(1, "Shorten the chain"), (4, "That is the fill and drain of a pipeline")] {
            let problems = sweeps(ranks, 5, blocks).problems;
            let waits = |of: &Problem| of.effects.iter().any(|effect| effect.call_path == ["MPI_Barrier"]);
            assert!(problems.iter().any(waits), "{problems:#?}");
            for problem in &problems {
                assert_eq!(problem.cause(), CauseKind::BlockedSender, "{ranks} {blocks} {problem:#?}");
                assert!(problem.causes[0].advice.starts_with(advice), "{ranks} {blocks} {problem:#?}");
            }
        }
    }
    let long = sweeps(20, 3, 1);
    let links =
        |of: &Problem| of.causes[0].evidence.iter().find(|words| words.starts_with("The longest")).cloned();
    let links = links(&long.problems[0]).unwrap();
    assert!(links.ends_with("rank 14 for rank 13, …."), "{links}");
    // One sender that is late, and all others wait for its receiver: no chain.
    let late = of_text(
        "0: 0..5 work; 5..6 MPI_Send send 1; 6..7 MPI_Barrier barrier
         1: 0..1 work; 1..6 MPI_Recv recv 0; 6..7 MPI_Barrier barrier
         2: 0..1 work; 1..7 MPI_Barrier barrier
         3: 0..1 work; 1..7 MPI_Barrier barrier",
    );
    assert!(late.problems.iter().all(|of| of.cause() != CauseKind::BlockedSender), "{:#?}", late.problems);
}

/// Steps of ranks before a reduction to rank 0: each works for so many seconds.
fn reductions(work: &[u32]) -> Explanation {
    let last = work.iter().max().unwrap() + 1;
    let step = |rank: u32, step: u32| {
        let received = if rank == 0 { 8 * work.len() } else { 0 };
        let (begin, end) = (step * last, (step + 1) * last);
        let late = begin + work[rank as usize];
        format!("{begin}..{late} work; {late}..{end} MPI_Reduce reduce root 0 sent 8 received {received}")
    };
    of_text(&ranks(work.len() as u32, |rank| joined(0..3, |at| step(rank, at))))
}

#[test]
fn one_that_waits_for_many_gets_more_work() {
    let explanation = reductions(&[4, 9, 9, 9]);
    let problem = &explanation.problems[0];
    assert_eq!(problem.cause(), CauseKind::UnevenWork);
    // One of them comes last, but all of them are late.
    assert_eq!(problem.culprits.len(), 1);
    let ranks: Vec<u32> = problem.as_late.iter().map(|location| location.rank).collect();
    assert_eq!(ranks.len(), 2, "{ranks:?}");
    assert_begins(
        &problem.text,
        "Ranks 1-3 spend up to 5.00 s more in each of 3 calls of `work`. Rank 0 waits",
    );
    assert_begins(&problem.causes[0].advice, "Give rank 0 more of the work");
    // The second is late, too, but less: to give the first less work saves most of what can be saved.
    let fewer = &reductions(&[4, 9, 7, 4]).problems[0];
    assert!(fewer.text.starts_with("Rank 1 spends") && fewer.as_late.is_empty(), "{fewer:#?}");
}

#[test]
fn those_that_others_do_not_wait_for_are_not_late() {
    // Ranks 2 and 3 work as long as rank 0, but together.
    let explanation = of_text(
        "0: 0..9 work; 9..10 MPI_Send send 1; 10..11 rest
         1: 0..1 work; 1..10 MPI_Recv recv 0; 10..11 rest
         2: 0..9 work; 9..10 MPI_Send send 3; 10..11 rest
         3: 0..9 work; 9..10 MPI_Recv recv 2; 10..11 rest",
    );
    let problem = &explanation.problems[0];
    assert!(problem.as_late.is_empty() && problem.text.starts_with("Rank 0 spends"), "{problem:#?}");
    // So in an operation of each half.
    let explanation = of_text(
        "comm low 0 1
         comm high 2 3
         0: 0..9 work; 9..10 MPI_Barrier barrier on low; 10..11 rest
         1: 0..1 work; 1..10 MPI_Barrier barrier on low; 10..11 rest
         2: 0..9 work; 9..10 MPI_Barrier barrier on high; 10..11 rest
         3: 0..9 work; 9..10 MPI_Barrier barrier on high; 10..11 rest",
    );
    let problem = &explanation.problems[0];
    assert!(problem.as_late.is_empty() && problem.text.starts_with("Rank 0 spends"), "{problem:#?}");
}

#[test]
fn one_that_waits_for_less_than_half_as_long_is_as_late() {
    let explanation = of_text(
        "0: 0..32 work; 32..41 MPI_Barrier barrier; 41..45 rest
         1: 0..2 work; 2..41 MPI_Barrier barrier; 41..45 rest
         2: 0..40 work; 40..41 MPI_Barrier barrier; 41..45 rest
         3: 0..2 work; 2..41 MPI_Barrier barrier; 41..45 rest",
    );
    let text = &explanation.problems[0].text;
    assert_begins(text, "Ranks 0,2 spend up to 38.0 s more in `work`. Ranks 1,3 wait in `MPI_Barrier`");
}

/// Two ranks on so many processors that exchange 8 bytes in each of 20 steps, or one that sends all.
fn small(is_exchange: bool, processors: u32) -> Explanation {
    let line = |rank: u32| {
        let other = 1 - rank;
        joined(0..20, |step| {
            let begin = step * 1_000;
            let call = |at: u32, call: &str| format!("{}..{} {call} bytes 8", begin + at, begin + at + 400);
            let (send, receive) = (format!("MPI_Send send {other}"), format!("MPI_Recv recv {other}"));
            let (own, others) = if rank == 0 { (send, receive) } else { (receive, send) };
            format!("{}; {}", call(0, &own), call(400, if is_exchange { &others } else { &own }))
        })
    };
    let mut trace = ats_analyzer::notation::parse(&ranks(2, line)).unwrap();
    // A tick is a microsecond.
    trace.definitions.clock.resolution = 1_000_000;
    share(&mut trace, processors);
    explained(&trace, LIMITS)
}

#[test]
fn messages_that_depend_on_each_other_are_not_to_be_one() {
    let joined = small(false, 2);
    assert_eq!(first(&joined).0, CauseKind::SmallMessages);
    assert_eq!(
        joined.problems[0].causes[0].evidence[2],
        "39 of 40 messages of rank 0 follow another to the same receiver, and it receives nothing in between."
    );
    let exchange = small(true, 2);
    assert!(
        exchange.problems.iter().all(|of| of.cause() != CauseKind::SmallMessages),
        "{:?}",
        exchange.problems
    );
    assert!(exchange.transfers[0].share > 0.3, "{:?}", exchange.transfers);
    // No message takes 400 us unless its receiver has to wake up.
    let woken = small(false, 1);
    assert!(woken.problems.is_empty() && woken.lacking_processors.seconds > 0.01, "{:?}", woken.problems);
}

#[test]
fn calls_that_are_used_already_are_not_advised() {
    let advice = |send: &str, receive: &str| {
        let explanation =
            of_text(&format!("0: 0..1 work; {send}; 9..10 work\n1: 0..6 work; {receive}; 9..10 work"));
        assert_eq!(first(&explanation), (CauseKind::LateReceiver, vec![1]), "{:?}", explanation.problems);
        explanation.problems[0].causes[0].advice.clone()
    };
    let (send, receive) = ("1..9 MPI_Send send 1 bytes 100000", "6..9 MPI_Recv recv 0 bytes 100000");
    let (isend, irecv) = (
        "1..1 MPI_Isend isend 1 request 1 bytes 100000; 1..9 MPI_Wait sent 1",
        "6..6 MPI_Irecv post 1; 6..9 MPI_Wait irecv 0 request 1 bytes 100000",
    );
    let both = "Let rank 1 start the receive earlier, with `MPI_Irecv`, or send with `MPI_Isend` and complete it later.";
    assert_eq!(advice(send, receive), both);
    let before = "Let rank 1 start the receive earlier, before the work, or send with `MPI_Isend` and complete it later.";
    assert_eq!(advice(send, irecv), before);
    let neither = "Let rank 1 start the receive earlier, before the work, or complete the send later.";
    assert_eq!(advice(isend, irecv), neither);
}

#[test]
fn a_send_of_a_size_that_needs_no_receiver_waits_for_the_library() {
    let sends = |first: u32, second: &str| {
        let explanation = of_text(&format!(
            "0: 0..1 work; 1..2 MPI_Send@one send 1 bytes {first}; 2..3 work; 3..9 {second}@two send 1 bytes 64; 9..10 work
             1: 0..3 work; 3..4 MPI_Recv recv 0 bytes {first}; 4..8 work; 8..9 MPI_Recv recv 0 bytes 64; 9..10 work"
        ));
        explanation.problems[0].causes.iter().map(|fit| fit.cause).collect::<Vec<_>>()
    };
    assert_eq!(sends(64, "MPI_Send")[0], CauseKind::LateProgress);
    assert_eq!(sends(4096, "MPI_Send")[0], CauseKind::LateProgress);
    assert_eq!(sends(63, "MPI_Send").iter().find(|cause| **cause == CauseKind::LateProgress), None);
    assert_eq!(sends(64, "MPI_Ssend")[0], CauseKind::LateReceiver, "it needs its receiver in any case");
}

#[test]
fn threads_that_idle_while_one_communicates_have_no_work_to_divide() {
    let explanation = of_text(
        "team t 0 0.1 0.2
         0: 0..9 MPI_Recv recv 1; 9 fork; 9 begin t; 9 enter $parallel; 19 leave; 19 end t; 19 join
         0.1: 9 begin t; 9 enter $parallel; 19 leave; 19 end t
         0.2: 9 begin t; 9 enter $parallel; 19 leave; 19 end t
         1: 0..1 MPI_Send send 0; 1..19 work",
    );
    let problem = explanation.problems.iter().find(|of| of.cause() == CauseKind::SerialPart);
    let text = &problem.expect("idle threads").text;
    assert!(text.starts_with("Threads idle while rank 0 communicates in `MPI_Recv`."), "{text}");
    assert!(text.ends_with("Let the other threads work meanwhile, on what does not depend on it."), "{text}");
}

/// All calls that threads idle for are one problem, as all of them are over if one of the others communicates.
#[test]
fn threads_that_idle_for_several_calls_have_one_problem() {
    let explanation = of_text(
        "team t 0 0.1
         0: 0..9 MPI_Recv recv 1; 9..15 MPI_Barrier barrier; 15 fork; 15 begin t; 15 enter $parallel; 20 leave; 20 end t; 20 join
         0.1: 15 begin t; 15 enter $parallel; 20 leave; 20 end t
         1: 0..1 MPI_Send send 0; 1..14 work; 14..15 MPI_Barrier barrier; 15..20 work",
    );
    let serial: Vec<&Problem> =
        explanation.problems.iter().filter(|of| of.cause() == CauseKind::SerialPart).collect();
    let [problem] = serial[..] else { panic!("{serial:#?}") };
    assert_begins(
        &problem.text,
        "Threads idle while rank 0 communicates: 9.00 s in `MPI_Recv` and 1.00 s in `MPI_Barrier`.",
    );
    assert_eq!(problem.seconds, 10.0, "rank 1 is late for the rest");
}

/// Two threads in four regions: both start 5 s late, and leave their barrier late after both have come.
#[test]
fn time_of_the_threads_runtime_is_one_problem_for_all_regions() {
    let late = [10, 30, 4, 8];
    let regions = |region: &dyn Fn(usize, usize, String) -> String| {
        joined((1..).zip(late), |(line, late)| {
            let begin = line * 100;
            let barrier = format!("{}..{} $implicit-barrier-@a.c:{line}", begin + 50, begin + 50 + late);
            region(begin, line, barrier)
        })
    };
    let of_master = regions(&|begin, line, barrier| {
        let (started, end) = (begin + 5, begin + 90);
        format!(
            "{begin} enter $parallel-@a.c:{line}; {begin} fork; {started} begin t; {barrier}; {end} end t; {end} join; {end} leave"
        )
    });
    let of_other = regions(&|begin, line, barrier| {
        let (started, end) = (begin + 5, begin + 90);
        format!(
            "{started} begin t; {started} enter $parallel-@a.c:{line}; {barrier}; {end} leave; {end} end t"
        )
    });
    let explanation = of_text(&format!("team t 0 0.1\n0: {of_master}\n0.1: {of_other}"));
    let is_of_runtime = |of: &&Problem| of.cause() == CauseKind::ThreadManagement;
    let of_runtime: Vec<&Problem> = explanation.problems.iter().filter(is_of_runtime).collect();
    let [barriers, regions] = of_runtime[..] else { panic!("{of_runtime:#?}") };
    assert_eq!((barriers.seconds, regions.seconds), (104.0, 40.0));
    let words = "60.0 s in `!$omp implicit barrier @a.c:2`, 20.0 s in `!$omp implicit barrier @a.c:1`, \
                 16.0 s in `!$omp implicit barrier @a.c:4` and 8.00 s in 1 other.";
    assert!(barriers.text.contains(words), "{}", barriers.text);
    assert!(regions.text.contains("`!$omp parallel @a.c:3` and 10.0 s in 1 other."), "{}", regions.text);
}

/// A function that exchanges is one line, whoever calls it.
#[test]
fn calls_that_move_data_are_told_by_the_function_around_them() {
    let calls = ["MPI_Send send 1", "MPI_Recv recv 0"];
    let phase = |rank: u32, (begin, phase): (u32, &str)| {
        let (call, end) = (calls[rank as usize], begin + 5);
        format!("{begin} enter {phase}; {begin} enter halo; {begin}..{end} {call}; {end} leave; {end} leave")
    };
    let phases = [(0, "one"), (10, "other")];
    let explanation = of_text(&ranks(2, |rank| joined(phases, |of| phase(rank, of))));
    let [transfers] = &explanation.transfers[..] else { panic!("{:?}", explanation.transfers) };
    assert_eq!((transfers.seconds, transfers.call_paths.len()), (20.0, 4), "{transfers:?}");
}

/// A ring in which each rank starts to send to the one above, works, and waits for both; rank 1 works for so long.
fn ring(work: u32) -> Explanation {
    let line = |rank: u32| {
        joined(0..5, |step| {
            let (begin, until) = (step * 20, step * 20 + if rank == 1 { work } else { 5 });
            // Rank 2 waits for the data of rank 1, the others for those of ranks that work as long as they.
            let end = step * 20 + if rank < 3 { work.max(5) + 1 } else { 6 };
            let (above, below) = ((rank + 1) % 4, (rank + 3) % 4);
            let (sent, got) = (2 * step + 1, 2 * step + 2);
            format!(
                "{begin}..{begin} MPI_Irecv post {got}; {begin}..{begin} MPI_Isend isend {above} request {sent}; \
                 {begin}..{until} work; {until} enter MPI_Waitall; {end} irecv {below} request {got}; {end} sent {sent}; {end} leave; {end}..{} rest",
                begin + 20
            )
        })
    };
    of_text(&ranks(4, line))
}

#[test]
fn a_partner_that_works_longer_than_most_is_no_matter_of_progress() {
    let explanation = ring(15);
    let problem = &explanation.problems[0];
    assert_eq!(first(&explanation), (CauseKind::UnevenWork, vec![1]), "{problem:#?}");
    assert_begins(&problem.text, "Rank 1 spends 10.0 s more in each of 5 calls of `work` than most others");
    assert!(
        problem.text.ends_with("Give rank 1 less work.") && !problem.text.contains("MPI_Test"),
        "{}",
        problem.text
    );
    // Rank 0 is late to rank 3 as it is held by rank 1: 10 of its 11 s in the call.
    let held = of_text(
        "0: 0..0 MPI_Irecv post 1; 0..5 work; 5..16 MPI_Waitall irecv 1 request 1; 16..17 MPI_Send send 3
         1: 0..0 MPI_Isend isend 0 request 1; 0..15 work; 15..17 MPI_Wait sent 1
         2: 0..5 work
         3: 0..5 work; 5..17 MPI_Recv recv 0",
    );
    assert_eq!(first(&held), (CauseKind::UnevenWork, vec![1]), "{:#?}", held.problems);
    assert!((held.problems[0].seconds - 20.0).abs() < 1e-9, "{:#?}", held.problems);
    // Half of the ranks work as long: the message could have come meanwhile.
    let senders = of_text(
        "0: 0..1 MPI_Isend isend 1 request 1; 1..9 work; 9..10 MPI_Wait sent 1
         1: 0..2 work; 2..10 MPI_Recv recv 0
         2: 0..1 MPI_Isend isend 3 request 1; 1..9 work; 9..10 MPI_Wait sent 1
         3: 0..2 work; 2..10 MPI_Recv recv 2",
    );
    assert_eq!(first(&senders).0, CauseKind::LateProgress);
    assert!(senders.problems[0].text.contains("Call `MPI_Test`"), "{}", senders.problems[0].text);
}

#[test]
fn a_master_with_regions_is_kept_busy_by_so_many_workers() {
    // The master makes a task in 2 s, a worker works 2 s for it: two of them keep it busy.
    let tasks = 12;
    let make = |task: u32| {
        let (begin, end, worker) = (task * 2 + 1, task * 2 + 3, 1 + task % 3);
        format!(
            "{begin}..{begin} MPI_Recv recv {worker}; {begin}..{end} make; {end}..{end} MPI_Send send {worker}"
        )
    };
    let work = |task: u32| {
        let (free, got, done) =
            (task.checked_sub(3).map_or(1, |before| before * 2 + 5), task * 2 + 3, task * 2 + 5);
        format!("{free}..{free} MPI_Send send 0; {free}..{got} MPI_Recv recv 0; {got}..{done} do")
    };
    let line = |rank: u32| match rank.checked_sub(1) {
        None => joined(0..tasks, make),
        Some(first) => joined((first..tasks).step_by(3), work),
    };
    let explanation = of_text(&ranks(4, |rank| format!("0..1 start; {}", line(rank))));
    assert_eq!(first(&explanation), (CauseKind::BusyMaster, vec![0]), "{:?}", explanation.problems);
    let text = &explanation.problems[0].text;
    assert!(text.contains("works 2.00 s for each of 12 tasks in `make`"), "{text}");
    assert!(text.contains("About 2 workers keep it busy."), "{text}");
}

#[test]
fn one_location_gets_a_sentence_and_no_advice() {
    let explanation = of_text("0: 0..5 work");
    assert_eq!(explanation.notes, ["The trace has one location, which waits for no other."]);
    assert_eq!((explanation.problems.len(), explanation.efficiency), (0, 1.0));
}

#[test]
fn an_answer_says_that_recording_was_off() {
    let explanation = of_text(
        "0: 0..1 MPI_Init; 2..12 compute; 12..13 MPI_Send send 1; 13..30 compute; 30..31 MPI_Send send 1; 40..41 MPI_Finalize
         1: 0..1 MPI_Init; 11 off; 19 on; 20..32 MPI_Recv recv 0; 40..41 MPI_Finalize",
    );
    assert_eq!(
        explanation.notes,
        [
            "Recording was off on rank 1 from 11 s to 19 s: 1 send may have lost the other end, and no wait is counted \
          for that."
        ]
    );
    assert_eq!(first(&explanation).1, [0]);
}

#[test]
fn regions_below_a_program_are_found() {
    // The profile of a trace that names its programs has them around all regions, the analysis has not.
    let explanation = of_text(
        "0: 0 program solver; 0..9 solve; 9..10 MPI_Barrier barrier; 10 exit
         1: 0 program solver; 0..4 solve; 4..10 MPI_Barrier barrier; 10 exit",
    );
    assert_eq!(
        explanation.problems[0].text,
        "Rank 0 spends 5.00 s more in `solve`. Rank 1 waits in `MPI_Barrier`: 5.00 s of 20.0 s. Share the work evenly."
    );
    assert_eq!(explanation.notes, [] as [&str; 0]);
}

#[test]
fn samples_divide_the_time_of_who_is_late_by_function() {
    let late = |samples: &str| {
        let mut trace = ats_analyzer::notation::parse(&format!(
            "0: 0..20 solve; 20..30 MPI_Barrier barrier
             1: {samples}; 0..29 solve; 29..30 MPI_Barrier barrier"
        ))
        .unwrap();
        let place =
            |line| CallingContext { function: RegionRef(0), file: "src/a.c".into(), line, parent: None };
        let other = CallingContext { function: RegionRef(1), file: String::new(), line: 0, parent: None };
        trace.definitions.calling_contexts = vec![place(7), place(8), other];
        explained(&trace, LIMITS)
    };
    let taken = |first: u32, second: u32, third: u32| {
        let numbers = [vec![0; first as usize], vec![1; second as usize], vec![2; third as usize]].concat();
        format!("0 enter solve; {}; 2 leave", joined(numbers, |number: u32| format!("1 sample {number}")))
    };
    let many = late(&taken(4, 26, 10));
    let words = "By 40 samples, 75 % of its time there is in `solve` (a.c:8), 25 % in `MPI_Barrier`.";
    assert!(many.problems[0].text.contains(words), "{}", many.problems[0].text);
    assert_eq!(many.problems[0].functions.iter().map(|of| of.samples).collect::<Vec<_>>(), [30, 10]);
    assert_eq!(many.notes, [] as [&str; 0]);
    let few = late(&taken(3, 0, 1));
    let words = "By 4 samples only, 75 % of its time there is in `solve` (a.c:7), 25 % in `MPI_Barrier`.";
    assert!(few.problems[0].text.contains(words), "{}", few.problems[0].text);
}

#[test]
fn without_regions_the_program_itself_is_late() {
    let explanation = of_text(
        "0: 0 program lmp; 0..1 MPI_Init; 7..8 MPI_Bcast@setup bcast root 0 sent 4 received 0; 8 exit
         1: 0 program lmp; 0..1 MPI_Init; 2..8 MPI_Bcast@setup bcast root 0 sent 0 received 4; 8 exit
         2: 0 program lmp; 0..1 MPI_Init; 2..8 MPI_Bcast@setup bcast root 0 sent 0 received 4; 8 exit",
    );
    assert_eq!(first(&explanation), (CauseKind::LackOfParallelism, vec![0]));
    assert_eq!(
        explanation.problems[0].text,
        "Rank 0 works in code outside all recorded regions while all others wait for its data. Ranks 1,2 wait in \
         `MPI_Bcast` (setup): 10.0 s of 21.0 s. Divide this work among all locations, or let each do it by itself."
    );
    assert_eq!(
        explanation.notes,
        ["No regions of the program are recorded: which code is late between calls is not known."]
    );
}

#[test]
fn threads_wait_outside_of_parallel_regions_and_at_the_lock_that_is_named() {
    let critical = of_program(&planned("critical_section_contention", &[], 1, 4));
    let text = &critical.problems[0].text;
    assert!(text.contains(" wait there: ") && text.matches("!$omp critical").count() == 1, "{text}");
    let serial = of_text(
        "team t 0 0.1
         0: 0 enter MPI_Init; 1 leave; 9 fork; 9 begin t; 9 enter $parallel; 19 leave; 19 end t; 19 join
         0.1: 9 begin t; 9 enter $parallel; 19 leave; 19 end t",
    );
    let problem = serial.problems.iter().find(|of| of.cause() == CauseKind::SerialPart).unwrap();
    assert!(problem.text.contains("Thread 1 waits outside of parallel regions: "), "{}", problem.text);
}

#[test]
fn tests_in_vain_are_no_uneven_work() {
    let polls = |work: &str| {
        of_text(&format!(
            "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Testany test 1; 2..8 MPI_Testany irecv 1 request 1; 8..9 MPI_Finalize
             1: 0..6 {work}; 6..8 MPI_Send send 0; 8..9 MPI_Finalize"
        ))
    };
    let explanation = polls("MPI_Comm_rank");
    assert_eq!(first(&explanation), (CauseKind::Polling, vec![1]));
    assert!(
        explanation.problems[0]
            .text
            .starts_with("Rank 0 tests again and again for messages of rank 1 that are sent later.")
    );
    let advice = |explanation: &Explanation| explanation.problems[0].causes[0].advice.clone();
    assert!(advice(&explanation).starts_with("Record the regions"), "{}", advice(&explanation));
    assert!(advice(&polls("work")).starts_with("Work between the tests"));
}

#[test]
fn senders_that_test_are_late_because_of_that() {
    let explanation = of_text(
        "0: 0..6 MPI_Testany; 6..8 MPI_Send send 1; 8..9 MPI_Finalize
         1: 0..1 work; 1..8 MPI_Recv recv 0; 8..9 MPI_Finalize",
    );
    assert_eq!(first(&explanation), (CauseKind::Polling, vec![0]));
    assert!(explanation.problems[0].text.starts_with("Rank 0 is late because of `MPI_Testany`."));
}

/// Two ranks exchange messages; in each step one of them is late, as the letters say.
fn exchanges(late: &str) -> Explanation {
    let step = |rank: u32, (at, step): (u32, char)| {
        let (begin, other) = (9 * at, 1 - rank);
        let done = begin + if (step == 'a') == (rank == 0) { 6 } else { 1 };
        let (sent, end) = (done + 1, begin + 9);
        format!(
            "{begin}..{done} work; {done}..{sent} MPI_Send send {other}; {sent}..{end} MPI_Recv recv {other}"
        )
    };
    of_text(&ranks(2, |rank| joined((0..).zip(late.chars()), |of| step(rank, of))))
}

#[test]
fn turns_alternate_and_chance_does_not() {
    assert_eq!(exchanges("abababab").problems[0].cause(), CauseKind::Turns);
    assert_eq!(exchanges("aabbabba").problems[0].cause(), CauseKind::UnevenWork);
}

#[test]
fn the_time_of_a_call_is_not_that_of_its_order() {
    // Rank 0 waits for rank 2 first, and its long call makes rank 3 wait.
    let of = |end: u32| {
        let (sent, all) = (end + 1, end + 2);
        let other = |rank, from| {
            format!(
                "{rank}: 0..{from} work; {from}..{} MPI_Send send 0; {all}..{} MPI_Finalize",
                from + 1,
                all + 1
            )
        };
        of_text(&format!(
            "0: 0..{end} MPI_Recv recv 2; {end}..{sent} MPI_Recv recv 1; {sent}..{all} MPI_Send send 3; {all}..{} MPI_Finalize
             {}
             {}
             3: 0..{all} MPI_Recv recv 0; {all}..{} MPI_Finalize",
            all + 1,
            other(1, 1),
            other(2, 5),
            all + 1,
        ))
    };
    let causes =
        |explanation: Explanation| explanation.problems.iter().map(Problem::cause).collect::<Vec<_>>();
    assert!(causes(of(6)).contains(&CauseKind::WrongOrder));
    assert!(!causes(of(60)).contains(&CauseKind::WrongOrder), "{:#?}", of(60).problems);
}

/// Properties with one cause each; `r` scales their waits.
const PLANTED: [(&str, CauseKind); 12] = [
    ("lack_of_parallelism_p2p", CauseKind::LackOfParallelism),
    ("late_scatter", CauseKind::LackOfParallelism),
    ("multiple_output", CauseKind::MultipleOutput),
    ("blocked_sender", CauseKind::BlockedSender),
    ("intensive_server", CauseKind::BusyMaster),
    ("slow_slaves", CauseKind::BusyWorkers),
    ("late_sender", CauseKind::UnevenWork),
    ("early_gather", CauseKind::UnevenWork),
    ("late_receiver", CauseKind::LateReceiver),
    ("ping_pong", CauseKind::Turns),
    ("imbalance_at_mpi_alltoall", CauseKind::LateArrival),
    ("imbalance_at_mpi_barrier", CauseKind::LateArrival),
];

/// A composition of different properties, with repetitions and ranks that follow from a number.
fn planted(number: usize) -> (String, Vec<(&'static str, CauseKind)>) {
    let mut state = number as u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut chosen: Vec<(&str, CauseKind)> = Vec::new();
    for _ in 0..=next(5) {
        let one = PLANTED[next(PLANTED.len())];
        if !chosen.contains(&one) {
            chosen.push(one);
        }
    }
    let ranks = 4 + 2 * next(6);
    let phase = |(name, _): &(&str, CauseKind)| {
        let r = 1 + next(9);
        // Phases begin together, which no tool sees. A barrier keeps what one is late from being charged to another.
        let barrier = "[[phase]]\nproperty = [{ name = \"frequent_barrier\", parameters = { r = 1 } }]";
        format!("[[phase]]\nproperty = [{{ name = \"{name}\", parameters = {{ r = {r} }} }}]\n{barrier}\n")
    };
    let phases: String = chosen.iter().map(phase).collect();
    (format!("schema = \"ats-composition/1\"\nname = \"planted\"\nranks = {ranks}\n{phases}"), chosen)
}

#[test]
fn all_planted_causes_are_named_the_largest_first() {
    let catalogue = Catalogue::builtin();
    for number in 0..200 {
        let (text, planted) = planted(number);
        let composition = Composition::parse(&text, "planted.toml", &catalogue).unwrap();
        let size = Size::ranks(composition.ranks());
        let subject = Subject::Composition(Arc::new(composition));
        let options = TruthOptions::default();
        let trace = ideal_trace::in_memory(&subject, size, &options).unwrap();
        let truth = ats_truth::nominal(&subject, size, &options).unwrap();
        let problems = explained(&trace, Limits { most: 100, ..LIMITS }).problems;
        assert!(problems.is_sorted_by(|a, b| a.seconds >= b.seconds));
        for (property, cause) in planted {
            let is_of_it = |path: &[String]| path.iter().any(|region| region == property);
            let of_truth = truth.findings.iter().filter(|finding| is_of_it(&finding.call_path));
            let share: f64 = of_truth.map(|finding| finding.severity).sum();
            let named = problems.iter().find(|problem| is_of_it(&problem.call_path));
            let what = || format!("{property} of {share} in\n{text}\n{problems:#?}");
            assert!(share < 0.02 || named.is_some_and(|problem| problem.cause() == cause), "{}", what());
        }
    }
}

/// Rank 0 is late at the barrier because its second send takes long; its first one does not.
#[test]
fn the_call_that_makes_others_wait_is_named_by_its_own_line() {
    let explanation = of_text(
        "0: 0..1 MPI_Send@setup@line.c:4 send 1; 1..9 MPI_Send@bulk@line.c:7 send 1; 9..10 MPI_Barrier@main@line.c:9 barrier
         1: 0..1 MPI_Recv@setup@line.c:5 recv 0; 1..2 MPI_Recv@bulk@line.c:8 recv 0; 2..10 MPI_Barrier@main@line.c:9 barrier
         2: 0..10 MPI_Barrier@main@line.c:9 barrier",
    );
    let problem = &explanation.problems[0];
    let line = |source: &Option<SourceLine>| source.as_ref().map(|source| source.line);
    assert_eq!((&problem.call_path[..], line(&problem.source)), (&["MPI_Send".to_owned()][..], Some(7)));
    assert!(problem.text.contains("`MPI_Send` (line.c:7)"), "{}", problem.text);
    assert_eq!(line(&problem.effects[0].source), Some(9), "{:?}", problem.effects);
}

/// The same without debugging information: the calls are told apart by their places in the code.
#[test]
fn a_call_without_a_line_is_named_by_its_place_in_the_code() {
    let explanation = of_text(
        "0: 0..1 MPI_Send@line+0x10 send 1; 1..9 MPI_Send@line+0x70 send 1; 9..10 MPI_Barrier@line+0x90 barrier
         1: 0..1 MPI_Recv@line+0x10 recv 0; 1..2 MPI_Recv@line+0x80 recv 0; 2..10 MPI_Barrier@line+0x90 barrier
         2: 0..10 MPI_Barrier@line+0x90 barrier",
    );
    let text = &explanation.problems[0].text;
    assert!(text.contains("`MPI_Send` (line+0x70)") && text.contains("`MPI_Barrier` (line+0x90)"), "{text}");
}

/// Steps of three ranks: in each, rank `late` is in `solve` for longer, below these regions and before a barrier at this line.
fn steps(steps: &[(&str, u32, u32)]) -> Explanation {
    of_text(&text_of_steps(steps))
}

fn text_of_steps(steps: &[(&str, u32, u32)]) -> String {
    let step = |rank: u32, (at, &(below, line, late)): (usize, &(&str, u32, u32))| {
        let begin = 10 * at;
        let (end, left) = (begin + if rank == late { 8 } else { 3 }, begin + 9);
        format!(
            "{begin} enter {below}; {begin}..{end} solve; {end}..{left} MPI_Barrier@run@a.c:{line} barrier; {left} leave"
        )
    };
    ranks(3, |rank| joined(steps.iter().enumerate(), |of| step(rank, of)))
}

#[test]
fn a_problem_in_several_phases_is_one() {
    let names: Vec<String> = (0..12).map(|phase| format!("phase_{phase}")).collect();
    let phases: Vec<(&str, u32, u32)> = names.iter().map(|name| (name.as_str(), 7, 0)).collect();
    let explanation = steps(&phases);
    let [problem] = &explanation.problems[..] else { panic!("{:#?}", explanation.problems) };
    assert_eq!((problem.seconds, problem.other_call_paths.len()), (120.0, 11));
    assert_eq!(
        problem.text,
        "Rank 0 spends 5.00 s more in each of 12 calls of `solve`. It is called in 12 regions: `phase_0`, `phase_1` and \
         10 more. Ranks 1,2 wait in `MPI_Barrier` (a.c:7): 120 s of 357 s. Share the work evenly."
    );
}

#[test]
fn code_with_two_callers_is_one_problem_and_two_culprits_are_two() {
    let one = steps(&[("predict", 7, 0), ("correct", 9, 0), ("predict", 7, 0), ("correct", 9, 0)]);
    let [problem] = &one.problems[..] else { panic!("{:#?}", one.problems) };
    assert_eq!((problem.seconds, problem.effects.len()), (40.0, 2));
    assert!(problem.text.contains("It is called in `predict` and `correct`."), "{}", problem.text);
    let two = steps(&[("predict", 7, 0), ("correct", 9, 1), ("predict", 7, 0), ("correct", 9, 1)]);
    let culprits: Vec<u32> = two.problems.iter().map(|of| of.culprits[0].location.rank).collect();
    assert_eq!(culprits.len(), 2, "{:#?}", two.problems);
    assert!(culprits.contains(&0) && culprits.contains(&1));
    // Both are late in `solve`.
    for (problem, culprit) in two.problems.iter().zip(culprits) {
        let caller = ["predict", "correct"][culprit as usize];
        assert!(problem.text.contains(&format!("`solve`. It is called in `{caller}`.")), "{}", problem.text);
    }
}

/// The first sentence about a rank that is late in some of 24 steps; nobody is late in the others.
fn of_late_steps(is_late: impl Fn(usize) -> bool) -> String {
    let step = |at: usize| ("main", 7, if is_late(at) { 0 } else { 9 });
    let explanation = steps(&(0..24).map(step).collect::<Vec<_>>());
    let text = &explanation.problems[0].text;
    text[..text.find(" It ").or(text.find(" Ranks ")).unwrap()].to_owned()
}

#[test]
fn the_steps_in_which_a_location_is_late_are_told() {
    let spends = "Rank 0 spends 5.00 s more in";
    assert_eq!(of_late_steps(|_| true), format!("{spends} each of 24 calls of `solve`."));
    assert_eq!(
        of_late_steps(|at| at >= 14),
        format!("{spends} each of the last 10 of 24 calls of `solve`, from 143.000 s on.")
    );
    assert_eq!(
        of_late_steps(|at| at < 10),
        format!("{spends} each of the first 10 of 24 calls of `solve`, until 98.000 s.")
    );
    assert_eq!(
        of_late_steps(|at| (8..16).contains(&at)),
        format!("{spends} each of 8 of 24 calls of `solve`, from 83.000 s to 158.000 s.")
    );
    // One irregular distance among many is another program's.
    assert_eq!(
        of_late_steps(|at| at >= 9 && at != 15),
        format!("{spends} each of the last 14 of 24 calls of `solve`, from 93.000 s on.")
    );
    let growing = |rank: u32, at: u32| {
        let (begin, next) = (30 * at, 30 * at + 29);
        let end = begin + if rank == 0 { 4 + at } else { 3 };
        format!("{begin}..{end} solve; {end}..{next} MPI_Barrier barrier")
    };
    let text = &of_text(&ranks(3, |rank| joined(0..12, |at| growing(rank, at)))).problems[0].text;
    assert_begins(
        text,
        "Rank 0 spends more and more time in each of 12 calls of `solve`: 1.00 s more in the first, 12.0 s more in the last.",
    );
    assert_eq!(of_late_steps(|at| at % 3 == 1), format!("{spends} one of 3, 8 of 24 calls of `solve`."));
    assert_eq!(
        of_late_steps(|at| [1, 2, 7, 12, 13, 20].contains(&at)),
        format!("{spends} 6 of 24 calls of `solve`.")
    );
}

#[test]
fn a_location_that_is_always_late_by_more_and_by_less_is_late_in_all_steps() {
    let late = |at: usize| if at < 15 { [6, 10][at % 2] } else { 4 };
    let step = |rank: u32, at: usize| {
        let begin = 20 * at;
        let end = begin + 1 + if rank == 0 { late(at) } else { 0 };
        format!("{begin}..{end} solve; {end}..{} MPI_Barrier barrier", begin + 2 + late(at))
    };
    let explanation = of_text(&ranks(3, |rank| joined(0..20, |at| step(rank, at))));
    let text = &explanation.problems[0].text;
    assert!(text.contains("more in each of 20 calls of `solve`."), "{text}");
}

#[test]
fn problems_that_are_not_listed_are_counted_by_call() {
    let names: Vec<String> = (0..5).map(|phase| format!("phase_{phase}")).collect();
    // Other calls wait for other ranks in turn, so that none is one with another.
    let phases: Vec<(&str, u32, u32)> =
        names.iter().zip(0..).map(|(name, at)| (name.as_str(), 7 + at, at % 3)).collect();
    let trace = text_of_steps(&phases);
    let of = |most| explained(&ats_analyzer::notation::parse(&trace).unwrap(), Limits { most, ..LIMITS });
    let (all, one) = (of(5), of(1));
    assert!(all.omitted.by_call.is_empty() && !all.hides_most(), "{:?}", all.omitted);
    let [barrier] = &one.omitted.by_call[..] else { panic!("{:?}", one.omitted) };
    assert_eq!((barrier.call.as_str(), barrier.problems), ("MPI_Barrier", all.problems.len() as u64 - 1));
    assert_eq!((barrier.seconds, one.omitted.seconds), (50.0 - one.problems[0].seconds, barrier.seconds));
    assert!(one.hides_most(), "{one:#?}");
}

#[test]
fn a_loop_reaches_late_code_from_two_sides() {
    let line = |rank: u32| {
        let late = if rank == 0 { 8 } else { 3 };
        let step = |at: u32| format!("{}..{} MPI_Barrier@run@a.c:7 barrier", 10 * at + late, 10 * at + 9);
        format!("0..1 MPI_Init@main@a.c:3; {}", joined(0..6, step))
    };
    let explanation = of_text(&ranks(3, line));
    let [problem] = &explanation.problems[..] else { panic!("{:#?}", explanation.problems) };
    assert_eq!(problem.seconds, 60.0);
    let text = "each of 6 passes through `run` or its callers between a.c:7 (or a.c:3) and a.c:7.";
    assert!(problem.text.contains(text), "{}", problem.text);
}

fn notes_with(cost: f64, text: &str) -> Vec<String> {
    let trace = ats_analyzer::notation::parse(text).unwrap();
    let trace = OfRecorder { trace, has_common_clock: true, cost: Some(cost) };
    explain_trace(&trace, "test", &Options::default(), LIMITS, &mut |_| {}).unwrap().explanation.notes
}

#[test]
fn an_answer_says_what_of_the_waits_is_the_recorders() {
    let flushes = "0: 0..1 MPI_Init; 2..3 solve; 4 flush 10; 12..13 MPI_Send send 1; 20..21 MPI_Finalize
                   1: 0..1 MPI_Init; 2..3 solve; 4..13 MPI_Recv recv 0; 20..21 MPI_Finalize";
    let written = "The recorder wrote its buffers during the run (on rank 0 1 time, 6 s in all); the program stood still \
                   meanwhile, and waits for that are the recorder's.";
    let waited = "8.00 s is waited for rank 0, but its recorder wrote its buffers in 6.00 s of it: without a recorder \
                  that is no wait.";
    assert_eq!(of_text(flushes).notes, [written, waited]);
    // Calls go on while rank 1 waits from 4 s to 12 s: one ends at its begin, four are inside.
    let calls = "0: 0..1 MPI_Init; 1..2 solve; 2..3 get; 3..4 get; 4..5 get; 6..7 get; 8..9 get; 10..11 get
                 0: 12..13 MPI_Send send 1; 20..21 MPI_Finalize
                 1: 0..1 MPI_Init; 1..2 solve; 4..13 MPI_Recv recv 0; 20..21 MPI_Finalize";
    let note = |events, took, cost| {
        format!(
            "8.00 s is waited for rank 0, but to record its {events} events meanwhile took {took} of it by estimate \
             ({cost} ns each, more on a machine with other load): without a recorder that is no wait."
        )
    };
    assert_eq!(notes_with(0.25, calls), [note(9, "2.25 s", "250000000")]);
    assert!(notes_with(0.01, calls).is_empty(), "less than a tenth");
    assert!(of_text(calls).notes.is_empty(), "the cost is not known");
}
