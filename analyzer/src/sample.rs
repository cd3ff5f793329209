//! A sample of what is forgotten of a long trace whose clocks nobody has measured: enough to derive them from.
//!
//! It is taken at up to 64 times, evenly over the trace, and has whole messages and collective operations: the same of all
//! processes.

use ats_model::Definitions;

use crate::{
    process::{Frontier, Process},
    processes::{Processes, locations_by_rank},
    records::Records,
};

pub(crate) struct Sample {
    windows: Vec<Vec<(u32, Records)>>,
    /// How often something was forgotten.
    seen: usize,
    /// So often it is for each of the windows.
    stride: usize,
    /// Records in a window, about.
    records: usize,
}

const WINDOWS: usize = 64;

impl Sample {
    /// Nothing yet, and never much more than so many records.
    pub(crate) fn new(records: usize) -> Self {
        Sample { windows: Vec::new(), seen: 0, stride: 1, records: records / WINDOWS }
    }

    /// Adds what `window` takes of the records of each process, if it is time for that; `window` is told of how many messages
    /// on each of so many `links`.
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
        Processes::new(records.into_iter().map(process).collect())
    }
}
