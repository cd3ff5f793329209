//! Findings as a table, in CSV: `property,call path,rank,thread,seconds`.

use std::collections::BTreeMap;

use ats_documents::finding::LocationShare;
use ats_documents::{Basis, Finding, Report};
use ats_model::WaitState;
use ats_model::mistakes::{Mistakes, nearest};
use ats_model::openmp::without_place;
use ats_model::place::ANYWHERE;
use ats_model::wait_state::Name;
use csv::{ReaderBuilder, StringRecord};

use crate::ReportError;
use crate::draft::Draft;
use crate::input::Input;
use crate::names::shortened;
use crate::number::seconds;
use crate::reader::Reader;

/// The names that a column may have; capitals, spaces and other separators of words do not matter.
const COLUMNS: [(&str, Column); 8] = [
    ("property", Column::Name),
    ("metric", Column::Name),
    ("callpath", Column::CallPath),
    ("call", Column::Call),
    ("rank", Column::Rank),
    ("thread", Column::Thread),
    ("seconds", Column::Seconds),
    ("share", Column::Share),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    /// Frames with `/` between them.
    CallPath,
    Call,
    Rank,
    Thread,
    Seconds,
    Share,
}

pub(crate) const READER: Reader = Reader { name: "csv", tools: &[Report::UNNAMED], recognises, read };

/// A table has columns of a name, and of an amount or a place.
fn recognises(input: &Input) -> bool {
    let Some(text) = input.single().and_then(|file| file.text().ok()) else { return false };
    let columns: Vec<Column> = header(&text).filter_map(column).collect();
    let others = [Column::Seconds, Column::Share, Column::Call, Column::CallPath];
    columns.contains(&Column::Name) && others.iter().any(|other| columns.contains(other))
}

/// The line of the header, and the separator of its columns.
fn first_line(text: &str) -> (&str, u8) {
    let is_header = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let line = text.trim_start_matches('\u{feff}').lines().find(is_header).unwrap_or_default();
    let delimiter = b",;\t".iter().copied().find(|&byte| line.as_bytes().contains(&byte)).unwrap_or(b',');
    (line, delimiter)
}

