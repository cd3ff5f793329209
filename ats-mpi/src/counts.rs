//! Counts of an irregular collective operation, by member.

use std::sync::Arc;

/// The number of elements that go to each member of a communicator, or come from it.
///
/// One pattern that repeats itself, so that ten thousands of ranks of a simulation need no table each. A table is a pattern
/// of as many numbers as there are members.
///
/// ```
/// let counts = ats_mpi::Counts::repeated([1, 2], 5);
/// assert!(counts.iter().eq([1, 2, 1, 2, 1]));
/// assert_eq!((counts.sum(), counts.get(3), counts.get(5)), (7, Some(2), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pattern: Arc<[usize]>,
    members: usize,
}

impl Counts {
    /// `pattern` again and again, for `members` members; for none if it is empty.
    pub fn repeated(pattern: impl Into<Arc<[usize]>>, members: usize) -> Self {
        let pattern = pattern.into();
        Counts { members: if pattern.is_empty() { 0 } else { members }, pattern }
    }

    /// The same count for each of `members` members.
    pub fn same(count: usize, members: usize) -> Self {
        Counts::repeated([count], members)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members == 0
    }

    /// A member's count, by its rank.
    pub fn get(&self, rank: usize) -> Option<usize> {
        (rank < self.members).then(|| self.pattern[rank % self.pattern.len()])
    }

    /// All of them, by rank.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.pattern.iter().copied().cycle().take(self.members)
    }

    /// Their sum; as much as there can be, if it is more.
    pub fn sum(&self) -> usize {
        let sum = |counts: &[usize]| counts.iter().fold(0, |sum: usize, &count| sum.saturating_add(count));
        match self.pattern.len() {
            0 => 0,
            length => {
                let whole = sum(&self.pattern).saturating_mul(self.members / length);
                whole.saturating_add(sum(&self.pattern[..self.members % length]))
            }
        }
    }
}

impl From<Vec<usize>> for Counts {
    fn from(table: Vec<usize>) -> Self {
        let members = table.len();
        Counts::repeated(table, members)
    }
}

impl FromIterator<usize> for Counts {
    fn from_iter<T: IntoIterator<Item = usize>>(counts: T) -> Self {
        Counts::from(counts.into_iter().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_as_good_as_the_table_that_it_makes() {
        for pattern in [&[][..], &[3], &[1, 2], &[0, 5, 7]] {
            for members in 0..9 {
                let counts = Counts::repeated(pattern, members);
                let table: Counts = counts.iter().collect();
                assert_eq!(counts.len(), if pattern.is_empty() { 0 } else { members });
                assert_eq!((counts.len(), counts.is_empty()), (table.len(), table.is_empty()));
                assert_eq!(counts.sum(), counts.iter().sum::<usize>());
                assert!((0..10).all(|rank| counts.get(rank) == table.get(rank)));
            }
        }
        assert_eq!(Counts::same(usize::MAX, 2).sum(), usize::MAX);
        assert_eq!(Counts::from(vec![usize::MAX, 1]).sum(), usize::MAX);
    }
}
