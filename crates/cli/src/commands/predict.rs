//! `ats predict`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use ats_diagnosis::Run;
use ats_documents::classes::Classes;
use ats_documents::experiment::Version;
use ats_documents::models::CostTerm;
use ats_documents::{Models, Prediction};
use ats_experiment::running::simulate;
use ats_experiment::{Beside, Given, Repeat, Repository, of_profile};
use ats_model::files::read_document;
use ats_model::mistakes::{nearest, not_json};
use ats_prediction::{Observed, PredictionError, Predictor, predicted_profile};
use ats_presentation::{prediction_svg, text};
use ats_props::Catalogue;
use ats_truth::{GivenSize, Network, Planned, TruthOptions, network};
use clap::{Args, ValueEnum};

use crate::commands::model::read_costs;
use crate::failure::Failure;
use crate::options::compared::Kept;
use crate::options::drawn::svg;
use crate::output::{Output, remark, width, write_file};

/// Predict what a program costs at a size, with bounds
///
/// The models are those of `ats model`, or expressions in a file of costs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats predict models.json ranks=1024
  ats predict models.json n=1e6 --sweep ranks=1..65536
  ats predict models.json --sweep ranks=4..1024 -o prediction.svg
  ats predict models.json --until efficiency=0.5
  ats predict models.json ranks=64 --scale computation=0.5 memory=0.7..0.9
  ats predict models.json ranks=64 --measured solve=REPO/heat.Ranks64.threads1.r1
  ats predict models.json ranks=64 --against REPO/heat.Ranks64.threads1.r1
  ats predict models.json ranks=64 --engine virtual
  ats predict costs.toml ranks=64 n=1e6 --network latency=1us,bandwidth=10GB/s
  ats predict costs.toml ranks=64 n=1e6 --keep REPO")]
pub(crate) struct Predict {
    /// The file of models or costs.
    #[arg(value_name = "FILE")]
    source: PathBuf,
    /// The size: a value for each parameter.
    #[arg(value_name = "NAME=VALUE")]
    parameters: Vec<Assigned>,
    /// Vary a parameter from one value to another, always twice as much.
    #[arg(long, value_name = "NAME=FROM..TO")]
    sweep: Option<Assigned>,
    /// Draw the time over the parameter of `--sweep` into this file, NAME.svg, with its bounds and the runs of the models.
    #[arg(short, long, value_name = "FILE", value_parser = svg, requires = "sweep")]
    output: Option<PathBuf>,
    /// Find the number of ranks where the efficiency falls below a limit.
    #[arg(long, value_name = "efficiency=LIMIT")]
    until: Option<Assigned>,
    /// Another machine, where terms take so many times as long.
    #[arg(long, value_name = "TERM=FACTOR", num_args = 1..)]
    scale: Vec<Assigned>,
    /// The network, as latency=1us,overhead=200ns,bandwidth=10GB/s: of given costs, it gives the time of regions that have messages
    /// or bytes, and no communication; with `--engine virtual`, the program runs on it.
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = network)]
    network: Option<Network>,
    /// Put a measurement in the place of a region's model.
    #[arg(long, value_name = "REGION=EXPERIMENT", num_args = 1..)]
    measured: Vec<String>,
    /// Compare the prediction with a run of that size.
    #[arg(long, value_name = "EXPERIMENT")]
    against: Option<PathBuf>,
    /// Compare the prediction with a run of that size in virtual time, of models of a program of the suite.
    #[arg(long, value_enum, conflicts_with = "against")]
    engine: Option<EngineName>,
    /// Keep the prediction as an experiment in this repository.
    #[arg(long, value_name = "REPO")]
    keep: Option<PathBuf>,
}

/// The engine that runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Virtual,
}

/// A name with a value, or with two that a range is between.
#[derive(Clone, Debug)]
struct Assigned {
    name: String,
    from: f64,
    to: f64,
}

impl FromStr for Assigned {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let wrong = || format!("`{word}` is no name with a number; write name=4, or name=4..64 for a range");
        let (name, value) = word.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
        let (from, to) = value.split_once("..").unwrap_or((value, value));
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let (from, to) = number(from).zip(number(to)).ok_or_else(wrong)?;
        if from > to {
            return Err(format!("`{word}` begins behind its end; write {name}={to}..{from}"));
        }
        Ok(Assigned { name: name.to_owned(), from, to })
    }
}

