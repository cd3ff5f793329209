//! Single waits, for callers that ask for them: each with its begin and its end.
//!
//! A run of an hour has more waits than fit into memory, and their findings are only known at its end. So those whose
//! places are known go to a [`WaitSpool`], whenever records are settled.

use std::{io, path::Path};

use ats_documents::Wait;
use ats_model::{Definitions, WaitState};
use rustc_hash::FxHashMap;

use crate::{
    judge::proceeded::{Condition, Proceeded},
    spool::{Forward, Spool, Store, record},
    words::place::{BasesByLocation, Place},
};

/// The single waits of a process that are not spooled yet, or nothing if the caller does not ask for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingleWaits(Option<Vec<Single>>);

#[derive(Clone, Debug)]
struct Single {
    kind: SingleKind,
    begin: u64,
    end: u64,
    awaited: Option<u32>,
}

/// The key that equal waits share: state, place, and the condition on which they count, if there is one.
type SingleKind = (WaitState, Place, Option<Condition>);

impl SingleWaits {
    /// Keeps them, or does not.
    pub(crate) fn new(is_asked_for: bool) -> Self {
        SingleWaits(is_asked_for.then(Vec::new))
    }

    /// Whether they are kept.
    pub(crate) fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps one wait, and the location that it waits for; ignores waits of no ticks.
    pub(crate) fn keep(&mut self, state: WaitState, place: Place, times: (u64, u64), awaited: Option<u32>) {
        self.keep_if(None, state, place, times, awaited);
    }

    /// The same for a wait that counts on a condition.
    pub(crate) fn keep_if(
        &mut self,
        condition: Option<Condition>,
        state: WaitState,
        place: Place,
        (begin, end): (u64, u64),
        awaited: Option<u32>,
    ) {
        if let Some(waits) = &mut self.0
            && end > begin
        {
            waits.push(Single { kind: (state, place, condition), begin, end, awaited });
        }
    }

    /// Gives places the bases that are known by now.
    pub(crate) fn renumber(&mut self, known: &BasesByLocation) {
        self.0.iter_mut().flatten().for_each(|wait| wait.kind.1.renumber(known));
    }
}

/// The clock of some times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimesOf {
    /// The corrected clock, if clocks are corrected: the waits of processes for each other.
    AllProcesses,
    /// The clock of each process: the waits of threads.
    OneProcess,
}

record! {
    /// A wait in the spool.
    #[derive(Clone, Copy, Debug)]
    struct Spooled {
        begin: u64,
        end: u64,
        /// An index into [`WaitSpool::kinds`].
        kind: u32,
        /// The location that is awaited, or [`NOBODY`].
        awaited: u32,
    }
}

const NOBODY: u32 = u32::MAX;

/// The single waits of all locations, in memory as long as there is room, then in a temporary file.
#[derive(Debug)]
pub(crate) struct WaitSpool {
    store: Store,
    /// A stream for each of [`TimesOf`].
    spool: Spool<Spooled>,
    /// The kinds of waits, each once.
    kinds: Vec<SingleKind>,
    numbers: FxHashMap<SingleKind, u32>,
    /// The messages that conditions are about, at the end.
    proceeded: Proceeded,
    /// The first error of the temporary file; nothing is written after it.
    error: Option<io::Error>,
}

impl WaitSpool {
    /// No waits yet; the temporary file is in `folder`, by default where the system has such files.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        let store = Store::new(2, folder);
        let spool = Spool::new(2, &store);
        let (kinds, numbers) = (Vec::new(), FxHashMap::default());
        WaitSpool { store, spool, kinds, numbers, proceeded: Proceeded::default(), error: None }
    }

    /// The waits, now that it is known which messages have proceeded by themselves.
    pub(crate) fn with(self, proceeded: Proceeded) -> Self {
        WaitSpool { proceeded, ..self }
    }

    /// The folder of the temporary file.
    pub(crate) fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// Takes the waits with known places.
    pub(crate) fn take_known(&mut self, times: TimesOf, waits: &mut SingleWaits) {
        let is_known = |wait: &mut Single| wait.kind.1.base.membership().is_none();
        self.take(times, waits.0.iter_mut().flat_map(|waits| waits.extract_if(.., is_known)));
    }

    /// Takes all waits, at the end.
    pub(crate) fn take_all(&mut self, times: TimesOf, waits: &mut SingleWaits) {
        self.take(times, waits.0.iter_mut().flat_map(std::mem::take));
    }

    fn take(&mut self, times: TimesOf, waits: impl Iterator<Item = Single>) {
        for Single { kind, begin, end, awaited } in waits {
            let kind = *self.numbers.entry(kind).or_insert_with_key(|kind| {
                self.kinds.push(kind.clone());
                self.kinds.len() as u32 - 1
            });
            let wait = Spooled { begin, end, kind, awaited: awaited.unwrap_or(NOBODY) };
            if self.error.is_none() {
                self.error = self.spool.write(times as usize, wait, &mut self.store).err();
            }
        }
    }

    /// All waits to `observe`. `finding` maps a state and place to the wait's finding, `recorded` a rank and a corrected
    /// time to the time that the rank has recorded, `meanwhile` an awaited location and two times to the ticks in which its
    /// recorder wrote its buffers, and the number of its events.
    ///
    /// # Errors
    /// The temporary file could not be written, or cannot be read.
    pub(crate) fn read(
        mut self,
        definitions: &Definitions,
        recorded: impl Fn(u32, u64) -> u64,
        meanwhile: impl Fn(usize, u64, u64) -> (u64, u64),
        mut finding: impl FnMut(WaitState, Place) -> Option<usize>,
        observe: &mut dyn FnMut(Wait),
    ) -> io::Result<()> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let counts = |condition: &Option<Condition>| match condition {
            Some(condition) => condition.holds(&self.proceeded),
            None => true,
        };
        let finding = |(state, place, condition): &SingleKind| {
            counts(condition).then(|| finding(*state, *place)).flatten()
        };
        let findings: Vec<Option<usize>> = self.kinds.iter().map(finding).collect();
        for (times, are_corrected) in [(TimesOf::AllProcesses, true), (TimesOf::OneProcess, false)] {
            let mut waits = Forward::freeing(times as usize);
            while let Some(wait) = waits.next(&self.spool, &mut self.store)? {
                let Some(finding) = findings[wait.kind as usize] else { continue };
                let location = self.kinds[wait.kind as usize].1.location as usize;
                let rank = definitions.locations[location].rank;
                let as_recorded = |time| if are_corrected { recorded(rank, time) } else { time };
                let awaited = (wait.awaited != NOBODY).then_some(wait.awaited as usize);
                let (begin, end) = (as_recorded(wait.begin), as_recorded(wait.end));
                let (flushed, recorded) = awaited.map_or((0, 0), |awaited| meanwhile(awaited, begin, end));
                observe(Wait { finding, location, begin, end, awaited, flushed, recorded });
            }
        }
        Ok(())
    }
}
