//! Notes about messages in partitions.

use ats_model::mpi::{Form, Function};
use ats_mpi::{Op, Request};

use super::super::arguments::{Passed, of_partitions};
use super::Noting;

impl Noting {
    /// A call has prepared a message in so many partitions.
    pub(super) fn divided(&mut self, op: &Op, partitions: usize, request: &Request) {
        let Some(function) = op.function().in_form(Form::Partitioned) else { return };
        let passed = of_partitions(op, partitions, self.free_place());
        self.opens(function, op, request, passed);
    }

    /// A partition of a send is ready.
    pub(super) fn ready(&mut self, request: &Request, partition: usize) {
        if let Some(place) = self.place(request) {
            let passed = Passed::default().number("partition", partition).request_itself(place);
            self.call(Function::Pready.name(), passed);
        }
    }
}
