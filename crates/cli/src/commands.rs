//! The verbs of the command: the options of each, and what it does.

pub(crate) mod analyze;
pub(crate) mod calibrate;
pub(crate) mod catalogue;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod compose;
pub(crate) mod convert;
pub(crate) mod diagnose;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod draw;
pub(crate) mod efficiency;
pub(crate) mod experiment;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod install;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod overheads;
pub(crate) mod predict;
pub(crate) mod profile;
pub(crate) mod record;
pub(crate) mod reference;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod score;
pub(crate) mod scoreboard;
pub(crate) mod show;
pub(crate) mod template;
pub(crate) mod trace;
pub(crate) mod truth;
pub(crate) mod validate;
pub(crate) mod what_if;

use std::process::ExitCode;

use ats_props::Catalogue;
use clap::Subcommand;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    List(list::List),
    Show(show::Show),
    Reference(reference::Reference),
    Truth(truth::Truth),
    Trace(trace::Trace),
    Compose(compose::Compose),
    Generate(generate::Generate),
    Run(run::Run),
    Record(record::Record),
    Analyze(analyze::Analyze),
    Explain(explain::Explain),
    Compare(compare::Compare),
    Profile(profile::ProfileOf),
    Draw(draw::Draw),
    Export(export::Export),
    Experiment(experiment::Experiment),
    Diagnose(diagnose::Diagnose),
    Overheads(overheads::OverheadsOf),
    Efficiency(efficiency::EfficiencyOf),
    Memory(memory::MemoryOf),
    Model(model::Model),
    Predict(Box<predict::Predict>),
    WhatIf(Box<what_if::WhatIfOf>),
    Validate(Box<validate::Validate>),
    Score(score::Score),
    Scoreboard(scoreboard::Scoreboard),
    Report(report::Report),
    Template(template::Template),
    Convert(convert::Convert),
    Doctor(doctor::Doctor),
    Install(install::Install),
    Calibrate(calibrate::Calibrate),
    Schema(schema::Schema),
    Man(man::Man),
    Completions(completions::Completions),
}

impl Verb {
    pub(crate) fn run(self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        match self {
            Verb::List(verb) => verb.run(catalogue, output),
            Verb::Show(verb) => verb.run(catalogue, output),
            Verb::Reference(verb) => verb.run(catalogue, output),
            Verb::Truth(verb) => verb.run(catalogue, output),
            Verb::Trace(verb) => verb.run(catalogue, output),
            Verb::Compose(verb) => verb.run(catalogue, output),
            Verb::Generate(verb) => verb.run(catalogue, output),
            Verb::Run(verb) => verb.run(catalogue, output),
            Verb::Record(verb) => verb.run(output),
            Verb::Analyze(verb) => verb.run(output),
            Verb::Explain(verb) => verb.run(output),
            Verb::Compare(verb) => verb.run(output),
            Verb::Profile(verb) => verb.run(output),
            Verb::Draw(verb) => verb.run(catalogue, output),
            Verb::Export(verb) => verb.run(output),
            Verb::Experiment(verb) => verb.run(catalogue, output),
            Verb::Diagnose(verb) => verb.run(output),
            Verb::Overheads(verb) => verb.run(output),
            Verb::Efficiency(verb) => verb.run(output),
            Verb::Memory(verb) => verb.run(output),
            Verb::Model(verb) => verb.run(output),
            Verb::Predict(verb) => verb.run(catalogue, output),
            Verb::WhatIf(verb) => verb.run(output),
            Verb::Validate(verb) => verb.run(catalogue, output),
            Verb::Score(verb) => verb.run(catalogue, output),
            Verb::Scoreboard(verb) => verb.run(catalogue, output),
            Verb::Report(verb) => verb.run(output),
            Verb::Template(verb) => verb.run(catalogue, output),
            Verb::Convert(verb) => verb.run(output),
            Verb::Doctor(verb) => verb.run(output),
            Verb::Install(verb) => verb.run(output),
            Verb::Calibrate(verb) => verb.run(output),
            Verb::Schema(verb) => verb.run(output),
            Verb::Man(verb) => verb.run(output),
            Verb::Completions(verb) => verb.run(output),
        }
    }
}
