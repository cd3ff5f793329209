//! Memory that all threads of the process share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use crate::amount::{Readings, Updates};
use crate::cores::require_two;

/// Words of a line of the cache.
const WORDS: u64 = 8;

/// A line of the cache, and one more: processors fetch lines in pairs.
#[repr(align(128))]
struct Line([AtomicU64; WORDS as usize]);

/// The lines that threads add to. With more threads than that, some have a line in common.
static LINES: [Line; 256] = [const { Line([const { AtomicU64::new(0) }; WORDS as usize]) }; 256];

/// The line and the word of a place. The places are spread evenly over as few lines as they need, so that each has a
/// neighbour.
fn word(work: &Updates) -> (usize, usize) {
    let Updates { place, places, padded, .. } = *work;
    let lines = if padded { places } else { places.div_ceil(WORDS) };
    let [line, word] = if padded { [place, 0] } else { [place % lines.max(1), place / lines.max(1)] };
    ((line % LINES.len() as u64) as usize, (word % WORDS) as usize)
}

/// Really adds, and returns the number of additions.
pub(crate) fn update(work: &Updates) -> u64 {
    let (line, word) = word(work);
    let word = &LINES[line].0[word];
    if !work.padded && work.places > 1 {
        require_two("threads update a line of the cache");
    }
    if work.atomic {
        (0..work.number).for_each(|_| {
            word.fetch_add(1, Ordering::Relaxed);
        });
    } else {
        let first = word.load(Ordering::Relaxed);
        (1..=work.number).for_each(|more| word.store(first.wrapping_add(more), Ordering::Relaxed));
    }
    work.number
}

/// The array that all threads read; grows to the largest that one has asked for.
static SHARED: RwLock<Vec<u64>> = RwLock::new(Vec::new());

/// A thread's copy of the array.
#[derive(Default)]
pub(crate) struct Copy(Vec<u64>);

impl Copy {
    /// Really loads each word, after a copy if asked, and returns the sum of all.
    pub(crate) fn read(&mut self, work: &Readings) -> u64 {
        let words = (work.bytes / size_of::<u64>() as u64) as usize;
        if SHARED.read().unwrap_or_else(PoisonError::into_inner).len() < words {
            let mut shared = SHARED.write().unwrap_or_else(PoisonError::into_inner);
            let longer = words.max(shared.len());
            shared.resize(longer, 1);
        }
        let shared = &SHARED.read().unwrap_or_else(PoisonError::into_inner)[..words];
        if !work.copied {
            return sum(shared);
        }
        self.0.clear();
        self.0.extend_from_slice(shared);
        sum(&self.0)
    }
}

fn sum(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn one_update(place: u64, places: u64, padded: bool) -> Updates {
        Updates { number: 1, place, places, padded, atomic: false }
    }

    #[test]
    fn each_place_has_a_word_of_its_own_and_neighbours_unless_padded() {
        for places in [2, 3, 8, 9, 17, 64] {
            for padded in [false, true] {
                let words = (0..places).map(|place| word(&one_update(place, places, padded)));
                let words: BTreeSet<_> = words.collect();
                assert_eq!(words.len(), places as usize);
                let mut of_line = BTreeMap::<usize, usize>::new();
                words.iter().for_each(|(line, _)| *of_line.entry(*line).or_default() += 1);
                assert!(of_line.values().all(|words| (*words > 1) != padded), "{places}: {of_line:?}");
            }
        }
    }

    #[test]
    fn a_word_is_updated_as_often_as_asked() {
        // No other test has that many places.
        let value = || LINES[250].0[0].load(Ordering::Relaxed);
        for atomic in [false, true] {
            let before = value();
            assert_eq!(update(&Updates { number: 1_000, atomic, ..one_update(250, 251, true) }), 1_000);
            assert_eq!(value() - before, 1_000);
        }
    }

    #[test]
    fn a_copy_has_the_words_of_the_array() {
        let mut copy = Copy::default();
        for (bytes, words) in [(800, 100), (7, 0), (80, 10)] {
            assert_eq!(copy.read(&Readings { bytes, copied: false }), words);
            assert_eq!(copy.read(&Readings { bytes, copied: true }), words);
            assert_eq!(copy.0.len() as u64, words);
        }
    }
}
