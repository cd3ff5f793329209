//! Messages that are compared: slow ones with the median of all of their size, held ones with those that were not, and
//! those that are sent one after the other.

use std::collections::BTreeMap;

use ats_documents::{
    Basis,
    messages::{Held, Messages, Repeated, SlowMessages},
};
use ats_model::{CallSite, Definitions, definitions::LocationDefinition, locations::Location};
use rustc_hash::FxHashMap;

use crate::{
    answer::findings::{name, regions},
    judge::{
        flights::{Kind, Number, Sent, Sizes, Sum, class},
        ledger::Ledger,
    },
    scan::{Scan, is_outside},
    words::place::Place,
};

/// A message is slow if its flight is longer than this many medians.
const SLOW: f64 = 2.0;

/// The fewest messages of a size that have a median.
const FEWEST: u64 = 10;

/// The messages in the basis.
pub(crate) fn messages(
    definitions: &Definitions,
    scans: &[Scan],
    ledgers: &[Ledger],
    basis: &Basis,
) -> Messages {
    let mut paths: FxHashMap<Place, Option<Called>> = FxHashMap::default();
    let mut path_of = |place: Place| {
        let path = paths.entry(place).or_insert_with(|| path(definitions, scans, basis, place));
        path.clone()
    };
    let mut by_size: BTreeMap<u8, BTreeMap<u8, Sum>> = BTreeMap::new();
    let mut channels: BTreeMap<Channel, Vec<Sum>> = BTreeMap::new();
    let mut sizes = Sizes::default();
    for ledger in ledgers {
        sizes.absorb(ledger.flights.sizes());
        for (Kind { receiver, sender, size, flight }, sum) in ledger.flights.iter() {
            let Some((path, site)) = path_of(receiver) else { continue };
            by_size.entry(size).or_default().entry(flight).or_default().absorb(sum);
            let channel = Channel { path, site, sender, receiver: receiver.location, size };
            channels.entry(channel).or_default().push(sum);
        }
    }
    let usual: BTreeMap<u8, f64> =
        by_size.iter().filter_map(|(&size, flights)| Some((size, median(flights)?))).collect();
    let mut slow: Vec<SlowMessages> = channels
        .into_iter()
        .filter_map(|(channel, sums)| channel.slow(definitions, &sums, *usual.get(&channel.size)?))
        .collect();
    slow.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Messages {
        slow,
        held_by_chance: held_by_chance(ledgers, path_of),
        repeated: repeated(definitions, scans),
        largest_eager: sizes.largest_eager.map(u64::from),
        smallest_held: sizes.smallest_held.map(u64::from),
    }
}

/// The fewest messages of a size that were sent before their receives began, for each that was held up. A size that the
/// library holds has none, unless the clocks of its ends are wrong; one that it does not hold is held by chance, by a
/// library that makes progress late, and that may be most. A higher value keeps these, a lower one trusts a clock.
const EAGER: f64 = 0.05;

/// The calls whose sends were held up although others of their sizes were not.
fn held_by_chance(ledgers: &[Ledger], mut path_of: impl FnMut(Place) -> Option<Called>) -> Vec<Held> {
    let mut calls: BTreeMap<(Called, bool), Number> = BTreeMap::new();
    let mut sizes: BTreeMap<(bool, u8), Number> = BTreeMap::new();
    for ledger in ledgers {
        let (held, eager) = ledger.flights.sends();
        for (Sent { of, leave_node }, number) in held {
            let Some(call) = path_of(of) else { continue };
            calls.entry((call, leave_node)).or_default().absorb(number);
        }
        for (Sent { of, leave_node }, number) in eager {
            sizes.entry((leave_node, of)).or_default().absorb(number);
        }
    }
    let needs_none = |leave_node: bool, held: &Number| {
        let as_large = sizes.range((leave_node, class(held.bytes.into()))..=(leave_node, u8::MAX));
        let eager: u64 =
            as_large.filter(|(_, eager)| eager.bytes >= held.bytes).map(|(_, eager)| eager.number).sum();
        eager as f64 >= EAGER * held.number as f64
    };
    let mut by_chance: BTreeMap<Called, bool> = BTreeMap::new();
    for ((call, leave_node), held) in calls {
        *by_chance.entry(call).or_insert(true) &= needs_none(leave_node, &held);
    }
    let by_chance = by_chance.into_iter().filter(|(_, are)| *are);
    by_chance.map(|((call_path, call_site), _)| Held { call_path, call_site }).collect()
}

/// The locations that send one message after the other to the same receiver.
fn repeated(definitions: &Definitions, scans: &[Scan]) -> Vec<Repeated> {
    let of_location = |(scan, &LocationDefinition { rank, thread, .. }): (&Scan, &LocationDefinition)| {
        let of = scan.repeated.as_ref().filter(|of| of.number > 0)?;
        Some(Repeated { sender: Location { rank, thread }, number: of.number, of: of.of })
    };
    scans.iter().zip(&definitions.locations).filter_map(of_location).collect()
}

/// Messages of one size from one location to a call path of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Channel {
    path: Vec<String>,
    site: Option<CallSite>,
    sender: u32,
    receiver: u32,
    size: u8,
}

impl Channel {
    /// The slow ones of its messages, by the median of their size in ticks; `None` if there are none.
    fn slow(&self, definitions: &Definitions, sums: &[Sum], usual: f64) -> Option<SlowMessages> {
        let mut slow = Sum::default();
        sums.iter().filter(|sum| mean(sum) > SLOW * usual).for_each(|sum| slow.absorb(*sum));
        let seconds = |ticks: f64| ticks / definitions.clock.resolution as f64;
        let location = |location: u32| {
            let &LocationDefinition { rank, thread, .. } = &definitions.locations[location as usize];
            Location { rank, thread }
        };
        (slow.number > 0).then(|| SlowMessages {
            call_path: self.path.clone(),
            call_site: self.site.clone(),
            sender: location(self.sender),
            receiver: location(self.receiver),
            bytes: slow.bytes.into(),
            of: sums.iter().map(|sum| sum.number).sum(),
            number: slow.number,
            mean: seconds(mean(&slow)),
            usual: seconds(usual),
            seconds: seconds(slow.ticks as f64 - slow.number as f64 * usual),
        })
    }
}

/// The median of flights in ticks, by their classes: the mean of the class that it lies in; `None` of too few.
fn median(flights: &BTreeMap<u8, Sum>) -> Option<f64> {
    let all: u64 = flights.values().map(|sum| sum.number).sum();
    let mut before = 0;
    let is_there = |sum: &&Sum| {
        before += sum.number;
        2 * before >= all
    };
    let there = flights.values().find(is_there).filter(|_| all >= FEWEST)?;
    Some(mean(there))
}

fn mean(sum: &Sum) -> f64 {
    sum.ticks as f64 / sum.number.max(1) as f64
}

/// A call path and its call site.
type Called = (Vec<String>, Option<CallSite>);

/// The call path of a place in the basis.
fn path(definitions: &Definitions, scans: &[Scan], basis: &Basis, place: Place) -> Option<Called> {
    if basis.region.is_none() && is_outside(scans, place) {
        return None;
    }
    let regions = regions(definitions, |location| &scans[location as usize].paths, place);
    let site = regions.iter().rev().flatten().find_map(|region| region.call_site.clone());
    let path: Vec<String> = regions.into_iter().map(|region| name(region).to_owned()).collect();
    basis.includes(None, &path).then_some((path, site))
}
