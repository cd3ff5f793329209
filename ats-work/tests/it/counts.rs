//! Amounts are what a simulator of the processor and its cache counts, to the unit.

use std::collections::BTreeMap;
use std::process::Command;

use ats_testing::required;
use ats_work::amount::{Amount, Branches, Chase, MemoryWork, Multiplications, Triad};

/// The variable that names the amount which [`does_an_amount`] does.
const AMOUNT: &str = "ATS_TEST_AMOUNT";

/// The bytes of a line, and the lines of the simulated cache: 32 KiB of eight ways.
const LINE: u64 = 64;
const CACHE: [&str; 3] = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"];

/// The amount of a name and a number.
fn amount(name: &str, n: u64) -> Amount {
    let chase = |lines| Chase { lines, stride_bytes: LINE, rounds: n, huge_pages: false };
    let multiplications = |independent| Multiplications { number: n, independent, subnormal: false };
    let branches = |share| Amount::Branches(Branches { number: n, share, seed: 1 });
    match name {
        "flops" => Amount::Flops(n),
        "int_ops" => Amount::IntOps(n),
        "chase_1024" => Amount::Chase(chase(1024)),
        "chase_256" => Amount::Chase(chase(256)),
        "branches_certain" => branches(0.0),
        "branches_random" => branches(0.5),
        "multiplications" => Amount::Multiplications(multiplications(false)),
        "independent" => Amount::Multiplications(multiplications(true)),
        "additions" => Amount::Additions(n),
        "conversions" => Amount::Conversions(n),
        "walk" => {
            Amount::Memory(MemoryWork { loads: n, stores: n, working_set_bytes: 1 << 13, stride_bytes: LINE })
        }
        "triad" => Amount::Triad(Triad { elements: 256, rounds: n, streams: 1 }),
        name => panic!("no amount {name}"),
    }
}

#[test]
#[ignore = "a part of the others, which run it in processes of its own"]
fn does_an_amount() {
    let asked = std::env::var(AMOUNT).unwrap();
    let (name, n) = asked.split_once(' ').unwrap();
    let amount = amount(name, n.parse().unwrap());
    // The cycle of a chase is made before, and its lines are in the cache as far as they fit.
    let first = match amount {
        Amount::Chase(chase) => Amount::Chase(Chase { rounds: 2, ..chase }),
        other => other,
    };
    ats_work::do_amount(&first);
    let _region = ats_work::region("amount");
    ats_work::do_amount(&amount);
}

/// The simulated counts of an amount, by callgrind's names.
fn counts(name: &str, n: u64) -> BTreeMap<String, i64> {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("callgrind.out");
    let status = Command::new("valgrind")
        .args(["-q", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes", "--combine-dumps=yes"])
        .args(CACHE)
        .arg(format!("--callgrind-out-file={}", report.display()))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "counts::does_an_amount", "--ignored"])
        .env(AMOUNT, format!("{name} {n}"))
        .status();
    assert!(status.unwrap().success());
    own(&std::fs::read_to_string(report).unwrap())
}

/// The function that the loops are in, or inlined into; what else is in the region is not always the same.
const LOOPS: [&str; 2] = ["ats_work::worker::Worker::amount", "ats_work::operations::"];

