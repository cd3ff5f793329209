#![allow(unsafe_code, reason = "functions that C calls")]
//! Work (report, section 3.1.1).

use std::env;
use std::sync::OnceLock;

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
