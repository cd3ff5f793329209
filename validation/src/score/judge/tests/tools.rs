//! Tools that can do less than ours.

use ats_documents::report::{Call, CallShare};
use serde_json::json;

use super::*;

/// A report without findings, of a tool that can name `names`.
fn report(names: &[WaitState]) -> Report {
    Report { names: names.to_vec(), ..analysis(Vec::new()) }
}

fn profile(calls: &[(&str, &[(u32, f64)])]) -> Report {
    let share = |&(rank, inclusive_time): &(u32, f64)| CallShare {
        rank,
        thread: 0,
        inclusive_time,
        visits: Some(10),
    };
    let call = |&(path, shares): &(&str, &[(u32, f64)])| Call {
        call_path: path.split('/').map(str::to_owned).collect(),
        locations: shares.iter().map(share).collect(),
    };
    Report { calls: calls.iter().map(call).collect(), ..report(&[]) }
}

fn judge_report(known: Vec<Finding>, report: &Report, call_paths: CallPaths) -> ProgramResult {
    let truth = truth("late_sender", known);
    judge(
        Case { nominal: &truth, observed: &truth, report, call_paths, catalogue: &Catalogue::builtin() },
        &Rules::MEASURED,
    )
}

fn judge_profile(calls: &[(&str, &[(u32, f64)])]) -> Expectation {
    let result = judge_report(vec![late_sender(2.0)], &profile(calls), CallPaths::UserRegions);
    assert!(result.unexpected.is_empty());
    only(&result).clone()
}

#[test]
fn a_profile_is_held_to_consistency_and_asked_for_no_name() {
    let path = "main/late_sender/MPI_Recv";
    for (shares, outcome, wanted) in [
        // More time than the wait is no fault, and elsewhere neither.
        (&[(1, 2.0), (3, 2.0)][..], Outcome::Consistent, "-yyy"),
        (&[(0, 1.0), (1, 3.5), (3, 2.1)], Outcome::Consistent, "-yyy"),
        (&[(1, 1.5), (3, 2.5)], Outcome::Inconsistent, "-yyn"),
        (&[(0, 2.5), (3, 2.5)], Outcome::Inconsistent, "-ynn"),
    ] {
        let expectation = judge_profile(&[(path, shares), ("main/late_sender/MPI_Send", &[(0, 9.0)])]);
        assert_eq!((expectation.outcome, judgements(&expectation).as_str()), (outcome, wanted), "{shares:?}");
    }
    let elsewhere = judge_profile(&[("main/MPI_Recv", &[(1, 2.0), (3, 2.0)])]);
    assert_eq!((elsewhere.outcome, judgements(&elsewhere).as_str()), (Outcome::Inconsistent, "-n--"));
}

