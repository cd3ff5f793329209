//! The picture of a trace that the script draws.

use std::collections::BTreeMap;

use ats_documents::page::{
    Bars, LocationRow, Messages, Parts, RegionKind, Timeline as Shown, TimelineRegion, Waits,
};

use super::rows::Row;
use crate::timeline::{self, Collective, Kind, Timeline};

/// The name of a kind in the data.
pub(super) fn kind(kind: Kind) -> RegionKind {
    match kind {
        Kind::User => RegionKind::User,
        Kind::PointToPoint => RegionKind::PointToPoint,
        Kind::Collective => RegionKind::Collective,
        Kind::Mpi => RegionKind::Mpi,
        Kind::OpenMp => RegionKind::OpenMp,
        Kind::OpenMpSynchronization => RegionKind::OpenMpSynchronization,
    }
}

/// A picture with times since its begin; `rows` are the rows that its waits belong to.
pub(super) fn data(picture: &Timeline, rows: &[Row<'_>]) -> Shown {
    let since = |time: u64| time.saturating_sub(picture.begin);
    // Only regions that are seen.
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    for bar in picture.rows.iter().flat_map(|row| &row.bars) {
        let number = numbers.len() as u32;
        numbers.entry(bar.region).or_insert(number);
    }
    let mut seen: Vec<(&u32, &u32)> = numbers.iter().collect();
    seen.sort_by_key(|(_, number)| **number);
    let row = |row: &timeline::Row| LocationRow {
        rank: row.rank,
        thread: row.thread,
        levels: levels(&row.bars, |bar| (numbers[&bar.region], since(bar.begin))),
    };
    let parts = |collective: &Collective| Parts {
        row: column(&collective.parts, |part| part.row as u32),
        begin: column(&collective.parts, |part| since(part.begin)),
        end: column(&collective.parts, |part| since(part.end)),
    };
    let (waits, awaited) = waits(picture, rows);
    Shown {
        resolution: picture.resolution,
        begin: picture.window.map_or(0, |(begin, _)| since(begin)),
        duration: since(picture.window.map_or(picture.end, |(_, end)| end)),
        measured: picture
            .measured
            .filter(|_| picture.window.is_none())
            .map(|(begin, end)| (since(begin), since(end))),
        regions: seen.into_iter().map(|(&number, _)| region(picture, number)).collect(),
        rows: picture.rows.iter().map(row).collect(),
        messages: Messages {
            sender: column(&picture.messages, |message| message.from as u32),
            sent: column(&picture.messages, |message| since(message.sent)),
            receiver: column(&picture.messages, |message| message.to as u32),
            received: column(&picture.messages, |message| since(message.received)),
            bytes: column(&picture.messages, |message| message.bytes),
            tag: column(&picture.messages, |message| message.tag),
        },
        collectives: picture.collectives.iter().map(parts).collect(),
        waits,
        awaited: awaited.into_iter().collect(),
        remarks: picture.remarks(),
    }
}

/// A column of a table.
fn column<T, V>(entries: &[T], value: impl Fn(&T) -> V) -> Vec<V> {
    entries.iter().map(value).collect()
}

fn region(picture: &Timeline, number: u32) -> TimelineRegion {
    match picture.regions.get(number as usize) {
        Some(region) => TimelineRegion {
            name: region.name.clone(),
            kind: kind(region.kind),
            label: region.call_site.is_some().then(|| region.label()),
        },
        None => TimelineRegion { name: "(undefined region)".to_owned(), kind: RegionKind::User, label: None },
    }
}

/// The bars of a row by level; `place` is the number of a bar's region, and its begin.
fn levels(bars: &[timeline::Bar], place: impl Fn(&timeline::Bar) -> (u32, u64)) -> Vec<Bars> {
    let mut levels: Vec<(Bars, u64)> = Vec::new();
    for bar in bars {
        let (region, begin) = place(bar);
        let level = usize::from(bar.level);
        if levels.len() <= level {
            levels.resize_with(level + 1, Default::default);
        }
        let (level, last) = &mut levels[level];
        level.region.push(region);
        level.since.push(begin.saturating_sub(*last));
        level.duration.push(bar.end - bar.begin);
        level.calls.push(bar.calls);
        *last = begin;
    }
    levels.into_iter().map(|(level, _)| level).collect()
}

/// The index of a location in `named`, which gets it if it is new.
fn number_of(named: &mut Vec<(u32, u32)>, location: (u32, u32)) -> usize {
    named.iter().position(|&known| known == location).unwrap_or_else(|| {
        named.push(location);
        named.len() - 1
    })
}

/// The waits of known findings, and the locations that they are for.
fn waits(picture: &Timeline, rows: &[Row<'_>]) -> (Waits, Vec<(u32, u32)>) {
    let finding = |id: &String| rows.iter().position(|row| row.is(id));
    let findings: Vec<Option<usize>> = picture.findings.iter().map(finding).collect();
    let (mut waits, mut named) = (Waits::default(), Vec::new());
    let mut last = (0, usize::MAX);
    for wait in &picture.waits {
        let Some(finding) = findings.get(wait.finding).copied().flatten() else { continue };
        let awaited = wait.awaited.map_or(0, |awaited| number_of(&mut named, awaited) as u32 + 1);
        let before = if last.1 == wait.row { last.0 } else { 0 };
        last = (wait.begin.saturating_sub(picture.begin), wait.row);
        let duration = wait.end - wait.begin;
        waits.finding.push(finding as u32);
        waits.row.push(wait.row as u32);
        waits.since.push(last.0.saturating_sub(before));
        waits.duration.push(duration);
        waits.waits.push(wait.waits);
        // Fewer digits.
        waits.waited.push(if wait.waited == duration { 0 } else { wait.waited });
        waits.awaited.push(awaited);
    }
    (waits, named)
}
