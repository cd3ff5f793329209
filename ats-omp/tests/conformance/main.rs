//! Every engine obeys the rules of the constructs, and logs them in the same way.

#![cfg(any(feature = "openmp", feature = "rayon"))]

mod constructs;
mod logged;
mod messages;

use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_omp::{AnyTeam, Team};

/// The log is one for the process: engines are tested in turn.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn conforms(team: &impl Team) {
    let _alone = alone();
    for threads in 1..=8 {
        constructs::conform(team, threads);
    }
    constructs::nest(team);
    for threads in 1..=4 {
        logged::conforms(team, threads);
    }
    logged::nested_teams(team);
}

#[cfg(feature = "openmp")]
mod openmp {
    use ats_omp::openmp::OpenMp;

    use super::*;

    /// Both on one thread: libomp takes the end of one that started tasks badly (see `ats_omp::openmp`).
    #[test]
    fn conforms_itself_and_erased() {
        ats_omp::openmp::check().unwrap();
        conforms(&OpenMp);
        conforms(&AnyTeam(&OpenMp));
    }
}

#[cfg(feature = "rayon")]
mod rayon {
    use ats_omp::rayon::RayonTeam;

    use super::*;

    #[test]
    fn conforms() {
        super::conforms(&RayonTeam::new());
    }

    #[test]
    fn conforms_erased() {
        super::conforms(&AnyTeam(&RayonTeam::new()));
    }
}
