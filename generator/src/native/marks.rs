//! Marks around the constructs of a C source, so that its threads leave a witness.
//!
//! A pragma leaves no time stamps. So each construct is given calls of `libats` before and after it, and at the beginning
//! and end of what a thread executes inside (`crates/capi/src/openmp/marks.rs`). A source is read no further than that
//! takes: where a statement ends ([`reader`]), and which pragmas, locks and calls of MPI it has. Directives that have no
//! marks yet stay as they are.

mod pragma;
mod reader;
#[cfg(test)]
mod tests;

use ats_model::mpi::{Function, Kind, Waiting};
use ats_model::openmp::Construct;

use super::layout::pad;
use pragma::Pragma;
use reader::{blank_end, has_word, is_word, matching, statement_end, token_end, word};

/// The source with marks around its constructs.
pub(crate) fn marked(source: &str) -> String {
    Marker::default().statements(source, ';')
}

/// The numbers of what a source had up to the place that is read.
#[derive(Default)]
struct Marker {
    teams: usize,
    tasks: usize,
    /// The sections of each construct around that place.
    sections: Vec<usize>,
}

/// Statements to be put around a directive, and inside the statement that it is about.
#[derive(Default)]
struct Marks {
    before: String,
    begin: String,
    end: String,
    after: String,
}

impl Marks {
    /// Those of a construct that is entered by this function.
    fn for_construct(construct: Construct, enter: &str) -> Self {
        let before = format!("{enter}(\"{}\");", construct.region());
        Marks { before, after: "ats_leave_construct();".to_owned(), ..Marks::default() }
    }

    /// With marks of a part, which is begun like this.
    fn with_part(self, begin: &str) -> Self {
        Marks { begin: begin.to_owned(), end: "ats_end_part();".to_owned(), ..self }
    }
}

