//! What was found out about a process.

use crate::{
    clock::violations::Violations, damage::Damages, ledger::Ledger, waits::SingleWaits, wrong_order::History,
};

/// What was found out about a process so far.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) ledger: Ledger,
    /// The late receives that may still turn out to be of wrong order.
    pub(crate) history: History,
    /// How far its clock contradicts those of others.
    pub(crate) violations: Violations,
    pub(crate) damages: Damages,
}

impl Account {
    /// Nothing; single waits are kept as in `waits`.
    pub(crate) fn keeping(waits: SingleWaits) -> Self {
        Account { ledger: Ledger::keeping(waits), ..Account::default() }
    }

    /// There are no more calls: books what was still open.
    pub(crate) fn close(&mut self) {
        std::mem::take(&mut self.history).finish(&mut self.ledger);
    }
}
