//! Waits of a call of MPI, and the wait states that they are charged to.

use ats_model::mpi::Function;
use ats_model::{CallPathId, WaitState};

use crate::kernel::account::{Account, Among, WaitKey};
use crate::kernel::time::Picoseconds;
use crate::mpi::rules::{Blocked, Cause, ReceiveOrder, beyond, charged, wait_state};

/// A wait that was charged, in case it has to be charged as something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charged {
    wait: WaitKey,
    ticks: Picoseconds,
}

/// A stretch of blocked time with the message behind it, or the collective operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageWait {
    blocked: Blocked,
    source: u32,
    sent: Picoseconds,
    communicator: u32,
}

/// The wait of a send-completing call for its receive.
pub(crate) fn late_receiver(
    posted: Picoseconds,
    enter: Picoseconds,
    leave: Picoseconds,
    communicator: u32,
) -> MessageWait {
    // A send that returned before the receive was posted did not wait for it, however long it took.
    let ticks = if leave >= posted { posted.saturating_sub(enter) } else { 0 };
    MessageWait {
        blocked: Blocked { cause: Cause::ReceiveNotPosted, ticks },
        source: 0,
        sent: 0,
        communicator,
    }
}

/// The wait of a receive-completing call for its send.
pub(crate) fn late_sender(
    sent: Picoseconds,
    source: u32,
    enter: Picoseconds,
    leave: Picoseconds,
    communicator: u32,
) -> MessageWait {
    let ticks = sent.min(leave).saturating_sub(enter);
    MessageWait { blocked: Blocked { cause: Cause::MessageNotSent, ticks }, source, sent, communicator }
}

/// The wait of a call that completes a collective operation.
pub(crate) fn for_members(blocked: Blocked, communicator: u32) -> MessageWait {
    MessageWait { blocked, source: 0, sent: 0, communicator }
}

/// The wait of a sender of an n-to-1 operation for the root, which begins at `root`.
pub(crate) fn late_root(root: Picoseconds, enter: Picoseconds, leave: Picoseconds) -> Blocked {
    // Who left before the root came did not wait for it, however long it took.
    let ticks = if leave >= root { root.saturating_sub(enter) } else { 0 };
    Blocked { cause: Cause::ReceiverNotReached, ticks }
}

/// A call that is over before it is known how long it waited: the other side has not come yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompletedCall {
    pub(crate) location: u32,
    pub(crate) call: Function,
    pub(crate) call_path: CallPathId,
    pub(crate) enter: Picoseconds,
    pub(crate) leave: Picoseconds,
    pub(crate) communicator: u32,
}

/// Such a call with a send whose receive has not been posted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompletedSend {
    pub(crate) call: CompletedCall,
    /// Whether it has received a message that was sent late: then it waited for that, and not for the receive.
    pub(crate) has_late_sender: bool,
    /// Its number among the calls that ask whether their partners acted late.
    pub(crate) held: u32,
}

impl CompletedCall {
    /// It took a sender's part in an n-to-1 operation, whose root came at `root`: it has waited so long.
    pub(crate) fn charge_root(&self, account: &mut Account, root: Picoseconds) {
        let blocked = late_root(root, self.enter, self.leave);
        charge(account, self.call, (self.call_path, self.communicator), blocked, true);
    }

    /// It completed a send, whose receive was posted at `posted`: it has waited so long.
    pub(crate) fn charge_receiver(
        &self,
        account: &mut Account,
        order: &mut ReceiveOrder<Charged>,
        posted: Picoseconds,
    ) {
        let wait = late_receiver(posted, self.enter, self.leave, self.communicator);
        charge_messages(account, order, self.call, self.call_path, &[wait]);
    }
}

/// A call waited for these messages, or for collective operations that others have started. Returns how long, as far as
/// that has a name.
pub(crate) fn charge_messages(
    account: &mut Account,
    order: &mut ReceiveOrder<Charged>,
    call: Function,
    call_path: CallPathId,
    waits: &[MessageWait],
) -> Picoseconds {
    let wait = |at: usize, state: Option<WaitState>| WaitKey {
        call_path,
        among: Among::group(waits[at].communicator),
        state,
    };
    let charge = match waits {
        [] => return 0,
        [one] if one.blocked.ticks == 0 => None,
        _ => charged(call, waits.iter().map(|wait| wait.blocked)),
    };
    let of_messages = match charge {
        Some((at, state)) => {
            account.charge(wait(at, Some(state)), waits[at].blocked.ticks);
            waits[at].blocked.ticks
        }
        None => {
            let messages = waits.iter().filter(|wait| wait.blocked.cause.is_message());
            let longest = messages.map(|wait| wait.blocked.ticks).max().unwrap_or(0);
            account.charge(wait(0, None), longest);
            longest
        }
    };
    let mut named = if charge.is_some() { of_messages } else { 0 };
    if let Some((at, ticks)) = beyond(of_messages, waits.iter().map(|wait| wait.blocked)) {
        named = named.max(of_messages + ticks);
        account.charge(wait(at, wait_state(call, waits[at].blocked.cause)), ticks);
    }
    for message in waits.iter().filter(|message| message.blocked.cause == Cause::MessageNotSent) {
        order.received(message.source, message.sent, |Charged { wait, ticks }, state| {
            account.reassign(wait, ticks, state);
        });
    }
    // Only now: messages of one call have no order among each other.
    if let Some((at, WaitState::LateSender)) = charge {
        let message = &waits[at];
        let charged = Charged { wait: wait(at, Some(WaitState::LateSender)), ticks: message.blocked.ticks };
        order.late(message.source, message.sent, charged);
    }
    named
}

/// A call was blocked for one reason; `analyzed` is false where no metric looks at it.
pub(crate) fn charge(
    account: &mut Account,
    call: Function,
    (call_path, communicator): (CallPathId, u32),
    blocked: Blocked,
    analyzed: bool,
) {
    if blocked.ticks == 0 {
        return;
    }
    let state = wait_state(call, blocked.cause).filter(|_| analyzed);
    account.charge(WaitKey { call_path, among: Among::group(communicator), state }, blocked.ticks);
}
