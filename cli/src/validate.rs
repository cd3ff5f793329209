//! `ats validate`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_model::finding::Tolerance;
use ats_props::{Arguments, Catalogue, Program};
use ats_validation::judge::{Amounts, Rules};
use ats_validation::pipeline::{Engine, MpiOptions, Request, validate};
use ats_validation::{score, table::table};
use clap::{Args, ValueEnum};

use crate::cancel;
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::program::{arguments, ranks};
use crate::progress::Line;
use crate::run::{LaunchArgs, absolute};

/// Run programs, record and analyze them, and compare what is found with what is known.
///
/// With nothing named, every property and every balanced twin. A property brings its twin with it; a twin comes alone.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats validate
  ats validate --engine virtual
  ats validate late_sender r=3 late_receiver --np 8
  ats validate --launcher mpirun.mpich --format json")]
pub(crate) struct Validate {
    /// Properties, each followed by those of its parameters that are not at their defaults.
    #[arg(value_name = "PROPERTY [NAME=VALUE]")]
    programs: Vec<String>,
    /// How many ranks.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranks)]
    np: usize,
    /// Under a launcher, or in virtual time, which needs nothing installed.
    #[arg(long, value_enum, default_value_t = EngineName::Mpi)]
    engine: EngineName,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Where what the programs leave is kept, a folder each.
    #[arg(short, long, value_name = "DIR", default_value = "target/ats-validation")]
    output: PathBuf,
    /// Share of the measured location-seconds below which nothing need be reported.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    threshold: f64,
    /// How far an amount may be off from the observed one, as a share of it [default: as the truth says; with the
    /// virtual engine, 1e-6].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    tolerance: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Mpi,
    Virtual,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a share from 0 to 1, as 0.01".to_owned()),
    }
}

impl Validate {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let request = self.request(catalogue)?;
        let cancelled = cancel::on_signal()?;
        let mut line = Line::new();
        let validation = validate(&request, &mut line, &cancelled);
        line.done();
        let validation = validation?;
        output.document(&validation, || table(&validation, width()))?;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        Ok(ExitCode::from(u8::from(!score::passed(&validation))))
    }

    fn request(&self, catalogue: &Catalogue) -> Result<Request, Failure> {
        let engine = match self.engine {
            EngineName::Virtual => Engine::Virtual,
            EngineName::Mpi => Engine::Mpi(MpiOptions {
                launcher: self.launch.launcher.clone(),
                time: self.launch.timeout,
                dir: absolute(&self.output)?,
                options: self.launch.program_options(),
            }),
        };
        let rules = match self.engine {
            EngineName::Virtual => Rules::EXACT,
            EngineName::Mpi => Rules::MEASURED,
        };
        let given = self.tolerance.map(|relative| Amounts::Fixed(Tolerance { absolute: 0.0, relative }));
        let rules = Rules { threshold: self.threshold, amounts: given.unwrap_or(rules.amounts), ..rules };
        let programs = selection(catalogue, &self.programs)?;
        for (program, _) in &programs {
            program.property.check_ranks(self.np).map_err(Failure::input)?;
        }
        Ok(Request { programs, ranks: self.np, engine, rules })
    }
}

/// The programs that words like `late_sender r=3 late_receiver` name; all, where there are none.
fn selection(catalogue: &Catalogue, words: &[String]) -> Result<Vec<(Program, Arguments)>, Failure> {
    if let Some(first) = words.first().filter(|word| word.contains('=')) {
        return Err(Failure::Input(format!("`{first}` follows no property; give the property before it")));
    }
    let mut selected = Vec::new();
    for group in words.chunk_by(|_, word| word.contains('=')) {
        let named = catalogue.program(&group[0]).map_err(Failure::input)?;
        let arguments = arguments(&named, &group[1..])?;
        selected.push((named, arguments.clone()));
        if !named.balanced {
            selected.push((Program { balanced: true, ..named }, arguments));
        }
    }
    if selected.is_empty() {
        let with_defaults = |program: Program| Ok((program, arguments(&program, &[])?));
        return catalogue.programs().map(with_defaults).collect();
    }
    Ok(selected)
}
