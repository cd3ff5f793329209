//! Locations: their ids and names in traces, and many of them in few words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A thread of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Thread in its process; the master is 0.
    pub thread: u32,
}

/// The id of a location in a trace, as Score-P numbers them: that of a rank's first thread is the rank.
pub fn id(rank: u32, thread: u32) -> u64 {
    u64::from(thread) << 32 | u64::from(rank)
}

/// The name of a thread in a trace, as Score-P names them; `in_teams` says whether it works in teams of OpenMP.
pub fn name(thread: u32, in_teams: bool) -> String {
    match thread {
        0 => "Master thread".to_owned(),
        _ if in_teams => format!("OMP thread {thread}"),
        _ => format!("Thread {thread}"),
    }
}

/// Sorted locations in few words: the ranks where only masters are meant (`0-2`), else the threads of ranks (`0: 1-3`, or
/// `0,1: 1-3` where they are the same).
pub fn in_words(locations: &[Location]) -> String {
    let mut by_rank: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for location in locations {
        by_rank.entry(location.rank).or_default().push(location.thread);
    }
    if locations.iter().all(|location| location.thread == 0) {
        return compressed(&by_rank.into_keys().collect::<Vec<_>>());
    }
    let mut by_threads: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (rank, threads) in by_rank {
        by_threads.entry(threads).or_default().push(rank);
    }
    let mut groups: Vec<_> = by_threads.into_iter().map(|(threads, ranks)| (ranks, threads)).collect();
    groups.sort();
    let group =
        |(ranks, threads): (Vec<u32>, Vec<u32>)| format!("{}: {}", compressed(&ranks), compressed(&threads));
    groups.into_iter().map(group).collect::<Vec<_>>().join("; ")
}

/// The most parts of a list, so that it fits a line.
const MOST_PARTS: usize = 12;

/// Sorted numbers in few words: `1,3,5-7`, with a step `1-15:2`, and after [`MOST_PARTS`] parts `1,4,9,… and 480 more`.
fn compressed(ranks: &[u32]) -> String {
    let mut parts = Vec::new();
    let mut rest = ranks;
    while let [first, ..] = *rest {
        if parts.len() == MOST_PARTS {
            return format!("{},… and {} more", parts.join(","), rest.len());
        }
        let step = rest.get(1).map_or(1, |second| second.wrapping_sub(first));
        let even = rest.windows(2).take_while(|pair| pair[0].checked_add(step) == Some(pair[1])).count() + 1;
        let taken = match (even, step) {
            (3.., 1) => {
                parts.push(format!("{first}-{}", rest[even - 1]));
                even
            }
            (4.., _) => {
                parts.push(format!("{first}-{}:{step}", rest[even - 1]));
                even
            }
            _ => {
                parts.push(first.to_string());
                1
            }
        };
        rest = &rest[taken..];
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_in_few_words() {
        for (ranks, text) in [
            (&[][..], ""),
            (&[4], "4"),
            (&[1, 3, 5, 6, 7], "1,3,5-7"),
            (&[0, 1], "0,1"),
            (&[0, 1, 2], "0-2"),
            (&[1, 3, 5, 7, 8], "1-7:2,8"),
            (&[u32::MAX - 1, u32::MAX], "4294967294,4294967295"),
        ] {
            assert_eq!(compressed(ranks), text);
        }
        let squares: Vec<u32> = (0..100).map(|root| root * root).collect();
        let text = compressed(&squares);
        assert!(text.starts_with("0,1,4,9,16,") && text.ends_with(",121,… and 88 more"), "{text}");
    }

    #[test]
    fn threads_in_few_words() {
        let text = |locations: &[(u32, u32)]| {
            in_words(&locations.iter().map(|&(rank, thread)| Location { rank, thread }).collect::<Vec<_>>())
        };
        assert_eq!(text(&[(0, 0), (2, 0)]), "0,2");
        assert_eq!(text(&[(0, 1), (0, 2), (0, 3)]), "0: 1-3");
        assert_eq!(text(&[(0, 1), (0, 3), (1, 1), (1, 3)]), "0,1: 1,3");
        assert_eq!(text(&[(0, 0), (1, 1), (2, 0)]), "0,2: 0; 1: 1");
    }
}
