//! Folders with traces, and what is left of interrupted recordings.

use std::fs;

use ats_model::definitions::LocationDefinition;
use ats_model::event::ProgramRef;
use ats_model::{Definitions, Event};
use ats_reports::source::opening::{anchor, recorded, trace_file};
use ats_trace::{ArchiveProperties, ArchiveWriter};
use tempfile::TempDir;

/// A folder with these files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
    dir
}

#[test]
fn a_trace_is_the_usual_file_or_the_only_one() {
    for (files, wanted) in [
        (&["traces.otf2", "other.otf2", "more.prv"][..], "traces.otf2"),
        (&["eztrace_log.otf2", "eztrace_log.def"], "eztrace_log.otf2"),
        (&["heat.prv", "heat.pcf", "heat.row"], "heat.prv"),
        // A marker of one rank, while others have written the trace.
        (&["traces.otf2", "incomplete.1"], "traces.otf2"),
    ] {
        let dir = folder(&files.iter().map(|&name| (name, "")).collect::<Vec<_>>());
        assert_eq!(trace_file(dir.path()).unwrap(), dir.path().join(wanted), "{files:?}");
    }
}

#[test]
fn a_path_that_is_no_folder_is_taken_as_it_is() {
    let dir = folder(&[("one.otf2", "")]);
    for name in ["one.otf2", "none.otf2"] {
        let path = dir.path().join(name);
        assert_eq!(trace_file(&path).unwrap(), path);
    }
}

#[test]
fn several_traces_are_named() {
    let dir = folder(&[("b.otf2", ""), ("a.prv", ""), ("notes.txt", "")]);
    let error = trace_file(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("holds several traces: a.prv, b.otf2; give the path of one"), "{error}");
}

#[test]
fn markers_say_what_became_of_the_ranks() {
    let killed = |rank: u32| format!("rank {rank}: it did not end; was it killed?\n");
    let [zero, one] = [0, 1].map(killed);
    let dir = folder(&[("incomplete.0", &zero), ("incomplete.1", &one)]);
    let said = "is incomplete: ranks 0,1: it did not end; was it killed?; record again: events are kept if the \
                program ends by itself, by SIGTERM or by SIGINT";
    for path in [dir.path().to_owned(), anchor(dir.path())] {
        let error = trace_file(&path).unwrap_err().to_string();
        assert!(error.ends_with(said), "{error}");
    }
}

#[test]
fn parts_that_cannot_be_joined_are_named() {
    let dir = folder(&[("definitions.0.json", "{")]);
    let error = trace_file(dir.path()).unwrap_err().to_string();
    assert!(error.contains("cannot be joined") && error.contains("definitions.0.json is damaged"), "{error}");
}

#[test]
fn an_archive_without_events_is_no_recording() {
    let dir = TempDir::new().unwrap();
    for (has_events, locations) in [(false, 0), (false, 2), (true, 2)] {
        let mut writer = ArchiveWriter::create(dir.path()).unwrap();
        if has_events {
            let location = writer.add_location(1);
            writer.event(location, 5, &Event::ProgramBegin { program: ProgramRef(0) }).unwrap();
        }
        let of_rank = |rank: u32| LocationDefinition {
            id: rank.into(),
            name: "Master thread".into(),
            rank,
            thread: 0,
            events: 0,
        };
        let definitions = Definitions {
            locations: (0..locations).map(of_rank).collect(),
            strings: ["heat"].into_iter().collect(),
            ..Definitions::default()
        };
        writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
        let result = recorded(&anchor(dir.path()));
        let said = result.as_ref().err().map_or("", String::as_str);
        assert_eq!(said.contains("traces.otf2 has no events"), !has_events, "{locations}: {result:?}");
        assert_eq!(result.is_ok(), has_events, "{locations}: {result:?}");
    }
}
