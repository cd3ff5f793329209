//! The command line, derived from the property's catalogue entry.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use ats_model::mistakes::nearest;
use ats_mpi::{BaseComm, Datatype};
use ats_props::{Arguments, Property};
use ats_work::Kind;
use lexopt::{Arg, Parser};

use crate::Outline;
use crate::launcher::Launcher;
use crate::refusal::Refusal;
use crate::team;

const EXPECTED_RANKS: &str = "ATS_EXPECTED_RANKS";
const WITNESS: &str = "ATS_WITNESS";

/// Options from the command line and the environment.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) arguments: Arguments,
    pub(crate) balanced: bool,
    /// Repetitions of the twin.
    pub(crate) warm_up: usize,
    /// Align by MPI calls that tools see.
    pub(crate) visible: bool,
    /// Of each process.
    pub(crate) threads: usize,
    /// None: by the number of ranks, threads and cores.
    pub(crate) work: Option<Kind>,
    pub(crate) seed: u64,
    pub(crate) base_comm: BaseComm,
    pub(crate) witness: Option<PathBuf>,
    pub(crate) expected_ranks: Option<usize>,
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    /// It does not fit, or help is asked for ([`Refusal::Help`]).
    pub(crate) fn parse(
        outline: &Outline,
        launcher: Option<Launcher>,
        command_line: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, Refusal> {
        let line = Line::read(outline, command_line)?;
        let expected_ranks = match line.value("np")? {
            Some(ranks) => Some(ranks),
            None => expected_ranks(env::var_os(EXPECTED_RANKS))?,
        };
        let asked = line.value("threads")?.map(NonZeroUsize::get);
        let threads = if outline.needs.team { team::threads(outline, asked, launcher)? } else { 1 };
        let arguments = match outline.property {
            Some(property) => property.arguments_of_words(&line.words)?,
            None => Arguments::default(),
        };
        let witness = line.values.get("witness").cloned().or_else(|| env::var_os(WITNESS));
        Ok(Options {
            arguments,
            balanced: line.balanced,
            // What initialises MPI itself can do so once.
            warm_up: if outline.owns_mpi { 0 } else { line.value("warmup")?.unwrap_or(2) },
            visible: line.value("harness")? == Some(Calls::Mpi),
            threads,
            work: line.value("work")?,
            seed: line.value("seed")?.unwrap_or(1),
            base_comm: line.value("base-comm")?.map(|Elements(all)| all).unwrap_or_default(),
            witness: witness.filter(|dir| !dir.is_empty()).map(PathBuf::from),
            expected_ranks,
        })
    }

    /// Whether the eager limit has to be probed.
    pub(crate) fn needs_limit(&self, outline: &Outline) -> bool {
        outline.needs_limit || self.arguments.are_probed()
    }
}

fn expected_ranks(given: Option<OsString>) -> Result<Option<usize>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    match given.to_str().map(str::parse) {
        Some(Ok(ranks)) => Ok(Some(ranks)),
        _ => Err(Refusal::Variable {
            name: EXPECTED_RANKS,
            value: given.to_string_lossy().into_owned(),
            expected: "a number of ranks",
        }),
    }
}

/// A command line, by option. Of an option that is given twice, the last counts.
#[derive(Default)]
struct Line {
    values: BTreeMap<&'static str, OsString>,
    balanced: bool,
    words: Vec<String>,
}

impl Line {
    fn read(outline: &Outline, command_line: impl IntoIterator<Item = OsString>) -> Result<Self, Refusal> {
        let options = options(outline);
        let has_property = outline.property.is_some();
        let wrong = |what: String| {
            Refusal::CommandLine(format!("{what}; `{} --help` shows all options", outline.name))
        };
        let mut line = Line::default();
        let mut parser = Parser::from_iter(command_line);
        while let Some(argument) = parser.next().map_err(|error| wrong(error.to_string()))? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Err(Refusal::Help(help(outline, &options))),
                Arg::Long(BALANCED) if has_property => line.balanced = true,
                Arg::Value(word) if has_property => line.words.push(word.to_string_lossy().into_owned()),
                Arg::Long(name) => {
                    let Some(option) = options.iter().find(|option| option.name == name) else {
                        let names =
                            options.iter().map(|option| option.name).chain(has_property.then_some(BALANCED));
                        let question = nearest(name, names).map(|near| format!("; did you mean --{near}?"));
                        return Err(wrong(format!(
                            "there is no option --{name}{}",
                            question.unwrap_or_default()
                        )));
                    };
                    let value = parser.value().map_err(|error| wrong(error.to_string()))?;
                    line.values.insert(option.name, value);
                }
                other => return Err(wrong(other.unexpected().to_string())),
            }
        }
        Ok(line)
    }

    fn value<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let Some(value) = self.values.get(name).map(|value| value.to_string_lossy()) else { return Ok(None) };
        let value =
            value.parse().map_err(|error| Refusal::CommandLine(format!("--{name} is `{value}`: {error}")))?;
        Ok(Some(value))
    }
}

