//! The locks of named criticals.

use std::sync::OnceLock;

use crate::Lock;

/// The locks of named criticals: a name is the same critical in the whole process.
pub(crate) struct Criticals(OnceLock<Box<Named>>);

struct Named {
    name: &'static str,
    lock: Lock,
    others: Criticals,
}

impl Criticals {
    pub(crate) const fn new() -> Self {
        Criticals(OnceLock::new())
    }

    /// The lock of this name, which `make` makes at its first use.
    pub(crate) fn lock(&'static self, name: &'static str, make: fn() -> Lock) -> &'static Lock {
        let first = || Box::new(Named { name, lock: make(), others: Criticals::new() });
        let mut named = self.0.get_or_init(first);
        while named.name != name {
            named = named.others.0.get_or_init(first);
        }
        &named.lock
    }
}
