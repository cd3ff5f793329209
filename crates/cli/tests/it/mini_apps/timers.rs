//! Timers that the mini-apps printed, against the profiles of their traces.

use std::fs;

use ats_documents::Profile;
use ats_documents::profile::ProfiledRegion;

use super::{folder, profile};

/// The largest difference between a timer and the profile, as a share. With few digits it may be
/// one unit of the last.
const ALIKE: f64 = 0.01;

/// A timer of a mini-app, and the part of the profile that it has measured.
struct Timer {
    app: &'static str,
    /// The beginning of the line that has it; the last such line is meant.
    line: &'static str,
    /// The number of its word in that line.
    word: usize,
    of: Of,
    /// The functions that it is inside, by parts of their names.
    within: &'static [&'static str],
    /// The functions that nothing timed is inside.
    without: &'static [&'static str],
    /// The calls that it covers; if there are none, all that is inside the functions.
    calls: &'static [&'static str],
    /// The places that the code around the calls has in its name, if the timer covers some of it, too. The profile then
    /// has a lower and an upper limit, and else the value.
    around: &'static [&'static str],
}

/// The rank that a timer is of.
#[derive(Clone, Copy)]
enum Of {
    First,
    Least,
    Most,
    Mean,
    /// A rank that the application does not name.
    Any,
}

/// The two calls of `sendReceiveParallel` in `exchangeData`, with the code between them.
const COMM_HALO: Timer = Timer {
    app: "comd",
    line: "commHalo",
    word: 0,
    of: Of::Mean,
    within: &["exchangeData"],
    without: &["or its callers"],
    calls: &[],
    around: &[],
};

/// Sums over ranks, with those over the cells of the rank.
const COMM_REDUCE: Timer = Timer {
    line: "commReduce",
    within: &["sumAtoms", "createFccLattice", "computeVcm", "kineticEnergy", "maxOccupancy"],
    without: &[],
    calls: &["MPI_Allreduce"],
    around: &["CoMD.c:336", "initAtoms.c:105", "initAtoms.c:224", "timestep.c:116", "linkCells.c:303"],
    ..COMM_HALO
};

/// `MPI_Waitany` for receives, and for sends.
const WAIT_TIME: Timer = Timer {
    app: "miniamr",
    line: "     Wait time",
    within: &["comm"],
    without: &["comm_refine"],
    calls: &["MPI_Waitany"],
    ..COMM_HALO
};

/// Parallel regions, and the reduction of `dot` and `dot_r2`; `breakdown` calls `dot` outside the timer.
const CG_SOLVE: Timer = Timer {
    app: "minife",
    line: "  DOT Time:",
    word: 2,
    of: Of::First,
    within: &["::dot<", "::dot_r2<"],
    without: &["miniFE::breakdown<"],
    ..COMM_HALO
};

/// The reduction of an error flag, and the kernel before it; the profiler is off in `start`.
const PDV: Timer = Timer {
    app: "cloverleaf",
    line: "PdV",
    word: 2,
    of: Of::Any,
    within: &["clover_check_error"],
    without: &["start"],
    calls: &["MPI_Allreduce"],
    around: &["clover.f90:3705"],
};

const TIMERS: [Timer; 15] = [
    Timer { word: 2, of: Of::Least, ..COMM_HALO },
    Timer { word: 4, of: Of::Most, ..COMM_HALO },
    Timer { word: 5, of: Of::Mean, ..COMM_HALO },
    Timer { word: 2, of: Of::Least, ..COMM_REDUCE },
    Timer { word: 4, of: Of::Most, ..COMM_REDUCE },
    Timer { word: 5, of: Of::Mean, ..COMM_REDUCE },
    Timer { word: 3, of: Of::Mean, ..WAIT_TIME },
    Timer { word: 5, of: Of::Least, ..WAIT_TIME },
    Timer { word: 6, of: Of::Most, ..WAIT_TIME },
    // The sums after the timers were set to 0, with those over the cells of the rank.
    Timer {
        line: "Summary:",
        word: 12,
        within: &["check_sum"],
        without: &["init"],
        calls: &["MPI_Allreduce"],
        around: &["check_sum.c:57"],
        ..WAIT_TIME
    },
    CG_SOLVE,
    Timer { line: "  WAXPY Time:", within: &["::waxpby<", "::daxpby<"], ..CG_SOLVE },
    PDV,
    // The least time step of all ranks, and that of the rank before it.
    Timer { line: "Timestep", within: &["clover_min"], around: &["clover.f90:3653"], ..PDV },
    // It packs and unpacks, too.
    Timer {
        line: "MPI Halo Exchange",
        word: 4,
        within: &["clover_exchange"],
        calls: &["MPI_Waitall", "MPI_Isend", "MPI_Irecv"],
        around: &["clover.f90:348"],
        ..PDV
    },
];