/// An option with a value.
struct Choice {
    name: &'static str,
    value: &'static str,
    help: &'static str,
}

const BALANCED: &str = "balanced";

fn options(outline: &Outline) -> Vec<Choice> {
    let option = |name, value, help| Choice { name, value, help };
    let mut options = vec![
        option("warmup", "N", "Repetitions of the balanced twin before the measured part [default: 2]"),
        option(
            "work",
            "KIND",
            "spin, hybrid, yield, sleep, cpu, counted or none [default: spin if cores suffice, else hybrid]",
        ),
        option("seed", "N", "Seed of the random accesses that work makes [default: 1]"),
        option("witness", "DIR", "Write one witness file per rank there [env: ATS_WITNESS]"),
        option("np", "N", "How many ranks there have to be [env: ATS_EXPECTED_RANKS]"),
    ];
    if outline.needs.ranks {
        let calls =
            "Align the ranks by calls that tools do not see (pmpi), or that they see (mpi) [default: pmpi]";
        let elements = "What messages consist of; TYPE is byte, int or double [default: int:1]";
        options.extend([option("harness", "CALLS", calls), option("base-comm", "TYPE:COUNT", elements)]);
    }
    if outline.needs.team {
        let help = match outline.threads {
            None => {
                "Threads of each process [env: OMP_NUM_THREADS] [default: its share of the cores, or what the property needs]"
            }
            Some(_) => "Threads of each process [default: what the program is made for]",
        };
        options.push(option("threads", "N", help));
    }
    options
}

fn help(outline: &Outline, options: &[Choice]) -> String {
    let Outline { name, doc, property, .. } = outline;
    let (words, own) = match property {
        Some(_) => (
            " [NAME=VALUE]...",
            "  [NAME=VALUE]...\n          Parameters, see below\n      --balanced\n          \
             Measure the balanced twin, which has nothing to find\n",
        ),
        None => ("", ""),
    };
    let line =
        |Choice { name, value, help }: &Choice| format!("      --{name} <{value}>\n          {help}\n");
    let options: String = options.iter().map(line).collect();
    let parameters = property.map(parameters).unwrap_or_default();
    format!(
        "{doc}\n\nUsage: {name} [OPTIONS]{words}\n\nOptions:\n{own}{options}  -h, --help\n          Print help\n\n{parameters}\n"
    )
}

/// The calls that align the ranks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    Pmpi,
    Mpi,
}

impl FromStr for Calls {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pmpi" => Ok(Calls::Pmpi),
            "mpi" => Ok(Calls::Mpi),
            _ => Err("give pmpi or mpi"),
        }
    }
}

/// The elements of messages, which fit MPI's `int`.
struct Elements(BaseComm);

impl FromStr for Elements {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong =
            || format!("give a type and a count, as int:1 or double:1024; a count is at most {}", i32::MAX);
        let (datatype, count) = text.split_once(':').ok_or_else(wrong)?;
        let datatype = match datatype {
            "byte" => Datatype::Byte,
            "int" => Datatype::Int,
            "double" => Datatype::Double,
            _ => return Err(wrong()),
        };
        let count: i32 = count.parse().map_err(|_| wrong())?;
        Ok(Elements(BaseComm { datatype, count: usize::try_from(count).map_err(|_| wrong())? }))
    }
}

