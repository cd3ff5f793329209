//! The threads of each process.

use std::env;
use std::ffi::OsString;

use ats_omp::{AnyTeam, Team};
use ats_props::Needs;
use ats_work::machine;

use crate::Outline;
use crate::launcher::Launcher;
use crate::refusal::Refusal;

#[cfg(not(any(feature = "openmp", feature = "rayon")))]
mod absent;
#[cfg(feature = "openmp")]
#[path = "team/openmp.rs"]
mod built_in;
#[cfg(all(feature = "rayon", not(feature = "openmp")))]
#[path = "team/rayon.rs"]
mod built_in;
#[cfg(all(feature = "pragmas", not(any(feature = "openmp", feature = "rayon"))))]
#[path = "team/pragmas.rs"]
mod built_in;
#[cfg(not(any(feature = "openmp", feature = "rayon", feature = "pragmas")))]
#[path = "team/none.rs"]
mod built_in;

pub use built_in::Engine;
pub(crate) use built_in::name;

/// Whether a compiler makes the constructs of OpenMP from pragmas: in the programs of C and Fortran.
pub(crate) const FROM_PRAGMAS: bool =
    cfg!(all(feature = "pragmas", not(any(feature = "openmp", feature = "rayon"))));

const NUM_THREADS: &str = "OMP_NUM_THREADS";

/// The number of threads of each process: as many as asked for, else as the program is made for, else as in
/// `$OMP_NUM_THREADS`, else its share of the machine's cores, and then at least as many as the property needs.
pub(crate) fn threads(
    outline: &Outline,
    asked: Option<usize>,
    launcher: Option<Launcher>,
) -> Result<usize, Refusal> {
    let said = match asked.or(outline.threads) {
        Some(threads) => Some(threads),
        None => outermost(env::var_os(NUM_THREADS))?,
    };
    let least = outline.property.map_or(1, |property| property.min_threads);
    let share = || machine::cores() / Launcher::ranks_here(launcher).max(1);
    Ok(said.unwrap_or_else(|| share().max(least)))
}

/// The variable's number for the outermost team; it may have more for nested ones.
fn outermost(given: Option<OsString>) -> Result<Option<usize>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let given = given.to_string_lossy();
    match given.split(',').next().unwrap_or_default().trim().parse() {
        Ok(threads) if threads > 0 => Ok(Some(threads)),
        _ => Err(Refusal::Variable {
            name: NUM_THREADS,
            value: given.into_owned(),
            expected: "a number of threads, above 0",
        }),
    }
}

/// The team that the program was built for, if it needs one and the harness can start it. If cores are crowded,
/// waiting threads give theirs away.
///
/// The program was built without threads, or their runtime is unfit.
pub(crate) fn engine(needs: Needs, threads: usize, crowded: bool) -> Result<Option<Engine>, Refusal> {
    if needs.team { built_in::engine(threads, crowded) } else { Ok(None) }
}

/// Starts all threads, so that every tool has seen them, and lets each do some work.
pub(crate) fn start(team: &Engine, work: impl Fn() + Sync) {
    let team = AnyTeam(team);
    team.parallel(team.max_threads(), |_| work());
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_props::openmp::imbalance_at_omp_barrier::PROPERTY;

    #[test]
    fn sources_of_the_number_of_threads_have_an_order() {
        let outline = Outline::from(&PROPERTY);
        assert_eq!(threads(&outline, Some(3), None).unwrap(), 3);
        let crowded = Launcher { name: "a launcher", ranks: 4096, rank: 0, ranks_here: 4096 };
        if env::var_os(NUM_THREADS).is_none() {
            let alone = threads(&outline, None, None).unwrap();
            assert_eq!(alone, machine::cores().max(PROPERTY.min_threads));
            assert_eq!(threads(&outline, None, Some(crowded)).unwrap(), PROPERTY.min_threads);
        }
    }

    #[test]
    fn the_variable_speaks_of_the_outermost_team_first() {
        assert_eq!(outermost(None).unwrap(), None);
        assert_eq!(outermost(Some("6".into())).unwrap(), Some(6));
        assert_eq!(outermost(Some(" 4 ,2".into())).unwrap(), Some(4));
        for wrong in ["", "0", "-1", "many", ",2"] {
            let text = outermost(Some(wrong.into())).unwrap_err().to_string();
            assert_eq!(
                text,
                format!("$OMP_NUM_THREADS is `{wrong}`; it has to be a number of threads, above 0")
            );
        }
    }
}
