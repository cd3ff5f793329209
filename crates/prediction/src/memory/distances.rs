//! Stack distances of lines, counted by the times of last uses, as Bennett and Kruskal did in 1975.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The slots of a word, the words of a block, and the blocks of a part. Sums over so many neighbours are a few instructions.
const WIDTH: usize = 64;

/// The fewest slots: 8 KiB of bits, so that small working sets are not made compact all the time.
const LEAST_SLOTS: usize = 1 << 16;

/// Counts the distinct others between two uses of the same line.
///
/// Each use takes the next slot, and each line is marked in the slot of its last use. So the distance of a line is the number
/// of marks behind its own. When the slots are used up, the marks move together; the memory is bounded by the number of lines.
#[derive(Clone, Debug)]
pub struct Distances<L = u64> {
    last: FxHashMap<L, u32>,
    /// The line that was used just before.
    newest: Option<L>,
    next: u32,
    marks: Marks,
}

impl<L> Default for Distances<L> {
    fn default() -> Self {
        Distances { last: FxHashMap::default(), newest: None, next: 0, marks: Marks::first(0) }
    }
}

impl<L: Copy + Eq + Hash> Distances<L> {
    /// The most lines that it can keep: slots are numbers of 32 bits, and there are twice as many.
    pub const MOST_LINES: usize = 1 << 30;

    /// The number of lines that were used.
    pub fn lines(&self) -> usize {
        self.last.len()
    }

    /// Uses a line, and counts the distinct others since its last use; `None` if this is its first.
    ///
    /// ```
    /// let mut distances = ats_prediction::memory::Distances::default();
    /// let counted = ["a", "b", "b", "c", "a"].map(|line| distances.count(line));
    /// assert_eq!(counted, [None, None, Some(0), None, Some(2)]);
    /// ```
    #[inline]
    pub fn count(&mut self, line: L) -> Option<u64> {
        if self.newest == Some(line) {
            return Some(0);
        }
        self.newest = Some(line);
        if self.next as usize == self.marks.slots() {
            self.compact();
        }
        let slot = self.next;
        self.next += 1;
        let last = self.last.insert(line, slot);
        self.marks.set(slot as usize);
        let last = last? as usize;
        self.marks.clear(last);
        // Without its own new mark.
        Some(self.marks.behind(last) - 1)
    }

    /// Forgets lines.
    pub fn retain(&mut self, mut is_kept: impl FnMut(L) -> bool) {
        let marks = &mut self.marks;
        self.last.retain(|&line, slot| {
            let is_kept = is_kept(line);
            if !is_kept {
                marks.clear(*slot as usize);
            }
            is_kept
        });
        self.last.shrink_to_fit();
        self.newest = None;
        self.compact();
    }

    /// Moves the marks together, and makes room for as many uses as there are lines.
    fn compact(&mut self) {
        let before = self.marks.before_words();
        for slot in self.last.values_mut() {
            *slot = before[*slot as usize / WIDTH] + self.marks.before_in_word(*slot as usize);
        }
        self.next = self.last.len() as u32;
        self.marks = Marks::first(self.last.len());
    }
}

/// Marks of slots, with their numbers in words, blocks and parts.
#[derive(Clone, Debug)]
struct Marks {
    bits: Vec<u64>,
    words: Vec<u8>,
    blocks: Vec<u16>,
    parts: Vec<u32>,
}

impl Marks {
    /// Marks in so many first slots, and no marks in as many others.
    fn first(number: usize) -> Self {
        let blocks = LEAST_SLOTS.max(2 * number).div_ceil(WIDTH * WIDTH);
        let mut marks = Marks {
            bits: vec![0; blocks * WIDTH],
            words: vec![0; blocks * WIDTH],
            blocks: vec![0; blocks],
            parts: vec![0; blocks.div_ceil(WIDTH)],
        };
        (0..number).for_each(|slot| marks.set(slot));
        marks
    }

    fn slots(&self) -> usize {
        self.bits.len() * WIDTH
    }

    fn set(&mut self, slot: usize) {
        let word = slot / WIDTH;
        self.bits[word] |= 1 << (slot % WIDTH);
        self.words[word] += 1;
        self.blocks[word / WIDTH] += 1;
        self.parts[word / WIDTH / WIDTH] += 1;
    }

    fn clear(&mut self, slot: usize) {
        let word = slot / WIDTH;
        self.bits[word] &= !(1 << (slot % WIDTH));
        self.words[word] -= 1;
        self.blocks[word / WIDTH] -= 1;
        self.parts[word / WIDTH / WIDTH] -= 1;
    }

    /// The number of marks behind a slot.
    fn behind(&self, slot: usize) -> u64 {
        let word = slot / WIDTH;
        // Two shifts, as all 64 bits may have to go.
        let bits = (self.bits[word] >> (slot % WIDTH) >> 1).count_ones();
        let words: u32 = siblings_behind(&self.words, word).iter().map(|&number| u32::from(number)).sum();
        let blocks = siblings_behind(&self.blocks, word / WIDTH).iter().map(|&number| u32::from(number));
        let parts = self.parts[word / WIDTH / WIDTH + 1..].iter();
        u64::from(bits + words + blocks.sum::<u32>() + parts.sum::<u32>())
    }

    /// The number of marks before each word.
    fn before_words(&self) -> Vec<u32> {
        let mut before = 0;
        let count = |&number: &u8| {
            before += u32::from(number);
            before - u32::from(number)
        };
        self.words.iter().map(count).collect()
    }

    /// The number of marks before a slot in its word.
    fn before_in_word(&self, slot: usize) -> u32 {
        (self.bits[slot / WIDTH] & ((1 << (slot % WIDTH)) - 1)).count_ones()
    }
}

/// The counts behind one of them, up to the end of what contains them.
fn siblings_behind<T>(counts: &[T], at: usize) -> &[T] {
    let end = (at / WIDTH + 1) * WIDTH;
    &counts[at + 1..end.min(counts.len())]
}
