use ats_documents::diagnosis::Instance;
use ats_model::WaitState;

use super::common::{instances, of_rows, own, reasons, severity, with};

/// A property; a table where it holds, and its largest severity; a table where it does not; and one where it is undefined, and the
/// beginning of the reason.
type Case = (&'static str, (String, f64), String, (String, String));

const NO_REGION: &str = "the run that it is compared with has no such region";

/// The times of two units.
const TIMES: &str = "a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\n";

fn case(
    property: &'static str,
    (holding, severity): (&str, f64),
    failing: &str,
    (undefined, reason): (&str, &str),
) -> Case {
    (property, (holding.to_owned(), severity), failing.to_owned(), (undefined.to_owned(), reason.to_owned()))
}

/// The case of an amount of two units.
fn amount(property: &'static str, amount: &str, first: u32, severity: f64) -> Case {
    let rows = |first: u32, second: u32| {
        format!("{TIMES}a.ranks2,f,0,{amount},{first}\na.ranks2,f,1,{amount},{second}\n")
    };
    let reason = format!("the experiment has no {amount}");
    case(property, (&rows(first, 1), severity), &rows(0, 0), (TIMES, &reason))
}

fn misses(property: &'static str, level: u32, parameter: &str) -> Case {
    let rows =
        |run: &str, misses: u32| format!("a{run},f,s,time,8\na{run},f,occ,cache_misses({level}),{misses}\n");
    let run = format!(".{parameter}25");
    let reason = format!("the run has no parameter {parameter}");
    case(property, (&rows(&run, 80_000_000), 0.25), &rows(&run, 0), (&rows("", 2000), &reason))
}

fn ratio(property: &'static str, level: u32) -> Case {
    let rows = |misses: u32, accesses: u32| {
        format!("a,f,occ,cache_misses({level}),{misses}\na,f,occ,cache_accesses({level}),{accesses}\n")
    };
    case(property, (&rows(25, 100), 0.25), &rows(0, 100), (&rows(5, 0), "it would be a division by 0"))
}

/// The case of a wait state: 2 s or none of 8 s, and no data.
fn wait(state: WaitState) -> Case {
    let rows = |seconds: u32| format!("a,f,s,time,8\na,f,s,{},{seconds}\n", state.name());
    let reason = format!("the experiment has no {}", state.name());
    case(state.name(), (&rows(2), 0.25), &rows(0), ("a,f,s,time,8\n", &reason))
}

/// Rows of two units that take 8 s each, with these seconds of communication.
fn communicating(first: u32, second: u32) -> String {
    let others = ["synchronisation", "control"]
        .map(|amount| format!("a.ranks2,f,0,{amount},0\na.ranks2,f,1,{amount},0\n"))
        .concat();
    format!("{TIMES}a.ranks2,f,0,communication,{first}\na.ranks2,f,1,communication,{second}\n{others}")
}

fn cases() -> Vec<Case> {
    let no_communication = (TIMES, "the experiment has no communication");
    let beside = |rows: &str| format!("a-sequential,{rows}\n{}", communicating(0, 0));
    let mut cases = vec![
        case("LowLoadBalance", (&communicating(0, 6), 0.375), &communicating(1, 2), no_communication),
        case(
            "LowCommunicationEfficiency",
            (&communicating(4, 6), 0.5),
            &communicating(1, 6),
            no_communication,
        ),
        case("LowParallelEfficiency", (&communicating(4, 4), 0.5), &communicating(1, 2), no_communication),
        case(
            "LowComputationScaling",
            (&beside("f,s,time,4"), 0.75),
            &beside("f,s,time,16"),
            (&beside("g,s,time,4"), NO_REGION),
        ),
        case(
            "NonScalability",
            ("a-sequential,f,s,time,8\na.ranks2,f,s,time,4\na.ranks4,f,s,time,4\n", 0.25),
            "a-sequential,f,s,time,8\na.ranks2,f,s,time,4\na.ranks4,f,s,time,2\n",
            ("a-sequential,g,s,time,8\na.ranks2,f,s,time,4\na.ranks4,f,s,time,4\n", NO_REGION),
        ),
        case(
            "Inefficiency",
            ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\n", 0.5),
            "a-sequential,f,s,time,8\na.ranks4,f,s,time,1\n",
            ("a-sequential,g,s,time,8\na.ranks4,f,s,time,1\n", NO_REGION),
        ),
        case(
            "AlternativeNonScalability",
            ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks8,f,s,time,4\n", 0.125),
            "a-sequential,f,s,time,8\na.ranks4,f,s,time,2\na.ranks8,f,s,time,1\n",
            ("a-sequential,g,s,time,8\na.ranks4,f,s,time,4\n", NO_REGION),
        ),
        amount("CommunicationOverhead", "communication", 2, 0.25),
        amount("SynchronizationOverhead", "synchronisation", 2, 0.25),
        amount("LossOfParallelismOverhead", "loss", 2, 0.25),
        // More than the time, since a thread is not in the region while it is forked.
        amount("ControlOfParallelismOverhead", "control", 9, 1.0),
        amount("LateSender", "receive", 4, 0.5),
        case(
            "UnidentifiedOverhead",
            ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks4,f,s,identified,1\n", 0.25),
            "a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks4,f,s,identified,3\n",
            ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\n", "the experiment has no communication"),
        ),
        amount("CommunicationOverheadForAnyExecution", "communication", 6, 0.75),
        amount("SynchronizationOverheadForAnyExecution", "synchronisation", 6, 0.75),
        amount("LateSenderForAnyExecution", "receive", 6, 0.75),
        misses("CacheMissOverhead1", 1, "first_level_miss_ns"),
        misses("CacheMissOverhead2", 2, "second_level_miss_ns"),
        misses("CacheMissOverhead3", 3, "third_level_miss_ns"),
        ratio("ImperfectCacheBehavior1", 1),
        ratio("ImperfectCacheBehavior2", 2),
        ratio("ImperfectCacheBehavior3", 3),
        case(
            "ExecutionTimeLoadImbalance",
            ("a.ranks2,f,0,time,4\na.ranks2,f,1,time,1\n", 0.75),
            "a.ranks2,f,0,time,4\na.ranks2,f,1,time,4\n",
            ("a.ranks2,f,s,time,4\n", "the experiment has one number for all its units"),
        ),
        amount("SynchronizationLoadImbalance", "synchronisation", 4, 0.75),
        amount("CommunicationLoadImbalance", "communication", 4, 0.75),
        amount("ComputationalLoadImbalance", "instructions", 4, 0.75),
    ];
    cases.extend(WaitState::ALL.map(wait));
    cases
}

#[test]
fn each_holds_does_not_hold_or_is_undefined() {
    let properties = with("").unwrap();
    for (property, (holding, severity), failing, (undefined, reason)) in cases() {
        let diagnosis = of_rows(&properties, &holding);
        let of = instances(&diagnosis, property, "f");
        assert_eq!(of.first().and_then(|one| one.severity), Some(severity), "{property}: {diagnosis:#?}");
        let diagnosis = of_rows(&properties, &failing);
        let of = diagnosis.properties.iter().find(|one| one.name == property).unwrap();
        assert!(of.holds == 0 && of.fails > 0, "{property}: {of:?}");
        let diagnosis = of_rows(&properties, &undefined);
        assert!(instances(&diagnosis, property, "f").is_empty(), "{property}");
        let reasons = reasons(&diagnosis, property);
        assert!(reasons[0].0.starts_with(&reason), "{property}: {reasons:?}");
    }
}

#[test]
fn no_shipped_property_is_left_out() {
    let mut names: Vec<String> = with("").unwrap().names().map(str::to_owned).collect();
    names.sort_unstable();
    let mut cases: Vec<&str> = cases().iter().map(|(name, ..)| *name).collect();
    cases.sort_unstable();
    assert_eq!(names, cases);
}

#[test]
fn explanations_stand_under_the_explained() {
    let rows = "a-sequential,f,s,time,8\na.ranks2,f,0,time,8\na.ranks2,f,1,time,8\n\
                a.ranks2,f,0,communication,4\na.ranks2,f,1,communication,0\na.ranks2,f,0,receive,2\na.ranks2,f,1,receive,0\n";
    let diagnosis = of_rows(&with("").unwrap(), rows);
    let over = |property: &str| {
        let [one] = instances(&diagnosis, property, "f")[..] else { panic!("one of {property}") };
        one.under.map(|under| diagnosis.instances[under as usize].property.as_str())
    };
    assert_eq!(over("LateSender"), Some("CommunicationOverhead"));
    assert_eq!(over("CommunicationOverhead"), Some("CommunicationOverheadForAnyExecution"));
    assert_eq!(over("CommunicationOverheadForAnyExecution"), Some("Inefficiency"));
    // One size has no worst, so there is nothing to explain.
    assert_eq!(over("Inefficiency"), None);
    let importance: Vec<f64> = diagnosis.instances.iter().map(|one| one.importance()).collect();
    assert!(importance.is_sorted_by(|one, next| one >= next), "{importance:?}");
    let late = instances(&diagnosis, "LateSender", "f")[0];
    assert_eq!(late.unit.map(|unit| (unit.rank, unit.thread)), Some((0, 0)));
    assert_eq!(late.text.as_deref(), Some("2 s in f."));
}

#[test]
fn without_a_sequential_run_the_smallest_is_the_reference() {
    let properties = with("").unwrap();
    // Twice and four times the units of the smallest, which would take 3 s and 1.5 s.
    let rows = "a.ranks2,f,s,time,6\na.ranks4,f,s,time,4\na.ranks8,f,s,time,3\n";
    let diagnosis = of_rows(&properties, rows);
    let of_ranks = |ranks: u32| {
        let of = instances(&diagnosis, "Inefficiency", "f");
        let is_meant =
            |one: &&&Instance| diagnosis.experiments[one.experiments[0] as usize].run.ranks == ranks;
        of.iter().find(is_meant).and_then(|one| one.severity)
    };
    assert_eq!([2, 4, 8].map(of_ranks), [None, Some(0.25), Some(0.5)]);
    // Efficiencies 1, 0.75 and 0.5.
    assert_eq!(severity(&diagnosis, "NonScalability", "f"), Some(0.25));
    // The useful time of all units of both: 3 s + 6 s of 2 × 8 s.
    let balanced = |ranks: u32, useful: [u32; 2]| {
        let unit = |(unit, useful): (u32, u32)| {
            format!(
                "a.ranks{ranks},f,{unit},time,8\na.ranks{ranks},f,{unit},communication,{}\n\
                 a.ranks{ranks},f,{unit},synchronisation,0\na.ranks{ranks},f,{unit},control,0\n",
                8 - useful
            )
        };
        (0..ranks).map(|at| unit((at, useful[at as usize % 2]))).collect::<String>()
    };
    let diagnosis = of_rows(&properties, &(balanced(2, [3, 6]) + &balanced(4, [3, 6])));
    let of: Vec<_> = instances(&diagnosis, "LowComputationScaling", "f");
    assert_eq!(of.iter().map(|one| one.severity).collect::<Vec<_>>(), [Some(0.5), None]);
}

#[test]
fn a_severity_relative_to_a_region_is_weighted_by_what_it_is_relative_to() {
    let properties = with("").unwrap();
    let rows = "a.ranks2,main,0,time,10\na.ranks2,main,1,time,10\na.ranks2,f,0,time,1\na.ranks2,f,1,time,0\n\
                a.ranks2,main,0,synchronisation,2\na.ranks2,main,1,synchronisation,0\n\
                a.ranks2,f,0,cache_misses(1),1\na.ranks2,f,1,cache_misses(1),0\n\
                a.ranks2,f,0,cache_accesses(1),2\na.ranks2,f,1,cache_accesses(1),2\n";
    let diagnosis = of_rows(&properties, rows);
    let of = |property: &str, region: &str| {
        let one = instances(&diagnosis, property, region)[0];
        (one.severity, one.part)
    };
    assert_eq!(of("ExecutionTimeLoadImbalance", "f"), (Some(1.0), Some(0.1)));
    assert_eq!(of("SynchronizationLoadImbalance", "main"), (Some(1.0), Some(0.2)));
    assert_eq!(of("SynchronizationOverhead", "main"), (Some(0.2), Some(0.2)));
    assert_eq!(of("ImperfectCacheBehavior1", "f"), (Some(0.5), Some(0.05)));
    let of_four =
        of_rows(&properties, "a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks4,main,s,time,16\n");
    let one = instances(&of_four, "Inefficiency", "f")[0];
    assert_eq!((one.severity, one.part), (Some(0.5), Some(0.125)));
    // The order follows the part.
    let importance: Vec<f64> = diagnosis.instances.iter().map(|one| one.importance()).collect();
    assert!(importance.is_sorted_by(|one, next| one >= next), "{importance:?}");
}

/// Of 8 accesses 2 miss, which is none yet from a share of 25 % on.
#[test]
fn misses_below_a_share_that_the_run_gives_are_no_imperfect_behavior() {
    let properties = with("").unwrap();
    let severity_of = |run: &str| {
        let rows = ["time,8", "PAPI_L1_DCM,2", "PAPI_L1_DCA,8", "PAPI_L1_ICM,7"];
        let rows: String = rows.map(|row| format!("a{run},f,0,{row}\n")).concat();
        severity(&of_rows(&properties, &rows), "ImperfectCacheBehavior1", "f")
    };
    assert_eq!(severity_of(""), Some(0.25));
    assert_eq!(severity_of(".imperfect_cache_percent20"), Some(0.25));
    assert_eq!(severity_of(".imperfect_cache_percent25"), None);
}

/// A unit has 400 instructions in 200 cycles, a quarter of its processor time in the kernel, and 3 branches of 12 predicted
/// wrongly.
#[test]
fn expressions_read_counters_and_what_follows_from_them() {
    let rows = |instructions: &str, misses: &str| {
        let rows = ["time,2", "user,1.5", "system,0.5", "cycles,200", "wchar,4096", "PAPI_BR_CN,12"];
        let rows: String = rows.map(|row| format!("a,f,0,{row}\n")).concat();
        format!("{rows}a,f,0,{instructions},400\na,f,0,{misses},3\n")
    };
    let value = |expression: &str, rows: &str| {
        let text = own(&format!("of = [\"region\", \"unit\"]\nseverity = '{expression}'"));
        let diagnosis = of_rows(&with(&text).unwrap(), rows);
        instances(&diagnosis, "Own", "f").first().and_then(|one| one.severity)
    };
    for [instructions, misses] in [["instructions", "branch-misses"], ["PAPI_TOT_INS", "PAPI_BR_MSP"]] {
        let rows = rows(instructions, misses);
        assert_eq!(value("unit.instructions_per_cycle / 4", &rows), Some(0.5));
        assert_eq!(value("unit.system_time_share", &rows), Some(0.25));
        assert_eq!(value("unit.bytes_written_per_second / (4096 * bytes / s)", &rows), Some(0.5));
        for name in ["instructions", "PAPI_TOT_INS"] {
            assert_eq!(value(&format!("unit[\"{name}\"] / (1000 * count)"), &rows), Some(0.4), "{name}");
        }
        for name in ["branch-misses", "PAPI_BR_MSP"] {
            assert_eq!(value(&format!("unit[\"{name}\"] / (4 * count)"), &rows), Some(0.75), "{name}");
        }
        assert_eq!(value("unit.tlb_miss_ratio", &rows), None, "it was not counted");
    }
    assert_eq!(value("unit.branch_miss_ratio", &rows("instructions", "PAPI_BR_MSP")), Some(0.25));
    let wrong = with(&own("severity = \"parallel.system_time_shar\"")).unwrap_err();
    assert!(wrong.contains("did you mean system_time_share?"), "{wrong}");
}

#[test]
fn a_location_is_judged_by_what_it_has_itself() {
    let properties = with("").unwrap();
    for (amount, property) in [
        ("control", "ControlOfParallelismOverhead"),
        ("communication", "CommunicationOverhead"),
        ("loss", "LossOfParallelismOverhead"),
        ("late_sender", "late_sender"),
        ("cache_misses(2)", "CacheMissOverhead2"),
    ] {
        let rows = ["time,8", "time,8", &format!("{amount},2")];
        let units = [0, 1, 0].into_iter().zip(rows);
        let run = "a.ranks2.second_level_miss_ns1000000000";
        let rows: String = units.map(|(unit, row)| format!("{run},f,{unit},{row}\n")).collect();
        let diagnosis = of_rows(&properties, &rows);
        assert_eq!(severity(&diagnosis, property, "f"), Some(0.25), "{property}");
        let reasons = reasons(&diagnosis, property);
        assert_eq!(reasons, [(format!("the experiment has no {amount} of the unit"), 1)], "{property}");
    }
}
