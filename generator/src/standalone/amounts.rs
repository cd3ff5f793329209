//! Amounts of work in C: each kind is a function with the loop of `ats-work`.

use ats_work::amount::{
    Allocations, Bound, Branches, Chase, Multiplications, Pages, Placed, Readings, Target, Triad, Updates,
    Writes,
};
use ats_work::{Amount, MemoryWork};
use minijinja::context;

use crate::template::fill;

const AMOUNTS: &str = include_str!("../../templates/standalone.amounts.c.j2");

/// The functions that do amounts, and the headers that each needs besides the usual ones.
const FUNCTIONS: [(&str, &[&str]); 18] = [
    ("do_flops(", &[]),
    ("do_int_ops(", &[]),
    ("do_memory(", &[]),
    ("do_chase(", &["sys/mman.h"]),
    ("do_triad(", &[]),
    ("do_branches(", &[]),
    ("do_multiplications(", &["float.h"]),
    ("do_additions(", &[]),
    ("do_conversions(", &["string.h"]),
    ("do_sines(", &["math.h"]),
    ("do_pages(", &["sys/mman.h", "unistd.h"]),
    ("do_writes(", &["unistd.h"]),
    ("do_null_writes(", &["fcntl.h", "unistd.h"]),
    ("do_updates(", &[]),
    ("do_readings(", &[]),
    ("do_allocations(", &[]),
    ("do_bound(", &["sched.h"]),
    ("do_placed(", &["sched.h", "sys/mman.h", "unistd.h"]),
];

/// The call that does an amount.
pub(super) fn call(amount: &Amount) -> String {
    match *amount {
        Amount::Flops(n) => format!("do_flops({n})"),
        Amount::IntOps(n) => format!("do_int_ops({n})"),
        Amount::Memory(MemoryWork { loads, stores, working_set_bytes, stride_bytes }) => {
            format!("do_memory({loads}, {stores}, {working_set_bytes}, {stride_bytes})")
        }
        Amount::Chase(Chase { lines, stride_bytes, rounds, huge_pages }) => {
            format!("do_chase({lines}, {stride_bytes}, {rounds}, {})", u8::from(huge_pages))
        }
        Amount::Triad(Triad { elements, rounds, streams }) => {
            format!("do_triad({elements}, {rounds}, {streams})")
        }
        Amount::Updates(Updates { number, place, places, padded, atomic }) => {
            format!("do_updates({number}, {place}, {places}, {}, {})", u8::from(padded), u8::from(atomic))
        }
        Amount::Readings(Readings { bytes, copied }) => format!("do_readings({bytes}, {})", u8::from(copied)),
        Amount::Branches(Branches { number, share, seed }) => {
            format!("do_branches({number}, {share:?}, {seed}ULL)")
        }
        Amount::Multiplications(Multiplications { number, independent, subnormal }) => {
            format!("do_multiplications({number}, {}, {})", u8::from(independent), u8::from(subnormal))
        }
        Amount::Additions(n) => format!("do_additions({n})"),
        Amount::Conversions(n) => format!("do_conversions({n})"),
        Amount::Sines(n) => format!("do_sines({n})"),
        Amount::Pages(Pages { number, fresh }) => format!("do_pages({number}, {})", u8::from(fresh)),
        Amount::Writes(Writes { calls, bytes, to }) => {
            let function = if to == Target::Null { "do_null_writes" } else { "do_writes" };
            format!("{function}({calls}, {bytes})")
        }
        Amount::Allocations(Allocations { number, bytes }) => format!("do_allocations({number}, {bytes})"),
        Amount::Bound(Bound { operations, place, places, cores }) => {
            format!("do_bound({operations}, {place}, {places}, {cores})")
        }
        Amount::Placed(Placed { pages, rounds, place, home, node }) => {
            format!("do_placed({pages}, {rounds}, {place}, {home}, {node})")
        }
    }
}

/// The functions that some code calls, of a program with a team or without one, and the headers that they need.
pub(super) fn functions(source: &str, has_team: bool) -> (String, Vec<String>) {
    let called: Vec<_> = FUNCTIONS.iter().filter(|(function, _)| source.contains(function)).collect();
    if called.is_empty() {
        return (String::new(), Vec::new());
    }
    let headers = called.iter().flat_map(|(_, headers)| headers.iter().map(|&header| header.to_owned()));
    (fill(AMOUNTS, context! { source, has_team }), headers.collect())
}
