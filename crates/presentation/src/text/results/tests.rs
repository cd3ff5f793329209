use ats_documents::finding::{Basis, LocationShare};
use ats_documents::score::{Cause, Disturbance, Judgement, Outcome, Severities};
use ats_model::View;
use ats_model::WaitState;
use ats_model::locations::Location;

use super::*;

fn expectation(outcome: Outcome, amount: Judgement) -> Expectation {
    Expectation {
        id: "late_sender@late_sender/MPI_Recv".to_owned(),
        outcome,
        view: View::Wait,
        wait_state: Some(WaitState::LateSender),
        metric: None,
        call_path: vec!["late_sender".to_owned(), "MPI_Recv".to_owned()],
        waiting: [1, 3, 5, 6, 7].map(|rank| Location { rank, thread: 0 }).to_vec(),
        property: Judgement::Yes,
        place: Judgement::Yes,
        locations: Judgement::Yes,
        amount,
        nominal: 1.0,
        observed: 1.0,
        found: 1.0,
        planted: true,
        reported_as: None,
        grade: None,
        error: None,
        spread: None,
        severity: Severities { nominal: 0.4167, observed: 0.4151, found: 0.415 },
    }
}

fn program(name: &str, expectations: Vec<Expectation>) -> ProgramResult {
    ProgramResult {
        program: name.to_owned(),
        ranks: 8,
        threads: 1,
        repeats: 1,
        runs: 1,
        expectations,
        ..ProgramResult::default()
    }
}

/// Counts over programs; the rates are those of [`score`].
fn totals(programs: &[ProgramResult]) -> Totals {
    let counted = Totals::counted(&programs.iter().collect::<Vec<_>>(), 0.01);
    let third = Some(1.0 / 3.0);
    Totals { precision: third, recall: third, f1: third, ..counted }
}

fn score() -> Score {
    let share = LocationShare { rank: 0, thread: 0, waiting_time: 0.3 };
    let basis = Basis::new(None, 10.0, 1);
    let alarm = ats_documents::Finding::wait(
        Some(WaitState::WaitAtBarrier),
        vec!["MPI_Barrier".to_owned()],
        vec![share],
        1,
        &basis,
        true,
    );
    let mut alarmed = program("late_sender_balanced", Vec::new());
    alarmed.unexpected = vec![alarm.clone()];
    alarmed.false_seconds = alarm.waiting_time;
    let mut noisy = program("late_scatter_balanced", Vec::new());
    noisy.noise = vec![alarm];
    let programs = vec![
        program("late_sender", vec![expectation(Outcome::Found, Judgement::Yes)]),
        alarmed,
        program(
            "late_receiver",
            vec![
                expectation(Outcome::Wrong, Judgement::No),
                Expectation {
                    reported_as: Some("late_receiver".to_owned()),
                    ..expectation(Outcome::Missed, Judgement::NotApplicable)
                },
            ],
        ),
        noisy,
        program("late_broadcast_balanced", Vec::new()),
        ProgramResult {
            run_status: RunStatus::Timeout,
            message: Some("it was still running after 60 s and was killed".to_owned()),
            ..program("early_reduce", Vec::new())
        },
    ];
    Score { schema: Score::SCHEMA.to_owned(), totals: totals(&programs), programs, ..Score::default() }
}

#[test]
fn a_row_for_each_and_what_is_to_be_said() {
    let text = results(&score(), Look::default());
    let expected = "\
 program                  nominal  observed    found  seconds  call path             locations  verdict
late_sender              41.67 %   41.51 %  41.50 %   1.0000  late_sender/MPI_Recv  1,3,5-7    found
late_sender_balanced                                                                           false alarm
late_receiver            41.67 %   41.51 %  41.50 %   1.0000  late_sender/MPI_Recv  1,3,5-7    wrong amount
  late_sender            41.67 %   41.51 %  41.50 %   1.0000  late_sender/MPI_Recv  1,3,5-7    missed, reported as late_receiver
late_scatter_balanced                                                                          noise 3.00 %
late_broadcast_balanced                                                                        silent
early_reduce                                                                                   timeout

late_sender_balanced: false alarm: 3.00 % (0.3000 s), wait_at_barrier at MPI_Barrier
late_receiver: late_sender is reported as late_receiver at MPI_Recv, 1.0000 s
late_scatter_balanced: noise: 3.00 % (0.3000 s), wait_at_barrier at MPI_Barrier
early_reduce: it was still running after 60 s and was killed
programs 6: found 1, wrong 1, missed 1, not manifested 0, failed 1, false alarms 1 (0.3000 s), correctly silent 1
precision 0.333, recall 0.333, F1 0.333; farthest from observed 0.000 %, from nominal 0.000 %
";
    assert_eq!(text, expected);
}