/// The property's parameters, as a part of the help.
fn parameters(property: &Property) -> String {
    let mut text = String::from("Parameters:\n");
    for parameter in property.parameters {
        let unit =
            if parameter.kind.unit.is_empty() { String::new() } else { format!(" {}", parameter.kind.unit) };
        let (name, default) = (parameter.name, (parameter.default)());
        let doc = parameter.doc.replace('\n', " ");
        text += &format!(
            "  {name}={default}{unit}\n          {doc} {}: {}\n",
            capital(parameter.kind.name),
            parameter.kind.range
        );
    }
    text + &format!("\n{}", property.finds.sentences().join("\n"))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_props::Seconds;
    use ats_props::mpi::messages::late_sender::PROPERTY;

    fn parse(line: &[&str]) -> Result<Options, Refusal> {
        let program = std::iter::once("late_sender");
        Options::parse(
            &Outline::from(&PROPERTY),
            None,
            program.chain(line.iter().copied()).map(OsString::from),
        )
    }

    fn refused(line: &[&str]) -> String {
        let refusal = parse(line).unwrap_err();
        assert_eq!(refusal.exit_code(), 2);
        refusal.to_string()
    }

    #[test]
    fn omitted_options_have_their_defaults() {
        let options = parse(&["extrawork=7ms", "--work", "sleep"]).unwrap();
        assert_eq!(options.arguments.get::<Seconds>("extrawork"), Seconds(0.007));
        assert_eq!(options.arguments.get::<usize>("r"), 10);
        assert_eq!(options.work, Some(Kind::Sleep));
        assert_eq!((options.warm_up, options.seed, options.expected_ranks), (2, 1, None));
        assert!(!options.balanced && !options.visible);
        assert_eq!(options.base_comm, BaseComm::default());
    }

    #[test]
    fn options_and_parameters_in_any_order() {
        let line = [
            "--np=4",
            "r=3",
            "--base-comm",
            "double:8",
            "--balanced",
            "--harness=mpi",
            "basework=1",
            "--warmup=0",
        ];
        let options = parse(&line).unwrap();
        assert_eq!(options.arguments.get::<usize>("r"), 3);
        assert_eq!(options.base_comm, BaseComm { datatype: Datatype::Double, count: 8 });
        assert_eq!((options.warm_up, options.expected_ranks), (0, Some(4)));
        assert!(options.balanced && options.visible);
    }

    #[test]
    fn wrong_values_are_named_with_the_accepted_ones() {
        for (line, parts) in [
            (&["extrawrok=1"][..], ["extrawrok", "did you mean extrawork"]),
            (&["r=-1"], ["r:", "whole number"]),
            (&["r"], ["`r`", "name=value"]),
            (&["r=1", "r=2"], ["r is given", "twice"]),
            (&["--work", "hard"], ["hard", "hybrid"]),
            (&["--base-comm", "float:1"], ["float:1", "int:1"]),
            (&["--base-comm", "int:-1"], ["int:-1", "int:1"]),
            (&["--harness=open"], ["open", "pmpi"]),
            (&["--balance"], ["--balance;", "did you mean --balanced?"]),
            (&["--warmup", "-1"], ["--warmup is `-1`", "digit"]),
            (&["--np"], ["--np", "late_sender --help"]),
            (&["-n", "4"], ["-n", "late_sender --help"]),
        ] {
            let text = refused(line);
            assert!(parts.iter().all(|part| text.contains(part)), "{line:?}: {text}");
        }
    }

    #[test]
    fn help_lists_the_parameters() {
        let Refusal::Help(text) = parse(&["--help"]).unwrap_err() else { panic!("help is asked for") };
        for part in
            ["basework=0.01 s", "Extra work of the senders", "r=10", "Count: a whole number", "--witness"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn each_paradigm_has_its_options() {
        let refused = |property, line: &[&str]| {
            let line = std::iter::once(&"program").chain(line).map(OsString::from);
            Options::parse(&Outline::from(property), None, line).err().map(|refusal| refusal.to_string())
        };
        let openmp = &ats_props::openmp::imbalance_at_omp_barrier::PROPERTY;
        let hybrid = &ats_props::hybrid::late_sender_hybrid::PROPERTY;
        let (threads, base_comm) = (["--threads=3"], ["--base-comm=int:2"]);
        assert_eq!(
            [refused(openmp, &threads), refused(hybrid, &threads), refused(hybrid, &base_comm)],
            [const { None }; 3]
        );
        assert!(refused(&PROPERTY, &threads).is_some_and(|text| text.contains("--threads")));
        assert!(refused(openmp, &base_comm).is_some_and(|text| text.contains("--base-comm")));
        assert!(refused(openmp, &["--threads=0"]).is_some_and(|text| text.contains("--threads")));
    }

    #[test]
    fn an_unusable_variable_is_named() {
        assert_eq!(expected_ranks(Some("8".into())).unwrap(), Some(8));
        let error = expected_ranks(Some("eight".into())).unwrap_err().to_string();
        assert_eq!(error, "$ATS_EXPECTED_RANKS is `eight`; it has to be a number of ranks");
    }
}
