//! Locations: their ids and names in traces, and many of them in few words.

use std::collections::{BTreeMap, BTreeSet};

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

/// So many ranks and threads in words: `4 ranks`, `1 rank with 4 threads`, `2 ranks with 4 threads each`.
pub fn size_in_words(ranks: usize, threads: usize) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (of_ranks, of_threads) = (counted(ranks, "rank"), counted(threads, "thread"));
    match (threads, ranks) {
        (1, _) => of_ranks,
        (_, 1) => format!("{of_ranks} with {of_threads}"),
        _ => format!("{of_ranks} with {of_threads} each"),
    }
}

/// Groups what lasts equally long, to the microsecond, with its seconds; the shortest first.
///
/// ```
/// use ats_model::locations::equally_long;
/// assert_eq!(equally_long([(0.02, 'a'), (0.01, 'b'), (0.02, 'c')]), [(0.01, vec!['b']), (0.02, vec!['a', 'c'])]);
/// ```
pub fn equally_long<T>(spans: impl IntoIterator<Item = (f64, T)>) -> Vec<(f64, Vec<T>)> {
    let mut groups: BTreeMap<u64, Vec<T>> = BTreeMap::new();
    for (seconds, item) in spans {
        groups.entry((seconds * 1e6).round() as u64).or_default().push(item);
    }
    groups.into_iter().map(|(microseconds, items)| (microseconds as f64 / 1e6, items)).collect()
}

/// Ranks with the same threads, and these threads.
fn by_threads(locations: &[Location]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut by_rank: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for location in locations {
        by_rank.entry(location.rank).or_default().push(location.thread);
    }
    let mut by_threads: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (rank, threads) in by_rank {
        by_threads.entry(threads).or_default().push(rank);
    }
    let mut groups: Vec<_> = by_threads.into_iter().map(|(threads, ranks)| (ranks, threads)).collect();
    groups.sort();
    groups
}

/// Sorted locations in few words: the ranks where only masters are meant (`0-2`), else the threads of ranks (`0: 1-3`, or
/// `0,1: 1-3` where they are the same).
pub fn in_words(locations: &[Location]) -> String {
    if locations.iter().all(|location| location.thread == 0) {
        let ranks: BTreeSet<u32> = locations.iter().map(|location| location.rank).collect();
        return numbers_in_words(&ranks.into_iter().collect::<Vec<_>>());
    }
    let groups = by_threads(locations);
    let group = |(ranks, threads): (Vec<u32>, Vec<u32>)| {
        format!("{}: {}", numbers_in_words(&ranks), numbers_in_words(&threads))
    };
    groups.into_iter().map(group).collect::<Vec<_>>().join("; ")
}

/// Sorted locations inside a sentence: `rank 0`, `ranks 1-3`, `threads 1-3 of rank 0`; the run has several ranks, or
/// several threads.
///
/// ```
/// use ats_model::locations::{Location, in_a_sentence};
/// let threads = [1, 2].map(|thread| Location { rank: 0, thread });
/// assert_eq!(in_a_sentence(&threads, true, true), "threads 1,2 of rank 0");
/// assert_eq!(in_a_sentence(&threads[..1], false, true), "thread 1");
/// assert_eq!(in_a_sentence(&[Location { rank: 3, thread: 0 }], true, true), "rank 3");
/// let others = [(0, 1), (0, 2), (1, 1), (1, 2), (3, 1)].map(|(rank, thread)| Location { rank, thread });
/// assert_eq!(in_a_sentence(&others, true, true), "threads 1,2 of ranks 0,1 and thread 1 of rank 3");
/// let even = [0, 2, 4, 6, 8].map(|rank| Location { rank, thread: 0 });
/// assert_eq!(in_a_sentence(&even, true, false), "ranks 0,2,…,8");
/// ```
pub fn in_a_sentence(locations: &[Location], has_ranks: bool, has_threads: bool) -> String {
    let groups = by_threads(locations);
    let Some((first, others)) = groups.split_first() else { return "no location".to_owned() };
    if !has_threads || has_ranks && locations.iter().all(|location| location.thread == 0) {
        return counted("rank", &locations.iter().map(|location| location.rank).collect::<Vec<_>>());
    }
    if !has_ranks {
        return counted("thread", &locations.iter().map(|location| location.thread).collect::<Vec<_>>());
    }
    let group = |(ranks, threads): &(Vec<u32>, Vec<u32>)| {
        format!("{} of {}", counted("thread", threads), counted("rank", ranks))
    };
    match others {
        [] => group(first),
        [other] => format!("{} and {}", group(first), group(other)),
        [..] => {
            let ranks: usize = others.iter().map(|(ranks, _)| ranks.len()).sum();
            format!("{} and threads of {ranks} other ranks", group(first))
        }
    }
}

/// `rank 0`, `ranks 1-3`, `ranks 0,2,…,30`.
fn counted(what: &str, numbers: &[u32]) -> String {
    let plural = if numbers.len() == 1 { "" } else { "s" };
    let stepped = |first: u32, step: u32, last: u32| match (last - first) / step {
        3 => format!("{first},{},{},{last}", first + step, last - step),
        _ => format!("{first},{},…,{last}", first + step),
    };
    format!("{what}{plural} {}", numbers_with(numbers, stepped))
}

/// The most parts of a list, so that it fits a line.
const MOST_PARTS: usize = 12;

/// Sorted numbers in few words: `1,3,5-7`, with a step `1-15:2`, and of many parts the first: `1,4,9,… and 480 more`.
pub fn numbers_in_words(numbers: &[u32]) -> String {
    numbers_with(numbers, |first, step, last| format!("{first}-{last}:{step}"))
}

/// The same with other words for numbers with a step.
fn numbers_with(numbers: &[u32], stepped: impl Fn(u32, u32, u32) -> String) -> String {
    let mut parts = Vec::new();
    let mut rest = numbers;
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
                parts.push(stepped(first, step, rest[even - 1]));
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
            assert_eq!(numbers_in_words(ranks), text);
        }
        let squares: Vec<u32> = (0..100).map(|root| root * root).collect();
        let text = numbers_in_words(&squares);
        assert!(text.starts_with("0,1,4,9,16,") && text.ends_with(",121,… and 88 more"), "{text}");
    }

    #[test]
    fn sizes_in_words() {
        assert_eq!(size_in_words(4, 1), "4 ranks");
        assert_eq!(size_in_words(1, 4), "1 rank with 4 threads");
        assert_eq!(size_in_words(2, 4), "2 ranks with 4 threads each");
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
