//! Layout of `ats --help`: commands in groups, and the common options only there.

use clap::builder::styling::Styles;
use clap::{Arg, Command};

/// Headings of the groups, and the commands below each, in the order of help, man pages and completions.
pub(crate) const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Programs with known performance problems",
        &["list", "show", "reference", "truth", "trace", "compose", "generate", "run"],
    ),
    (
        "Traces and profiles",
        &[
            "record",
            "analyze",
            "explain",
            "compare",
            "profile",
            "draw",
            "export",
            "experiment",
            "diagnose",
            "overheads",
            "efficiency",
            "memory",
            "model",
            "predict",
            "what-if",
        ],
    ),
    ("Evaluation of tools", &["validate", "score", "scoreboard", "report", "template", "convert"]),
    ("Installation and reference", &["doctor", "install", "calibrate", "schema", "man", "completions"]),
];

/// The last line of the last group; clap adds this command itself.
const HELP: (&str, &str) = ("help", "Print the help of a command");

/// Section of each command's help that stands for the common options.
const COMMON: &str = "Common options:\n  --format, --color, --quiet: see `ats --help`";

/// The command with its groups in place of clap's list of commands, and the common options only at the top.
pub(crate) fn arranged(command: Command) -> Command {
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n{}\n{{options}}{{after-help}}",
        groups(&command, &Styles::styled()),
        heading("Options", &Styles::styled()),
    );
    let common: Vec<Arg> = command.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    command.help_template(template).mut_subcommands(|verb| without_common(verb, &common))
}

/// Hides common options in the help of a command and of its subcommands, and refers to them.
fn without_common(command: Command, common: &[Arg]) -> Command {
    let after = command.get_after_help().map(|text| format!("\n\n{text}")).unwrap_or_default();
    let command = command.after_help(format!("{COMMON}{after}"));
    let command = common.iter().fold(command, |command, arg| command.arg(arg.clone().hide(true)));
    command.mut_subcommands(|verb| without_common(verb, common))
}

/// The groups of a command as text: a block for each, with a line for each command.
pub(crate) fn groups(command: &Command, styles: &Styles) -> String {
    let about = |name: &str| {
        let verb = command.find_subcommand(name).and_then(Command::get_about);
        verb.map(ToString::to_string).unwrap_or_default()
    };
    let longest =
        GROUPS.iter().flat_map(|(_, verbs)| *verbs).map(|name| name.len()).max().unwrap_or_default();
    let style = styles.get_literal();
    let line = |name: &str, about: &str| format!("  {style}{name:longest$}{style:#}  {about}\n");
    let block = |(title, verbs): &(&str, &[&str])| {
        let lines: String = verbs.iter().map(|name| line(name, &about(name))).collect();
        format!("{}\n{lines}", heading(title, styles))
    };
    format!("{}{}", GROUPS.iter().map(block).collect::<Vec<_>>().join("\n"), line(HELP.0, HELP.1))
}

fn heading(title: &str, styles: &Styles) -> String {
    let style = styles.get_header();
    format!("{style}{title}:{style:#}")
}
