//! Messages: posting, matching, and when each side is done (MPI 4.1, sections 3.4, 3.5 and 3.7).

use ats_mpi::{SendMode, Source};

use crate::kernel::error::SimulationError;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::mailbox::Posted;
use crate::mpi::message::Message;
use crate::mpi::operation::{Done, Operation, OperationKind, Progress, Received};
use crate::mpi::part::Part;
use crate::mpi::starts::Partner;
use crate::mpi::state::Mpi;
use crate::mpi::waits::CompletedSend;

impl Mpi {
    /// Whether an operation of the location that runs has to be started in the order of time.
    pub(crate) fn is_ordered(&mut self, kernel: &Kernel<'_>, kind: &OperationKind) -> bool {
        self.starts_in_order(kernel)
            || matches!(*kind, OperationKind::Recv { from, .. } if self.here(kernel).mailbox.is_ordered(from))
    }

    /// Starts a kept operation of the location that runs; `part` is its part if it is collective, and `leaves` when it
    /// will leave, if that is pinned.
    pub(crate) fn start(
        &mut self,
        kernel: &mut Kernel<'_>,
        number: u32,
        kind: &OperationKind,
        part: Option<&Part>,
        leaves: Option<Picoseconds>,
    ) {
        let (rank, now) = (kernel.rank(), kernel.now());
        if let Some(in_calls) = &mut self.in_calls {
            in_calls.forget(rank, now);
        }
        if let Some(part) = part {
            return self.start_collective(kernel, number, part, leaves);
        }
        match kind {
            OperationKind::Send { .. } => self.start_send(kernel, number),
            OperationKind::Recv { from, .. } => self.start_recv(kernel, number, *from),
            OperationKind::Collective { .. } => {}
        }
    }

    /// Starts a send of the location that runs.
    pub(crate) fn start_send(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        let (here, now) = (kernel.rank() as u32, kernel.now());
        let (eager_limit, overhead) = (self.costs.eager_limit, self.costs.overhead);
        kernel.operations += 1;
        let message_number = kernel.operations;
        let Some(operation) = self.operation(here, number) else { return };
        let overhead = overhead.saturating_add(operation.packing);
        let (group, start, partitioned) = (operation.group, operation.start, operation.partitioned);
        let OperationKind::Send { mode, to, tag, bytes, message } = &mut operation.kind else { return };
        *message = message_number;
        let (to, tag, bytes) = (*to, *tag, *bytes);
        let eager = match mode {
            SendMode::Synchronous => false,
            SendMode::Standard => bytes <= eager_limit,
            SendMode::Buffered | SendMode::Ready => true,
        };
        operation.progress = if eager {
            let (at, received) = (now.saturating_add(overhead), Received::default());
            Progress::Done(Done { at, partner: None, start: None, earliest_end: 0, received })
        } else {
            Progress::Started
        };
        let to = self.groups[group as usize].members[to as usize];
        let travel = self.costs_between(here, to).transfer(if eager { bytes } else { 0 });
        let source = self.groups[group as usize].rank_of(here);
        let message = Message {
            number: message_number,
            group,
            source,
            tag,
            bytes,
            sender: here,
            operation: number,
            eager,
            partitioned,
            sent: now,
            arrives: now.saturating_add(overhead).saturating_add(travel),
            start,
        };
        self.deliver(kernel, to, message);
    }

    /// A send of the process is done at once: a location that waits for it goes on.
    pub(crate) fn was_sent(&mut self, kernel: &mut Kernel<'_>, number: u32) {
        if let Some(done) = self.here(kernel).done(number) {
            self.done(kernel, kernel.rank() as u32, number, done);
        }
    }

    fn deliver(&mut self, kernel: &mut Kernel<'_>, to: u32, message: Message) {
        let process = &mut self.processes[to as usize];
        if let Some(posted) = process.mailbox.put(&message) {
            self.matched(kernel, to, &message, &posted);
            return;
        }
        if process.mailbox.has_wildcards() {
            self.arrivals.push(message.arrives, 0, to);
        }
        for location in process.probing.drain(..) {
            let time = message.arrives.max(kernel.locations[location as usize].clock);
            kernel.resume_at(time, location);
        }
    }

    /// Starts a receive of the location that runs, from a source that may be known better than when it was kept.
    pub(crate) fn start_recv(&mut self, kernel: &mut Kernel<'_>, number: u32, from: Source) {
        let (here, now) = (kernel.rank() as u32, kernel.now());
        kernel.operations += 1;
        let process = self.here(kernel);
        let Some(operation) = process.operations.get_mut(number) else { return };
        operation.progress = Progress::Started;
        let (group, start, partitioned) = (operation.group, operation.start, operation.partitioned);
        let unpacking = operation.packing;
        let OperationKind::Recv { tag, capacity, .. } = operation.kind else { return };
        let (operation, posted) = (number, now);
        let posted = Posted { operation, group, from, tag, posted, capacity, unpacking, partitioned, start };
        if let Some(message) = process.mailbox.post(&posted) {
            self.matched(kernel, here, &message, &posted);
        } else if process.mailbox.is_ordered(from) {
            self.match_later(here, &posted);
        }
    }

