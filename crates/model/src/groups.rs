//! Items grouped by a key, each group in the order of its items: messages of a channel, operations of a communicator.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Gives each key a small number; asking for the same key again costs a comparison.
#[derive(Clone, Debug)]
pub struct Interner<K> {
    keys: Vec<K>,
    numbers: FxHashMap<K, u32>,
    last: u32,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Interner { keys: Vec::new(), numbers: FxHashMap::default(), last: 0 }
    }
}

impl<K: Copy + Eq + Hash> Interner<K> {
    /// The number of a key: that which it was given first.
    pub fn number(&mut self, key: K) -> u32 {
        if self.keys.get(self.last as usize) != Some(&key) {
            let keys = &mut self.keys;
            self.last = *self.numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() as u32 - 1
            });
        }
        self.last
    }

    /// The keys, by number.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }
}

/// The indices of items, by the key of each. Keys have numbers before the items are grouped, and keep them.
#[derive(Clone, Debug)]
pub struct Groups<K> {
    keys: Interner<K>,
    /// The start of each key's group in `items`, and one end more.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl<K> Default for Groups<K> {
    fn default() -> Self {
        Groups { keys: Interner::default(), starts: Vec::new(), items: Vec::new() }
    }
}

impl<K: Copy + Eq + Hash> Groups<K> {
    /// Groups items `0..` by the key of each.
    pub fn by_key(keys: impl Iterator<Item = K>) -> Self {
        let mut groups = Groups::default();
        let numbers: Vec<Option<u32>> = keys.map(|key| Some(groups.number(key))).collect();
        groups.group(numbers.iter().copied());
        groups
    }

    /// The number of a key.
    pub fn number(&mut self, key: K) -> u32 {
        self.keys.number(key)
    }

    /// The key with a number.
    pub fn key(&self, number: u32) -> K {
        self.keys.keys[number as usize]
    }

    /// The number of keys.
    pub fn count(&self) -> usize {
        self.keys.keys.len()
    }

    /// Groups items `0..`, given the number of the key of each, none for an item that belongs nowhere.
    pub fn group(&mut self, numbers: impl Iterator<Item = Option<u32>> + Clone) {
        if self.count() == 0 {
            return self.ungroup();
        }
        // While the items are placed, a group's start stands one further than it will, and where its next item comes.
        let mut starts = vec![0; self.count() + 2];
        for number in numbers.clone().flatten() {
            starts[number as usize + 2] += 1;
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        let mut items = vec![0; starts[starts.len() - 1] as usize];
        for (item, number) in numbers.enumerate() {
            if let Some(number) = number {
                let place = &mut starts[number as usize + 1];
                items[*place as usize] = item as u32;
                *place += 1;
            }
        }
        starts.pop();
        (self.starts, self.items) = (starts, items);
    }

    /// Forgets the items; the keys stay.
    pub fn ungroup(&mut self) {
        (self.starts, self.items) = (Vec::new(), Vec::new());
    }

    /// Puts the items of each group in order; equal ones stay as they are.
    pub fn sort_by_key<O: Ord>(&mut self, order: impl Fn(u32) -> O) {
        for bounds in self.starts.windows(2) {
            self.items[bounds[0] as usize..bounds[1] as usize].sort_by_key(|&item| order(item));
        }
    }

    /// Every key with its group.
    pub fn iter(&self) -> impl Iterator<Item = (K, &[u32])> {
        self.keys.keys.iter().enumerate().map(|(number, &key)| (key, self.numbered(number)))
    }

    /// The group of a key; empty if it has none.
    pub fn members(&self, key: K) -> &[u32] {
        self.keys.numbers.get(&key).map_or(&[], |&number| self.numbered(number as usize))
    }

    fn numbered(&self, number: usize) -> &[u32] {
        match self.starts.get(number..number + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn items_are_grouped_in_order_and_some_belong_nowhere() {
        let mut groups = Groups::default();
        let numbers: Vec<_> =
            "abcaab".chars().map(|key| if key == 'c' { None } else { Some(groups.number(key)) }).collect();
        groups.group(numbers.iter().copied());
        assert_eq!(groups.iter().collect::<Vec<_>>(), [('a', &[0, 3, 4][..]), ('b', &[1, 5][..])]);
        assert_eq!(groups.members('c'), [] as [u32; 0]);
        groups.sort_by_key(std::cmp::Reverse);
        assert_eq!(groups.members('a'), [4, 3, 0]);
        groups.ungroup();
        assert_eq!(groups.members('a'), [] as [u32; 0]);
        assert_eq!(groups.number('b'), 1);
    }
}
