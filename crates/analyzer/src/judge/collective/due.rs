//! Waits of completions of collective operations with requests.

use super::Instances;
use crate::records::{Due, Requested, process::Process};

/// The dues of a process.
pub(crate) struct Dues {
    /// By request of a collective operation; empty if there is none.
    dues: Vec<Option<Due>>,
    /// Whether each of them is summed up, or not to be.
    known: Vec<bool>,
    /// Whether each collective operation of the process still has to be summed up.
    pub(crate) unsettled: Vec<bool>,
}

impl Dues {
    /// The dues of the operations that are summed up, now or before.
    pub(crate) fn new(instances: &Instances<'_>, process: &Process) -> Self {
        let unsettled = instances.unsettled(process);
        let mut dues = Dues {
            dues: process.requested.iter().map(|requested| requested.due).collect(),
            known: process
                .requested
                .iter()
                .map(|it| it.part.is_none_or(|it| !unsettled[it as usize]))
                .collect(),
            unsettled,
        };
        if dues.dues.is_empty() {
            return dues;
        }
        let mut of_part = vec![None; process.collectives.len()];
        instances.of_process_by_number(process).for_each(|(number, part, instance)| {
            let wait = instance.wait(&part).filter(|_| part.is_requested);
            of_part[number as usize] =
                wait.map(|(state, late)| Due { state, late, communicator: part.communicator });
        });
        for (due, requested) in dues.dues.iter_mut().zip(process.requested.iter()) {
            if let Some(part) = requested.part {
                *due = of_part[part as usize];
            }
        }
        dues
    }

    /// That of a request: index into the requests of collective operations.
    pub(crate) fn get(&self, requested: u32) -> Option<Due> {
        self.dues[requested as usize]
    }

    /// Whether that of a request is known.
    pub(crate) fn is_known(&self, requested: u32) -> bool {
        self.known[requested as usize]
    }

    /// Notes in the requests those whose operations are not `kept`.
    pub(crate) fn remember(self, requested: &mut [Requested], kept: &[bool]) {
        for (requested, due) in requested.iter_mut().zip(self.dues) {
            if requested.part.is_some_and(|part| !kept[part as usize]) {
                (requested.part, requested.due) = (None, due);
            }
        }
    }
}
