//! The part of pass 1 that counts samples: the calling contexts that a location was found in, by the place that it was in.

use ats_model::{CallPathId, event::CallingContextRef};

use super::Scanner;

impl Scanner<'_> {
    /// Takes a sample. One in code between two calls waits until that is named; one in a call of MPI says nothing of the
    /// program.
    #[cold]
    pub(super) fn found_in(&mut self, context: CallingContextRef) {
        let is_defined = self.definitions.calling_contexts.len() > context.0 as usize;
        if !is_defined || self.innermost().is_some_and(|frame| frame.traits.is_mpi) {
            return;
        }
        if self.code.is_between() {
            self.code.samples.push(context);
        } else {
            self.count_samples([context], self.innermost_path());
        }
    }

    /// Counts the samples that have waited, in the call path that the location was in.
    pub(super) fn count_waiting_samples(&mut self, path: CallPathId) {
        // The memory is used again.
        let mut waiting = std::mem::take(&mut self.code.samples);
        self.count_samples(waiting.drain(..), path);
        self.code.samples = waiting;
    }

    fn count_samples(&mut self, contexts: impl IntoIterator<Item = CallingContextRef>, path: CallPathId) {
        let base = self.open.base;
        let Some(spent) = &mut self.scan.spent else { return };
        for context in contexts {
            spent.contexts.entry(context).or_default().add(base, path, 1);
        }
    }
}
