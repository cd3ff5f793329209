//! Amounts as they came up over time: those of an interval are the difference of two sums.

use std::{
    collections::BTreeMap,
    ops::{Add, Bound, RangeBounds, Sub},
};

/// Amounts of items, each at a moment.
#[derive(Clone, Debug)]
pub(super) struct History<Item, Moment, Amount> {
    /// For each item its moments, rising, and the sums up to and with each.
    sums: BTreeMap<Item, Vec<(Moment, Amount)>>,
}

impl<Item, Moment, Amount> Default for History<Item, Moment, Amount> {
    fn default() -> Self {
        History { sums: BTreeMap::new() }
    }
}

impl<Item, Moment, Amount> History<Item, Moment, Amount>
where
    Item: Copy + Ord,
    Moment: Copy + Ord,
    Amount: Copy + Default + PartialEq + Add<Output = Amount> + Sub<Output = Amount>,
{
    /// Adds an amount at a moment, which is not before those of other amounts of the item.
    pub(super) fn add(&mut self, item: Item, moment: Moment, amount: Amount) {
        let sums = self.sums.entry(item).or_default();
        let before = sums.last().map_or(Amount::default(), |&(_, sum)| sum);
        sums.push((moment, before + amount));
    }

    /// The amount of an item in an interval.
    pub(super) fn amount(&self, item: Item, interval: &impl RangeBounds<Moment>) -> Amount {
        self.sums.get(&item).map_or(Amount::default(), |sums| within(sums, interval))
    }

    /// The items that have amounts in an interval.
    pub(super) fn within(&self, interval: impl RangeBounds<Moment>) -> impl Iterator<Item = (Item, Amount)> {
        let amounts = self.sums.iter().map(move |(&item, sums)| (item, within(sums, &interval)));
        amounts.filter(|&(_, amount)| amount != Amount::default())
    }
}

fn within<Moment, Amount>(sums: &[(Moment, Amount)], interval: &impl RangeBounds<Moment>) -> Amount
where
    Moment: Copy + Ord,
    Amount: Copy + Default + Sub<Output = Amount>,
{
    let before = match interval.start_bound() {
        Bound::Unbounded => 0,
        Bound::Included(start) => sums.partition_point(|(moment, _)| moment < start),
        Bound::Excluded(start) => sums.partition_point(|(moment, _)| moment <= start),
    };
    let until = match interval.end_bound() {
        Bound::Unbounded => sums.len(),
        Bound::Included(end) => sums.partition_point(|(moment, _)| moment <= end),
        Bound::Excluded(end) => sums.partition_point(|(moment, _)| moment < end),
    };
    let sum = |count: usize| count.checked_sub(1).map_or(Amount::default(), |last| sums[last].1);
    if before < until { sum(until) - sum(before) } else { Amount::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_the_amounts_at_its_moments() {
        let mut history = History::default();
        history.add('a', 1, 10);
        history.add('b', 2, 1);
        history.add('a', 3, 5);
        assert_eq!(history.within(..).collect::<Vec<_>>(), [('a', 15), ('b', 1)]);
        assert_eq!(history.within(1..3).collect::<Vec<_>>(), [('a', 10), ('b', 1)]);
        assert_eq!(history.within((Bound::Excluded(1), Bound::Excluded(3))).collect::<Vec<_>>(), [('b', 1)]);
        assert_eq!(history.amount('a', &(3..=3)), 5);
        assert_eq!(history.amount('c', &..), 0);
        assert_eq!(history.within((Bound::Excluded(3), Bound::Excluded(3))).count(), 0);
    }
}
