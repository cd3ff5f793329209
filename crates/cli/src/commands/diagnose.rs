//! `ats diagnose`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_diagnosis::properties::{Properties, Selection, diagnose};
use ats_documents::Diagnosis;
use ats_documents::experiment::Listed;
use ats_experiment::{Filter, Listing, Repository};
use ats_model::mistakes::nearest;
use ats_presentation::{severities_svg, text};
use clap::Args;

use crate::failure::Failure;
use crate::options::drawn::svg;
use crate::options::share::share;
use crate::output::{Format, Output, remark, width, write_file};

/// Show which performance properties hold for kept experiments.
///
/// The properties are those of JavaPSL, such as load imbalance and non-scalability. Experiments are compared with the
/// sequential run of the same application, version and parameters, or else the smallest. Each property stands below what it
/// explains.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats diagnose REPO application=heat
  ats diagnose REPO --property Inefficiency --region solve
  ats diagnose REPO --property Inefficiency -o inefficiency.svg
  ats diagnose REPO --where 'max(parallel.time) > basis.time / 10'
  ats diagnose REPO/heat/1.0/heat.Ranks4.threads2.size100.r1
  ats diagnose REPO --properties own.toml --format json")]
pub(crate) struct Diagnose {
    /// The folder of a repository, or of an experiment in one.
    #[arg(value_name = "REPO")]
    first: PathBuf,
    /// Conditions on experiments that all hold, as for `ats experiment list`; or further experiments.
    #[arg(value_name = "FIELD=VALUE")]
    others: Vec<String>,
    /// Add, replace or switch off properties by this file, `ats-properties/1`; several are read in their order.
    #[arg(long, value_name = "FILE")]
    properties: Vec<PathBuf>,
    /// Show whether this property holds, and its severity, for each region and configuration.
    #[arg(long, value_name = "NAME", conflicts_with = "undefined")]
    property: Option<String>,
    /// Draw the severities of the property over the numbers of ranks and threads into this file, NAME.svg.
    #[arg(short, long, value_name = "FILE", requires = "property", value_parser = svg)]
    output: Option<PathBuf>,
    /// Show only regions with this in their names.
    #[arg(long, value_name = "TEXT")]
    region: Option<String>,
    /// Show only regions that meet this condition, such as 'max(parallel.time) > 1 * s'.
    #[arg(long = "where", value_name = "EXPRESSION")]
    condition: Option<String>,
    /// Take severities as parts of the time of this region; without it, of the longest.
    #[arg(long, value_name = "REGION")]
    basis: Option<String>,
    /// Show only properties whose part of the run's time × confidence is at least this, from 0 to 1; by default 0.01 in the
    /// table.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    above: Option<f64>,
    /// Show at most so many rows of the table, the most severe.
    #[arg(long, value_name = "N", default_value_t = 100)]
    top: usize,
    /// Show which instances lack data, and why.
    #[arg(long)]
    undefined: bool,
}

/// Experiments of a repository.
struct Found {
    repository: Repository,
    experiments: Vec<Listed>,
    /// The ids of those that others are only compared with.
    references: Vec<String>,
    /// Damaged experiments, in words.
    warnings: Vec<String>,
}

