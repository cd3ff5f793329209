//! The records of a process until it is judged: its MPI calls, messages and collective operations, kind by kind.

mod call;
mod column;
mod due;
mod early;
pub(crate) mod gaps;
mod inner;
mod kinds;
pub(crate) mod merge;
pub(crate) mod process;
pub(crate) mod processes;
pub(crate) mod retain;
pub(crate) mod teams;
pub(crate) mod threads;

pub(crate) use self::{
    call::MpiCall,
    column::{Column, KeptRecord, Renumbering},
    due::{Arrival, Due},
    early::{EarlyWait, EarlyWaits, Spans},
    gaps::Gap,
    inner::{InnerCall, InnerCalls},
    kinds::{Collective, Completion, Message, MessageEnd, Requested, Span},
};
use crate::words::place::Place;

/// Makes [`Records`] of a list of kinds: operations on all kinds are written here, once. The calls come before all
/// others, which belong to them.
macro_rules! records {
    ($($kind:ident: $record:ty,)*) => {
        /// The MPI records of a location, or of all locations of a process.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Records {
            pub(crate) calls: Column<MpiCall>,
            $(pub(crate) $kind: Column<$record>,)*
        }

        /// One thing for each kind of records.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct ByKind<T> {
            pub(crate) calls: T,
            $(pub(crate) $kind: T,)*
        }

        impl Records {
            /// The number of records of all kinds.
            pub(crate) fn count(&self) -> usize {
                let mut count = self.calls.len();
                $(count += self.$kind.len();)*
                count
            }

            pub(crate) fn is_empty(&self) -> bool {
                self.count() == 0
            }

            /// The number of keys that the kinds are grouped by, together.
            pub(crate) fn groups(&self) -> usize {
                let mut count = 0;
                $(count += self.$kind.count_groups();)*
                count
            }

            /// Gives back the memory of forgotten records.
            pub(crate) fn shrink_to_fit(&mut self) {
                self.calls.shrink_to_fit();
                $(self.$kind.shrink_to_fit();)*
            }

            /// Changes every place in the records.
            pub(crate) fn each_place(&mut self, mut change: impl FnMut(&mut Place)) {
                self.calls.iter_mut().filter_map(|record| record.place_mut()).for_each(&mut change);
                $(self.$kind.iter_mut().filter_map(|record| record.place_mut()).for_each(&mut change);)*
            }

            /// Changes every time in the records, always in the same order.
            pub(crate) fn each_time(&mut self, mut change: impl FnMut(&mut u64)) {
                self.calls.iter_mut().flat_map(|record| record.times_mut()).for_each(&mut change);
                $(self.$kind.iter_mut().flat_map(|record| record.times_mut()).for_each(&mut change);)*
            }

            /// Groups each kind by its keys.
            pub(crate) fn group(&mut self) {
                $(self.$kind.group();)*
            }

            /// Forgets the groups, but for their keys.
            pub(crate) fn ungroup(&mut self) {
                $(self.$kind.ungroup();)*
            }

            /// Records that refer to others refer to them by their new numbers.
            fn renumber(&mut self, numbers: &Numbers) {
                self.calls.renumber(numbers);
                $(self.$kind.renumber(numbers);)*
            }

            /// Adds the records of a thread after all others; returns their new numbers. The thread's keys stay as they
            /// are.
            pub(crate) fn append(&mut self, thread: &mut Records) -> Numbers {
                let numbers = ByKind {
                    calls: Renumbering::Shifted(self.calls.len() as u32),
                    $($kind: Renumbering::Shifted(self.$kind.len() as u32),)*
                };
                self.calls.append(&mut thread.calls, &numbers);
                $(self.$kind.append(&mut thread.$kind, &numbers);)*
                numbers
            }

            /// Puts each kind in order; returns the new numbers.
            pub(crate) fn sort(&mut self) -> Numbers {
                let mut all = Numbers { calls: self.calls.sort(&[]), ..Numbers::default() };
                self.renumber(&all);
                let mut numbers = Numbers::default();
                $(numbers.$kind = self.$kind.sort(&self.calls);)*
                self.renumber(&numbers);
                std::mem::swap(&mut numbers.calls, &mut all.calls);
                numbers
            }

            /// Flags that keep no record.
            pub(crate) fn none_kept(&self) -> KeptFlags {
                ByKind {
                    calls: vec![false; self.calls.len()],
                    $($kind: vec![false; self.$kind.len()],)*
                }
            }

            /// Removes the records that are not kept: of a kind without flags all are kept, as are the calls in `calls`
            /// and those that other records belong to. Returns the new numbers of the others.
            pub(crate) fn retain(&mut self, mut kept: KeptFlags, calls: &[u32]) -> Numbers {
                kept.calls = vec![false; self.calls.len()];
                calls.iter().for_each(|&call| kept.calls[call as usize] = true);
                $(self.$kind.mark_calls(&kept.$kind, &mut kept.calls);)*
                let numbers = ByKind {
                    calls: self.calls.retain(&kept.calls),
                    $($kind: self.$kind.retain(&kept.$kind),)*
                };
                self.renumber(&numbers);
                numbers
            }

            /// Gives each thread its own records, after all it has; returns their new numbers. `thread_of` a location
            /// is an index into `threads`.
            pub(crate) fn split(
                &self,
                thread_of: impl Fn(u32) -> usize,
                threads: &mut [&mut Records],
            ) -> Numbers {
                let (calls, count) = (&self.calls, threads.len());
                let numbers = ByKind {
                    calls: self.calls.numbers_in_threads(calls, &thread_of, count),
                    $($kind: self.$kind.numbers_in_threads(calls, &thread_of, count),)*
                };
                for record in self.calls.iter() {
                    let thread = &mut threads[thread_of(record.location(calls))].calls;
                    thread.adopt(*record, &self.calls.groups, &numbers);
                }
                $(for record in self.$kind.iter() {
                    let thread = &mut threads[thread_of(record.location(calls))].$kind;
                    thread.adopt(*record, &self.$kind.groups, &numbers);
                })*
                numbers
            }
        }
    };
}

records! {
    // In the order started.
    sends: MessageEnd,
    // In the order completed.
    receives: MessageEnd,
    // In order; those of one call are neighbours.
    completions: Completion,
    // In order.
    collectives: Collective,
    // In the order in which the receives are complete.
    early: EarlyWait,
    // In the order started.
    requested: Requested,
    // Those in one call are in order.
    inner: InnerCall,
    // By rising begins.
    gaps: Gap,
    // The first of a location.
    spans: Span,
}

/// The new numbers of records, kind by kind.
pub(crate) type Numbers = ByKind<Renumbering>;

/// Whether each record is kept, kind by kind.
pub(crate) type KeptFlags = ByKind<Vec<bool>>;

#[cfg(test)]
mod tests;
