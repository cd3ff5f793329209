//! The command `ats` with a property more.

use std::process::ExitCode;

fn main() -> ExitCode {
    ats_cli::main(ats_props::Catalogue::builtin().with(&own_property::PROPERTY))
}
