//! The drawing as scalable graphics.

use std::collections::BTreeSet;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::scale::ticks;
use super::spans::{Doing, Span, of_row, part, zero};
use crate::template::environment;
use crate::timeline::{Kind, Timeline};
use crate::words::{kind, location, state, title};

/// The width, in pixels.
const WIDTH: f64 = 960.0;
const ROW: f64 = 28.0;
const GAP: f64 = 10.0;
const MARGIN: f64 = 14.0;
/// Room right of the last time for half of its name, in pixels.
const RIGHT: f64 = 32.0;
/// The height of a line of the legend, in pixels.
const LINE: f64 = 22.0;
/// The width of a letter of the smaller and of the larger writing, in pixels.
const SMALL: f64 = 6.2;
const LARGE: f64 = 7.4;

#[derive(Serialize)]
struct Drawing {
    title: String,
    /// Whether it is a part of a page, which has the colours.
    in_page: bool,
    width: f64,
    height: f64,
    left: f64,
    bottom: f64,
    row: f64,
    rows: Vec<Drawn>,
    arrows: Vec<Arrow>,
    ticks: Vec<Tick>,
    legend: Vec<Entry>,
}

/// A location as it is drawn.
#[derive(Serialize)]
struct Drawn {
    name: String,
    y: f64,
    spans: Vec<Block>,
    waits: Vec<Block>,
}

#[derive(Serialize)]
struct Block {
    x: f64,
    width: f64,
    class: &'static str,
    /// The label in it, if there is room.
    label: Option<String>,
    title: String,
}

#[derive(Serialize)]
struct Arrow {
    from: (f64, f64),
    to: (f64, f64),
}

#[derive(Serialize)]
struct Tick {
    x: f64,
    name: String,
}

#[derive(Serialize)]
struct Entry {
    x: f64,
    y: f64,
    class: &'static str,
    name: String,
}

/// Draws a timeline as an SVG file of its own: rectangles, lines and text that tools for slides can edit.
///
/// ```
/// use ats_presentation::{Limits, draw_svg, timeline};
/// let trace = ats_analyzer::notation::parse("0: 0..6 work; 6..8 MPI_Send send 1\n1: 0..8 MPI_Recv recv 0")?;
/// let svg = draw_svg(&timeline(&trace, None, &Limits::default()), "One message");
/// assert!(svg.contains("<title>One message</title>") && svg.contains(">MPI_Recv</text>"));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
pub fn svg(timeline: &Timeline, title: &str) -> String {
    rendered(&drawing(timeline, title.to_owned()))
}

/// Draws a timeline as an element of a page in the colours of the page's style. A page can have one: its patterns have ids.
pub(crate) fn in_page(timeline: &Timeline, title: &str) -> Value {
    let drawing = Drawing { in_page: true, ..drawing(timeline, title.to_owned()) };
    Value::from_safe_string(rendered(&drawing))
}

fn rendered(drawing: &Drawing) -> String {
    let drawing = Value::from(Serde(drawing));
    let rendered = environment().render_named_str("drawing.svg", include_str!("drawing.svg"), drawing);
    rendered.expect("the template is part of this crate and tested")
}

fn drawing(timeline: &Timeline, title: String) -> Drawing {
    let names: Vec<String> = timeline.rows.iter().map(|row| location(timeline, row)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = MARGIN + longest as f64 * LARGE + GAP;
    let part = part(timeline);
    let per_tick = (WIDTH - left - RIGHT) / (part.1 - part.0).max(1) as f64;
    let seconds = |ticks: u64| ticks as f64 / timeline.resolution.max(1) as f64;
    let place = Place { timeline, part, left, per_tick };
    let y = |row: usize| MARGIN + row as f64 * (ROW + GAP);
    let bottom = y(timeline.rows.len());
    let rows = names.into_iter().enumerate().map(|(row, name)| Drawn {
        name,
        y: y(row),
        spans: place.spans(row),
        waits: place.waits(row),
    });
    let arrows =
        timeline.messages.iter().filter(|message| message.sent >= part.0 && message.received <= part.1);
    let arrow = |message: &crate::timeline::Message| {
        let down = message.to > message.from;
        let (edge, other) = if down { (ROW, 0.0) } else { (0.0, ROW) };
        Arrow {
            from: (place.x(message.sent), y(message.from) + edge),
            to: (place.x(message.received), y(message.to) + other),
        }
    };
    let rows: Vec<Drawn> = rows.collect();
    let legend = place.legend(&rows, bottom + 36.0);
    Drawing {
        title,
        in_page: false,
        width: WIDTH,
        height: legend.last().map_or(bottom, |last| last.y) + 2.0 * MARGIN,
        left,
        bottom,
        row: ROW,
        arrows: arrows.map(arrow).collect(),
        ticks: ticks(zero(timeline), seconds(part.1 - part.0), 8)
            .into_iter()
            .map(|(at, name)| Tick { x: left + at * timeline.resolution as f64 * per_tick, name })
            .collect(),
        legend,
        rows,
    }
}

/// The layout of the drawing.
struct Place<'a> {
    timeline: &'a Timeline,
    part: (u64, u64),
    left: f64,
    per_tick: f64,
}

