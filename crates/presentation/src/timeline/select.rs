//! Choice of the locations that a picture shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ats_documents::{Analysis, Wait};
use ats_model::Definitions;

/// The number of neighbours that are shown together, so that messages between them can be seen.
const NEIGHBOURS: usize = 4;

/// The locations of the rows, by rank and thread: all of them; or a quarter, those that wait most, each with
/// the one that it waits for most, and the rest evenly from all. Only `candidates` are chosen from.
pub(super) fn locations(
    definitions: &Definitions,
    candidates: impl IntoIterator<Item = usize>,
    found: Option<(&Analysis, &[Wait])>,
    limit: usize,
) -> Vec<usize> {
    let mut all: Vec<usize> = candidates.into_iter().collect();
    let place = |&location: &usize| {
        let definition = &definitions.locations[location];
        (definition.rank, definition.thread)
    };
    all.sort_by_key(place);
    if all.len() <= limit {
        return all;
    }
    // Positions in `all`, from here on.
    let mut shown = BTreeSet::new();
    if let Some((analysis, waits)) = found {
        let mut waiting: HashMap<(u32, u32), f64> = HashMap::new();
        for share in analysis.findings.iter().flat_map(|finding| &finding.locations) {
            *waiting.entry((share.rank, share.thread)).or_default() += share.waiting_time;
        }
        let time = |location| waiting.get(&place(location)).copied().unwrap_or(0.0);
        let mut positions: Vec<(f64, usize)> =
            all.iter().map(time).zip(0..).filter(|(time, _)| *time > 0.0).collect();
        positions.sort_by(|(a, i), (b, j)| b.total_cmp(a).then(i.cmp(j)));
        let most: Vec<usize> = positions.into_iter().take(limit / 4).map(|(_, position)| position).collect();
        let awaited = awaited(waits);
        let place_of: HashMap<usize, usize> = all.iter().copied().zip(0..).collect();
        let others = most.iter().filter_map(|&position| place_of.get(awaited.get(&all[position])?).copied());
        shown.extend(others);
        shown.extend(most);
    }
    let groups = ((limit - shown.len()) / NEIGHBOURS).max(1);
    let first =
        |group: usize| group * (all.len() - NEIGHBOURS.min(all.len())) / groups.saturating_sub(1).max(1);
    let even = (0..groups).flat_map(|group| first(group)..(first(group) + NEIGHBOURS).min(all.len()));
    for position in even.chain(0..all.len()) {
        if shown.len() >= limit {
            break;
        }
        shown.insert(position);
    }
    shown.into_iter().map(|position| all[position]).collect()
}

/// For each location the one that it waits for most; of several the first.
fn awaited(waits: &[Wait]) -> HashMap<usize, usize> {
    let mut ticks: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for wait in waits {
        if let Some(awaited) = wait.awaited {
            *ticks.entry((wait.location, awaited)).or_default() += wait.end - wait.begin;
        }
    }
    let mut most: HashMap<usize, (u64, usize)> = HashMap::new();
    for ((location, awaited), ticks) in ticks {
        let known = most.entry(location).or_insert((ticks, awaited));
        if ticks > known.0 {
            *known = (ticks, awaited);
        }
    }
    most.into_iter().map(|(location, (_, awaited))| (location, awaited)).collect()
}

#[cfg(test)]
mod tests {
    use ats_documents::{Basis, Finding, finding::LocationShare};
    use ats_model::{WaitState, definitions::LocationDefinition};

    use super::*;

    #[test]
    fn of_many_locations_those_that_wait_most_and_neighbours_from_all_are_shown() {
        let location = |rank: u32| LocationDefinition {
            id: rank.into(),
            name: String::new(),
            rank,
            thread: 0,
            events: 0,
        };
        let definitions = Definitions { locations: (0..1000).map(location).collect(), ..Default::default() };
        assert_eq!(locations(&definitions, 0..1000, None, 1000), (0..1000).collect::<Vec<_>>());
        let even = locations(&definitions, 0..1000, None, 12);
        assert_eq!(even, [0, 1, 2, 3, 498, 499, 500, 501, 996, 997, 998, 999]);

        let basis = Basis::new(None, 1.0, 1000);
        let share = |rank: u32| LocationShare { rank, thread: 0, waiting_time: f64::from(rank % 800) };
        let shares = (0..1000).map(share).collect();
        let finding = Finding::wait(Some(WaitState::LateSender), Vec::new(), shares, 1, &basis, true);
        let analysis = Analysis { locations: 1000, basis, findings: vec![finding], ..Analysis::default() };
        let most = locations(&definitions, 0..1000, Some((&analysis, &[])), 8);
        assert_eq!(most, [0, 1, 2, 3, 4, 5, 798, 799]);
        let wait = |location, awaited, end| Wait {
            finding: 0,
            location,
            begin: 0,
            end,
            awaited,
            flushed: 0,
            recorded: 0,
        };
        let waits =
            [wait(799, Some(3), 5), wait(799, Some(500), 9), wait(798, None, 9), wait(2, Some(7), 99)];
        let with_partner = locations(&definitions, 0..1000, Some((&analysis, &waits)), 8);
        assert_eq!(with_partner, [0, 1, 2, 3, 4, 500, 798, 799], "who is waited for is shown, too");
        for limit in 1..20 {
            assert_eq!(locations(&definitions, 0..1000, Some((&analysis, &waits)), limit).len(), limit);
        }
    }
}
