//! The reference that pages link to.

use clap::Args;

/// The reference that pages link to.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReferenceArgs {
    /// The reference that findings link to: a folder, as seen from the page, or an address.
    #[arg(long = "reference", value_name = "ADDRESS")]
    address: Option<String>,
}

impl ReferenceArgs {
    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }
}
