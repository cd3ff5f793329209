//! Inefficiency intervals: stretches in which the same locations wait.

use ats_documents::explanation::Intervals;

use super::facts::Facts;

/// The intervals of a finding; `None` if its single waits are not known.
///
/// One sweep over the begins and ends of its waits. The worst interval has the most location-seconds.
pub(super) fn intervals(facts: &Facts<'_>, finding: usize) -> Option<Intervals> {
    let waits = facts.waits.of_finding(finding);
    let mut changes: Vec<(u64, bool)> =
        waits.iter().flat_map(|wait| [(wait.begin, true), (wait.end, false)]).collect();
    // At one time, ends come before begins: a wait that follows another is a new one.
    changes.sort_unstable();
    let (mut number, mut waiting, mut since) = (0, 0_u64, 0);
    let mut worst = (0, 0, 0);
    for (time, begins) in changes {
        if time > since && waiting > 0 {
            number += 1;
            worst = worst.max(((time - since) * waiting, since, time));
        }
        since = time;
        waiting = if begins { waiting + 1 } else { waiting - 1 };
    }
    let (_, begin, end) = worst;
    let is_in = |wait: &&super::waits::Span| wait.begin <= begin && wait.end >= end;
    let mut locations: Vec<_> =
        waits.iter().filter(is_in).map(|wait| facts.location(wait.location)).collect();
    locations.sort_unstable();
    locations.dedup();
    let seconds = |ticks: u64| facts.clock.seconds(ticks.saturating_sub(facts.clock.offset));
    (number > 0).then(|| Intervals { number, begin: seconds(begin), end: seconds(end), waiting: locations })
}