fn header(text: &str) -> impl Iterator<Item = &str> {
    let (line, delimiter) = first_line(text);
    line.split(delimiter as char).map(|word| word.trim().trim_matches('"'))
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

fn column(word: &str) -> Option<Column> {
    let word = plain(word);
    COLUMNS.iter().find(|(name, _)| *name == word).map(|(_, column)| *column)
}

fn read(input: &Input) -> Result<Report, ReportError> {
    let file = input.file()?;
    let text = file.text()?;
    let mut rows = Rows::default();
    rows.columns(&text);
    let (_, delimiter) = first_line(&text);
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .comment(Some(b'#'))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    for record in reader.records() {
        match record {
            Ok(record) => rows.row(&record),
            Err(error) => rows.mistakes.add("", error),
        }
    }
    let findings =
        rows.finish().map_err(|mistakes| ReportError::Wrong { file: file.path.clone(), mistakes })?;
    let draft = Draft::new(Report::UNNAMED, file.origin(), &input.path);
    let mut report = Report { names: WaitState::ALL.to_vec(), findings, ..draft.finish() };
    report.complete().map_err(|mistakes| ReportError::Wrong { file: file.path.clone(), mistakes })?;
    Ok(report)
}

/// The findings of a report as a table; amounts other than times have no line in it.
///
/// ```
/// let text = "property,call path,rank,thread,seconds\nlate_sender,main/MPI_Recv,1,0,0.5\n";
/// let report = ats_reports::parse("mine.csv".as_ref(), text.into(), None)?;
/// assert_eq!(ats_reports::csv(&report), text);
/// # Ok::<(), ats_reports::ReportError>(())
/// ```
pub fn csv(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut lines = vec![["property", "call path", "rank", "thread", "seconds"].map(str::to_owned)];
    for finding in
        report.findings.iter().filter(|finding| finding.unit().is_time() && finding.kind() != "blocked")
    {
        let frames = finding.call_path.iter().filter(|frame| *frame != ANYWHERE);
        let path: Vec<&str> = frames.map(|frame| without_place(frame)).collect();
        let line = |rank: String, thread: String, seconds: f64| {
            [finding.kind().to_owned(), path.join("/"), rank, thread, seconds.to_string()]
        };
        let of = |share: &LocationShare| {
            line(share.rank.to_string(), share.thread.to_string(), share.waiting_time)
        };
        lines.extend(finding.locations.iter().map(of));
        if finding.locations.is_empty() {
            lines.push(line(String::new(), String::new(), finding.waiting_time));
        }
    }
    for line in lines {
        writer.write_record(line).expect("memory takes it");
    }
    String::from_utf8(writer.into_inner().expect("memory takes it")).expect("texts are written")
}

/// The rows of one name at one call path.
#[derive(Default)]
struct Group {
    /// The shares of locations.
    shares: Vec<LocationShare>,
    /// Over all locations, in seconds or as a share.
    total: Option<(Column, f64)>,
}

#[derive(Default)]
struct Rows {
    columns: Vec<Option<Column>>,
    groups: BTreeMap<(String, Vec<String>), Group>,
    mistakes: Mistakes,
}

impl Rows {
    fn columns(&mut self, text: &str) {
        for word in header(text) {
            let column = column(word);
            if column.is_none() {
                let known = COLUMNS.map(|(name, _)| if name == "callpath" { "call path" } else { name });
                let fix = match nearest(word, known) {
                    Some(nearest) => format!("did you mean {nearest}?"),
                    None => format!("there are {}", known.join(", ")),
                };
                self.mistakes.add("its header", format!("there is no column `{word}`; {fix}"));
            } else if self.columns.contains(&column) {
                self.mistakes.add("its header", format!("`{word}` has the meaning of another column"));
            }
            self.columns.push(column);
        }
        if !self.columns.iter().any(|column| matches!(column, Some(Column::Call | Column::CallPath))) {
            self.mistakes.add("its header", "missing column `call path` or `call`");
        }
        if !self.columns.iter().any(|column| matches!(column, Some(Column::Seconds | Column::Share))) {
            self.mistakes.add("its header", "missing column `seconds` or `share`");
        }
    }

    fn row(&mut self, record: &StringRecord) {
        let place = format!("line {}", record.position().map_or(0, csv::Position::line));
        let (values, columns) = (record.len(), self.columns.len());
        if values != columns {
            return self
                .mistakes
                .add(&place, format!("it has {values} values, and the header {columns} columns"));
        }
        let texts: Vec<(Column, &str)> =
            self.columns.iter().zip(record).filter_map(|(column, text)| Some(((*column)?, text))).collect();
        let text = |wanted| {
            texts.iter().find(|(column, text)| *column == wanted && !text.is_empty()).map(|(_, text)| *text)
        };
        let mut wrong = |what: String| self.mistakes.add(&place, what);
        let name = match text(Column::Name).map(Name::parse) {
            Some(Ok(_)) => text(Column::Name).unwrap_or_default().to_owned(),
            Some(Err(what)) => return wrong(what),
            None => return wrong("it has no name in the column `property`".to_owned()),
        };
        let rank = whole(text(Column::Rank), "rank", &mut wrong);
        let thread = whole(text(Column::Thread), "thread", &mut wrong);
        let amounts = [Column::Seconds, Column::Share].map(|column| text(column).map(|text| (column, text)));
        let amount = match amounts {
            [Some(_), Some(_)] => return wrong("it has both `seconds` and `share`; omit one".to_owned()),
            [None, None] => {
                return wrong("it has no amount; write one, or omit the line".to_owned());
            }
            [amount, None] | [None, amount] => amount,
        };
        let Some((unit, amount)) =
            amount.and_then(|(unit, text)| Some((unit, number(text, unit, &mut wrong)?)))
        else {
            return;
        };
        let path = path(text(Column::Call), text(Column::CallPath));
        let group = self.groups.entry((name, path)).or_default();
        match rank {
            Some(rank) if unit == Column::Seconds => {
                let share = LocationShare { rank, thread: thread.unwrap_or_default(), waiting_time: amount };
                group.shares.push(share);
            }
            Some(_) => {
                wrong("a share is one of all locations together; omit the rank, or give seconds".to_owned())
            }
            None if group.total.is_some() => {
                wrong("the same wait at the same call is there twice".to_owned())
            }
            None => group.total = Some((unit, amount)),
        }
        if group.total.is_some() && !group.shares.is_empty() {
            wrong("of the same wait at the same call, some lines have a rank and some none".to_owned());
        }
    }

    fn finish(self) -> Result<Vec<Finding>, Mistakes> {
        let finding = |((name, path), Group { shares, total }): ((String, Vec<String>), Group)| {
            let name = Name::parse(&name).ok()?;
            let state = if let Name::State(state) = name { Some(state) } else { None };
            let mut finding = Finding::wait(state, path, shares, 0, &Basis::default(), true);
            finding.id.clear();
            if let Name::Several(metric) = name {
                finding.metric = Some(metric.to_owned());
            }
            match total {
                Some((Column::Share, share)) => finding.severity = share,
                Some((_, seconds)) => finding.waiting_time = seconds,
                None => {}
            }
            Some(finding)
        };
        self.mistakes.none_in(self.groups.into_iter().filter_map(finding).collect())
    }
}

/// The call path of a row; [`ANYWHERE`] comes before a single frame.
fn path(call: Option<&str>, path: Option<&str>) -> Vec<String> {
    let mut frames: Vec<&str> = path.into_iter().flat_map(|path| path.split('/')).collect();
    frames.extend(call);
    if let [_] = frames[..] {
        frames.insert(0, ANYWHERE);
    }
    frames.into_iter().map(|frame| frame.trim().to_owned()).collect()
}

fn whole(text: Option<&str>, what: &str, wrong: &mut impl FnMut(String)) -> Option<u32> {
    let parsed = text?.parse();
    if parsed.is_err() {
        wrong(format!("`{}` is not a valid {what}; use a whole number from 0 on", shortened(text?)));
    }
    parsed.ok()
}

/// An amount, without a unit: in seconds, or as a share of all.
fn number(text: &str, unit: Column, wrong: &mut impl FnMut(String)) -> Option<f64> {
    let Some(number) = text.parse().ok().filter(|number: &f64| number.is_finite()) else {
        let wanted =
            if unit == Column::Share { "a share, as 0.41 for 41 %" } else { "a number of seconds, as 0.25" };
        wrong(format!("`{}` is not {wanted}", shortened(text)));
        return None;
    };
    if let Err(what) = seconds(number) {
        wrong(what);
        return None;
    } else if unit == Column::Share && number > 1.0 {
        wrong(format!("its share is {number}, and 1 is all; {number} % is {}", number / 100.0));
    } else if number == 0.0 {
        wrong("the line reports no wait; omit it".to_owned());
    }
    (number > 0.0).then_some(number)
}
