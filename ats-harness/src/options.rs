//! The command line, derived from the property's catalogue entry.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use ats_mpi::{BaseComm, Datatype};
use ats_props::{Arguments, Needs, Property};
use ats_work::Kind;
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

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
    /// It does not fit, or help is asked for ([`help`]).
    pub(crate) fn parse(
        outline: &Outline,
        launcher: Option<Launcher>,
        command_line: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, Refusal> {
        let matches = command(outline).try_get_matches_from(command_line)?;
        let expected_ranks = match matches.get_one("np") {
            Some(&ranks) => Some(ranks),
            None => expected_ranks(env::var_os(EXPECTED_RANKS))?,
        };
        let Needs { ranks: mpi, team: has_team } = outline.needs;
        let asked = has_team.then(|| matches.get_one("threads").copied());
        let threads = match asked {
            Some(asked) => team::threads(outline, asked, launcher)?,
            None => 1,
        };
        let (arguments, balanced) = match outline.property {
            Some(property) => {
                let words = matches.get_many::<String>("arguments").into_iter().flatten();
                (property.arguments_of_words(words)?, matches.get_flag("balanced"))
            }
            None => (Arguments::default(), false),
        };
        let witness = matches.get_one("witness").cloned();
        Ok(Options {
            arguments,
            balanced,
            // What initialises MPI itself can do so once.
            warm_up: if outline.owns_mpi { 0 } else { value(&matches, "warmup") },
            visible: mpi && value::<String>(&matches, "harness") == "mpi",
            threads,
            work: matches.get_one("work").copied(),
            seed: value(&matches, "seed"),
            base_comm: if mpi { value(&matches, "base-comm") } else { BaseComm::default() },
            witness: witness
                .or_else(|| env::var_os(WITNESS).filter(|dir| !dir.is_empty()).map(PathBuf::from)),
            expected_ranks,
        })
    }

    /// Whether the eager limit has to be probed.
    pub(crate) fn needs_limit(&self, outline: &Outline) -> bool {
        outline.needs_limit || self.arguments.are_probed()
    }
}

/// The text to be printed if help was asked for, not an error.
pub(crate) fn help(refusal: &Refusal) -> Option<String> {
    match refusal {
        Refusal::CommandLine(error) if error.kind() == ErrorKind::DisplayHelp => Some(error.to_string()),
        _ => None,
    }
}

fn value<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> T {
    matches.get_one::<T>(name).expect("it has a default").clone()
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

fn command(outline: &Outline) -> Command {
    // Of an option that is given twice, the last counts.
    let command =
        Command::new(outline.name).args_override_self(true).about(outline.summary()).long_about(outline.doc);
    let command = match outline.property {
        Some(property) => command.after_help(parameters(property)).args(of_property()),
        None => command,
    };
    let command = command
        .arg(
            option("warmup", "N", "Repetitions of the balanced twin before the measured part")
                .value_parser(value_parser!(usize))
                .default_value("2"),
        )
        .arg(
            option(
                "work",
                "KIND",
                "spin, hybrid, yield, sleep, cpu, counted or none [default: spin if cores suffice, else hybrid]",
            )
            .value_parser(|text: &str| text.parse::<Kind>()),
        )
        .arg(
            option("seed", "N", "Seed of the random accesses that work makes")
                .value_parser(value_parser!(u64))
                .default_value("1"),
        )
        .arg(
            option("witness", "DIR", "Write one witness file per rank there [env: ATS_WITNESS]")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("np", "N", "How many ranks there have to be [env: ATS_EXPECTED_RANKS]")
                .value_parser(value_parser!(usize)),
        );
    let command = if outline.needs.ranks { command.args(of_mpi()) } else { command };
    if !outline.needs.team {
        return command;
    }
    command.arg(threads(match outline.threads {
        None => {
            "Threads of each process [env: OMP_NUM_THREADS] [default: its share of the cores, or what the property needs]"
        }
        Some(_) => "Threads of each process [default: what the program is made for]",
    }))
}

fn of_property() -> [Arg; 2] {
    [
        Arg::new("arguments").value_name("NAME=VALUE").num_args(0..).help("Parameters, see below"),
        Arg::new("balanced")
            .long("balanced")
            .action(ArgAction::SetTrue)
            .help("Measure the balanced twin, which has nothing to find"),
    ]
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn of_mpi() -> [Arg; 2] {
    [
        option("harness", "CALLS", "Align the ranks by calls that tools do not see (pmpi), or that they see")
            .value_parser(["pmpi", "mpi"])
            .default_value("pmpi"),
        option("base-comm", "TYPE:COUNT", "What messages consist of; TYPE is byte, int or double")
            .value_parser(base_comm)
            .default_value("int:1"),
    ]
}

fn threads(help: &'static str) -> Arg {
    option("threads", "N", help).value_parser(RangedU64ValueParser::<usize>::new().range(1..))
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

/// Elements of a message fit MPI's `int`.
fn base_comm(text: &str) -> Result<BaseComm, String> {
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
    Ok(BaseComm { datatype, count: usize::try_from(count).map_err(|_| wrong())? })
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
    fn what_is_not_given_has_its_default() {
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
    fn what_does_not_fit_is_named_with_what_would() {
        for (line, parts) in [
            (&["extrawrok=1"][..], ["extrawrok", "did you mean extrawork"]),
            (&["r=-1"], ["r:", "whole number"]),
            (&["r"], ["`r`", "name=value"]),
            (&["r=1", "r=2"], ["r is given", "twice"]),
            (&["--work", "hard"], ["hard", "hybrid"]),
            (&["--base-comm", "float:1"], ["float:1", "int:1"]),
            (&["--base-comm", "int:-1"], ["int:-1", "int:1"]),
            (&["--harness=open"], ["open", "pmpi"]),
            (&["--balance"], ["--balance", "--balanced"]),
        ] {
            let text = refused(line);
            assert!(parts.iter().all(|part| text.contains(part)), "{line:?}: {text}");
        }
    }

    #[test]
    fn help_lists_the_parameters() {
        let refusal = parse(&["--help"]).unwrap_err();
        let text = help(&refusal).unwrap();
        for part in
            ["basework=0.01 s", "Extra work of the senders", "r=10", "Count: a whole number", "--witness"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(help(&parse(&["--balance"]).unwrap_err()), None);
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