/// The counts of the loops in the region.
fn own(report: &str) -> BTreeMap<String, i64> {
    let (mut names, mut sums) = (BTreeMap::new(), BTreeMap::new());
    let (mut events, mut is_there, mut is_loop, mut of_calls) = (Vec::new(), false, false, false);
    for line in report.lines() {
        if let Some(names) = line.strip_prefix("events: ") {
            events = names.split(' ').collect();
        } else if line.starts_with("part: ") {
            is_there = false;
        } else if line.ends_with("ats leave amount") {
            is_there = true;
        } else if let Some((key, name)) = line.split_once("fn=") {
            // `fn=(3) name` the first time, then `fn=(3)`.
            let (number, name) = name.split_once(' ').unwrap_or((name, ""));
            let known = names.entry(number).or_insert(name);
            if key.is_empty() {
                is_loop = LOOPS.iter().any(|function| known.contains(function));
            }
        } else if line.starts_with("calls=") {
            of_calls = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            // The line behind calls has the costs of other functions.
            if !std::mem::take(&mut of_calls) && is_there && is_loop {
                let counts = line.split(' ').skip(1).map(|count| count.parse::<i64>().unwrap());
                for (event, count) in events.iter().zip(counts) {
                    *sums.entry((*event).to_owned()).or_default() += count;
                }
            }
        }
    }
    assert!(sums.get("Ir").is_some_and(|&instructions| instructions > 0), "{LOOPS:?} are not in the region");
    events.iter().for_each(|event| *sums.entry((*event).to_owned()).or_default() += 0);
    sums
}

/// The difference of the counts of two amounts.
fn added(name: &str, [less, more]: [u64; 2]) -> BTreeMap<String, i64> {
    let (less, more) = (counts(name, less), counts(name, more));
    more.into_iter().map(|(event, count)| (event.clone(), count - less[&event])).collect()
}

/// A count of what a second amount has more than a first one.
fn more(name: &str, sizes: [u64; 2], event: &str) -> i64 {
    added(name, sizes)[event]
}

#[test]
fn a_chase_misses_at_each_load_if_its_lines_do_not_fit() {
    if !required("valgrind") {
        return;
    }
    // A cache of 512 lines: a hundred rounds more.
    let (long, short) = (added("chase_1024", [100, 200]), added("chase_256", [100, 200]));
    assert_eq!((long["Dr"], long["D1mr"]), (102_400, 102_400));
    assert_eq!(short["Dr"], 25_600);
    // Lines that the begin of the region has evicted come back in the first round. How many these are depends on addresses.
    assert!(short["D1mr"].abs() < 100, "{short:?}: less than one in a round");
    assert_eq!(long["Ir"] * 256, short["Ir"] * 1024, "the same instructions for each load");
    assert_eq!([&long, &short].map(|counts| counts["Dw"]), [0, 0]);
}

#[test]
fn a_walk_and_a_triad_load_and_store_as_often_as_asked() {
    if !required("valgrind") {
        return;
    }
    let walk = added("walk", [1_000, 3_000]);
    assert_eq!((walk["Dr"], walk["Dw"]), (2_000, 2_000));
    let triad = added("triad", [10, 110]);
    // Each round is a call, which saves a few registers besides.
    let besides = [triad["Dr"] - 100 * 2 * 256, triad["Dw"] - 100 * 256];
    assert!(besides.iter().all(|more| *more < 100 * 10 && more % 100 == 0), "{besides:?}");
}

#[test]
fn each_operation_has_the_same_instructions() {
    if !required("valgrind") {
        return;
    }
    // Whole turns of loops that the compiler has unrolled.
    for name in
        ["flops", "int_ops", "branches_certain", "multiplications", "independent", "additions", "conversions"]
    {
        let [less, more] = [[1_024, 2_048], [2_048, 3_072]].map(|sizes| {
            let counts = added(name, sizes);
            ["Ir", "Dr", "Dw", "Bc"].map(|event| counts[event])
        });
        assert_eq!(less, more, "{name}");
        assert!(less[0] >= 1_024, "{name}: {less:?}");
    }
}

#[test]
fn branches_by_random_bits_are_predicted_wrongly_half_of_the_time() {
    if !required("valgrind") {
        return;
    }
    let (n, sizes) = (10_000, [10_000, 20_000]);
    let random = more("branches_random", sizes, "Bcm");
    // The simulated processor finds no pattern, but now and then it is right by chance: as much as the property allows.
    assert!((random - n / 2).abs() < n / 2 / 5, "{random} of {n}");
    let certain = more("branches_certain", sizes, "Bcm");
    assert!(certain.abs() <= 2, "the loop ends once in each: {certain}");
}
