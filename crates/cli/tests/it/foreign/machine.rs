//! Work of the machine for a program, which counts it itself: with too few processors, with another process on one of
//! them, asleep, and with memory that is touched for the first time.

use std::process::{Child, Command, Stdio};

use ats_documents::Explanation;
use ats_documents::machine::{Counted, Machine};
use ats_model::CauseKind;
use ats_presentation::machine_sentences;

use super::Foreign;

/// The counters that the program prints of a rank.
#[derive(Clone, Copy, Debug)]
struct Own {
    seconds: f64,
    processor: f64,
    taken: f64,
    faults: f64,
}

/// The first two processors that this process may use, as `taskset` takes them.
fn two_processors() -> [String; 2] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let listed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let numbers = listed.trim().split(',').flat_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        first.parse::<u32>().unwrap()..=last.parse().unwrap()
    });
    let two: Vec<String> = numbers.take(2).map(|number| number.to_string()).collect();
    two.try_into().expect("there are two")
}

/// Records the program on ranks that share two processors; returns the counters of each, and what the analysis says.
fn recorded(foreign: &Foreign, ranks: u32, mode: &str, amount: u32) -> (Vec<Own>, Machine) {
    let (two, ranks, amount) = (two_processors().join(","), ranks.to_string(), amount.to_string());
    let launch =
        ["taskset", "-c", &two, "mpirun.openmpi", "--timeout", "60", "--bind-to", "none", "-np", &ranks];
    let printed = foreign.measured(&[&launch[..], &["./program", mode, &amount]].concat());
    let own = |of: &[f64]| Own { seconds: of[0], processor: of[1], taken: of[2], faults: of[3] };
    let machine = foreign.analysis().machine;
    assert_eq!(foreign.profile().machine, machine);
    (printed.chunks(4).map(own).collect(), machine)
}

/// Fails unless each answer begins with these sentences.
#[track_caller]
fn assert_begin_with(foreign: &Foreign, sentences: &[String]) {
    for verb in ["analyze", "profile", "explain"] {
        let answer = foreign.answer(&[verb, "trace"]);
        assert!(answer.starts_with(&sentences.join("\n")), "{verb}: {answer}\nand not\n{sentences:?}");
    }
}

/// Whether a number is that of the program, within a tenth of it and `more`, which the rest of the run has.
fn is_as_own(found: f64, own: f64, more: f64) -> bool {
    (found - own).abs() <= 0.1 * own + more
}

#[track_caller]
fn assert_computing(of: &Counted, own: Own) {
    assert!(is_as_own(of.computing, own.processor, 0.02), "{of:?} {own:?}");
    assert!(is_as_own(of.not_running, own.seconds - own.processor, 0.02), "{of:?} {own:?}");
    assert!(of.involuntary_switches as f64 >= own.taken, "{of:?} {own:?}");
}

#[test]
fn ranks_that_share_processors_and_the_time_that_each_had_one_are_told() {
    let foreign = Foreign::compiled("machine.c");
    let (own, machine) = recorded(&foreign, 4, "busy", 600);
    assert_eq!((machine.shared[0].locations, machine.shared[0].processors), (4, 2));
    machine.locations.iter().zip(own).for_each(|(of, own)| assert_computing(of, own));
    let sentences = machine_sentences(&machine);
    assert!(sentences[0].starts_with("4 locations share 2 processors of "), "{sentences:?}");
    assert!(sentences[1].contains(" had its processor for "), "{sentences:?}");
    assert_begin_with(&foreign, &sentences);
}

/// A process that computes on a processor until it is dropped.
struct Hog(Child);

impl Hog {
    fn on(processor: &str) -> Self {
        let mut hog = Command::new("taskset");
        hog.args(["-c", processor, "timeout", "60", "sh", "-c", "while :; do :; done"]);
        Hog(hog.stdout(Stdio::null()).spawn().expect("taskset runs"))
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        // `timeout` hands the signal on; to kill it would leave its child.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

#[test]
fn a_rank_whose_processor_another_process_has_is_told_and_not_to_share_its_work() {
    let foreign = Foreign::compiled("machine.c");
    let [_, processor] = two_processors();
    let hog = Hog::on(&processor);
    let (own, machine) = recorded(&foreign, 2, "alone", 400);
    drop(hog);
    machine.locations.iter().zip(&own).for_each(|(of, own)| assert_computing(of, *own));
    let of = &machine.locations[1];
    assert!(of.lost_processor() && of.not_running > 0.25 * own[1].seconds, "{of:?}");
    let sentences = machine_sentences(&machine);
    let is_it =
        |sentence: &String| sentence.contains(" had its processor for ") && sentence.contains("ank 1 ");
    assert!(sentences.iter().any(is_it), "{sentences:?}");
    assert_begin_with(&foreign, &sentences);
    let explanation: Explanation =
        serde_json::from_str(&foreign.answer(&["explain", "trace", "--format", "json"])).unwrap();
    assert_eq!(explanation.machine, machine);
    // On a busy machine, rank 0 may be as late.
    let large = explanation.problems.iter().filter(|problem| problem.share >= 0.1);
    large.for_each(|problem| assert_eq!(problem.cause(), CauseKind::Mapping, "{}", problem.text));
}

#[test]
fn sleeping_is_not_the_lack_of_a_processor() {
    let foreign = Foreign::compiled("machine.c");
    let (own, machine) = recorded(&foreign, 2, "sleep", 500);
    for (of, own) in machine.locations.iter().zip(own) {
        assert!(own.seconds - own.processor > 0.49, "{own:?}");
        assert!(of.not_running < 0.02 && of.voluntary_switches > 0, "{of:?}");
    }
}

#[test]
fn page_faults_of_memory_that_is_touched_for_the_first_time_are_told() {
    let foreign = Foreign::compiled("machine.c");
    let (own, machine) = recorded(&foreign, 2, "touch", 160);
    for (of, own) in machine.locations.iter().zip(&own) {
        // A program has some thousands as it starts.
        assert!(is_as_own(of.page_faults_computing as f64, own.faults, 1000.0), "{of:?} {own:?}");
        assert!(of.page_faults >= of.page_faults_computing, "{of:?}");
    }
    let sentences = machine_sentences(&machine);
    let faults: Vec<_> = sentences.iter().filter(|sentence| sentence.contains("page faults")).collect();
    let [faults] = &faults[..] else { panic!("{sentences:?}") };
    assert!(
        faults.starts_with(&format!("Rank 1 had {} page faults", machine.locations[1].page_faults_computing))
    );
    assert_begin_with(&foreign, &sentences);
}
