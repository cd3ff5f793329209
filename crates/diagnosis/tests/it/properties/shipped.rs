use ats_diagnosis::properties::Properties;
use ats_model::WaitState;

use super::common::{instances, of_rows, reasons, with};

/// A property; a table where it holds, and its largest severity; a table where it does not; and one where it is undefined, and the
/// beginning of the reason.
type Case = (&'static str, (&'static str, f64), &'static str, (&'static str, &'static str));

const SEQUENTIAL: &str = "there is no sequential run";

/// Rows of an amount of two units, and of the time of both.
macro_rules! amount {
    ($property:literal, $amount:literal, $first:literal, $severity:literal) => {
        (
            $property,
            (
                concat!(
                    "a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\na.ranks2,f,0,",
                    $amount,
                    ",",
                    $first,
                    "\na.ranks2,f,1,",
                    $amount,
                    ",1\n"
                ),
                $severity,
            ),
            concat!(
                "a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\na.ranks2,f,0,",
                $amount,
                ",0\na.ranks2,f,1,",
                $amount,
                ",0\n"
            ),
            ("a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\n", concat!("the experiment has no ", $amount)),
        )
    };
}

macro_rules! misses {
    ($property:literal, $level:literal, $parameter:literal) => {
        (
            $property,
            (
                concat!(
                    "a.",
                    $parameter,
                    "25,f,s,time,8\na.",
                    $parameter,
                    "25,f,occ,cache_misses(",
                    $level,
                    "),80000000\n"
                ),
                0.25,
            ),
            concat!(
                "a.",
                $parameter,
                "25,f,s,time,8\na.",
                $parameter,
                "25,f,occ,cache_misses(",
                $level,
                "),0\n"
            ),
            (
                concat!("a,f,s,time,8\na,f,occ,cache_misses(", $level, "),2000\n"),
                concat!("the run has no parameter ", $parameter),
            ),
        )
    };
}

macro_rules! ratio {
    ($property:literal, $level:literal) => {
        (
            $property,
            (
                concat!("a,f,occ,cache_misses(", $level, "),25\na,f,occ,cache_accesses(", $level, "),100\n"),
                0.25,
            ),
            concat!("a,f,occ,cache_misses(", $level, "),0\na,f,occ,cache_accesses(", $level, "),100\n"),
            (
                concat!("a,f,occ,cache_misses(", $level, "),5\na,f,occ,cache_accesses(", $level, "),0\n"),
                "it would be a division by 0",
            ),
        )
    };
}

/// Rows of two units that take 8 s each, with these seconds of communication.
macro_rules! communicating {
    ($first:literal, $second:literal) => {
        concat!(
            "a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\na.ranks2,f,0,communication,",
            $first,
            "\na.ranks2,f,1,communication,",
            $second,
            "\na.ranks2,f,0,synchronisation,0\na.ranks2,f,1,synchronisation,0\na.ranks2,f,0,control,0\na.ranks2,f,1,control,0\n"
        )
    };
}

const NO_COMMUNICATION: (&str, &str) =
    ("a.ranks2,f,0,time,8\na.ranks2,f,1,time,8\n", "the experiment has no communication");

