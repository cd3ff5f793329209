//! A scoreboard as Markdown.

use ats_documents::Scoreboard;
use ats_documents::score::{Grade, Interval, Rates};
use ats_documents::scoreboard::{Cell, Entrant, JudgedCauses, LeftOut, Row, Standing};

use crate::markdown::{code, table};
use crate::words;

/// The width of prose, in characters.
const COLUMNS: usize = 100;

/// The text for unknown values.
const NOT_MEASURED: &str = "not measured";

/// A scoreboard as Markdown (GitHub's): the tools, the judgement of each on every program, the causes, and the omitted
/// programs. `source` is the command that makes it.
///
/// ```
/// # use ats_documents::Scoreboard;
/// # let (scores, rows, left_out) = (Vec::new(), Vec::new(), Vec::new());
/// let board = Scoreboard { schema: Scoreboard::SCHEMA.to_owned(), scores, rows, left_out };
/// assert!(ats_presentation::scoreboard(&board, "ats scoreboard scores").starts_with("# Scoreboard\n"));
/// ```
pub fn scoreboard(board: &Scoreboard, source: &str) -> String {
    let mut text = String::from("# Scoreboard\n\n");
    text += &wrapped(
        "",
        &format!(
            "What performance tools said of programs whose waits are known, and why, where that is not as it should be. Made by \
             `{source}`; what the words mean says [tools.md](tools.md#how-it-is-judged)."
        ),
    );
    text += "\n## The tools\n\n";
    text += &tools(&board.scores);
    text += "\n";
    text += &wrapped(
        "",
        "*Support* is the share of questions that a tool could answer; *failed* are programs of which there is no report, \
         and *run time* is that under the tool, as a multiple of that without it: *not measured*, where of its programs only \
         the runs under it were kept. In parentheses are Wilson's 95 % intervals. *Root causes* of waits are counted by \
         metric and call path: right ones of those judged, \
         which the other columns do not count; a dash says that none were reported or judged. A tool without precision and \
         recall names no wait states: its silence means nothing, and it is held to \
         consistency.",
    );
    let options: Vec<String> = board.scores.iter().flat_map(options).collect();
    if !options.is_empty() {
        text += "\nHow they were run:\n\n";
        text += &options.concat();
    }
    let mut causes = Causes::default();
    let rows: Vec<Vec<String>> = board.rows.iter().map(|row| line(row, board, &mut causes)).collect();
    text += "\n## What they said\n\n";
    let names = board.scores.iter().map(|score| code(&score.name));
    let header: Vec<String> =
        ["program", "size", "what it shows", "where"].map(str::to_owned).into_iter().chain(names).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    text += &table(&header, &vec![false; header.len()], rows);
    text += "\n";
    text += &wrapped(
        "",
        "Sizes are ranks × threads. A dash says that nothing was measured: the program was not run under the tool, or the tool was \
         not asked. Numbers lead to the causes.",
    );
    if !causes.0.is_empty() {
        text += "\n## Causes\n\n";
        for (at, cause) in causes.0.iter().enumerate() {
            text += &wrapped(&format!("{}. ", at + 1), &plain(cause));
        }
    }
    if !board.left_out.is_empty() {
        text += "\n## Left out\n\n";
        for LeftOut { what, why } in &board.left_out {
            text += &wrapped("- ", &format!("{}: {}", plain(what), plain(why)));
        }
    }
    text
}

fn tools(scores: &[Entrant]) -> String {
    let header = [
        "",
        "tool",
        "version",
        "programs",
        "support",
        "found",
        "wrong",
        "missed",
        "consistent",
        "inconsistent",
        "unsupported",
        "failed",
        "false alarms",
        "false seconds",
        "precision",
        "recall",
        "root causes",
        "run time",
    ];
    let right = header.map(|name| !["", "tool", "version"].contains(&name));
    let row = |score: &Entrant| {
        let Entrant { name, tool, version, totals, causes, .. } = score;
        let cost = totals.intrusiveness.map(|cost| format!("× {:.3}", cost.wall_time));
        let of_waits = |value: String| if score.diagnoses { value } else { "–".to_owned() };
        let found = totals.by_grade.get(&Grade::Amount);
        let rate = |rate: Option<f64>, interval: fn(&Rates) -> Option<Interval>| {
            let interval = found.and_then(interval);
            let bounds = interval.map(|Interval { low, high }| format!(" ({low:.3} to {high:.3})"));
            of_waits(words::rate(rate) + &bounds.unwrap_or_default())
        };
        vec![
            code(name),
            plain(tool),
            plain(version.as_deref().unwrap_or(NOT_MEASURED)),
            score.programs.to_string(),
            words::rate(totals.support_rate),
            totals.found.to_string(),
            totals.wrong.to_string(),
            totals.missed.to_string(),
            totals.consistent.to_string(),
            totals.inconsistent.to_string(),
            totals.unsupported.to_string(),
            totals.failed.to_string(),
            of_waits(totals.false_alarms.to_string()),
            of_waits(format!("{:.4}", totals.false_seconds)),
            rate(totals.precision, |found| found.precision_interval),
            rate(totals.recall, |found| found.recall_interval),
            causes.as_ref().map_or_else(|| "–".to_owned(), JudgedCauses::in_words),
            cost.unwrap_or_else(|| NOT_MEASURED.to_owned()),
        ]
    };
    table(&header, &right, scores.iter().map(row))
}