    /// Starts the receive of the message of this number, which a matched probe has taken away.
    pub(crate) fn start_mrecv(&mut self, kernel: &mut Kernel<'_>, number: u32, message: u64) {
        let (here, now) = (kernel.rank() as u32, kernel.now());
        kernel.operations += 1;
        let process = self.here(kernel);
        let message = process.mailbox.taken_away(message);
        let (Some(operation), Some(message)) = (process.operations.get_mut(number), message) else { return };
        operation.progress = Progress::Started;
        let OperationKind::Recv { from, tag, capacity } = operation.kind else { return };
        let (group, unpacking) = (operation.group, operation.packing);
        let (operation, posted, partitioned, start) = (number, now, false, None);
        let posted = Posted { operation, group, from, tag, posted, capacity, unpacking, partitioned, start };
        self.matched(kernel, here, &message, &posted);
    }

    /// Schedules the matching of a posted receive that takes the message that arrives first.
    #[inline(never)]
    fn match_later(&mut self, process: u32, posted: &Posted) {
        for arrives in self.processes[process as usize].mailbox.arrivals(posted) {
            self.arrivals.push(arrives, 0, process);
        }
    }

    /// Matches the messages that have arrived at a process by `now` with its receives; nothing can happen before `now`
    /// any more.
    pub(crate) fn match_arrived(&mut self, kernel: &mut Kernel<'_>, process: u32, now: Picoseconds) {
        while let Some((message, posted)) = self.processes[process as usize].mailbox.take_arrived(now) {
            self.matched(kernel, process, &message, &posted);
        }
    }

    /// A message has found its receive: from here on both sides' times are known.
    fn matched(&mut self, kernel: &mut Kernel<'_>, receiver: u32, message: &Message, posted: &Posted) {
        let bytes = message.bytes;
        if bytes > posted.capacity {
            let awaited_by =
                self.operation(receiver, posted.operation).and_then(|receive| receive.awaited_by);
            // A receive that nobody waits for yet is the running location's if it has just been posted.
            let location = awaited_by.unwrap_or(match kernel.rank() as u32 {
                process if process == receiver => kernel.number(),
                _ => receiver,
            });
            too_long(kernel, location, message, posted);
            return;
        }
        if self.in_calls.is_some() && !message.eager {
            return self.transfer_in_calls(receiver, message, posted);
        }
        let begins = message.arrives.max(posted.posted.saturating_add(self.costs.overhead));
        let at = match message.eager {
            true => begins,
            false => begins.saturating_add(self.costs_between(message.sender, receiver).transfer(bytes)),
        };
        self.transferred(kernel, receiver, message, posted, at);
    }

    /// The last byte of a message is there at this time: it and its receive are done when it is unpacked.
    pub(super) fn transferred(
        &mut self,
        kernel: &mut Kernel<'_>,
        receiver: u32,
        message: &Message,
        posted: &Posted,
        arrived: Picoseconds,
    ) {
        let at = arrived.saturating_add(posted.unpacking);
        let &Message { source, tag, bytes, .. } = message;
        let received = Received { source, tag, bytes };
        let done = |partner, start| Done { at, partner: Some(partner), start, earliest_end: 0, received };
        self.done(kernel, receiver, posted.operation, done(message.sent, message.start));
        if !message.eager {
            self.done(kernel, message.sender, message.operation, done(posted.posted, posted.start));
            return;
        }
        if let Some(Operation {
            kind: OperationKind::Send { message: number, .. },
            progress: Progress::Done(done),
            ..
        }) = self.operation(message.sender, message.operation)
            && *number == message.number
        {
            (done.partner, done.start) = (Some(posted.posted), posted.start);
        } else if let Some(completed) = self.completed_sends.remove(&message.number) {
            self.received_at_last(kernel, &completed, posted);
        } else if let Some(start) = posted.start {
            self.starts.forget(start);
        }
    }

    /// A message is received whose send was complete before: now it is known how long that waited.
    fn received_at_last(&mut self, kernel: &mut Kernel<'_>, completed: &CompletedSend, posted: &Posted) {
        let CompletedSend { call, has_late_sender, held } = *completed;
        if !has_late_sender {
            let account = &mut kernel.locations[call.location as usize].account;
            let order = &mut self.caller(call.location).order;
            call.charge_receiver(account, order, posted.posted);
        }
        let (since, communicator) = (posted.posted, call.communicator);
        let partner = posted.start.map(|start| Partner { start, since, communicator });
        self.matched_at_last(kernel, held, partner);
    }
}

#[cold]
fn too_long(kernel: &mut Kernel<'_>, location: u32, message: &Message, posted: &Posted) {
    let (bytes, capacity, source) = (message.bytes, posted.capacity, message.source);
    let message = format!(
        "a message of {bytes} bytes from rank {source} does not fit the receive buffer of {capacity} bytes"
    );
    let place = kernel.place(location as usize);
    kernel.fail(SimulationError::Misuse { place, message });
}