impl Marker {
    /// A piece of a source, with marks; `last` is the last character before it that is neither blank nor in a comment.
    fn statements(&mut self, text: &str, mut last: char) -> String {
        let mut marked = String::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let is_line = at == 0 || text[..at].ends_with('\n');
            if let Some(pragma) = is_line.then(|| Pragma::parse(rest)).flatten() {
                let (replaced, length) = self.directive(&pragma, rest, last);
                marked += &replaced;
                (at, last) = (at + length, ';');
                continue;
            }
            if let Some((replaced, length)) = call(rest, last).filter(|_| !text[..at].ends_with(is_word)) {
                marked += &replaced;
                (at, last) = (at + length, ';');
                continue;
            }
            let end = token_end(rest);
            let token = &rest[..end];
            marked += token;
            at += end;
            last = match token {
                // What follows is a statement of theirs.
                "else" | "do" => ')',
                token if token.starts_with("/*") || token.starts_with("//") => last,
                token => token.trim_end().chars().last().unwrap_or(last),
            };
        }
        marked
    }

    /// A directive at the beginning of `text` and the statement that it is about, with marks; and their length.
    fn directive(&mut self, pragma: &Pragma<'_>, text: &str, last: char) -> (String, usize) {
        let as_it_is = (pragma.text.to_owned(), pragma.text.len());
        let Some(Directive { marks, what }) = self.marks(pragma, text) else { return as_it_is };
        let indent = pragma.indent;
        let (statement, length) = match what {
            What::Nothing => (String::new(), pragma.text.len()),
            what => {
                let Some(end) = statement_end(text, pragma.text.len()) else { return as_it_is };
                let statement = text[pragma.text.len()..end].trim_start();
                let of_loop = if what == What::Loop { matching(statement).unwrap_or_default() } else { 0 };
                let (head, body) = statement.split_at(of_loop);
                let inside = match (what, marks.begin.is_empty()) {
                    (What::Sections, _) => {
                        self.sections.push(0);
                        let inside = self.statements(body, ';');
                        self.sections.pop();
                        inside
                    }
                    (_, true) => self.statements(body, ';'),
                    (_, false) => self.inside(body, indent, &marks),
                };
                let space = if head.is_empty() { "" } else { " " };
                (format!("\n{indent}{head}{space}{}", inside.trim_start()), end)
            }
        };
        let line = |mark: &str| if mark.is_empty() { String::new() } else { format!("{indent}{mark}\n") };
        let (before, after) = (line(&marks.before), line(&marks.after));
        let all = format!("{before}{}{statement}\n{after}", pragma.text);
        let all = all.trim_end_matches('\n');
        let is_alone = matches!(last, ')' | ':');
        if is_alone && !(marks.before.is_empty() && marks.after.is_empty()) {
            return (format!("{indent}{{\n{}\n{indent}}}", indented(all)), length);
        }
        (all.to_owned(), length)
    }

    /// A statement as a block with marks at its beginning and end.
    fn inside(&mut self, body: &str, indent: &str, Marks { begin, end, .. }: &Marks) -> String {
        let deeper = format!("{indent}{}", pad(1));
        let body = body.trim_start();
        // A `continue` would skip the mark at the end.
        let body = if has_word(body, "continue") { format!("do {body} while (0);") } else { body.to_owned() };
        let content = match body.strip_prefix('{').and_then(|body| body.strip_suffix('}')) {
            Some(inside) if inside.contains('\n') => {
                self.statements(inside, '{').trim_matches('\n').trim_end().to_owned()
            }
            Some(inside) => format!("{deeper}{}", self.statements(inside, '{').trim()),
            None => indented(&format!("{indent}{}", self.statements(&body, ';').trim_start())),
        };
        format!("{{\n{deeper}{begin}\n{content}\n{deeper}{end}\n{indent}}}")
    }

    /// The marks of a directive; `None` if it has none.
    fn marks(&mut self, pragma: &Pragma<'_>, text: &str) -> Option<Directive> {
        let directive = |marks: Marks, what: What| Some(Directive { marks, what });
        let enter = if pragma.has("nowait") { "ats_enter_construct" } else { "ats_enter_worksharing" };
        let variable = || variable(text[pragma.text.len()..].trim_start());
        match (pragma.word(0)?, pragma.word(1)) {
            ("parallel", Some("for")) => {
                let variable = variable()?;
                let team = self.team();
                let marks = Marks {
                    begin: format!("ats_begin_combined({team}, {variable});"),
                    end: "ats_end_combined();".to_owned(),
                    ..Marks::of_team(&team)
                };
                directive(marks, What::Loop)
            }
            ("parallel", Some("sections" | "master" | "masked" | "loop" | "workshare")) => None,
            ("parallel", _) => {
                let team = self.team();
                let begin = format!("ats_begin_member({team});");
                let marks = Marks { begin, end: "ats_end_member();".to_owned(), ..Marks::of_team(&team) };
                directive(marks, What::Statement)
            }
            ("for", _) => {
                let part = format!("ats_begin_part({});", variable()?);
                directive(Marks::for_construct(Construct::For, enter).with_part(&part), What::Loop)
            }
            ("sections", _) => directive(Marks::for_construct(Construct::Sections, enter), What::Sections),
            ("section", _) => {
                let number = self.sections.last_mut()?;
                *number += 1;
                let part = format!("ats_begin_part({});", *number - 1);
                directive(Marks::default().with_part(&part), What::Statement)
            }
            ("single", _) => directive(
                Marks::for_construct(Construct::Single, enter).with_part("ats_begin_part(1);"),
                What::Statement,
            ),
            ("master" | "masked", _) => {
                let Marks { before: begin, after: end, .. } =
                    Marks::for_construct(Construct::Master, "ats_enter_construct");
                directive(Marks { begin, end, ..Marks::default() }, What::Statement)
            }
            ("critical", name) => {
                let part = format!("ats_begin_critical(\"{}\");", name.unwrap_or_default());
                let marks = Marks::for_construct(Construct::Critical, "ats_enter_construct").with_part(&part);
                directive(marks, What::Statement)
            }
            ("ordered", None) => {
                let marks = Marks::for_construct(Construct::Ordered, "ats_enter_construct");
                directive(marks.with_part("ats_begin_part(0);"), What::Statement)
            }
            ("task", _) => {
                self.tasks += 1;
                let task = format!("ats_task_{}", self.tasks);
                let marks = Marks {
                    before: format!("const int {task} = ats_create_task();"),
                    begin: format!("ats_begin_task({task});"),
                    end: "ats_end_task();".to_owned(),
                    after: "ats_leave_construct();".to_owned(),
                };
                directive(marks, What::Statement)
            }
            ("atomic", _) => {
                directive(Marks::for_construct(Construct::Atomic, "ats_enter_construct"), What::Statement)
            }
            (word @ ("barrier" | "taskwait" | "flush"), _) => {
                let construct = Construct::of_region(&format!("!$omp {word}"))?;
                directive(Marks::for_construct(construct, "ats_enter_construct"), What::Nothing)
            }
            _ => None,
        }
    }

    /// The variable for the number of another team.
    fn team(&mut self) -> String {
        self.teams += 1;
        format!("ats_team_{}", self.teams)
    }
}

