//! Results of the analysis of a process.

use std::collections::BTreeMap;

use crate::{
    judge::{
        ledger::{Details, Ledger},
        unacted::Unacted,
        violations::Violations,
        wrong_order::History,
    },
    records::Spans,
    words::damage::Damages,
};

/// Results of the analysis of a process so far.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) ledger: Ledger,
    /// Waits for partners to act, which may turn out to be none.
    pub(crate) unacted: Unacted,
    /// The late receives that may still turn out to be of wrong order, by location.
    pub(crate) histories: BTreeMap<u32, History>,
    /// The time that counts as waiting in tests, by location.
    pub(crate) tested: BTreeMap<u32, Spans>,
    /// The contradictions between its clock and those of others.
    pub(crate) violations: Violations,
    pub(crate) damages: Damages,
}

impl Account {
    /// An empty account that keeps the details that are asked for.
    pub(crate) fn keeping(details: Details) -> Self {
        Account { ledger: Ledger::keeping(details), ..Account::default() }
    }

    /// Books the calls that are still open at the end.
    pub(crate) fn close(&mut self) {
        let histories = std::mem::take(&mut self.histories);
        histories.into_values().for_each(|history| history.finish(&mut self.ledger));
    }
}
