//! Samples on their way from the handler of a thread to its track.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Words of each thread: several thousand samples, seconds in any case. Pages that are not used take no memory.
pub(crate) const WORDS: usize = 1 << 17;

/// The samples of one thread that were taken and not yet moved: of each its time, the number of its addresses, and these.
///
/// The handler of one thread appends; whoever holds the lock of its track takes. Neither waits for the other.
#[derive(Debug)]
pub(crate) struct Sampler {
    words: &'static [AtomicU64],
    used: AtomicUsize,
    /// The number of samples that there was no room for.
    lost: AtomicU64,
}

/// Words before the addresses of a sample.
const HEAD: usize = 2;

impl Sampler {
    pub(crate) fn new(words: &'static [AtomicU64]) -> Self {
        Sampler { words, used: AtomicUsize::new(0), lost: AtomicU64::new(0) }
    }

    /// Appends a sample, if there is room; whether half of the room is used up.
    pub(crate) fn push(&self, ticks: u64, addresses: &[u64]) -> bool {
        loop {
            let begin = self.used.load(Ordering::Acquire);
            let Some(place) = self.words.get(begin..begin + HEAD + addresses.len()) else {
                self.lost.fetch_add(1, Ordering::Relaxed);
                return true;
            };
            let sample = [ticks, addresses.len() as u64];
            let sample = sample.iter().chain(addresses);
            place.iter().zip(sample).for_each(|(place, &word)| place.store(word, Ordering::Relaxed));
            let end = begin + place.len();
            // All may have been taken meanwhile, and the room be free from its beginning.
            if self.used.compare_exchange(begin, end, Ordering::Release, Ordering::Relaxed).is_ok() {
                return end > self.words.len() / 2;
            }
        }
    }

    /// Takes all samples. Only one thread may do so at a time.
    pub(crate) fn take(&self, mut each: impl FnMut(u64, &[usize])) {
        let (mut addresses, mut read) = (Vec::new(), 0);
        loop {
            let end = self.used.load(Ordering::Acquire);
            while read < end {
                let word = |at: usize| self.words[at].load(Ordering::Relaxed);
                let (ticks, count) = (word(read), word(read + 1) as usize);
                read += HEAD;
                addresses.clear();
                addresses.extend((read..read + count).map(|at| word(at) as usize));
                read += count;
                each(ticks, &addresses);
            }
            if self.used.compare_exchange(end, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// Forgets all samples, when none are being taken or appended.
    pub(crate) fn clear(&self) {
        self.used.store(0, Ordering::Release);
    }

    /// Takes the number of lost samples.
    pub(crate) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(words: usize) -> Sampler {
        Sampler::new((0..words).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak())
    }

    fn taken(sampler: &Sampler) -> Vec<(u64, Vec<usize>)> {
        let mut taken = Vec::new();
        sampler.take(|ticks, addresses| taken.push((ticks, addresses.to_vec())));
        taken
    }

    #[test]
    fn samples_are_taken_once_and_those_without_room_are_counted() {
        let sampler = sampler(10);
        assert!(!sampler.push(5, &[1, 2]));
        assert!(sampler.push(6, &[3]));
        assert!(sampler.push(7, &[4, 5]), "no room for four words in three");
        assert_eq!((taken(&sampler), sampler.take_lost()), (vec![(5, vec![1, 2]), (6, vec![3])], 1));
        assert_eq!(taken(&sampler), []);
        sampler.push(8, &[9]);
        assert_eq!((taken(&sampler), sampler.take_lost()), (vec![(8, vec![9])], 0));
    }

    #[test]
    fn appending_beside_taking_loses_and_doubles_nothing() {
        const SAMPLES: u64 = 200_000;
        let sampler = sampler(64);
        let mut all = Vec::new();
        std::thread::scope(|scope| {
            let appending = scope.spawn(|| {
                for ticks in 0..SAMPLES {
                    sampler.push(ticks, &[ticks + 1, ticks + 2]);
                }
            });
            while !appending.is_finished() {
                all.extend(taken(&sampler));
            }
        });
        all.extend(taken(&sampler));
        assert_eq!(all.len() as u64 + sampler.take_lost(), SAMPLES);
        assert!(all.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(all.iter().all(|(ticks, of)| of[..] == [*ticks as usize + 1, *ticks as usize + 2]));
    }
}
