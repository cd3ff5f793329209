//! Properties of the explanations of all applications.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Explanation;
use ats_documents::explanation::Problem;
use ats_model::quantity::View;
use ats_model::{EventSource, WaitState};

use super::Recorded;

impl Recorded {
    /// Each second is in one term, every second that is waited has a problem, the others in calls that move data are listed,
    /// and problems name only regions of the trace.
    pub(super) fn is_explained_by_what_is_recorded(&self) {
        let Explanation { basis, division, lost, transfers, problems, .. } = &self.explanation;
        let Explanation { omitted, over_time, notes, lacking_processors, .. } = &self.explanation;
        assert_eq!(omitted.problems, 0);
        let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * (1.0 + other);
        let mut explained: BTreeMap<&str, f64> = BTreeMap::new();
        for problem in problems {
            let culprits: f64 = problem.culprits.iter().map(|culprit| culprit.seconds).sum();
            assert!(problem.culprits.is_empty() || is_near(culprits, problem.seconds), "{problem:#?}");
            for effect in &problem.effects {
                *explained.entry(&effect.finding).or_default() += effect.seconds;
            }
        }
        let findings = self.analysis.findings.iter();
        let waits: Vec<_> = findings
            .filter(|of| of.view == View::Wait && of.is_measured() && of.waiting_time > 0.0)
            .collect();
        let waited: f64 = waits.iter().map(|finding| finding.waiting_time).sum();
        let moving: f64 = transfers.iter().map(|transfers| transfers.seconds).sum();
        let at_end =
            self.analysis.findings.iter().filter(|of| of.property == Some(WaitState::WaitAtFinalize));
        let at_end: f64 = at_end.map(|finding| finding.waiting_time).sum();
        let in_calls = division.waiting.seconds() + division.transfer;
        assert!(
            moving > 0.0 && is_near(in_calls, waited + moving + at_end),
            "{division:?}, {waited} s, {moving} s"
        );
        let all = division.computing + division.lost() + division.unknown();
        assert!(is_near(all, basis.location_seconds) && is_near(*lost, division.lost()), "{division:?}");
        // Where ranks share processors, some of it is told as lost to these, without a problem.
        let lacking = lacking_processors.seconds;
        for finding in &waits {
            let seconds = explained.get(finding.id.as_str()).copied().unwrap_or_default();
            let is_less = lacking > 0.0 && seconds < finding.waiting_time;
            assert!(is_less || is_near(seconds, finding.waiting_time), "{}: {seconds} s", finding.id);
        }
        let told: f64 = explained.values().sum();
        assert!(is_near(told.max(waited - lacking), told), "{told} and {lacking} s of {waited} s");
        let timed: f64 =
            over_time.efficiency.iter().map(|share| 1.0 - share).sum::<f64>() * over_time.interval;
        assert!(is_near(timed * self.analysis.locations as f64, waited + at_end), "{timed} s");
        assert!(is_near(over_time.untimed, lost - waited - at_end), "{} s", over_time.untimed);

        // Without regions, the program itself is late, or a call.
        let no_regions = "No regions of the program are recorded";
        assert!(notes.iter().any(|note| note.starts_with(no_regions)), "{notes:?}");
        let ranks = self.archive.definitions().locations.len();
        let by_rank: Vec<_> = (0..ranks).map(|index| self.times(index).2).collect();
        let regions: BTreeSet<&str> =
            by_rank.iter().flat_map(BTreeMap::keys).flatten().map(String::as_str).collect();
        for of in transfers {
            let recorded: f64 = by_rank
                .iter()
                .map(|times| of.call_paths.iter().filter_map(|path| times.get(path)).sum::<f64>())
                .sum();
            let in_calls = waits.iter().filter(|finding| of.call_paths.contains(&finding.call_path));
            let waited: f64 = in_calls.map(|finding| finding.waiting_time).sum();
            assert!(is_near(of.seconds, recorded - waited), "{of:?}: {recorded} s, {waited} s");
        }
        for problem in problems {
            // Of calls that move data, a location may make others than the one that takes the most.
            let is_of_one_path = !problem.call_path.is_empty() && !problem.effects.is_empty();
            for culprit in problem.culprits.iter().filter(|_| is_of_one_path) {
                let rank = culprit.location.rank as usize;
                assert!(by_rank[rank].contains_key(&problem.call_path), "{problem:#?}");
            }
            let advice = &problem.causes[0].advice;
            let facts = problem.text.strip_suffix(advice.as_str()).unwrap();
            let mut named = facts.split('`').skip(1).step_by(2);
            assert!(named.all(|region| regions.contains(region)), "{problem:#?}");
        }
    }

    /// The largest problem whose largest waits have this state; none if they are all lost to the machine.
    pub(super) fn problem_of(&self, state: WaitState) -> Option<&Problem> {
        let is_of_it =
            |problem: &&Problem| problem.effects.first().is_some_and(|effect| effect.property == state);
        self.explanation.problems.iter().find(is_of_it)
    }
}
