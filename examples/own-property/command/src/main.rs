//! The command `ats` with two properties more.

use std::process::ExitCode;

fn main() -> ExitCode {
    let catalogue = ats_props::Catalogue::builtin();
    ats_cli::main(catalogue.with(&own_property::PROPERTY).with(&own_property::slow_solver::PROPERTY))
}
