//! The amounts of a summary by their names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ats_model::derived::{DERIVED, Derived, is_divided};
use ats_model::hardware::counted;

use super::Spent;
use crate::profile::{Metric, Profile};

/// The amounts that there are for each level of the caches.
const OF_CACHES: [&str; 2] = ["cache_accesses", "cache_misses"];

impl Spent {
    /// Every amount that is defined, by name: those of [`Spent::AMOUNTS`], `cache_misses(1)`, parts as `control/init`, and metrics.
    pub fn by_name(&self) -> impl Iterator<Item = (Cow<'_, str>, f64)> {
        let single = Spent::AMOUNTS.into_iter().zip(self.amounts());
        let single = single.filter_map(|(name, amount)| Some((Cow::Borrowed(name), amount?)));
        let of_level = |name: &'static str| {
            move |(level, value): (&u8, &f64)| (Cow::Owned(format!("{name}({level})")), *value)
        };
        let [accesses, misses] = OF_CACHES;
        let caches = self.cache_accesses.iter().map(of_level(accesses));
        let caches = caches.chain(self.cache_misses.iter().map(of_level(misses)));
        let others = self.subs.iter().chain(&self.metrics);
        single.chain(caches).chain(others.map(|(name, value)| (Cow::Borrowed(name.as_str()), *value)))
    }

    /// What follows from the amounts and these counters, by name; of a counter, a missing value is 0.
    pub fn derived(&self, counters: &BTreeSet<&str>) -> BTreeMap<String, f64> {
        // Most sources have none, and there may be millions of rows.
        if counters.is_empty() {
            return BTreeMap::new();
        }
        let amount = |name: &str| match Spent::AMOUNTS.iter().position(|amount| *amount == name) {
            Some(at) => self.amounts()[at],
            None => match cache_and_level(name) {
                Some((at, level)) => [&self.cache_accesses, &self.cache_misses][at].get(&level).copied(),
                None => self.metrics.get(name).copied().or(counters.contains(name).then_some(0.0)),
            },
        };
        let value = |derived: &Derived| Some((derived.name.to_owned(), derived.value(amount)?));
        DERIVED.iter().filter_map(value).collect()
    }

    /// The counters among metrics, for [`Spent::derived`].
    pub fn counters(metrics: &[Metric]) -> BTreeSet<&str> {
        let names = metrics.iter().map(|metric| metric.name.as_str());
        names.filter(|name| *name != Profile::TIME && (counted(name).is_some() || is_divided(name))).collect()
    }

    /// Whether a missing value of this name is undefined, rather than 0.
    pub(crate) fn is_amount(name: &str) -> bool {
        Spent::AMOUNTS.contains(&name)
    }

    /// Sets the amount of this name; a name that is not an amount's is taken for a metric's.
    pub fn set(&mut self, name: &str, value: f64) {
        if let Some(at) = Spent::AMOUNTS.iter().position(|amount| *amount == name) {
            *self.amounts_mut()[at] = Some(value);
        } else if let Some((caches, level)) = self.of_cache(name) {
            caches.insert(level, value);
        } else if name.contains('/') {
            self.subs.insert(name.to_owned(), value);
        } else {
            self.metrics.insert(name.to_owned(), value);
        }
    }

    fn of_cache(&mut self, name: &str) -> Option<(&mut BTreeMap<u8, f64>, u8)> {
        let (at, level) = cache_and_level(name)?;
        Some(([&mut self.cache_accesses, &mut self.cache_misses].into_iter().nth(at)?, level))
    }
}

/// The place in [`OF_CACHES`] and the level of `cache_misses(1)`.
fn cache_and_level(name: &str) -> Option<(usize, u8)> {
    let (name, level) = name.strip_suffix(')')?.split_once('(')?;
    Some((OF_CACHES.iter().position(|known| *known == name)?, level.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Spent;

    #[test]
    fn an_amount_has_its_name_and_place() {
        let mut spent = Spent::default();
        let names = ["time", "page_faults", "cache_misses(2)", "control/init", "loss"];
        for (value, name) in (1_u8..).zip(names) {
            spent.set(name, value.into());
        }
        assert_eq!((spent.time, spent.page_faults, spent.io), (Some(1.0), Some(2.0), None));
        assert_eq!(
            (spent.cache_misses[&2], spent.subs["control/init"], spent.metrics["loss"]),
            (3.0, 4.0, 5.0)
        );
        let by_name: Vec<_> = spent.by_name().collect();
        assert_eq!(by_name.iter().map(|(name, _)| name.as_ref()).collect::<Vec<_>>(), names);
        assert_eq!(by_name.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0]);
    }
}
