//! The records of a process from those of its threads, as if one thread had made them all; and back.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::records::{Numbers, Records, Renumbering};

/// The successive renumberings of a location's records.
#[derive(Debug, Default)]
pub(crate) struct NewNumbers(Vec<Arc<Numbers>>);

impl NewNumbers {
    /// The present number of a record of a kind; meaningless for a record that is gone.
    pub(crate) fn number(&self, kind: impl Fn(&Numbers) -> &Renumbering, number: u32) -> u32 {
        self.0.iter().fold(number, |number, step| kind(step).new_number(number))
    }
}

/// The owners of a process's records.
pub(crate) enum Shares {
    /// All are of this location.
    Alone(usize),
    Several {
        shares: Vec<Share>,
        /// The numbers of all records once they are in order.
        sorted: Arc<Numbers>,
    },
}

/// The share of a thread in a process's records.
pub(crate) struct Share {
    /// Index into the trace's locations.
    location: usize,
    /// The numbers of the thread's records before all are put in order.
    appended: Arc<Numbers>,
    /// The thread's own keys, without records.
    keys: Records,
}

/// The records of a process from those of its threads, each with its location.
pub(crate) fn merge(mut threads: Vec<(usize, Records)>) -> (Records, Shares) {
    if threads.len() == 1
        && let Some((location, mut records)) = threads.pop()
    {
        // In a damaged trace, calls lie inside one that was not left: what that completes stays together.
        records.completions.sort_by_key(|completion| completion.call);
        return (records, Shares::Alone(location));
    }
    let mut process = Records::default();
    let append = |(location, mut keys): (usize, Records)| {
        let appended = Arc::new(process.append(&mut keys));
        Share { location, appended, keys }
    };
    let shares = threads.into_iter().map(append).collect();
    let sorted = Arc::new(process.sort());
    (process, Shares::Several { shares, sorted })
}

impl Shares {
    /// The locations with records.
    pub(crate) fn locations(&self) -> impl Iterator<Item = usize> {
        let (alone, several) = match self {
            Shares::Alone(location) => (Some(*location), &[][..]),
            Shares::Several { shares, .. } => (None, &shares[..]),
        };
        alone.into_iter().chain(several.iter().map(|share| share.location))
    }

    /// The process's numbers of a location's records.
    pub(crate) fn numbers(&self, location: usize) -> NewNumbers {
        let Shares::Several { shares, sorted } = self else { return NewNumbers::default() };
        let share = shares.iter().find(|share| share.location == location);
        NewNumbers(share.map_or(Vec::new(), |share| vec![share.appended.clone(), sorted.clone()]))
    }

    /// The rest of a process's records, by location, with their new numbers there. `retained` has the process's numbers
    /// of the records before.
    pub(crate) fn split(self, left: Records, retained: Numbers) -> Vec<(usize, Records, NewNumbers)> {
        let retained = Arc::new(retained);
        let (mut shares, sorted) = match self {
            Shares::Alone(location) => return vec![(location, left, NewNumbers(vec![retained]))],
            Shares::Several { shares, sorted } => (shares, sorted),
        };
        let threads: FxHashMap<u32, usize> =
            shares.iter().zip(0..).map(|(share, thread)| (share.location as u32, thread)).collect();
        let mut records: Vec<&mut Records> = shares.iter_mut().map(|share| &mut share.keys).collect();
        let own = Arc::new(left.split(|location| threads[&location], &mut records));
        let of_thread = |share: Share| {
            let steps = vec![share.appended, sorted.clone(), retained.clone(), own.clone()];
            (share.location, share.keys, NewNumbers(steps))
        };
        shares.into_iter().map(of_thread).collect()
    }
}