#[test]
fn time_below_a_call_is_not_counted_twice() {
    let both = judge_profile(&[
        ("main/late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]),
        ("main/late_sender/MPI_Recv/ompi_wait", &[(1, 2.0), (3, 2.0)]),
    ]);
    assert_eq!((both.outcome, both.found), (Outcome::Consistent, 4.0));
}

#[test]
fn a_profile_of_what_the_run_did_not_show_says_nothing() {
    let nominal = truth("late_sender", vec![late_sender(2.0)]);
    let observed = truth("late_sender", vec![late_sender(0.9)]);
    let report = profile(&[("late_sender/MPI_Recv", &[(1, 0.9), (3, 0.9)])]);
    let case = Case {
        nominal: &nominal,
        observed: &observed,
        report: &report,
        call_paths: CallPaths::UserRegions,
        catalogue: &Catalogue::builtin(),
    };
    assert_eq!(only(&judge(case, &Rules::MEASURED)).outcome, Outcome::NotManifested);
}

#[test]
fn a_profile_is_asked_only_for_locations_where_a_wait_is_planned() {
    let nominal = truth("late_sender", vec![late_sender(2.0)]);
    let noisy = finding(WaitState::LateSender, "late_sender/MPI_Recv", &[(0, 0.055), (1, 2.0), (3, 2.0)]);
    let observed = truth("late_sender", vec![noisy]);
    let outcome = |shares: &[(u32, f64)]| {
        let report = profile(&[("late_sender/MPI_Recv", shares)]);
        let case = Case {
            nominal: &nominal,
            observed: &observed,
            report: &report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        only(&judge(case, &Rules::MEASURED)).outcome
    };
    assert_eq!(outcome(&[(0, 0.052), (1, 2.0), (3, 2.0)]), Outcome::Consistent);
    assert_eq!(outcome(&[(1, 2.0), (3, 2.0)]), Outcome::Consistent);
    assert_eq!(outcome(&[(0, 0.055), (1, 2.0), (3, 1.9)]), Outcome::Inconsistent);
}

#[test]
fn a_profile_knows_nothing_of_threads_that_do_nothing() {
    let idle = finding(WaitState::IdleThreads, "work/MPI_Recv", &[(1, 2.0)]);
    let shown = profile(&[("work/MPI_Recv", &[(1, 2.0)])]);
    let result = judge_report(vec![idle], &shown, CallPaths::UserRegions);
    let idle = only(&result);
    // The run showed it, so nothing disturbed it.
    assert_eq!((idle.outcome, idle.observed, idle.found), (Outcome::Unsupported, 2.0, 0.0));
}

#[test]
fn wait_states_that_a_tool_cannot_name_are_unsupported() {
    let outcome = |names: &[WaitState]| {
        let result = judge_report(vec![late_sender(2.0)], &report(names), CallPaths::UserRegions);
        (only(&result).outcome, judgements(only(&result)))
    };
    assert_eq!(outcome(&[WaitState::LateReceiver]), (Outcome::Unsupported, "----".to_owned()));
    assert_eq!(outcome(&[WaitState::LateSender]), (Outcome::Missed, "n---".to_owned()));
}

#[test]
fn a_name_that_may_stand_for_another_supports_it() {
    let limited = finding(WaitState::LimitedParallelism, "a/b", &[(1, 2.0)]);
    let outcome = |names: &[WaitState]| {
        only(&judge_report(vec![limited.clone()], &report(names), CallPaths::UserRegions)).outcome
    };
    assert_eq!(outcome(&[WaitState::IdleThreads]), Outcome::Missed);
    assert_eq!(outcome(&[WaitState::LateSender]), Outcome::Unsupported);
}

#[test]
fn a_tool_without_call_paths_is_asked_for_the_call_alone() {
    let found = |path: &str| Report {
        findings: vec![finding(WaitState::LateSender, path, &[(1, 2.0), (3, 2.0)])],
        ..report(&[WaitState::LateSender])
    };
    let judged = |path: &str, call_paths| {
        judgements(only(&judge_report(vec![late_sender(2.0)], &found(path), call_paths)))
    };
    assert_eq!(judged("MPI_Recv", CallPaths::None), "yyyy");
    assert_eq!(judged("MPI_Wait", CallPaths::None), "ynyy");
    assert_eq!(judged("MPI_Recv", CallPaths::UserRegions), "ynyy");
}

#[test]
fn calls_that_such_a_tool_cannot_tell_apart_are_one() {
    let known = vec![
        finding(WaitState::LateSender, "one/MPI_Recv", &[(1, 1.5)]),
        finding(WaitState::LateSender, "two/MPI_Recv", &[(1, 0.5), (3, 2.0)]),
    ];
    let report = Report {
        findings: vec![finding(WaitState::LateSender, "MPI_Recv", &[(1, 2.0), (3, 2.0)])],
        ..report(&[WaitState::LateSender])
    };
    let result = judge_report(known.clone(), &report, CallPaths::None);
    assert_eq!((only(&result).outcome, only(&result).observed), (Outcome::Found, 4.0));
    assert_eq!(judge_report(known, &report, CallPaths::Unwound).expectations.len(), 2);
}

#[test]
fn a_tool_that_unwinds_the_stack_sees_no_regions_around_a_property() {
    let known = vec![
        finding(
            WaitState::LateSender,
            "step/exchange/late_sender/mpi_commpattern_sendrecv/MPI_Recv",
            &[(1, 2.0)],
        ),
        finding(WaitState::LateSender, "halo/late_sender/mpi_commpattern_sendrecv/MPI_Recv", &[(3, 2.0)]),
    ];
    let unwound = "main/{closure#0}/late_sender/send_up/mpi_commpattern_sendrecv/call/MPI_Recv";
    let shown = profile(&[(unwound, &[(1, 2.0), (3, 2.0)])]);
    let result = judge_report(known.clone(), &shown, CallPaths::Unwound);
    assert_eq!((only(&result).outcome, only(&result).observed), (Outcome::Consistent, 4.0));
    let result = judge_report(known, &shown, CallPaths::UserRegions);
    assert!(result.expectations.iter().all(|e| e.outcome == Outcome::Inconsistent), "{result:?}");
}

#[test]
fn a_barrier_beside_its_loop_is_at_its_place() {
    let state = WaitState::WaitAtImplicitOmpBarrier;
    let [below, beside] = ["!$omp for/!$omp implicit barrier", "!$omp implicit barrier"]
        .map(|end| format!("work/!$omp parallel/{end}"));
    let known = vec![finding(state, &below, &[(1, 2.0), (3, 2.0)])];
    let outcome = |found: &[(&str, f64)]| {
        let found = found.iter().map(|&(path, each)| finding(state, path, &[(1, each), (3, each)]));
        let report = Report { findings: found.collect(), ..report(&[state]) };
        let result = judge_report(known.clone(), &report, CallPaths::UserRegions);
        (only(&result).outcome, only(&result).found, result.unexpected.len())
    };
    assert_eq!(outcome(&[(&beside, 2.0)]), (Outcome::Found, 4.0, 0), "OMPT");
    assert_eq!(outcome(&[(&below, 2.0)]), (Outcome::Found, 4.0, 0), "OPARI2");
    let both = outcome(&[(&beside, 2.5), (&below, 2.0)]);
    assert_eq!(both, (Outcome::Found, 4.0, 1), "that of the region is another");
    let profiled = |calls: &[(&str, &[(u32, f64)])]| {
        let result = judge_report(known.clone(), &profile(calls), CallPaths::UserRegions);
        (only(&result).outcome, only(&result).found)
    };
    let (all, some) = (&[(1, 2.0), (3, 2.0)], &[(1, 1.0), (3, 1.0)]);
    assert_eq!(profiled(&[(&beside, all)]), (Outcome::Consistent, 4.0));
    assert_eq!(profiled(&[(&beside, some), (&below, all)]), (Outcome::Consistent, 4.0));
    assert_eq!(profiled(&[(&beside, all), (&below, some)]), (Outcome::Inconsistent, 2.0));
}

#[test]
fn a_tool_that_knows_no_calls_is_not_asked_for_the_place() {
    let mut nowhere = finding(WaitState::LateSender, "x", &[(1, 2.0), (3, 2.0)]);
    nowhere.call_path.clear();
    let report = Report { findings: vec![nowhere], ..report(&[WaitState::LateSender]) };
    let result = judge_report(vec![late_sender(2.0)], &report, CallPaths::None);
    assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (Outcome::Found, "y-yy"));
}

#[test]
fn visits_of_a_profile_are_counts() {
    let path = ["frequent_barrier", "MPI_Barrier"].map(str::to_owned).to_vec();
    let mut truth = truth("frequent_barrier", vec![Finding::count(path, VISITS, 30)]);
    truth.counts.insert("MPI_Barrier".to_owned(), CallCount { calls: 30, ..CallCount::default() });
    let outcome = |report: &Report| {
        let case = Case {
            nominal: &truth,
            observed: &truth,
            report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        only(&judge(case, &Rules::MEASURED)).outcome
    };
    let two = ("a/MPI_Barrier", &[(0, 0.1), (1, 0.1)][..]);
    let right = [two, ("b/PMPI_Barrier", &[(0, 0.1)][..])];
    assert_eq!(outcome(&profile(&right)), Outcome::Found);
    let warm_up = ("main/ats_warmup/a_balanced/MPI_Barrier", &[(0, 0.1), (1, 0.1)][..]);
    assert_eq!(
        outcome(&profile(&[right[0], right[1], warm_up])),
        Outcome::Found,
        "those before are not counted"
    );
    assert_eq!(outcome(&profile(&[two])), Outcome::Wrong);
    assert_eq!(outcome(&report(&[WaitState::LateSender])), Outcome::Unsupported);
}

#[test]
fn tasks_below_the_root_of_all_tasks_are_not_counted_again() {
    let truth = entries("!$omp task", 30);
    let outcome = |calls: &[(&str, &[(u32, f64)])]| {
        let case = Case {
            nominal: &truth,
            observed: &truth,
            report: &profile(calls),
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        only(&judge(case, &Rules::MEASURED)).outcome
    };
    let three = &[(0, 0.1), (1, 0.1), (2, 0.1)][..];
    let warm_up = &[(0, 0.1)][..];
    let begun = ("main/ats_measured/p/!$omp parallel/!$omp implicit barrier/!$omp task", three);
    let root = "main/TASKS/!$omp task";
    assert_eq!(outcome(&[(root, three), (root, warm_up), begun]), Outcome::Found);
    assert_eq!(outcome(&[(root, three)]), Outcome::Found, "they are nowhere else");
}

/// A report written by hand: `finding` and no more.
fn written(finding: serde_json::Value) -> Report {
    let document = json!({ "schema": Report::SCHEMA, "tool": "mine", "findings": [finding] });
    ats_documents::written::report(document.to_string().as_bytes()).unwrap()
}

#[test]
fn a_tool_is_judged_to_the_grade_that_it_can_reach() {
    let path = ["main", "late_sender", "MPI_Recv"];
    for (finding, outcome, wanted) in [
        (
            json!({ "property": "late_sender", "call_path": path, "waiting_time": 4.0 }),
            Outcome::Found,
            "yy-y",
        ),
        (
            json!({ "metric": "mpi_latesender", "call_path": path, "waiting_time": 4.0 }),
            Outcome::Found,
            "yy-y",
        ),
        (json!({ "property": "mpi_latesender", "call_path": path, "severity": 0.4 }), Outcome::Found, "yy-y"),
        (
            json!({ "property": "late_sender", "call_path": path, "waiting_time": 3.0 }),
            Outcome::Wrong,
            "yy-n",
        ),
        (json!({ "property": "late_sender", "call_path": [], "waiting_time": 4.0 }), Outcome::Found, "y--y"),
        (
            json!({ "property": "late_receiver", "call_path": path, "waiting_time": 4.0 }),
            Outcome::Missed,
            "ny-y",
        ),
        (
            json!({ "property": "late_sender", "call_path": path, "waiting_time": 4.0, "in_basis": false }),
            Outcome::Wrong,
            "yn-y",
        ),
        (
            json!({ "property": "late_sender", "call_path": path,
                    "locations": [{ "rank": 3, "waiting_time": 2.0 }, { "rank": 1, "waiting_time": 2.0 }] }),
            Outcome::Found,
            "yyyy",
        ),
    ] {
        let report = written(finding.clone());
        let result = judge_report(vec![late_sender(2.0)], &report, CallPaths::UserRegions);
        assert_eq!(
            (only(&result).outcome, judgements(only(&result)).as_str()),
            (outcome, wanted),
            "{finding}"
        );
        assert_eq!(result.unexpected.len(), usize::from(outcome == Outcome::Missed), "{finding}");
        assert!(result.unexpected.iter().all(|alarm| alarm.severity == 0.4), "{finding}");
    }
}

#[test]
fn a_report_that_names_a_wait_state_is_no_profile() {
    let path = ["late_sender", "MPI_Recv"];
    let named = json!({ "property": "late_sender", "call_path": path, "waiting_time": 4.0 });
    let report = Report { names: Vec::new(), ..written(named) };
    let other = finding(WaitState::WaitAtBarrier, "MPI_Barrier", &[(0, 1.0)]);
    let result = judge_report(vec![late_sender(2.0), other], &report, CallPaths::UserRegions);
    let outcomes: Vec<_> = result.expectations.iter().map(|e| e.outcome).collect();
    assert_eq!(outcomes, [Outcome::Found, Outcome::Unsupported]);
}

#[test]
fn a_truth_may_not_say_who_waits() {
    let mut known = late_sender(2.0);
    known.locations.clear();
    let exact = reported(WaitState::LateSender, "late_sender/MPI_Recv", &[(1, 2.0), (3, 2.0)]);
    let result = judge_report(vec![known.clone()], &analysis(vec![exact]), CallPaths::UserRegions);
    assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (Outcome::Found, "yy-y"));
    for (seconds, outcome, wanted) in
        [(2.0, Outcome::Consistent, "-y-y"), (1.0, Outcome::Inconsistent, "-y-n")]
    {
        let shown = profile(&[("late_sender/MPI_Recv", &[(1, seconds), (2, seconds)])]);
        let result = judge_report(vec![known.clone()], &shown, CallPaths::UserRegions);
        assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (outcome, wanted));
    }
}

#[test]
fn a_call_by_itself_is_right_as_far_as_it_goes() {
    let judged = |finding: serde_json::Value| {
        let (nominal, report) = (truth("late_sender", vec![late_sender(2.0)]), written(finding));
        let case = Case {
            nominal: &nominal,
            observed: &nominal,
            report: &report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        judge(case, &Rules::MEASURED)
    };
    for (name, outcome, wanted) in [
        ("late_sender", Outcome::Found, "yy-y"),
        ("mpi_point2point", Outcome::Found, "yy-y"),
        ("late_receiver", Outcome::Missed, "ny-y"),
    ] {
        let result = judged(json!({ "property": name, "call": "MPI_Recv", "seconds": 4.0 }));
        assert_eq!((only(&result).outcome, judgements(only(&result)).as_str()), (outcome, wanted), "{name}");
        assert_eq!(only(&result).call_path, ["MPI_Recv"]);
        let otherwise = "reported as late_receiver at MPI_Recv, 4.0000 s".to_owned();
        assert_eq!(only(&result).reported_otherwise(), (outcome == Outcome::Missed).then_some(otherwise));
    }
    let elsewhere = judged(json!({ "property": "late_sender", "call": "MPI_Wait", "seconds": 4.0 }));
    assert_eq!(judgements(only(&elsewhere)), "yn-y");
    let short = judged(json!({ "property": "late_sender", "call_path": ["MPI_Recv"], "seconds": 4.0 }));
    assert_eq!(judgements(only(&short)), "yn-y");
    let message = "late_sender at MPI_Recv: the call is right, and lies in late_sender/MPI_Recv; a tool that knows calls alone \
                   says `call` in the place of `call_path`";
    assert_eq!(short.message.as_deref(), Some(message));
}

#[test]
fn an_amount_in_another_unit_is_told() {
    let message = |finding: serde_json::Value| {
        let (nominal, report) = (truth("late_sender", vec![late_sender(2.0)]), written(finding));
        let case = Case {
            nominal: &nominal,
            observed: &nominal,
            report: &report,
            call_paths: CallPaths::UserRegions,
            catalogue: &Catalogue::builtin(),
        };
        let result = judge(case, &Rules::MEASURED);
        assert_eq!(only(&result).outcome, Outcome::Wrong);
        result.message.unwrap_or_default()
    };
    let of =
        |seconds: f64| message(json!({ "property": "late_sender", "call": "MPI_Recv", "seconds": seconds }));
    let what = "late_sender at MPI_Recv";
    let unit = "a report is in seconds, or has a share of 1";
    assert_eq!(of(4000.0), format!("{what}: 4000 s are right as milliseconds; {unit}"));
    assert_eq!(of(4e6), format!("{what}: 4000000 s are right as microseconds; {unit}"));
    assert_eq!(of(400.0), format!("{what}: 400 s are right as percent; {unit}"));
    let each = format!("{what}: 2 s are right of each of 2 locations; an amount is that of all together");
    assert_eq!(of(2.0), each);
    let all = format!(
        "{what}: 11 s are more than all locations had together in the part that is judged, 10.0000 s"
    );
    assert_eq!((of(11.0), of(5.0).as_str()), (all, ""));
}

#[test]
fn numbers_of_regions_are_unsupported_where_a_tool_shows_none() {
    let kept = |name: &str| {
        ats_reports::read(&ats_testing::peer("counts").join(name), None).unwrap_or_else(|e| panic!("{e}"))
    };
    let judged = |report: &Report, path: &[&str], metric: &str, number: u64, call_paths| {
        let path = path.iter().map(|&frame| frame.to_owned()).collect();
        let result = judge_report(vec![Finding::count(path, metric, number)], report, call_paths);
        (only(&result).outcome, result.message.unwrap_or_default())
    };
    // Cachegrind's report has a function `sum`, which is called in several regions, one of them of the same name.
    let by_function = kept("cachegrind.out");
    let (outcome, why) = judged(&by_function, &["outer", "sum"], "PAPI_TOT_INS", 7, CallPaths::None);
    let reason = "PAPI_TOT_INS of sum is not asked for: the tool shows no regions of the program";
    assert_eq!((outcome, why.as_str()), (Outcome::Unsupported, reason));
    let of_sum = judged(&by_function, &["outer", "sum"], "PAPI_TOT_INS", 7, CallPaths::UserRegions).0;
    assert_eq!(of_sum, Outcome::Wrong);
    let whole = |number| judged(&by_function, &[], "PAPI_TOT_INS", number, CallPaths::None).0;
    assert_eq!([275_317, 275_318].map(whole), [Outcome::Found, Outcome::Wrong], "its summary");
    // A report of one number for the whole program says so itself.
    let of_program = kept("perf.json");
    let (outcome, why) = judged(&of_program, &["touch"], "page-faults", 3, CallPaths::UserRegions);
    assert_eq!(outcome, Outcome::Unsupported, "{why}");
    assert!(why.contains("page-faults of touch is not asked for"), "{why}");
    assert_eq!(judged(&of_program, &[], "page-faults", 3, CallPaths::None).0, Outcome::Found);
    assert_eq!(judged(&of_program, &[], "instructions", 3, CallPaths::None).0, Outcome::Unsupported);
}