impl Diagnose {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let mut properties = Properties::read(&self.properties).map_err(Failure::input)?;
        self.check_name(&properties)?;
        let Found { repository, experiments, references, mut warnings } = self.find()?;
        let condition = self.condition.as_ref().map(|text| properties.condition("--where", text)).transpose();
        let condition = condition.map_err(Failure::input)?;
        let selection =
            Selection { condition: condition.as_ref(), references: &references, ..self.selection(output) };
        let document = diagnose(&properties, experiments, |one| repository.read(&one.id), selection)?;
        warnings.extend(document.warnings);
        warnings.iter().for_each(|damaged| remark(&format!("warning: {damaged}; it is skipped")));
        let document = Diagnosis { warnings, ..document };
        if let (Some(file), Some(property)) = (&self.output, &self.property) {
            return draw(&document, property, file, output);
        }
        output.document(&document, || match &self.property {
            Some(property) => text::diagnosis_of(&document, property, width()),
            None if self.undefined => text::undefined(&document, width()),
            None => text::diagnosis(&document, selection.above, self.top, width()),
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The part that is shown: by default all that there is of a property, or in a document.
    fn selection(&self, output: Output) -> Selection<'_> {
        let is_table = matches!(output.format, Format::Text) && self.property.is_none();
        let above = if is_table { 0.01 } else { 0.0 };
        Selection {
            references: &[],
            basis: self.basis.as_deref(),
            region: self.region.as_deref(),
            condition: None,
            property: self.property.as_deref(),
            above: if is_table && self.undefined { f64::INFINITY } else { self.above.unwrap_or(above) },
            worst: is_table,
        }
    }

    /// Refuses a property that is not known.
    fn check_name(&self, properties: &Properties) -> Result<(), Failure> {
        let Some(wanted) = &self.property else { return Ok(()) };
        if properties.names().any(|name| name == wanted) {
            return Ok(());
        }
        let fix = match nearest(wanted, properties.names()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", properties.names().collect::<Vec<_>>().join(", ")),
        };
        Err(Failure::Input(format!("there is no property `{wanted}`; {fix}")))
    }

    /// The experiments that are meant, with those that they are compared with.
    fn find(&self) -> Result<Found, Failure> {
        let (repository, rest) = Repository::around(&self.first)?;
        let listing = repository.list()?;
        let all = listing.experiments.clone();
        let Listing { mut experiments, damaged, .. } = if rest == Path::new("") {
            let filters: Result<Vec<Filter>, _> = self.others.iter().map(|other| other.parse()).collect();
            Filter::select_runs(&filters?, listing)?
        } else {
            let ids = self.named(&repository, &rest)?;
            let mut listing = listing;
            listing.experiments.retain(|one| ids.contains(&one.id));
            listing.damaged.retain(|one| ids.contains(&one.id));
            listing
        };
        let warnings = damaged.iter().map(ToString::to_string).collect();
        if experiments.is_empty() {
            return Err(Failure::Input(
                "there is no such experiment; `ats experiment list` shows all".to_owned(),
            ));
        }
        experiments.sort_by_key(|one| (one.run.ranks, one.run.threads, one.run.repeat));
        let references = add_references(&mut experiments, all);
        Ok(Found { repository, experiments, references, warnings })
    }

    /// The ids of experiments that are named by their folders; `first` is the path of the first in the repository.
    fn named(&self, repository: &Repository, first: &Path) -> Result<Vec<String>, Failure> {
        let mut ids = vec![repository.find(&first.to_string_lossy())?];
        for path in self.others.iter().map(Path::new) {
            let (other, rest) = Repository::around(path)?;
            if other != *repository {
                let what = format!("{} is in another repository; name experiments of one", path.display());
                return Err(Failure::Input(what));
            }
            ids.push(repository.find(&rest.to_string_lossy())?);
        }
        Ok(ids)
    }
}

/// Adds the runs that others are compared with, as far as they are not there, and returns their ids.
fn add_references(experiments: &mut Vec<Listed>, all: Vec<Listed>) -> Vec<String> {
    let places: BTreeSet<usize> = experiments.iter().filter_map(|one| one.reference(&all)).collect();
    let of_place = all.into_iter().enumerate().filter(|(at, _)| places.contains(at));
    let is_there = |one: &Listed| experiments.iter().any(|known| known.id == one.id);
    let missing: Vec<Listed> = of_place.map(|(_, one)| one).filter(|one| !is_there(one)).collect();
    let ids = missing.iter().map(|one| one.id.clone()).collect();
    experiments.extend(missing);
    ids
}

/// Writes the picture of a property.
fn draw(document: &Diagnosis, property: &str, file: &Path, output: Output) -> Result<ExitCode, Failure> {
    let Some(svg) = severities_svg(document, property) else {
        let what = format!(
            "there is nothing of {property} to draw: a drawing needs instances with data that are of single experiments"
        );
        return Err(Failure::Input(what));
    };
    write_file(file, &svg)?;
    output.written(vec![file.to_owned()])?;
    Ok(ExitCode::SUCCESS)
}