impl Place<'_> {
    fn x(&self, time: u64) -> f64 {
        let pixels = self.left + (time.clamp(self.part.0, self.part.1) - self.part.0) as f64 * self.per_tick;
        (pixels * 100.0).round() / 100.0
    }

    fn spans(&self, row: usize) -> Vec<Block> {
        let spans = of_row(&self.timeline.rows[row], &self.timeline.regions, self.part);
        let shown = spans.iter().filter(|span| span.doing != Doing::Nothing);
        shown.map(|span| self.span(span)).collect()
    }

    fn span(&self, span: &Span) -> Block {
        let (x, end) = (self.x(span.begin), self.x(span.end));
        let (class, name, long) = match span.doing {
            Doing::Call(region) => {
                let region = &self.timeline.regions[region as usize];
                (class(region.kind), region.name.as_str(), region.label())
            }
            Doing::Work | Doing::Nothing => (class(Kind::User), "work", "work".to_owned()),
        };
        let width = end - x;
        let fits = name.chars().count() as f64 * SMALL + 6.0 <= width && name != "work";
        let label = fits.then(|| name.to_owned());
        Block { x, width, class, label, title: format!("{long}, {}", self.length(span.begin, span.end)) }
    }

    fn waits(&self, row: usize) -> Vec<Block> {
        let waits = self.timeline.waits.iter().filter(|wait| wait.row == row);
        let shown = waits.filter(|wait| wait.end > self.part.0 && wait.begin < self.part.1);
        let wait = |wait: &crate::timeline::MarkedWait| {
            let (x, end) = (self.x(wait.begin), self.x(wait.end));
            let name = title(state(&self.timeline.findings[wait.finding]));
            let title = format!("{name}, {}", self.length(wait.begin, wait.end));
            Block { x, width: end - x, class: "wait", label: Some(name), title }
        };
        shown.map(wait).collect()
    }

    fn length(&self, begin: u64, end: u64) -> String {
        format!("{:.6} s", (end - begin) as f64 / self.timeline.resolution.max(1) as f64)
    }

    /// The legend of all that is drawn, each once: kinds of calls, then wait states; from `y` down.
    fn legend(&self, rows: &[Drawn], y: f64) -> Vec<Entry> {
        let drawn = |of: &Kind| rows.iter().flat_map(|row| &row.spans).any(|span| span.class == class(*of));
        // What gives work is drawn as work.
        let calls = Kind::ALL.into_iter().filter(|of| *of != Kind::OpenMp && drawn(of));
        let calls = calls.map(|of| (class(of), if of == Kind::User { "Work" } else { kind(of) }.to_owned()));
        let states: BTreeSet<&String> =
            rows.iter().flat_map(|row| &row.waits).filter_map(|wait| wait.label.as_ref()).collect();
        let states = states.into_iter().map(|state| ("wait", state.clone()));
        let (mut x, mut y) = (self.left, y);
        let entry = |(class, name): (&'static str, String)| {
            let width = 22.0 + name.chars().count() as f64 * LARGE + 14.0;
            if x > self.left && x + width > WIDTH {
                (x, y) = (self.left, y + LINE);
            }
            let entry = Entry { x, y, class, name };
            x += width;
            entry
        };
        calls.chain(states).map(entry).collect()
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::User | Kind::OpenMp => "work",
        Kind::PointToPoint => "p2p",
        Kind::Collective => "coll",
        Kind::Mpi => "mpi",
        Kind::OpenMpSynchronization => "sync",
    }
}

#[cfg(test)]
mod tests {
    use ats_analyzer::{analyze_with, notation};

    use crate::{Limits, draw_svg, timeline};

    #[test]
    fn a_message_that_comes_late() {
        let text = "0: 0..5 work; 5..10 MPI_Send send 1
                    1: 0..1 work; 1..10 MPI_Recv recv 0";
        let trace = notation::parse(text).unwrap();
        let mut waits = Vec::new();
        let observe = &mut |wait| waits.push(wait);
        let analysis = analyze_with(&trace, "x", &Default::default(), observe).unwrap();
        let timeline = timeline(&trace, Some((&analysis, &waits)), &Limits::default());
        insta::assert_snapshot!(draw_svg(&timeline, "Late <sender>"));
    }

    #[test]
    fn a_drawing_of_nothing_is_one() {
        let drawn = draw_svg(&crate::Timeline::default(), "");
        let mut reader = quick_xml::Reader::from_str(&drawn);
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                event => drop(event),
            }
        }
    }
}
