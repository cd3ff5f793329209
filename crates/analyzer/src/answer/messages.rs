//! Slow messages, compared with the median of all messages of their size.

use std::collections::BTreeMap;

use ats_documents::{
    Basis,
    messages::{Messages, SlowMessages},
};
use ats_model::{CallSite, Definitions, definitions::LocationDefinition, locations::Location};
use rustc_hash::FxHashMap;

use crate::{
    answer::findings::{name, regions},
    judge::{
        flights::{Kind, Sizes, Sum},
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
        for (Kind { receiver, sender, size, flight }, sum) in ledger.flights.all() {
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
        largest_eager: sizes.largest_eager.map(u64::from),
        smallest_held: sizes.smallest_held.map(u64::from),
    }
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
