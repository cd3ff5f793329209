//! What runs spent, beside what Scalasca's report of the same trace says.

use std::collections::BTreeMap;

use ats_model::profile::Profile;
use ats_testing::peer;
use ats_trace::Archive;
use ats_validation::run::tool::read_report;

/// Traces of Score-P that Scalasca has analyzed.
const RUNS: [&str; 4] =
    ["scorep-7props-4ranks", "scorep-patterns-4ranks", "scorep-7props-4ranks-spin", "scorep-hybrid-2x2"];

/// By call path, rank and thread: visits, and seconds with all that is inside.
type Spent = BTreeMap<(Vec<String>, u32, u32), (u64, f64)>;

fn ours(profile: &Profile) -> Spent {
    let mut spent = Spent::new();
    for unit in &profile.units {
        let visits = profile.exclusive(Profile::VISITS, |one| one == *unit);
        let seconds = profile.inclusive(Profile::TIME, |one| one == *unit);
        for (path, (&visits, &seconds)) in (0..).zip(visits.iter().zip(&seconds)) {
            if visits > 0.0 {
                let path = profile.path(path).into_iter().map(str::to_owned).collect();
                spent.insert((path, unit.rank, unit.thread), (visits as u64, seconds));
            }
        }
    }
    spent
}

#[test]
fn visits_and_times_are_scalascas() {
    for run in RUNS {
        let archive = Archive::open(&peer(run).join("traces.otf2")).unwrap();
        let options = ats_analyzer::Options::default();
        let (analysis, profile) = ats_analyzer::analyze_and_profile(&archive, run, &options).unwrap();
        assert_eq!(analysis, ats_analyzer::analyze(&archive, run, &options).unwrap());
        let early = ats_analyzer::Options { records_in_memory: 0, ..options };
        assert_eq!(ats_analyzer::analyze_and_profile(&archive, run, &early).unwrap().1, profile, "{run}");

        let ours = ours(&profile);
        let report = read_report(&peer(run).join("scout.cubex")).unwrap();
        let mut compared = 0;
        // Scalasca makes a region of the program itself, and all lies in it.
        for (path, call) in report.calls.iter().filter_map(|call| Some((call.call_path.get(1..)?, call))) {
            if path.is_empty() {
                continue;
            }
            for share in call.locations.iter().filter(|share| share.visits.is_some_and(|visits| visits > 0)) {
                let key = (path.to_vec(), share.rank, share.thread);
                let Some(&(visits, seconds)) = ours.get(&key) else { panic!("{run}: {key:?} is missing") };
                assert_eq!(Some(visits), share.visits, "{run}: {key:?}");
                let theirs = share.inclusive_time;
                // Scalasca gives every thread of a team its master's time, from the fork to the join; we what it was there.
                let is_of_worker =
                    share.thread > 0 && path.last().is_some_and(|name| name.starts_with("!$omp parallel"));
                let as_theirs = match is_of_worker {
                    true => ours.get(&(path.to_vec(), share.rank, 0)).map(|&(_, masters)| masters),
                    false => Some(seconds),
                };
                let Some(as_theirs) = as_theirs else { panic!("{run}: {key:?}: no master") };
                assert!((as_theirs - theirs).abs() <= 1e-9, "{run}: {key:?}: {as_theirs}, Scalasca {theirs}");
                assert!(seconds <= theirs + 1e-9, "{run}: {key:?}: {seconds}, Scalasca {theirs}");
                compared += 1;
            }
        }
        assert_eq!(compared, ours.len(), "{run}: nothing besides");
        assert!(compared > 50, "{run}: {compared}");
    }
}
