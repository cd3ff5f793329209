//! A sample of the forgotten records of a long trace without measured clocks: enough to derive the clocks from.
//!
//! It is taken at up to 64 times, evenly over the trace, and has whole messages and collective operations: the same of
//! all processes.

use ats_model::Definitions;

use crate::records::{
    Records,
    gaps::Known,
    process::{Frontier, Process},
    processes::{Processes, locations_by_rank},
};

pub(crate) struct Sample {
    windows: Vec<Vec<(u32, Records)>>,
    /// The number of times that records were forgotten.
    seen: usize,
    /// The number of settlings for each of the windows.
    stride: usize,
    /// Records in a window, about.
    records: usize,
}

const WINDOWS: usize = 64;

impl Sample {
    /// An empty sample, which never has much more than `records` records.
    pub(crate) fn new(records: usize) -> Self {
        Sample { windows: Vec::new(), seen: 0, stride: 1, records: records / WINDOWS }
    }

    /// Adds the records of each process that `window` takes, if it is time for that; the argument of `window` is the
    /// number of messages to take on each of the `links`.
    pub(crate) fn add(&mut self, links: usize, window: impl FnOnce(usize) -> Vec<(u32, Records)>) {
        if self.windows.len() == WINDOWS {
            let mut is_even = false;
            self.windows.retain(|_| {
                is_even = !is_even;
                is_even
            });
            self.stride *= 2;
        }
        if self.seen.is_multiple_of(self.stride) {
            self.windows.push(window((self.records / links.max(1)).clamp(4, 256)));
        }
        self.seen += 1;
    }

    /// The processes as if nothing else had happened.
    pub(crate) fn into_processes(self, definitions: &Definitions) -> Processes {
        let mut records: Vec<(u32, usize, Records)> = locations_by_rank(definitions)
            .into_iter()
            .map(|(rank, locations)| (rank, locations[0], Records::default()))
            .collect();
        for (rank, mut of_window) in self.windows.into_iter().flatten() {
            if let Ok(index) = records.binary_search_by_key(&rank, |&(rank, ..)| rank) {
                records[index].2.append(&mut of_window);
            }
        }
        let process = |(rank, location, records)| Process::new(rank, location, records, Frontier::default());
        Processes::new(records.into_iter().map(process).collect(), Known::All)
    }
}
