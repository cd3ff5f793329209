//! The option `--network`.

use ats_truth::{Network, TruthOptions, network};
use clap::Args;

use crate::failure::Failure;

/// The machine in virtual time.
#[derive(Args, Debug)]
pub(crate) struct NetworkArgs {
    /// The costs of communication in virtual time, as latency=1us,overhead=200ns,bandwidth=10GB/s or eager=64KiB, and
    /// its progress: always, or only inside of calls, as progress=calls [default: nothing, messages up to 4 KiB are eager,
    /// and progress=always].
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = network)]
    network: Option<Network>,
}

impl NetworkArgs {
    /// The options for computing truth with it.
    pub(crate) fn options(&self) -> TruthOptions {
        TruthOptions { network: self.network.unwrap_or_default(), ..TruthOptions::default() }
    }

    /// # Errors
    /// A network is given, and real processes have their own.
    pub(crate) fn refuse_on_a_real_machine(&self) -> Result<(), Failure> {
        match self.network {
            Some(_) => Err(Failure::Input(
                "--network applies to virtual time only; add --engine virtual, or omit --network".to_owned(),
            )),
            None => Ok(()),
        }
    }
}