const CASES: &[Case] = &[
    ("LowLoadBalance", (communicating!(0, 6), 0.375), communicating!(1, 2), NO_COMMUNICATION),
    ("LowCommunicationEfficiency", (communicating!(4, 6), 0.5), communicating!(1, 6), NO_COMMUNICATION),
    ("LowParallelEfficiency", (communicating!(4, 4), 0.5), communicating!(1, 2), NO_COMMUNICATION),
    (
        "LowComputationScaling",
        (concat!("a-sequential,f,s,time,4\n", communicating!(0, 0)), 0.75),
        concat!("a-sequential,f,s,time,16\n", communicating!(0, 0)),
        (communicating!(0, 0), SEQUENTIAL),
    ),
    (
        "NonScalability",
        ("a-sequential,f,s,time,8\na.ranks2,f,s,time,4\na.ranks4,f,s,time,4\n", 0.25),
        "a-sequential,f,s,time,8\na.ranks2,f,s,time,4\na.ranks4,f,s,time,2\n",
        ("a.ranks2,f,s,time,4\na.ranks4,f,s,time,4\n", SEQUENTIAL),
    ),
    (
        "Inefficiency",
        ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\n", 0.5),
        "a-sequential,f,s,time,8\na.ranks4,f,s,time,1\n",
        ("a-sequential,g,s,time,8\na.ranks4,f,s,time,1\n", "the sequential run has no such region"),
    ),
    (
        "AlternativeNonScalability",
        ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks8,f,s,time,4\n", 0.125),
        "a-sequential,f,s,time,8\na.ranks4,f,s,time,2\na.ranks8,f,s,time,1\n",
        ("a.ranks4,f,s,time,4\n", SEQUENTIAL),
    ),
    amount!("CommunicationOverhead", "communication", "2", 0.25),
    amount!("SynchronizationOverhead", "synchronisation", "2", 0.25),
    amount!("LossOfParallelismOverhead", "loss", "2", 0.25),
    // More than the time, since a thread is not in the region while it is forked.
    amount!("ControlOfParallelismOverhead", "control", "9", 1.0),
    amount!("LateSender", "receive", "4", 0.5),
    (
        "UnidentifiedOverhead",
        ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks4,f,s,identified,1\n", 0.25),
        "a-sequential,f,s,time,8\na.ranks4,f,s,time,4\na.ranks4,f,s,identified,3\n",
        ("a-sequential,f,s,time,8\na.ranks4,f,s,time,4\n", "the experiment has no communication"),
    ),
    amount!("CommunicationOverheadForAnyExecution", "communication", "6", 0.75),
    amount!("SynchronizationOverheadForAnyExecution", "synchronisation", "6", 0.75),
    amount!("LateSenderForAnyExecution", "receive", "6", 0.75),
    misses!("CacheMissOverhead1", "1", "first_level_miss_ns"),
    misses!("CacheMissOverhead2", "2", "second_level_miss_ns"),
    misses!("CacheMissOverhead3", "3", "third_level_miss_ns"),
    ratio!("ImperfectCacheBehavior1", "1"),
    ratio!("ImperfectCacheBehavior2", "2"),
    ratio!("ImperfectCacheBehavior3", "3"),
    (
        "ExecutionTimeLoadImbalance",
        ("a.ranks2,f,0,time,4\na.ranks2,f,1,time,1\n", 0.75),
        "a.ranks2,f,0,time,4\na.ranks2,f,1,time,4\n",
        ("a.ranks2,f,s,time,4\n", "the experiment has one number for all its units"),
    ),
    amount!("SynchronizationLoadImbalance", "synchronisation", "4", 0.75),
    amount!("CommunicationLoadImbalance", "communication", "4", 0.75),
    amount!("ComputationalLoadImbalance", "instructions", "4", 0.75),
];

/// A wait state in a table: 2 s or none of 8 s, and no data.
fn of_wait(state: WaitState) -> (String, String, String) {
    let rows = |seconds: u32| format!("a,f,s,time,8\na,f,s,{},{seconds}\n", state.name());
    (rows(2), rows(0), format!("the experiment has no {}", state.name()))
}

/// Checks a property with three tables.
fn check(
    properties: &Properties,
    property: &str,
    holding: (&str, f64),
    failing: &str,
    undefined: (&str, &str),
) {
    let diagnosis = of_rows(properties, holding.0);
    let of = instances(&diagnosis, property, "f");
    assert_eq!(of.first().and_then(|one| one.severity), Some(holding.1), "{property}: {diagnosis:#?}");
    let diagnosis = of_rows(properties, failing);
    let of = diagnosis.properties.iter().find(|one| one.name == property).unwrap();
    assert!(of.holds == 0 && of.fails > 0, "{property}: {of:?}");
    let diagnosis = of_rows(properties, undefined.0);
    assert!(instances(&diagnosis, property, "f").is_empty(), "{property}");
    let said = reasons(&diagnosis, property);
    assert!(said[0].0.starts_with(undefined.1), "{property}: {said:?}");
}

#[test]
fn each_holds_does_not_hold_or_is_undefined() {
    let properties = with("").unwrap();
    for (property, holding, failing, undefined) in CASES {
        check(&properties, property, *holding, failing, *undefined);
    }
    for state in WaitState::ALL {
        let (holding, failing, reason) = of_wait(state);
        check(&properties, state.name(), (&holding, 0.25), &failing, ("a,f,s,time,8\n", &reason));
    }
}

#[test]
fn no_shipped_property_is_left_out() {
    let mut names: Vec<String> = with("").unwrap().names().map(str::to_owned).collect();
    names.sort_unstable();
    let waits = WaitState::ALL.into_iter().map(WaitState::name);
    let mut cases: Vec<&str> = CASES.iter().map(|(name, ..)| *name).chain(waits).collect();
    cases.sort_unstable();
    assert_eq!(names, cases);
}

#[test]
fn what_explains_stands_under_what_it_explains() {
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
