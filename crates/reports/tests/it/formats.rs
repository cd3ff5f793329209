//! Every reader is registered, and recognises its own reports and no others.

use std::collections::BTreeSet;

use crate::common::{FIXTURES, cubex, fixture};
use ats_reports::{Format, ReportError};

#[test]
fn every_format_has_a_fixture_a_name_and_tools() {
    let with_fixture: BTreeSet<Format> = FIXTURES.iter().map(|(format, _)| *format).collect();
    assert_eq!(with_fixture, Format::ALL.into_iter().collect());
    assert_eq!(FIXTURES.len(), Format::ALL.len());
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(format.to_string(), format.name());
        assert!(!format.tools().is_empty());
    }
}

#[test]
fn a_report_is_recognised_by_its_reader_and_no_other() {
    for (format, name) in FIXTURES {
        let path = fixture(name);
        assert_eq!(ats_reports::recognise(&path).unwrap(), format, "{name}");
        let report = ats_reports::read(&path, None).unwrap();
        assert_eq!(report, ats_reports::read(&path, Some(format)).unwrap());
        assert!(format.tools().contains(&report.tool.as_str()), "{name} is of {}", report.tool);
        assert_eq!((report.schema.as_str(), report.source), ("ats-report/1", path.display().to_string()));
        assert!(report.findings.len() + report.calls.len() > 0, "{name} says something");
        for other in Format::ALL.into_iter().filter(|other| *other != format) {
            let error = ats_reports::read(&path, Some(other)).unwrap_err();
            assert!(
                matches!(error, ReportError::Other { format, .. } if format == other),
                "{other}: {error}"
            );
        }
    }
}

#[test]
fn the_name_of_a_file_does_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    for (format, name) in FIXTURES.into_iter().filter(|(format, _)| *format != Format::Tau) {
        let disguised = dir.path().join("report.xml");
        std::fs::copy(fixture(name), &disguised).unwrap();
        assert_eq!(ats_reports::recognise(&disguised).unwrap(), format);
    }
}

#[test]
fn the_small_cube_is_what_the_tests_build() {
    let small = std::fs::read(fixture("late_sender.cubex")).unwrap();
    assert!(small == cubex::small(), "write cubex::small() to tests/data/late_sender.cubex");
}

#[test]
fn other_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let cases: [(&[u8], &str); 7] = [
        (b"", "is not a report of a known tool: it is empty; known are cube, mpip, tau"),
        (b"\x1f\x8b\x08", "it is compressed with gzip; decompress it first"),
        (b"hello \x07 world", "it begins with \"hello \\x07 world\""),
        (b"{\"schema\":\"ats-truth/1\"}", "and its schema is \"ats-truth/1\""),
        (b"[[[[", "it begins with \"[[[[\", and it ends in the middle, at line 1 column 4"),
        (b"{\"findings\":[]}", "a report of yours says \"schema\": \"ats-report/1\""),
        (&cubex::tar(&[("readme", b"hello")]), "it begins with \"readme"),
    ];
    for (bytes, expected) in cases {
        std::fs::write(&path, bytes).unwrap();
        let message = ats_reports::read(&path, None).unwrap_err().to_string();
        assert!(message.starts_with(&path.display().to_string()) && message.contains(expected), "{message}");
    }
    let large = dir.path().join("large");
    std::fs::File::create(&large).unwrap().set_len((1 << 27) + 1).unwrap();
    let message = ats_reports::read(&large, None).unwrap_err().to_string();
    assert!(message.contains("it has 134217729 bytes, and a text is read up to 134217728"), "{message}");
    let message = ats_reports::read(dir.path(), None).unwrap_err().to_string();
    assert!(message.contains("it is a folder without a profile.N.C.T; name the report in it"), "{message}");
    let message = ats_reports::read(&dir.path().join("nowhere"), None).unwrap_err().to_string();
    assert!(message.starts_with("cannot open") && message.ends_with("check the path"), "{message}");
    let message = ats_reports::read(&path, Some(Format::Mpip)).unwrap_err().to_string();
    assert!(message.contains("is not a report in the format mpip: it begins with"), "{message}");
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let error = ats_reports::read("/dev/zero".as_ref(), None).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
