//! A composition, resolved against the catalogue.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use ats_model::files::read_text;
use ats_model::lines::{Lines, Place};
use ats_props::{Arguments, Catalogue, Entry, Needs, Program};
use toml::Spanned;

use crate::document::{Document, GroupDocument, PhaseDocument, StepDocument, TeamDocument};
use crate::{CompositionError, Given, Ranks, region};

/// A program of several properties. All that its file says is checked, but for how large it is run; see
/// [`Composition::plan`].
#[derive(Clone, Debug)]
pub struct Composition {
    pub(crate) file: String,
    document: Document,
    phases: Vec<Phase>,
}

/// A part of a program that begins when the one before has ended.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Whether all ranks wait for each other before it, each time.
    pub align: bool,
    /// The number of times it is run.
    pub repeat: usize,
    /// Disjoint groups of ranks that run side by side.
    pub groups: Vec<Group>,
}

/// Ranks that run together: first its steps, one after the other, then its teams, side by side.
#[derive(Clone, Debug)]
pub struct Group {
    /// The ranks; `None` for all ranks of the world.
    pub ranks: Option<Ranks>,
    /// The steps that every rank runs.
    pub steps: Vec<Step>,
    /// The teams that every rank then divides its threads into: one parallel region, with a nested team for each of
    /// its threads.
    pub teams: Vec<Team>,
    pub(crate) place: Place,
}

/// Threads of one process that run properties of OpenMP beside other teams.
#[derive(Clone, Debug)]
pub struct Team {
    /// The number of its threads.
    pub threads: usize,
    /// The steps that they run.
    pub steps: Vec<Step>,
    pub(crate) place: Place,
}

/// A property, and how it is run.
#[derive(Clone, Debug)]
pub struct Step {
    /// The property or its twin.
    pub program: Program,
    /// Regions around it, from the outermost.
    pub regions: Vec<&'static str>,
    /// The number of times it is run, in each run of its phase.
    pub repeat: usize,
    /// The parameters given; the others have their defaults.
    pub parameters: BTreeMap<&'static str, Given>,
    /// One where nothing varies, else one for each run.
    arguments: Vec<Arguments>,
    pub(crate) place: Place,
}

impl Step {
    /// Whether a parameter of a run depends on a property of the MPI library that the ranks probe.
    pub fn is_probed(&self) -> bool {
        self.arguments.iter().any(Arguments::are_probed)
    }

    /// The arguments of a run, counted from 0 over all runs of its phase.
    pub fn arguments(&self, run: usize) -> &Arguments {
        &self.arguments[run.min(self.arguments.len() - 1)]
    }
}

impl Group {
    /// All its steps, those of its teams included.
    pub fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().chain(self.teams.iter().flat_map(|team| &team.steps))
    }
}

impl Composition {
    /// The value of the field `schema` of a file.
    pub const SCHEMA: &str = "ats-composition/1";
    /// The most ranks that fit OTF2's and our own numbers.
    pub const MOST_RANKS: usize = 1 << 24;
    /// The most threads that a process may have.
    pub const MOST_THREADS: usize = 1 << 12;

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a composition; the message names the place and what would be right.
    pub fn read(path: &Path, catalogue: &Catalogue) -> Result<Self, CompositionError> {
        let file = path.display().to_string();
        match read_text(path) {
            Ok(text) => Composition::parse(&text, &file, catalogue),
            Err(error) => Err(CompositionError { file, place: None, message: error.to_string() }),
        }
    }

    /// Reads a text; messages call it `file`.
    ///
    /// # Errors
    /// It is not a composition; the message names the place and what would be right.
    pub fn parse(text: &str, file: &str, catalogue: &Catalogue) -> Result<Self, CompositionError> {
        Reader { text, lines: Lines::new(text), file, catalogue }.composition()
    }

    /// The program's name.
    pub fn name(&self) -> &str {
        self.document.name.get_ref()
    }

    /// Its purpose, in words; may be empty.
    pub fn description(&self) -> &str {
        self.document.description.get_ref()
    }

    /// The number of ranks it is made for.
    pub fn ranks(&self) -> usize {
        *self.document.ranks.get_ref()
    }

    /// The number of threads of each.
    pub fn threads(&self) -> usize {
        *self.document.threads.get_ref()
    }

