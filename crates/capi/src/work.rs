#![allow(unsafe_code, reason = "functions that C calls")]
//! Work (report, section 3.1.1).

use std::env;
use std::ffi::c_int;
use std::sync::OnceLock;

use ats_work::amount::{Amount, Bound, Pages, Placed, Readings, Target, Triad, Updates, Writes};
use ats_work::{Config, Kind, machine};

use crate::distribution::{distr_func_t, distr_t, distribution};
use crate::failure::{Problem, call};
use crate::{openmp, ranks};

/// Seconds of the first work, which measures all speeds that work needs.
const START: f64 = 1e-6;

/// The launchers' variables for the number of ranks on a machine.
const RANKS_HERE: [&str; 3] = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"];

static DONE: OnceLock<Result<(), String>> = OnceLock::new();

/// The command line chooses the kind of work.
pub(crate) fn chosen() {
    DONE.get_or_init(|| Ok(()));
}

/// Chooses the kind of work, once: `ATS_WORK`, or the kind that suits the ranks and threads of this machine.
pub(crate) fn set_up() -> Result<(), Problem> {
    let configure = || {
        let place = ranks::place();
        let kind = match env::var("ATS_WORK") {
            Ok(name) => name.parse().map_err(|error| format!("ATS_WORK: {error}"))?,
            Err(_) => Kind::default_for(ranks_here(place) * openmp::max_threads(), machine::cores()),
        };
        let config = Config { kind, ..Config::default() };
        // Ranks with one seed would all make the same accesses.
        let rank = place.map_or(0, |(rank, _)| rank as u64);
        ats_work::configure(Config { seed: config.seed.wrapping_add(rank), ..config });
        ats_work::do_work(START);
        Ok(())
    };
    DONE.get_or_init(configure).clone().map_err(Problem)
}

fn ranks_here(place: Option<(usize, usize)>) -> usize {
    let told = RANKS_HERE.iter().find_map(|name| env::var(name).ok()?.parse().ok());
    told.unwrap_or_else(|| place.map_or(1, |(_, size)| size))
}

/// Works for `secs` seconds; not at all where that is not positive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_work(secs: f64) {
    call("do_work", || {
        set_up()?;
        ats_work::do_work(secs);
        Ok(())
    });
}

/// Every thread of the OpenMP team that calls it works for its share of a distribution, times `sf`. Outside teams, and
/// without OpenMP, there is one participant.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn par_do_omp_work(df: distr_func_t, dd: *mut distr_t, sf: f64) {
    call("par_do_omp_work", || {
        set_up()?;
        // SAFETY: the program passes a function with a descriptor that it understands.
        let shares = unsafe { distribution(df, dd) }?;
        let (me, size) = openmp::place();
        ats_work::do_work(shares.value(me, size, sf));
        Ok(())
    });
}

/// Does an amount of work of numbers that are not negative.
fn amount<const N: usize>(
    function: &'static str,
    numbers: [(&str, i64); N],
    amount: impl FnOnce([u64; N]) -> Amount,
) {
    call(function, || {
        set_up()?;
        let mut given = [0; N];
        for (given, (name, number)) in given.iter_mut().zip(numbers) {
            *given = u64::try_from(number)
                .map_err(|_| Problem(format!("{name} is {number}; it must not be negative")))?;
        }
        ats_work::do_amount(&amount(given));
        Ok(())
    });
}

/// Adds so many floating-point numbers to a sum of the thread, one after the other.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_additions(number: i64) {
    amount("do_additions", [("number", number)], |[number]| Amount::Additions(number));
}

/// Adds 1 to the word number `place` of `places` so many times, atomically if `atomic` is not 0. All threads of the process
/// can reach the words: each has a line of the cache for itself if `padded` is not 0, else up to eight are in one.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_updates(
    number: i64,
    place: i64,
    places: i64,
    padded: c_int,
    atomic: c_int,
) {
    let numbers = [("number", number), ("place", place), ("places", places)];
    amount("do_updates", numbers, |[number, place, places]| {
        Amount::Updates(Updates { number, place, places, padded: padded != 0, atomic: atomic != 0 })
    });
}

/// Reads an array of so many bytes that all threads of the process share; if `copied` is not 0, a copy of it that the
/// thread makes before.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_readings(bytes: i64, copied: c_int) {
    amount("do_readings", [("bytes", bytes)], |[bytes]| {
        Amount::Readings(Readings { bytes, copied: copied != 0 })
    });
}

/// Computes an array of so many numbers from two others, each element the sum of one and half of the other, `rounds` times.
/// `streams` is the number of threads that do so at the same time, each with arrays of its own.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_triad(elements: i64, rounds: i64, streams: i64) {
    let numbers = [("elements", elements), ("rounds", rounds), ("streams", streams)];
    amount("do_triad", numbers, |[elements, rounds, streams]| {
        Amount::Triad(Triad { elements, rounds, streams })
    });
}

/// Stores into each of so many small pages: pages that the process has not touched before if `fresh` is not 0, else those
/// that the thread has touched last.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_pages(number: i64, fresh: c_int) {
    amount("do_pages", [("number", number)], |[number]| Amount::Pages(Pages { number, fresh: fresh != 0 }));
}

/// Writes so many bytes to the beginning of a temporary file of the thread, `calls` times.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_writes(calls: i64, bytes: i64) {
    amount("do_writes", [("calls", calls), ("bytes", bytes)], |[calls, bytes]| {
        Amount::Writes(Writes { calls, bytes, to: Target::Scratch })
    });
}

/// Does so many integer operations while the thread is bound to a core: one of `places` that do so at the same time, from 0 on,
/// spread over `cores` cores in turn.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_bound(operations: i64, place: i64, places: i64, cores: i64) {
    let numbers = [("operations", operations), ("place", place), ("places", places), ("cores", cores)];
    amount("do_bound", numbers, |[operations, place, places, cores]| {
        Amount::Bound(Bound { operations, place, places, cores })
    });
}

/// Maps so many small pages anew and touches them on the node of memory number `home`, if there are no rounds; else loads from
/// each of their lines in so many rounds on the node `node`. `place` is their number among the pages that the process has.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn do_placed(pages: i64, rounds: i64, place: i64, home: i64, node: i64) {
    let numbers = [("pages", pages), ("rounds", rounds), ("place", place), ("home", home), ("node", node)];
    amount("do_placed", numbers, |[pages, rounds, place, home, node]| {
        Amount::Placed(Placed { pages, rounds, place, home, node })
    });
}