impl Predict {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let (predictor, models) = self.predictor()?;
        let scale = self.scale()?;
        let replaced = self.replaced()?;
        let measured = replaced.iter().map(|(region, run)| (region.clone(), run.id.clone())).collect();
        let predictor = self.on_network(predictor)?.scaled(scale.clone()).with_measured(replaced);
        let asked = self.size()?;
        let mut document = Prediction {
            schema: Prediction::SCHEMA.to_owned(),
            source: self.source.display().to_string(),
            scaled: scale,
            measured,
            notes: predictor.notes().to_vec(),
            ..Prediction::default()
        };
        if let Some(Assigned { name, from, to }) = &self.sweep {
            let doubled = std::iter::successors(Some(*from), |value| Some(value * 2.0));
            for value in doubled.take_while(|value| value <= to) {
                let mut asked = asked.clone();
                asked.insert(name.clone(), value);
                document.sizes.push(predictor.size(&asked)?);
            }
        } else if self.until.is_none() || asked.contains_key("ranks") {
            document.sizes.push(predictor.size(&asked)?);
        }
        if let Some(Assigned { name, from, .. }) = &self.until {
            if name != "efficiency" {
                return Err(Failure::Input(format!("--until knows no `{name}`; write efficiency={from}")));
            }
            document.until = Some(predictor.until(&asked, *from)?);
        }
        if self.against.is_some() || self.engine.is_some() {
            let [size] = &mut document.sizes[..] else {
                return Err(Failure::Input(
                    "one size is compared; omit --sweep, and give ranks=N".to_owned(),
                ));
            };
            let run = match &self.against {
                Some(path) => observed(path)?,
                None => {
                    let options =
                        TruthOptions { network: self.network.unwrap_or_default(), ..TruthOptions::default() };
                    simulated(models.as_ref(), &size.parameters, &options, catalogue)?
                }
            };
            predictor.compare(size, &run)?;
            document.against = Some(run.id);
        }
        self.keep(&document, models.as_ref())?;
        if let Some(file) = &self.output {
            let drawn = prediction_svg(&document, models.as_ref());
            let none = || {
                Failure::Input("a drawing needs two sizes; let --sweep end at twice its beginning".to_owned())
            };
            write_file(file, &drawn.ok_or_else(none)?)?;
            output.written(vec![file.clone()])?;
            return Ok(ExitCode::SUCCESS);
        }
        output.document(&document, || text::prediction(&document, width()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The models or costs of the file.
    fn predictor(&self) -> Result<(Predictor, Option<Models>), Failure> {
        if self.source.extension().is_some_and(|extension| extension == "toml") {
            return Ok((Predictor::of_costs(read_costs(&self.source)?.0), None));
        }
        let name = self.source.display();
        let bytes = read_document(&self.source)
            .map_err(|error| Failure::Input(format!("cannot read {name}: {error}; check the path")))?;
        let fix = "make one with `ats model`, or name a file of costs, NAME.toml";
        let models: Models = serde_json::from_slice(&bytes)
            .map_err(|error| Failure::Input(format!("{name}: {}; {fix}", not_json(&error))))?;
        if models.schema != Models::SCHEMA {
            let found = &models.schema;
            return Err(Failure::Input(format!(
                "{name}: its schema is `{found}`, and not {}; {fix}",
                Models::SCHEMA
            )));
        }
        Ok((Predictor::new(&models)?, Some(models)))
    }

    /// The same on the network that is given. Fitted models may only be compared with a run on it.
    fn on_network(&self, predictor: Predictor) -> Result<Predictor, Failure> {
        let Some(Network { latency, bandwidth, overhead, .. }) = self.network else { return Ok(predictor) };
        if self.engine.is_some() && predictor.is_fitted() {
            return Ok(predictor);
        }
        Ok(predictor.on_network(ats_prediction::costs::Network { latency, bandwidth, overhead })?)
    }

    /// The size that is asked for.
    fn size(&self) -> Result<BTreeMap<String, f64>, Failure> {
        let mut asked = BTreeMap::new();
        for Assigned { name, from, to } in &self.parameters {
            if from != to {
                return Err(Failure::Input(format!(
                    "a size has one {name}; to vary it write --sweep {name}={from}..{to}"
                )));
            }
            if asked.insert(name.clone(), *from).is_some() {
                return Err(Failure::Input(format!("{name} is given twice; omit one")));
            }
        }
        Ok(asked)
    }

    /// The factors of terms.
    fn scale(&self) -> Result<BTreeMap<CostTerm, [f64; 2]>, Failure> {
        let factor = |Assigned { name, from, to }: &Assigned| {
            let names = CostTerm::ALL.map(CostTerm::name);
            let term = CostTerm::ALL.into_iter().find(|term| term.name() == name);
            let fix = || match nearest(name, names) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are {}", names.join(", ")),
            };
            let term = term.ok_or_else(|| Failure::Input(format!("there is no term `{name}`; {}", fix())))?;
            if *from < 0.0 {
                return Err(Failure::Input(format!(
                    "no term takes {from} times as long; give {name} a factor above 0"
                )));
            }
            Ok((term, [*from, *to]))
        };
        self.scale.iter().map(factor).collect()
    }

    /// The regions that are measured, with their runs.
    fn replaced(&self) -> Result<Vec<(String, Observed)>, Failure> {
        let one = |word: &String| {
            let wrong =
                || Failure::Input(format!("`{word}` names no experiment; write REGION=REPO/EXPERIMENT"));
            let (region, path) = word.split_once('=').ok_or_else(wrong)?;
            Ok((region.to_owned(), observed(Path::new(path))?))
        };
        self.measured.iter().map(one).collect()
    }

    /// Adds the prediction to a repository.
    fn keep(&self, document: &Prediction, models: Option<&Models>) -> Result<(), Failure> {
        let Some(folder) = &self.keep else { return Ok(()) };
        let [size] = &document.sizes[..] else {
            return Err(Failure::Input(
                "one size is kept; give each parameter a value, without --sweep".to_owned(),
            ));
        };
        let stem = || self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let application = models.map_or_else(stem, |models| models.application.clone());
        let version = models.and_then(|models| models.versions.first().cloned());
        let version = version.unwrap_or_else(|| "predicted".to_owned());
        let (profile, run) =
            predicted_profile(size, &application, &document.source).map_err(Failure::Input)?;
        // What all runs of the models have alike is not in their names.
        let is_told = |name: &&String| models.is_none_or(|models| !models.fixed.contains_key(*name));
        let told: Vec<String> = run.parameters.keys().filter(is_told).cloned().collect();
        let version = Version { name: version, files: Vec::new() };
        let given = Given { application, version, run, ..Given::default() };
        let classes = Classes::default();
        let repository = Repository::create(folder)?;
        let experiment = of_profile(&profile, given, &classes);
        let added = repository.add(experiment, Beside::profile(&profile), &told, Repeat::Next)?;
        remark(&format!("kept as {}", added.id));
        Ok(())
    }
}

/// The amounts of an experiment.
fn observed(path: &Path) -> Result<Observed, Failure> {
    let kept = Kept::read(path)?;
    Ok(Observed::new(&kept.run(), &Classes::default()))
}

/// A run of the program in virtual time.
fn simulated(
    models: Option<&Models>,
    size: &BTreeMap<String, f64>,
    options: &TruthOptions,
    catalogue: &Catalogue,
) -> Result<Observed, Failure> {
    let none =
        || Failure::Input("--engine virtual needs models of a program of the suite; omit it".to_owned());
    let models = models.ok_or_else(none)?;
    let number = |name: &str| size.get(name).map(|number| *number as usize);
    let given = GivenSize { ranks: number("ranks"), threads: number("threads") };
    let is_own = |name: &&String| !["ranks", "threads"].contains(&name.as_str());
    let numbers = size.iter().filter(|(name, _)| is_own(name)).map(|(name, value)| format!("{name}={value}"));
    let words: Vec<String> =
        models.texts.iter().map(|(name, text)| format!("{name}={text}")).chain(numbers).collect();
    let planned = Planned::named(&models.application, &words, given, catalogue).map_err(Failure::input)?;
    let profile = simulate(&planned, options)?;
    let classes = Classes::default();
    let experiment = of_profile(&profile, Given::default(), &classes).with(|summaries| summaries.collect());
    let id = format!("the run of {} in virtual time", models.application);
    let mut run = Observed::new(&Run { id: &id, experiment: &experiment, profile: Some(&profile) }, &classes);
    run.parameters.extend(size.iter().map(|(name, value)| (name.clone(), *value)));
    Ok(run)
}

impl From<PredictionError> for Failure {
    fn from(error: PredictionError) -> Self {
        Failure::input(error)
    }
}