    /// Its phases, in order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// All steps of all phases.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.phases.iter().flat_map(|phase| &phase.groups).flat_map(Group::all_steps)
    }

    /// The same program with `change` made to each step: to its property, and to the arguments of each of its runs. As a
    /// document it stays what it was.
    pub(crate) fn changed(&self, change: &dyn Fn(&mut Program, &mut Arguments)) -> Self {
        let mut changed = self.clone();
        for group in changed.phases.iter_mut().flat_map(|phase| &mut phase.groups) {
            for step in group.steps.iter_mut().chain(group.teams.iter_mut().flat_map(|team| &mut team.steps))
            {
                let before = step.program;
                for arguments in &mut step.arguments {
                    step.program = before;
                    change(&mut step.program, arguments);
                }
            }
        }
        changed
    }

    /// The resources it runs on: those that any of its properties needs.
    pub fn needs(&self) -> Needs {
        let mut groups = self.phases.iter().flat_map(|phase| &phase.groups);
        let any = |needs: fn(Needs) -> bool| self.steps().any(|step| needs(step.program.property.needs));
        Needs {
            ranks: self.ranks() > 1 || groups.any(|group| group.ranks.is_some()) || any(|needs| needs.ranks),
            team: any(|needs| needs.team),
        }
    }

    /// It as a document of [`Composition::SCHEMA`].
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.document).expect("a document is plain data")
    }

    /// It as a file, without the comments of the one that it came from.
    pub fn to_toml(&self) -> String {
        to_toml(&self.document)
    }
}

pub(crate) fn to_toml(document: &Document) -> String {
    toml::to_string(document).expect("a document has nothing that TOML has not")
}

/// The most regions around a property: every one is a call inside another.
const MOST_REGIONS: usize = 100;

/// Control characters, and those that change the direction of the text around them: compilers refuse them, too.
fn is_deceptive(c: char) -> bool {
    let is_directional = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_directional || c.is_control() && c != '\t'
}

/// The most runs that may differ from one another.
const MOST_VARIED_RUNS: usize = 100_000;

/// Resolves a document against the catalogue.
struct Reader<'a> {
    text: &'a str,
    lines: Lines<'a>,
    file: &'a str,
    catalogue: &'a Catalogue,
}