#[test]
fn programs_of_several_kinds_are_added_up_by_kind() {
    let mut score = score();
    (score.programs[0].ranks, score.programs[0].threads) = (1, 8);
    score.programs[2].threads = 2;
    let text = results(&score, Look { shown: Shown::None, ..Look::default() });
    let expected = "\
 programs with         programs  found  wrong  missed  not manifested  failed  silent  false alarms  from observed
processes                    4      0      0       0               0       1       1             1            n/a
threads                      1      1      0       0               0       0       0             0        0.000 %
processes of threads         1      0      1       1               0       0       0             0        0.000 %

programs 6: found 1,";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn it_fits_a_narrow_terminal_and_has_no_escapes() {
    let text = results(&score(), Look { width: Some(80), ..Look::default() });
    let rows = text.lines().take_while(|line| !line.is_empty());
    assert!(rows.clone().count() > 7);
    assert!(rows.clone().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn reruns_are_reported() {
    let disturbance =
        |share, folder| Disturbance { cause: Cause::Deviation, share, folder, out_of_reruns: false };
    let again = ProgramResult {
        runs: 2,
        disturbed: vec![disturbance(0.08, Some("late_sender~1".to_owned()))],
        ..program("late_sender", vec![expectation(Outcome::Found, Judgement::Yes)])
    };
    let noise = Disturbance { cause: Cause::Noise, ..disturbance(0.029, None) };
    let clocks = Disturbance { cause: Cause::Clocks, ..disturbance(0.214, None) };
    let last = ProgramResult { disturbed: vec![noise, clocks], ..program("late_receiver", Vec::new()) };
    let programs = vec![again, last];
    let totals = totals(&programs);
    let text = results(&Score { programs, totals, ..score() }, Look::default());
    assert!(text.lines().nth(1).unwrap().ends_with("found, 2 runs"), "{text}");
    let said: Vec<&str> =
        text.lines().filter(|line| line.contains("disturbed") || line.contains("again")).collect();
    assert_eq!(
        said,
        [
            "late_sender: disturbed: a wait was 8.00 % longer or shorter than planned; run again, and this run is kept in late_sender~1",
            "late_receiver: disturbed: waits that nobody planned took 2.90 % of all locations' time",
            "late_receiver: disturbed: the clocks of the trace contradict each other: 21.40 % of messages and collective operations are over too early",
            "the machine disturbed 3 of 3 runs; programs run again 1",
        ]
    );
    assert!(text.ends_with("run again 1\n"), "it is the last line");
}

#[test]
fn findings_below_the_threshold_are_reported() {
    let small = expectation(Outcome::BelowThreshold, Judgement::NotApplicable);
    let programs = vec![program("late_sender", vec![small])];
    let totals = totals(&programs);
    let text = results(&Score { programs, totals, ..score() }, Look::default());
    assert!(text.lines().nth(1).unwrap().ends_with("  below threshold"), "{text}");
    assert!(text.ends_with("\nbelow the threshold of 1.00 %, and asked of no tool: 1\n"), "{text}");
}

#[test]
fn counts_are_shown_as_counts() {
    let counted = Expectation {
        view: View::Count,
        wait_state: None,
        call_path: vec!["!$omp barrier".to_owned()],
        waiting: Vec::new(),
        nominal: 800.0,
        observed: 800.0,
        found: 799.0,
        severity: Severities::default(),
        ..expectation(Outcome::Wrong, Judgement::No)
    };
    let programs = vec![program("frequent_explicit_barrier", vec![counted])];
    let totals = totals(&programs);
    let text = results(&Score { programs, totals, ..score() }, Look::default());
    let row = text.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = "frequent_explicit_barrier 800 visits 800 visits 799 visits !$omp barrier wrong amount";
    assert_eq!(row, wanted, "{text}");
}

#[test]
fn programs_of_a_sweep_are_told_apart() {
    let swept = |value: &str| {
        let mut swept = program("late_sender", vec![expectation(Outcome::Found, Judgement::Yes)]);
        swept.parameters = [("extrawork", value), ("r", "10")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        swept
    };
    let programs = vec![swept("0.01"), swept("0.05"), program("late_receiver", Vec::new())];
    let text = results(&Score { programs, ..score() }, Look::default());
    let names: Vec<&str> =
        text.lines().skip(1).take(3).map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(names, ["late_sender extrawork=0.01", "late_sender extrawork=0.05", "late_receiver"]);
}

#[test]
fn text_of_a_report_stays_in_its_row() {
    let mut evil = expectation(Outcome::Found, Judgement::Yes);
    evil.call_path = vec!["\u{1b}[31m\r\nlate_sender".to_owned(), "MPI_Recv\u{202e}".to_owned()];
    let mut programs = vec![program("late_sender", vec![evil])];
    programs[0].message = Some("two\nlines\u{7}".to_owned());
    let text = results(&Score { programs, ..score() }, Look::default());
    assert!(text.contains(r"\u{1b}[31m\u{d}\u{a}late_sender/MPI_Recv\u{202e}"), "{text}");
    assert!(text.contains("late_sender: two\nlines\\u{7}\n"), "{text}");
}

/// The verdict in brackets that tell its mood.
fn bracketed(text: &str, mood: Mood) -> String {
    match mood {
        Mood::Good => format!("<{text}>"),
        Mood::Unsure => format!("?{text}?"),
        Mood::Bad => format!("!{text}!"),
    }
}

#[test]
fn verdicts_alone_are_painted_each_by_its_mood() {
    let look = Look { paint: bracketed, ..Look::default() };
    let ends = |text: &str| -> Vec<String> {
        let rows = text.lines().skip(1).take_while(|line| !line.is_empty());
        rows.filter_map(|line| Some(line.rsplit_once("  ")?.1.to_owned())).collect()
    };
    let text = results(&score(), look);
    let expected = [
        "<found>",
        "!false alarm!",
        "!wrong amount!",
        "!missed, reported as late_receiver!",
        "?noise 3.00 %?",
        "<silent>",
        "!timeout!",
    ];
    assert_eq!(ends(&text), expected);
    assert_eq!(text.replace(['<', '>', '?', '!'], ""), results(&score(), Look::default()));
    let narrow = results(&score(), Look { width: Some(104), ..look });
    assert_eq!(narrow.matches(['<', '!']).count(), 10, "every verdict ends a line: {narrow}");
    let too_narrow = results(&score(), Look { width: Some(80), ..look });
    assert!(!too_narrow.contains(['<', '!']), "{too_narrow}");
}

#[test]
fn programs_that_passed_may_be_left_out() {
    let failed = results(&score(), Look { shown: Shown::Failed, ..Look::default() });
    let rows: Vec<&str> = failed.lines().take_while(|line| !line.is_empty()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["program", "late_sender_balanced", "late_receiver", "late_sender", "early_reduce"]);
    let none = results(&score(), Look { shown: Shown::None, ..Look::default() });
    assert!(none.starts_with("late_sender_balanced: false alarm: 3.00 %"), "{none}");
    let found = program("late_sender", vec![expectation(Outcome::Found, Judgement::Yes)]);
    let programs = vec![ProgramResult { kendall_tau: Some(1.0), ..found }];
    let passed = Score { totals: totals(&programs), programs, ..score() };
    let text = results(&passed, Look { shown: Shown::Failed, ..Look::default() });
    assert!(text.starts_with("programs 1: found 1"), "{text}");
}

#[test]
fn a_line_has_what_its_row_has() {
    let results = score().programs;
    let names = Names::of_results(&results);
    let line = |program: &ProgramResult| lines(program, &names, 0.01);
    let shown = |line: &Line| format!("{}{}", bracketed(&line.verdict, line.mood), line.rest);
    let two: Vec<String> = line(&results[2]).iter().map(shown).collect();
    let path = "late_sender/MPI_Recv  1,3,5-7";
    assert_eq!(
        two,
        [
            format!(
                "!wrong amount!  late_receiver              41.67 %    41.51 %    41.50 %    1.0000  {path}"
            ),
            format!(
                "!missed, reported as late_receiver!    late_sender              41.67 %    41.51 %    41.50 %    1.0000  {path}"
            ),
        ]
    );
    assert_eq!(
        line(&results[4]).iter().map(shown).collect::<Vec<_>>(),
        ["<   silent>  late_broadcast_balanced"]
    );
    assert_eq!(
        header(&names),
        "  verdict  program                    nominal   observed      found   seconds  call path  locations"
    );
}

#[test]
fn programs_are_called_the_same_before_and_after_they_run() {
    let run = |name: &str, ranks: u32, threads: u32, extrawork: &str| {
        let parameters = [("extrawork".to_owned(), extrawork.to_owned())].into();
        ProgramResult { ranks, threads, parameters, ..program(name, Vec::new()) }
    };
    let results = [
        run("late_sender", 4, 1, "0.001"),
        run("late_sender", 4, 1, "0.002"),
        run("late_sender_hybrid", 2, 4, "0.05"),
    ];
    let planned = results
        .iter()
        .map(|result| ((result.program.clone(), result.ranks, result.threads), result.parameters.clone()));
    let (before, after) = (Names::new(planned), Names::of_results(&results));
    let called = |names: &Names| results.iter().map(|result| names.name(result)).collect::<Vec<_>>();
    let expected = ["late_sender extrawork=0.001", "late_sender extrawork=0.002", "late_sender_hybrid 2×4"];
    assert_eq!((called(&before), called(&after)), (expected.map(str::to_owned).to_vec(), called(&before)));
    assert_eq!(before.width(), expected[0].len());
}
