//! The summaries of a region amount by amount, as they are kept.

use std::collections::BTreeMap;
use std::fmt;

use std::marker::PhantomData;

use serde::de::{self, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Spent;

/// The amounts spent by the units that were in a code region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "Column<N>: Deserialize<'de>"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RegionSummaries"))]
pub struct RegionSummaries<N = f64> {
    /// The region's name.
    pub region: String,
    /// The units: the first and the one after the last of each run, by their indices.
    pub units: Vec<[u32; 2]>,
    /// The amounts, by the names of a summary's entries; `cache_misses(1)` and `control/init` are those of a level and
    /// of a part. A missing amount is undefined; a missing part or other metric is 0.
    pub spent: BTreeMap<String, Column<N>>,
}

/// An amount of each unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Column"))]
#[serde(untagged)]
pub enum Column<N = f64> {
    /// All have as much.
    Same(N),
    /// In the order of the units.
    Each(Vec<N>),
    /// Of some alone: which of them it is, counted from 0, and its amount.
    Some(Vec<(u32, N)>),
}

/// A number of a column that is passed over, in a quarter of the time that it takes to read one. It may turn out to be none.
#[derive(Clone, Copy, Debug)]
pub struct Unread;

impl From<f64> for Unread {
    fn from(_: f64) -> Self {
        Unread
    }
}

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Unread)
    }
}

impl Column {
    /// The column of the units with these amounts, out of `units`.
    fn new(values: Vec<(u32, f64)>, units: usize) -> Self {
        match values.first() {
            Some(&(_, first)) if values.len() == units => {
                let is_first = |(_, value): &(u32, f64)| value.to_bits() == first.to_bits();
                if values.iter().all(is_first) {
                    Column::Same(first)
                } else {
                    Column::Each(values.into_iter().map(|(_, value)| value).collect())
                }
            }
            _ => Column::Some(values),
        }
    }

    /// The value of the unit of this number.
    pub fn get(&self, unit: u32) -> Option<f64> {
        match self {
            Column::Same(value) => Some(*value),
            Column::Each(values) => values.get(unit as usize).copied(),
            Column::Some(values) => {
                let at = values.binary_search_by_key(&unit, |(unit, _)| *unit).ok()?;
                Some(values[at].1)
            }
        }
    }

    /// The sum over all, and whether it is defined for all `units`.
    fn sum(&self, units: usize) -> (f64, bool) {
        let total = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |sum, value| sum + value);
        match self {
            Column::Same(value) => (value * units as f64, true),
            Column::Each(values) => (total(&mut values.iter().copied()), values.len() == units),
            Column::Some(values) => {
                (total(&mut values.iter().map(|(_, value)| *value)), values.len() == units)
            }
        }
    }
}

/// Reads it number by number. What `serde` would derive keeps everything aside first, in five times the time.
impl<'de, N: Deserialize<'de> + From<f64>> Deserialize<'de> for Column<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfColumn(PhantomData))
    }
}

struct OfColumn<N>(PhantomData<N>);

