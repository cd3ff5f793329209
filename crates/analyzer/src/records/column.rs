//! The records of one kind.

use std::{
    hash::Hash,
    ops::{Deref, DerefMut},
};

use ats_model::groups::Groups;

use super::{Numbers, call::MpiCall};
use crate::{records::retain, words::place::Place};

/// A record that is kept until it is judged. A new kind is a struct that implements this, and a line in the list of
/// [`super::Records`].
pub(crate) trait KeptRecord: Copy {
    /// Its grouping: the [`Groups`] of some key, or `()`.
    type Groups: Grouping;

    /// Its location, an index into the trace's locations. `calls` are those of its location or process.
    fn location(&self, calls: &[MpiCall]) -> u32;

    /// The call that it belongs to and is kept with: index into [`super::Records::calls`].
    fn call(&self) -> Option<u32> {
        None
    }

    /// Its place, if it is not that of its call.
    fn place_mut(&mut self) -> Option<&mut Place> {
        None
    }

    /// Its times, if they are not those of its call. A record that is not over ends at [`u64::MAX`].
    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        std::iter::empty()
    }

    /// The number of its group, if it is in one.
    fn group_mut(&mut self) -> Option<&mut u32> {
        None
    }

    /// Its order in its group, if that is not the order of the records.
    fn order_in_group(&self) -> u32 {
        0
    }

    /// Its order in a process, if its threads have several.
    fn order(&self, _calls: &[MpiCall]) -> (u64, u32) {
        (0, 0)
    }

    /// Refers to other records by their new numbers.
    fn renumber(&mut self, _numbers: &Numbers) {}
}

/// The grouping of the records of a kind.
pub(crate) trait Grouping: Clone + Default {
    /// The number here of the group that has a number elsewhere.
    fn adopt(&mut self, elsewhere: &Self, number: u32) -> u32;

    /// Groups items `0..` by the number of the group of each, in the order given.
    fn group(&mut self, numbers: impl Iterator<Item = Option<u32>> + Clone, order: impl Fn(u32) -> u32);

    /// Forgets the groups, but for their numbers.
    fn ungroup(&mut self);

    /// The number of groups.
    fn count(&self) -> usize;
}

impl Grouping for () {
    fn adopt(&mut self, (): &Self, number: u32) -> u32 {
        number
    }

    fn group(&mut self, _: impl Iterator<Item = Option<u32>> + Clone, _: impl Fn(u32) -> u32) {}

    fn ungroup(&mut self) {}

    fn count(&self) -> usize {
        0
    }
}

impl<K: Copy + Eq + Hash> Grouping for Groups<K> {
    fn adopt(&mut self, elsewhere: &Self, number: u32) -> u32 {
        self.number(elsewhere.key(number))
    }

    fn group(&mut self, numbers: impl Iterator<Item = Option<u32>> + Clone, order: impl Fn(u32) -> u32) {
        self.group(numbers);
        self.sort_by_key(order);
    }

    fn ungroup(&mut self) {
        self.ungroup();
    }

    fn count(&self) -> usize {
        self.count()
    }
}

/// The new numbers of the records of a kind, by their old ones.
#[derive(Clone, Debug)]
pub(crate) enum Renumbering {
    /// Records shifted by the number of those before them.
    Shifted(u32),
    Each(Vec<u32>),
}

impl Default for Renumbering {
    /// Unchanged numbers.
    fn default() -> Self {
        Renumbering::Shifted(0)
    }
}

impl Renumbering {
    /// The new number of a record; of one that is gone it means nothing.
    pub(crate) fn new_number(&self, number: u32) -> u32 {
        match self {
            Renumbering::Shifted(by) => number + by,
            Renumbering::Each(numbers) => numbers.get(number as usize).copied().unwrap_or(0),
        }
    }
}

/// The records of one kind, in order, and their grouping.
#[derive(Clone, Debug)]
pub(crate) struct Column<R: KeptRecord> {
    records: Vec<R>,
    pub(crate) groups: R::Groups,
}

impl<R: KeptRecord> Default for Column<R> {
    fn default() -> Self {
        Column { records: Vec::new(), groups: R::Groups::default() }
    }
}

impl<R: KeptRecord> Deref for Column<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        &self.records
    }
}

impl<R: KeptRecord> DerefMut for Column<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.records
    }
}

impl<R: KeptRecord> Column<R> {
    /// Keeps one more; its number.
    pub(crate) fn push(&mut self, record: R) -> u32 {
        self.records.push(record);
        self.records.len() as u32 - 1
    }

    pub(super) fn count_groups(&self) -> usize {
        self.groups.count()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.records.shrink_to_fit();
    }

    pub(super) fn group(&mut self) {
        let records = &self.records;
        let number = |&(mut record): &R| record.group_mut().copied();
        self.groups.group(records.iter().map(number), |record| records[record as usize].order_in_group());
    }

    pub(super) fn ungroup(&mut self) {
        self.groups.ungroup();
    }

    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        self.records.iter_mut().for_each(|record| record.renumber(numbers));
    }

    /// Takes all of another's records, but not its groups.
    pub(super) fn append(&mut self, other: &mut Column<R>, numbers: &Numbers) {
        self.records.reserve(other.len());
        for record in std::mem::take(&mut other.records) {
            self.adopt(record, &other.groups, numbers);
        }
    }

    /// Keeps a record that comes from elsewhere.
    pub(super) fn adopt(&mut self, mut record: R, groups: &R::Groups, numbers: &Numbers) {
        record.renumber(numbers);
        if let Some(group) = record.group_mut() {
            *group = self.groups.adopt(groups, *group);
        }
        self.records.push(record);
    }

    pub(super) fn sort(&mut self, calls: &[MpiCall]) -> Renumbering {
        if self.records.is_sorted_by_key(|record| record.order(calls)) {
            return Renumbering::default();
        }
        let mut order: Vec<u32> = (0..self.records.len() as u32).collect();
        order.sort_by_key(|&record| self.records[record as usize].order(calls));
        let mut numbers = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            numbers[old as usize] = new as u32;
        }
        self.records = order.iter().map(|&record| self.records[record as usize]).collect();
        Renumbering::Each(numbers)
    }

    /// Marks the calls that records belong to that are kept.
    pub(super) fn mark_calls(&self, kept: &[bool], calls: &mut [bool]) {
        let mark = |record: &R| {
            if let Some(call) = record.call() {
                calls[call as usize] = true;
            }
        };
        if kept.is_empty() {
            self.records.iter().for_each(mark);
        } else {
            let kept = self.records.iter().zip(kept).filter(|(_, is_kept)| **is_kept);
            kept.map(|(record, _)| record).for_each(mark);
        }
    }

    pub(super) fn retain(&mut self, kept: &[bool]) -> Renumbering {
        if kept.is_empty() {
            return Renumbering::default();
        }
        retain::retain(&mut self.records, kept);
        Renumbering::Each(retain::numbers(kept))
    }

    /// The number of each record among those of the same thread.
    pub(super) fn numbers_in_threads(
        &self,
        calls: &[MpiCall],
        thread_of: impl Fn(u32) -> usize,
        threads: usize,
    ) -> Renumbering {
        let mut next = vec![0; threads];
        let number = |record: &R| {
            let next: &mut u32 = &mut next[thread_of(record.location(calls))];
            *next += 1;
            *next - 1
        };
        Renumbering::Each(self.records.iter().map(number).collect())
    }
}
