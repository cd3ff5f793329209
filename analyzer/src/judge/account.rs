//! Results of the analysis of a process.

use crate::{
    judge::{ledger::Ledger, violations::Violations, waits::SingleWaits, wrong_order::History},
    words::damage::Damages,
};

/// Results of the analysis of a process so far.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) ledger: Ledger,
    /// The late receives that may still turn out to be of wrong order.
    pub(crate) history: History,
    /// The contradictions between its clock and those of others.
    pub(crate) violations: Violations,
    pub(crate) damages: Damages,
}

impl Account {
    /// An empty account; single waits are kept as in `waits`.
    pub(crate) fn keeping(waits: SingleWaits) -> Self {
        Account { ledger: Ledger::keeping(waits), ..Account::default() }
    }

    /// Books the calls that are still open at the end.
    pub(crate) fn close(&mut self) {
        std::mem::take(&mut self.history).finish(&mut self.ledger);
    }
}