impl<'de, N: Deserialize<'de> + From<f64>> Visitor<'de> for OfColumn<N> {
    type Value = Column<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, numbers, or pairs of a unit and its number")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Column<N>, E> {
        Ok(Column::Same(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Column<N>, E> {
        Ok(Column::Same((value as f64).into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Column<N>, E> {
        Ok(Column::Same((value as f64).into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Column<N>, A::Error> {
        match entries.next_element()? {
            None => Ok(Column::Each(Vec::new())),
            Some(Entry::Of(unit, value)) => Ok(Column::Some(rest((unit, value.into()), entries)?)),
            Some(Entry::Number(value)) => Ok(Column::Each(rest(value.into(), entries)?)),
        }
    }
}

/// The first entry and all that follow, which are of the same kind.
fn rest<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(first: T, mut entries: A) -> Result<Vec<T>, A::Error> {
    // The first few need not be moved as there are more and more.
    let mut all = Vec::with_capacity(16);
    all.push(first);
    while let Some(next) = entries.next_element()? {
        all.push(next);
    }
    Ok(all)
}

/// An entry of a column, which shows its kind.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Number(f64),
    Of(u32, f64),
}

impl<N> RegionSummaries<N> {
    /// The amount that there is not one of for each unit, if there is any: the summaries are damaged then.
    pub fn damaged(&self) -> Option<&str> {
        let is_wrong = |column: &Column<N>| match column {
            Column::Same(_) => false,
            Column::Each(values) => values.len() != self.units(),
            Column::Some(values) => {
                let is_rising = values.windows(2).all(|pair| pair[0].0 < pair[1].0);
                !is_rising || values.last().is_some_and(|(unit, _)| *unit as usize >= self.units())
            }
        };
        self.spent.iter().find(|(_, column)| is_wrong(column)).map(|(name, _)| name.as_str())
    }

    /// The number of units that were in the region.
    pub fn units(&self) -> usize {
        self.units.iter().map(|[first, end]| end.saturating_sub(*first) as usize).sum()
    }
}

impl RegionSummaries {
    /// Those of a region, of units in their order.
    pub fn new(region: &str, rows: impl IntoIterator<Item = (u32, Spent)>) -> Self {
        let mut of_region = RegionSummaries { region: region.to_owned(), ..RegionSummaries::default() };
        let mut columns: BTreeMap<String, Vec<(u32, f64)>> = BTreeMap::new();
        let mut units = 0;
        for (unit, spent) in rows {
            match of_region.units.last_mut() {
                Some([_, end]) if *end == unit => *end += 1,
                _ => of_region.units.push([unit, unit + 1]),
            }
            for (name, value) in spent.by_name() {
                match columns.get_mut(name.as_ref()) {
                    Some(column) => column.push((units, value)),
                    None => drop(columns.insert(name.into_owned(), vec![(units, value)])),
                }
            }
            units += 1;
        }
        let column = |(name, values)| (name, Column::new(values, units as usize));
        of_region.spent = columns.into_iter().map(column).collect();
        of_region
    }

    /// The amounts of each of them, as the index of the unit and its summary.
    pub fn rows(&self) -> impl Iterator<Item = (u32, Spent)> {
        let units = self.units.iter().flat_map(|&[first, end]| first..end);
        (0..).zip(units).map(|(number, unit)| {
            let mut spent = Spent::default();
            for (name, column) in &self.spent {
                if let Some(value) = column.get(number) {
                    spent.set(name, value);
                }
            }
            (unit, spent)
        })
    }

    /// The sum of each amount over those that have it, by name, and whether they all do.
    pub fn sums(&self) -> impl Iterator<Item = (&str, f64, bool)> {
        let units = self.units();
        self.spent.iter().map(move |(name, column)| {
            let (sum, have_all) = column.sum(units);
            (name.as_str(), sum, have_all)
        })
    }

    /// The amounts of all of them; undefined if undefined for one of them.
    pub fn total(&self) -> Spent {
        let mut spent = Spent::default();
        for (name, sum, have_all) in self.sums() {
            if have_all || !Spent::is_amount(name) {
                spent.set(name, sum);
            }
        }
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(figures: &[(&str, f64)]) -> Spent {
        let mut spent = Spent::default();
        figures.iter().for_each(|&(name, value)| spent.set(name, value));
        spent
    }

    #[test]
    fn rows_are_what_was_kept_and_short_where_they_are_alike() {
        let rows = vec![
            (0, amounts(&[("time", 1.5), ("visits", 2.0), ("io", 0.0), ("late", 0.5)])),
            (1, amounts(&[("time", 2.5), ("visits", 2.0), ("control/init", 1.0)])),
            (4, amounts(&[("time", 0.1), ("visits", 2.0), ("io", 1.0), ("cache_misses(2)", 7.0)])),
        ];
        let kept = RegionSummaries::new("f", rows.clone());
        assert_eq!(kept.rows().collect::<Vec<_>>(), rows);
        let json = serde_json::to_string(&kept).unwrap();
        assert_eq!(
            json,
            "{\"region\":\"f\",\"units\":[[0,2],[4,5]],\"spent\":{\"cache_misses(2)\":[[2,7.0]],\
             \"control/init\":[[1,1.0]],\"io\":[[0,0.0],[2,1.0]],\"late\":[[0,0.5]],\"time\":[1.5,2.5,0.1],\
             \"visits\":2.0}}"
        );
        assert_eq!(serde_json::from_str::<RegionSummaries>(&json).unwrap(), kept);
        for wrong in ["[1.0,[0,1.0]]", "[[0,1.0],1.0]", "[[0]]", "\"x\"", "{}", "null"] {
            assert!(serde_json::from_str::<Column>(wrong).is_err(), "{wrong}");
        }
        assert_eq!(serde_json::from_str::<Column>("[3,-1]").unwrap(), Column::Each(vec![3.0, -1.0]));
        assert_eq!(serde_json::from_str::<Column>("[]").unwrap(), Column::Each(Vec::new()));
        let total = kept.total();
        assert_eq!((total.time, total.visits, total.io), (Some(4.1), Some(6.0), None));
        assert_eq!((total.subs["control/init"], total.metrics["late"]), (1.0, 0.5));
    }
}