impl Marks {
    /// Those before and after a region with a team.
    fn of_team(team: &str) -> Self {
        let before = format!("const int {team} = ats_fork();");
        Marks { before, after: "ats_join();".to_owned(), ..Marks::default() }
    }
}

/// A directive that has marks.
struct Directive {
    marks: Marks,
    what: What,
}

/// The statement that a directive is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Nothing,
    Statement,
    Loop,
    Sections,
}

/// A statement at the beginning of `text` that uses a lock or MPI, with marks, and its length.
fn call(text: &str, last: char) -> Option<(String, usize)> {
    let is_statement = matches!(last, ';' | '{' | '}' | ')' | ':');
    let name = word(text).filter(|_| is_statement)?;
    let close = matching(text)?;
    let arguments = text[name.len()..close].trim().strip_prefix('(')?.strip_suffix(')')?;
    let end = close + blank_end(&text[close..]);
    let end = text[end..].starts_with(';').then_some(end + 1)?;
    let statement = &text[..end];
    let (before, after) = match name {
        "omp_init_lock" => (String::new(), format!(" ats_init_lock({arguments});")),
        "omp_set_lock" => (enter(name), format!(" ats_acquired({arguments}); ats_leave_construct();")),
        "omp_unset_lock" => (enter(name), " ats_leave_construct();".to_owned()),
        _ => {
            Function::of_name(name).filter(|&function| !only_asks(function))?;
            (enter(name), " ats_leave_construct();".to_owned())
        }
    };
    let all = format!("{before}{statement}{after}");
    Some((if last == ')' || last == ':' { format!("{{ {all} }}") } else { all }, end))
}

/// Whether a call asks something of a communicator, which no witness tells of.
fn only_asks(function: Function) -> bool {
    matches!(function.kind(), Kind::Communicator(None)) && function.waiting() == Waiting::Never
}

fn enter(name: &str) -> String {
    format!("ats_enter_construct(\"{name}\"); ")
}

/// The variable of the loop at the beginning of `text`; `None` if there is none.
fn variable(text: &str) -> Option<&str> {
    let head = text.strip_prefix("for").filter(|rest| !rest.starts_with(is_word))?;
    head.split_once('=')?.0.split(|c| !is_word(c)).rfind(|word| !word.is_empty())
}

/// Every line one level deeper; empty ones stay empty.
fn indented(text: &str) -> String {
    let deeper = |line: &str| if line.is_empty() { String::new() } else { format!("{}{line}", pad(1)) };
    text.split('\n').map(deeper).collect::<Vec<_>>().join("\n")
}