fn options(score: &Entrant) -> Option<String> {
    if score.options.is_empty() {
        return None;
    }
    let options: Vec<String> = score.options.iter().map(|option| plain(option)).collect();
    Some(wrapped("- ", &format!("{}: {}", code(&score.name), options.join("; "))))
}

/// Every cause once, in the order of appearance.
#[derive(Default)]
struct Causes<'a>(Vec<&'a str>);

impl<'a> Causes<'a> {
    fn number(&mut self, cause: &'a str) -> usize {
        let at = self.0.iter().position(|known| *known == cause).unwrap_or_else(|| {
            self.0.push(cause);
            self.0.len() - 1
        });
        at + 1
    }
}

fn line<'a>(row: &'a Row, board: &Scoreboard, causes: &mut Causes<'a>) -> Vec<String> {
    let is_of_it =
        |one: &Row| (&one.program, one.ranks, one.threads) == (&row.program, row.ranks, row.threads);
    let is_wait = |one: &Row| one.property.as_deref().is_some_and(|property| property != Row::CAUSES);
    let shows_more = board.rows.iter().any(|one| is_of_it(one) && is_wait(one));
    let nothing = if shows_more { "nothing else" } else { "nothing" };
    let what = match row.property.as_deref() {
        None => nothing.to_owned(),
        Some(Row::CAUSES) => "root causes".to_owned(),
        Some(property) => code(property),
    };
    let path: Vec<&str> =
        row.call_path.iter().map(String::as_str).filter(|one| *one != row.program).collect();
    let place = if path.is_empty() { String::new() } else { code(&path.join("/")) };
    let cells = row
        .cells
        .iter()
        .map(|cell| cell.as_ref().map_or_else(|| "–".to_owned(), |cell| cell_text(cell, causes)));
    [code(&row.program), words::size(row.ranks, row.threads), what, place].into_iter().chain(cells).collect()
}

fn cell_text<'a>(cell: &'a Cell, causes: &mut Causes<'a>) -> String {
    let cause = cell
        .cause
        .as_deref()
        .map_or_else(String::new, |cause| format!(" [{}](#causes)", causes.number(cause)));
    match cell.standing {
        Standing::Right => cell.verdict.clone(),
        Standing::NotAsked => "–".to_owned(),
        Standing::Otherwise => format!("**{}**{cause}", cell.verdict),
    }
}

/// Prose in lines of a readable length, after the marker of a list item.
fn wrapped(item: &str, prose: &str) -> String {
    let indent = " ".repeat(item.len());
    let (mut text, mut line) = (String::new(), item.to_owned());
    for (at, word) in prose.split_whitespace().enumerate() {
        if at > 0 && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            text = text + &line + "\n";
            line = format!("{indent}{word}");
        } else {
            line = line + if at > 0 { " " } else { "" } + word;
        }
    }
    text + &line + "\n"
}

/// A sentence that Markdown shows as it is; a `_` within a word means nothing to it.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let is_within = before.is_alphanumeric() && letters.peek().is_some_and(|next| next.is_alphanumeric());
        match letter {
            '<' => plain += "&lt;",
            '\\' | '`' | '*' | '[' | ']' | '|' => plain.extend(['\\', letter]),
            '_' if !is_within => plain += "\\_",
            _ if letter.is_whitespace() => plain.push(' '),
            _ => plain.push(letter),
        }
        before = letter;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_lines_of_a_readable_length() {
        assert_eq!(wrapped("- ", "one two"), "- one two\n");
        let long = wrapped("- ", &"seven77 ".repeat(30));
        assert!(long.lines().count() == 3 && long.lines().all(|line| line.len() <= COLUMNS), "{long}");
        assert!(long.lines().skip(1).all(|line| line.starts_with("  seven77")), "{long}");
    }

    #[test]
    fn a_sentence_is_shown_as_it_is() {
        assert_eq!(
            plain("MPI_Recv of a_b, _x_ <b> a|b [c](d) *e* `f`\n"),
            "MPI_Recv of a_b, \\_x\\_ &lt;b> a\\|b \\[c\\](d) \\*e\\* \\`f\\` "
        );
    }
}
