//! Speedscope's file format (<https://www.speedscope.app>), evented: one profile per location.

use std::io::{self, Write};

use ats_model::EventSource;
use serde_json::json;

use crate::calls::{self, Step};

/// Writes a trace for speedscope, one location after the other; `name` is its name in the viewer.
///
/// Unreadable events of a location are omitted, and its name says so.
///
/// ```
/// let trace = ats_analyzer::notation::parse("0: 0..5 work")?;
/// let mut file = Vec::new();
/// ats_presentation::speedscope(&trace, "example", &mut file).unwrap();
/// assert!(String::from_utf8(file).unwrap().contains(r#""frames":[{"name":"work"}]"#));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
///
/// # Errors
/// The file cannot be written.
pub fn speedscope<S: EventSource>(source: &S, name: &str, writer: &mut impl Write) -> io::Result<()> {
    let definitions = source.definitions();
    let frames: Vec<_> = definitions
        .regions
        .iter()
        .map(|region| {
            let place = match &region.call_site {
                Some(site) => (&*site.file, site.line),
                None => (&*region.file, region.line),
            };
            match place {
                ("", _) => json!({ "name": region.label() }),
                (file, 0) => json!({ "name": region.label(), "file": file }),
                (file, line) => json!({ "name": region.label(), "file": file, "line": line }),
            }
        })
        .collect();
    let text = |value: &str| serde_json::Value::from(value).to_string();
    write!(
        writer,
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"ats {}","name":{},"shared":{{"frames":{}}},"profiles":["#,
        env!("CARGO_PKG_VERSION"),
        text(name),
        serde_json::Value::from(frames)
    )?;
    let seconds = |ticks: u64| {
        let since = ticks.saturating_sub(definitions.clock.offset);
        since as f64 / definitions.clock.resolution.max(1) as f64
    };
    for (index, location) in definitions.locations.iter().enumerate() {
        let separator = if index > 0 { "," } else { "" };
        write!(writer, r#"{separator}{{"type":"evented","unit":"seconds","events":["#)?;
        let (mut written, mut span) = (Ok(()), None);
        let result = calls::read(source, index, |time, step| {
            let (kind, region) = match step {
                Step::Open(region) => ("O", region),
                Step::Close(region) => ("C", region),
                Step::Other(_) => return,
            };
            if written.is_ok() && (region.0 as usize) < definitions.regions.len() {
                let separator = if span.is_some() { "," } else { "" };
                span.get_or_insert((time, time)).1 = time;
                let (frame, at) = (region.0, seconds(time));
                written = write!(writer, r#"{separator}{{"type":"{kind}","frame":{frame},"at":{at}}}"#);
            }
        });
        written?;
        let (begin, end) = span.unwrap_or_default();
        let part = if result.is_err() { " (in part)" } else { "" };
        let name = text(&format!("rank {}, thread {}{part}", location.rank, location.thread));
        let (begin, end) = (seconds(begin), seconds(end));
        write!(writer, r#"],"name":{name},"startValue":{begin},"endValue":{end}}}"#)?;
    }
    writeln!(writer, "]}}")
}
