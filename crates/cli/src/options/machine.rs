//! The options of the machine in virtual time: `--network`, `--costs` and `--processors`.

use ats_truth::{Costs, Network, Processors, TruthOptions, costs, network, processors};
use clap::Args;

use crate::failure::Failure;

/// The machine in virtual time.
#[derive(Args, Debug)]
pub(crate) struct MachineArgs {
    /// The costs of communication in virtual time, as latency=1us,overhead=200ns,bandwidth=10GB/s or eager=64KiB, and
    /// its progress: always, or only inside of calls, as progress=calls; with other links within a node, as
    /// node=4,node-latency=200ns,node-bandwidth=50GB/s, and an algorithm of collective operations, as collectives=linear,
    /// binomial, doubling or ring [default: nothing, messages up to 4 KiB are eager,
    /// and progress=always].
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = network)]
    pub(crate) network: Option<Network>,
    /// The costs of operations in virtual time, for work that is described by its amount, as miss=80ns,l1=32KiB
    /// [default: those of a processor at 4 GHz].
    #[arg(long, value_name = "NAME=VALUE,…", value_parser = costs)]
    pub(crate) costs: Option<Costs>,
    /// The processors in virtual time: the number of processors that the ranks take in turn, as 4, or the processor of each
    /// rank, as 0,1,1,2. Ranks on one processor work one after the other [default: one for each location].
    #[arg(long, value_name = "NUMBERS", value_parser = processors)]
    pub(crate) processors: Option<Processors>,
}

impl MachineArgs {
    /// The options for computing truth with it.
    pub(crate) fn options(&self) -> TruthOptions {
        TruthOptions {
            network: self.network.unwrap_or_default(),
            costs: self.costs.unwrap_or_default(),
            processors: self.processors.clone(),
            ..TruthOptions::default()
        }
    }

    /// # Errors
    /// A part of the machine is given, and real processes have their own.
    pub(crate) fn refuse_on_a_real_machine(&self) -> Result<(), Failure> {
        let given = [
            ("--network", self.network.is_some()),
            ("--costs", self.costs.is_some()),
            ("--processors", self.processors.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Failure::Input(format!(
                "{option} applies to virtual time only; add --engine virtual, or omit {option}"
            ))),
            None => Ok(()),
        }
    }
}