type Result<T, E = CompositionError> = std::result::Result<T, E>;

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> Place {
        self.lines.place(span.start)
    }

    fn error(&self, span: Range<usize>, message: impl ToString) -> CompositionError {
        let place = Some(self.place(&span));
        CompositionError { file: self.file.to_owned(), place, message: message.to_string() }
    }

    fn composition(&self) -> Result<Composition> {
        let document: Document = toml::from_str(self.text)
            .map_err(|error| self.error(error.span().unwrap_or_default(), error.message()))?;
        let Document { schema, name, description, ranks, threads, phase } = &document;
        if schema.get_ref() != Composition::SCHEMA {
            let message = format!("the schema is `{}`; use \"{}\"", schema.get_ref(), Composition::SCHEMA);
            return Err(self.error(schema.span(), message));
        }
        region::identifier(name.get_ref()).map_err(|message| self.error(name.span(), message))?;
        if self.catalogue.program(name.get_ref()).is_ok() {
            let message = format!("`{}` is a property's name; choose another", name.get_ref());
            return Err(self.error(name.span(), message));
        }
        let mut letters = description.get_ref().lines().flat_map(str::chars);
        if let Some(c) = letters.find(|&c| is_deceptive(c)) {
            let message = format!(
                "the description contains the character U+{:04X}, which makes generated sources look different \
                 from what they are; remove it",
                u32::from(c)
            );
            return Err(self.error(description.span(), message));
        }
        for (number, most) in [(ranks, Composition::MOST_RANKS), (threads, Composition::MOST_THREADS)] {
            if self.positive(number)? > most {
                let message = format!("{} is too many; use {most} or fewer", number.get_ref());
                return Err(self.error(number.span(), message));
            }
        }
        if phase.is_empty() {
            return Err(self.error(0..0, "there is no phase; begin one with [[phase]]"));
        }
        let phases = phase.iter().map(|phase| self.phase(phase)).collect::<Result<_>>()?;
        Ok(Composition { file: self.file.to_owned(), phases, document })
    }

    fn positive(&self, number: &Spanned<usize>) -> Result<usize> {
        match *number.get_ref() {
            0 => Err(self.error(number.span(), "0 is too few; use 1 or more")),
            number => Ok(number),
        }
    }

    fn phase(&self, written: &Spanned<PhaseDocument>) -> Result<Phase> {
        let PhaseDocument { align, repeat, property, team, group } = written.get_ref();
        let repeat = self.positive(repeat)?;
        let all = || self.group(None, property, team, repeat, written.span());
        let groups = match (group.is_empty(), property.is_empty() && team.is_empty()) {
            (true, _) => vec![all()?],
            (false, true) => group.iter().map(|group| self.group_of(group, repeat)).collect::<Result<_>>()?,
            (false, false) => {
                let message =
                    "the phase has groups beside properties or teams; move these into a phase of their own";
                return Err(self.error(written.span(), message));
            }
        };
        Ok(Phase { align: *align, repeat, groups })
    }

    fn group_of(&self, written: &Spanned<GroupDocument>, repeat: usize) -> Result<Group> {
        let GroupDocument { ranks, property, team } = written.get_ref();
        let parsed = ranks.get_ref().parse().map_err(|message: String| self.error(ranks.span(), message))?;
        self.group(Some(parsed), property, team, repeat, ranks.span())
    }

    fn group(
        &self,
        ranks: Option<Ranks>,
        property: &[Spanned<StepDocument>],
        team: &[Spanned<TeamDocument>],
        repeat: usize,
        span: Range<usize>,
    ) -> Result<Group> {
        if property.is_empty() && team.is_empty() {
            return Err(self.error(span, "nothing is run here; add a property"));
        }
        let steps = property.iter().map(|step| self.step(step, repeat)).collect::<Result<_>>()?;
        let teams = team.iter().map(|team| self.team(team, repeat)).collect::<Result<_>>()?;
        Ok(Group { ranks, steps, teams, place: self.place(&span) })
    }

    fn team(&self, written: &Spanned<TeamDocument>, repeat: usize) -> Result<Team> {
        let TeamDocument { threads, property } = written.get_ref();
        let steps = property
            .iter()
            .map(|written| {
                let step = self.step(written, repeat)?;
                let property = step.program.property;
                if !property.needs.ranks {
                    return Ok(step);
                }
                let message = format!(
                    "{} is a property of {}; a team of threads runs properties of openmp",
                    property.name,
                    property.needs.paradigm()
                );
                Err(self.error(written.get_ref().name.span(), message))
            })
            .collect::<Result<_>>()?;
        Ok(Team { threads: self.positive(threads)?, steps, place: self.place(&threads.span()) })
    }

    fn step(&self, written: &Spanned<StepDocument>, phase_repeat: usize) -> Result<Step> {
        let StepDocument { name, balanced, repeat, regions, parameters } = written.get_ref();
        let mut program =
            self.catalogue.program(name.get_ref()).map_err(|error| self.error(name.span(), error))?;
        program.balanced |= balanced;
        if program.property.entry == Entry::Program {
            let message = format!(
                "{} initialises and finalizes MPI itself, so it cannot be part of another program; run it by itself",
                program.name()
            );
            return Err(self.error(name.span(), message));
        }
        let region = |written: &Spanned<String>| {
            region::name(written.get_ref()).map_err(|message| self.error(written.span(), message))
        };
        if let Some(further) = regions.get(MOST_REGIONS) {
            let message =
                format!("{} nested regions are too many; use {MOST_REGIONS} or fewer", regions.len());
            return Err(self.error(further.span(), message));
        }
        let regions = regions.iter().map(region).collect::<Result<_>>()?;
        let repeat = self.positive(repeat)?;
        let runs = repeat.saturating_mul(phase_repeat);
        let (parameters, arguments) = self.arguments(program, parameters, runs)?;
        Ok(Step { program, regions, repeat, parameters, arguments, place: self.place(&name.span()) })
    }

    /// The values given for each parameter, and the arguments of every run that differs.
    fn arguments(
        &self,
        program: Program,
        written: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
        runs: usize,
    ) -> Result<(BTreeMap<&'static str, Given>, Vec<Arguments>)> {
        let property = program.property;
        let mut given = Vec::new();
        for (name, value) in written {
            let parameter =
                property.parameter(name.get_ref()).map_err(|unknown| self.error(name.span(), unknown))?;
            let wrong = |message: String| self.error(value.span(), format!("{}: {message}", parameter.name));
            let parsed = Given::parse(value.get_ref(), &parameter.kind).map_err(wrong)?;
            parsed.fits(runs).map_err(wrong)?;
            if !parsed.is_constant() && runs > MOST_VARIED_RUNS {
                let message = format!("varies over {runs} runs; vary it over at most {MOST_VARIED_RUNS}");
                return Err(wrong(message));
            }
            given.push((parameter.name, parsed, value.span()));
        }
        let varies = given.iter().any(|(_, value, _)| !value.is_constant());
        let of_run = |run: usize| {
            given.iter().try_fold(property.defaults(), |arguments, (name, value, span)| {
                let wrong = |message: String| {
                    let run = if varies { format!(" in run {run}") } else { String::new() };
                    self.error(span.clone(), format!("{name}{run}: {message}"))
                };
                let value = value.of_run(run).and_then(|value| property.check_probe(&value).map(|()| value));
                Ok(arguments.with(name, value.map_err(wrong)?))
            })
        };
        let arguments = (0..if varies { runs } else { 1 }).map(of_run).collect::<Result<_>>()?;
        Ok((given.into_iter().map(|(name, value, _)| (name, value)).collect(), arguments))
    }
}
