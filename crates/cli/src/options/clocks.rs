//! Options of clocks.

use clap::{Args, ValueEnum};

/// The clocks that waits are computed by.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ClocksArgs {
    /// The clocks that waits between processes are computed by.
    #[arg(long, value_name = "WHICH", default_value = "corrected")]
    clocks: Clocks,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Clocks {
    /// Clocks that are brought together if the trace has not measured how they differ.
    Corrected,
    /// The clocks of the trace as they are.
    Recorded,
}

impl ClocksArgs {
    /// The clocks for the analysis.
    pub(crate) fn clocks(self) -> ats_analyzer::Clocks {
        match self.clocks {
            Clocks::Corrected => ats_analyzer::Clocks::Corrected,
            Clocks::Recorded => ats_analyzer::Clocks::Recorded,
        }
    }
}