impl Timer {
    /// The word that the application printed.
    fn printed(&self) -> String {
        let printed = fs::read_to_string(folder(self.app).join("printed.txt")).unwrap();
        let line = printed.lines().rfind(|line| line.starts_with(self.line)).expect(self.line);
        line.split_whitespace().nth(self.word).expect(line).to_owned()
    }

    /// The seconds of each rank's first thread in the calls, and with the code around them.
    fn of_ranks(&self, profile: &Profile) -> (Vec<f64>, Vec<f64>) {
        let ranks = profile.units.iter().map(|unit| unit.rank + 1).max().unwrap_or_default() as usize;
        let (mut calls, mut all) = (vec![0.0; ranks], vec![0.0; ranks]);
        for (path, unit, seconds) in profile.values_of(Profile::TIME) {
            let unit = profile.units[unit as usize];
            let path: Vec<&ProfiledRegion> =
                profile.ancestors(path).map(|node| &profile.regions[node.region as usize]).collect();
            let any =
                |parts: &[&str], region: &ProfiledRegion| parts.iter().any(|part| region.name.contains(part));
            if unit.thread > 0 || path.iter().any(|region| any(self.without, region)) {
                continue;
            }
            let is_meant = self.calls.is_empty() || self.calls.contains(&path[0].name.as_str());
            if is_meant && path.iter().any(|region| any(self.within, region)) {
                calls[unit.rank as usize] += seconds;
                all[unit.rank as usize] += seconds;
            } else if path[0].is_segment() && any(self.around, path[0]) {
                all[unit.rank as usize] += seconds;
            }
        }
        (calls, all)
    }
}

impl Of {
    /// The value of this rank; none if it is not known which is meant.
    fn one(self, ranks: &[f64]) -> Option<f64> {
        match self {
            Of::First => Some(ranks[0]),
            Of::Least => Some(ranks.iter().copied().fold(f64::INFINITY, f64::min)),
            Of::Most => Some(ranks.iter().copied().fold(0.0, f64::max)),
            Of::Mean => Some(ranks.iter().sum::<f64>() / ranks.len() as f64),
            Of::Any => None,
        }
    }
}

#[test]
fn timers_agree_with_profiles() {
    for timer in TIMERS {
        let profile = profile(timer.app);
        let word = timer.printed();
        let printed: f64 = word.parse().unwrap();
        let digits = word.split_once('.').map_or(0, |(_, digits)| digits.len());
        let near = (ALIKE * printed).max(0.1f64.powi(digits as i32));
        let (calls, all) = timer.of_ranks(&profile);
        let fits = |least: f64, most: f64| least > 0.0 && least - near <= printed && printed <= most + near;
        let is_alike = match (timer.of.one(&calls), timer.of.one(&all)) {
            (Some(least), Some(most)) => fits(least, most),
            _ => calls.iter().zip(&all).any(|(&least, &most)| fits(least, most)),
        };
        assert!(is_alike, "{}, {}: {printed} s, and not {calls:?} to {all:?}", timer.app, timer.line);
    }
}

/// HPCG counts its iterations: three sums in each and one before them, in its two calls of `CG`.
#[test]
fn counts_of_hpcg_agree_with_the_profile() {
    let printed = fs::read_to_string(folder("hpcg").join("printed.txt")).unwrap();
    let line = "Iteration Count Information::Total number of optimized iterations=";
    let iterations = printed.lines().find_map(|found| found.strip_prefix(line)).expect(line);
    let iterations: f64 = iterations.parse().unwrap();
    let profile = profile("hpcg");
    let mut visits = vec![0.0; profile.units.len()];
    for (path, unit, count) in profile.values_of(Profile::VISITS) {
        let path = profile.path(path);
        let in_cg = path.iter().any(|name| name.starts_with("CG("));
        let is_tested = path.iter().any(|name| name.starts_with("TestCG("));
        if in_cg && !is_tested && path.last() == Some(&"MPI_Allreduce") {
            visits[unit as usize] += count;
        }
    }
    assert_eq!(visits, vec![2.0 * (3.0 * iterations + 1.0); 2]);
}
