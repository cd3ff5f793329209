//! The command `ats` with the suite's own properties.

fn main() -> std::process::ExitCode {
    ats_cli::main(ats_props::Catalogue::builtin())
}
