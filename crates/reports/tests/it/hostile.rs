//! Input that no honest tool writes is refused, quickly, and named with its place; no bytes make a reader panic.

use std::fmt::Write;

use crate::common::cubex::{self, data, header, index, metric, tar};
use crate::common::{FIXTURES, fixture, mutate};
use ats_reports::{Format, ReportError};
use ats_testing::peer;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The error that a cube gives.
fn cube(bytes: Vec<u8>) -> ReportError {
    ats_reports::parse("a.cubex".as_ref(), bytes, Some(Format::Cube)).unwrap_err()
}

/// The message of a cube that must be refused, not merely found damaged.
fn refused(bytes: Vec<u8>) -> String {
    let error = cube(bytes);
    assert!(matches!(error, ReportError::Refused { .. }), "{error}");
    error.to_string()
}

fn damaged(bytes: Vec<u8>) -> String {
    let error = cube(bytes);
    assert!(matches!(error, ReportError::Damaged { .. }), "{error}");
    error.to_string()
}

fn time_anchor() -> String {
    cubex::anchor(&metric(0, "EXCLUSIVE", "time", "DOUBLE", ""))
}

/// A cube with this anchor and one row of times.
fn with_anchor(anchor: &[u8]) -> Vec<u8> {
    tar(&[("anchor.xml", anchor), ("0.index", &index(&[0], false)), ("0.data", &data(&[&[1.0, 1.0]], false))])
}

/// A cube with this index and these data.
fn with_rows(index: &[u8], data: &[u8]) -> Vec<u8> {
    tar(&[("anchor.xml", time_anchor().as_bytes()), ("0.index", index), ("0.data", data)])
}

#[test]
fn paths_out_of_an_archive_are_refused() {
    for name in ["../anchor.xml", "/etc/passwd", "a/../../b", "..", "\\windows\\a", "a\\..\\b"] {
        let message = refused(tar(&[("anchor.xml", time_anchor().as_bytes()), (name, b"x")]));
        assert!(message.contains("lies outside of the archive"), "{message}");
        let place = format!(
            " is refused at byte {}: entry {name:?}",
            512 + time_anchor().len().next_multiple_of(512)
        );
        assert!(message.starts_with(&format!("a.cubex{place}")), "{message}");
    }
}

#[test]
fn links_and_doubles_are_refused() {
    for kind in [b'1', b'2', b'3', b'6', b'L', b'S'] {
        let mut archive = header("0.index", kind, 0).to_vec();
        archive.extend(tar(&[("anchor.xml", b"")]));
        let message = refused(archive);
        assert!(message.contains("entry \"0.index\" is not a file (kind"), "{message}");
    }
    let message = refused(tar(&[("anchor.xml", b""), ("7.data", b""), ("./7.data", b"")]));
    assert!(message.contains("entry \"7.data\" is there twice"), "{message}");
}

#[test]
fn sizes_beyond_the_archive_are_damage() {
    let good = tar(&[("anchor.xml", time_anchor().as_bytes())]);
    let next = 512 + time_anchor().len().next_multiple_of(512);
    let huge = |size: &[u8; 12]| {
        let mut archive = good.clone();
        let mut header = header("0.data", b'0', 0);
        header[124..136].copy_from_slice(size);
        archive.splice(next..next, header);
        damaged(archive)
    };
    let message = huge(b"77777777777\0");
    assert!(message.contains(&format!("at byte {next}: entry \"0.data\" has 8589934591 bytes")), "{message}");
    let message = huge(b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
    assert!(message.contains("has 18446744073709551615 bytes, but the archive only 1024 more"), "{message}");
    assert!(huge(b"\x80\x01\0\0\0\0\0\0\0\0\0\0").contains("an entry's size is not a number"));
    assert!(huge(b"0000000000x\0").contains("an entry's size is not a number"));
    let cut = damaged(good[..next + 100].to_vec());
    assert!(cut.contains(&format!("at byte {next}: the archive is cut short inside a header")), "{cut}");
}

#[test]
fn a_wrong_checksum_is_warned_of_once() {
    let mut bytes = cubex::small();
    bytes[148] = b'7';
    let report = ats_reports::parse("a.cubex".as_ref(), bytes, None).unwrap();
    assert_eq!(report.warnings, ["the archive's header checksums are wrong, as CubeW 4.8 writes them"]);
}

#[test]
fn documents_that_expand_are_refused() {
    let entities = "<?xml version=\"1.0\"?><!DOCTYPE cube [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\
                    <cube version=\"4.4\"><attr key=\"k\" value=\"&b;\"/></cube>";
    let message = refused(with_anchor(entities.as_bytes()));
    assert!(
        message.contains("in its entry \"anchor.xml\" at byte 21: the document declares its own type"),
        "{message}"
    );
    for (from, to) in [("4.4\">", "4.4\">&lol;"), ("Scalasca Trace", "&lol;")] {
        let message = damaged(with_anchor(time_anchor().replacen(from, to, 1).as_bytes()));
        assert!(message.contains("anchor.xml") && message.contains("lol"), "{message}");
    }
    let zeros = cubex::gzipped(&vec![b' '; 64 << 20]);
    let message = refused(with_anchor(&zeros));
    assert!(message.contains("bytes decompress to more than"), "{message}");
    let mut cut = cubex::gzipped(time_anchor().as_bytes());
    cut.truncate(cut.len() - 12);
    assert!(damaged(with_anchor(&cut)).contains("it cannot be decompressed"));
}

#[test]
fn rows_that_expand_are_refused() {
    let row = [0.5, 0.5];
    let all = index(&[0, 1, 2, 3], false);
    let at =
        |bytes: &mut Vec<u8>, at: usize, value: u64| bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    // A stream of two million values instead of two.
    let million = cubex::compressed(&[&vec![1.0; 2_000_000]]);
    let message = damaged(with_rows(&all, &million));
    assert!(message.contains("in its entry \"0.data\""), "{message}");
    assert!(message.contains("a row decompresses to 17 bytes or more instead of 16"), "{message}");
    let good = cubex::compressed(&[&row, &row]);
    for (field, value, expected) in [
        (11, u64::MAX, "compressed rows, but its index only 4"),
        (11, 5, "it has 5 compressed rows"),
        (19, 5, "a compressed row begins at 5, where none does"),
        (19, 1 << 60, "where none does"),
        (19, 0, "a compressed row begins at 0, where none does"),
        (27, u64::MAX, "a compressed row lies behind the end"),
        (35, 1 << 40, "a compressed row lies behind the end"),
        (35, 3, "a row cannot be decompressed"),
    ] {
        let mut bytes = good.clone();
        at(&mut bytes, field, value);
        let message = damaged(with_rows(&all, &bytes));
        assert!(message.contains(expected), "{field} {value}: {message}");
    }
}

#[test]
fn indices_that_lie_are_damage() {
    let one: &[&[f64]] = &[&[1.0, 1.0]];
    for (index, data, expected) in [
        (index(&[9], false), data(one, false), "row 9 is of no call path; there are 4"),
        (index(&[u32::MAX], true), data(one, true), "row 4294967295 is of no call path"),
        (index(&[1, 1], false), data(&[one[0]; 2], false), "row 1 is there twice"),
        (index(&[0, 1, 2, 3, 0], false), data(&[one[0]; 5], false), "it has 5 rows of 4 call paths"),
        (index(&[0, 1], false), data(one, false), "\"0.data\" at byte 26: it is cut short inside a row"),
        (index(&[0], false)[..20].to_vec(), data(one, false), "\"0.index\" at byte 18: it is cut short"),
        (b"CUBEX.INDEX\x02\0\0\0\0\0\x01\0\0\0\0".to_vec(), data(one, false), "its byte order is unknown"),
        (b"hello".to_vec(), data(one, false), "it is cut short inside its mark"),
        (b"hello hello hello".to_vec(), data(one, false), "it is not an index of CUBE"),
        (index(&[0], false), b"hello hello".to_vec(), "it is not data of CUBE"),
    ] {
        let message = damaged(with_rows(&index, &data));
        assert!(message.contains(expected), "{message}");
    }
    let mut huge = index(&[0], false);
    huge[18..22].fill(0xff);
    assert!(damaged(with_rows(&huge, &data(one, false))).contains("it has 4294967295 rows of 4 call paths"));
    let mut dense = index(&[0], false);
    dense[17] = 2;
    let message = cube(with_rows(&dense, &data(one, false))).to_string();
    assert!(message.contains("in its entry \"0.index\" at byte 17 is not a sparse index"), "{message}");
}

#[test]
fn values_that_are_no_times_are_named() {
    let value = |value: f64| with_rows(&index(&[2], false), &data(&[&[0.0, value]], false));
    for (bad, expected) in [
        (f64::NAN, "in its entry \"0.data\": metric \"time\" has a value of NaN in row 2"),
        (f64::INFINITY, "metric \"time\" has a value of inf in row 2"),
        (
            1e300,
            "time at main/late_sender/MPI_Recv of rank 1 thread 0: a time of 1e300 s is beyond all measure",
        ),
    ] {
        let message = damaged(value(bad));
        assert!(message.contains(expected), "{message}");
    }
    let report = ats_reports::parse("a.cubex".as_ref(), value(-1.5), None).unwrap();
    let expected =
        "time at main/late_sender/MPI_Recv of rank 1 thread 0 is negative (-1.5 s) and was omitted";
    assert!(report.warnings.iter().any(|warning| warning == expected), "{:?}", report.warnings);
    assert!(report.calls.is_empty());
}

#[test]
fn anchors_that_lie_are_damage() {
    let anchor = time_anchor();
    for (from, to, expected) in [
        ("calleeId=\"2\"", "calleeId=\"77\"", "region 77 is called, but the document has none"),
        ("calleeId=\"2\"", "calleeId=\"-2\"", "\"-2\" is not a valid id"),
        ("calleeId=\"2\"", "callee=\"2\"", "an element has no attribute \"calleeId\""),
        ("<rank>1</rank>", "<rank>0</rank>", "thread 0 of rank 0 is there twice"),
        ("<rank>1</rank>", "<rank>4294967296</rank>", "\"4294967296\" is not a valid rank"),
        ("</cnode></program>", "</program>", "cnode"),
        ("</cube>", "", "the document is cut short"),
        ("<metrics>", "<metrics><metric id=\"0\"></metric>", "metric 0 (\"time\") is there twice"),
        ("<system>", "<location Id=\"9\"></location><system>", "a location is in no group"),
    ] {
        assert!(anchor.contains(from), "{from}");
        let message = damaged(with_anchor(anchor.replacen(from, to, 1).as_bytes()));
        assert!(
            message.contains("in its entry \"anchor.xml\" at byte ") && message.contains(expected),
            "{message}"
        );
    }
    let version = cube(with_anchor(anchor.replacen("4.4", "3.0", 1).as_bytes())).to_string();
    assert!(version.contains("has version \"3.0\" of CUBE; only version 4 is read"), "{version}");
    let no_time = cube(with_anchor(anchor.replacen(">time<", ">fruit<", 1).as_bytes())).to_string();
    assert!(no_time.contains("has no metric \"time\" in seconds; name the profile.cubex"), "{no_time}");
}

#[test]
fn depth_beyond_measure_is_refused() {
    let mut deep = String::from("<cube version=\"4.4\">");
    (0..100_000).for_each(|_| deep.push_str("<a>"));
    let message = refused(with_anchor(deep.as_bytes()));
    assert!(message.contains("its elements are nested more than 2000 times"), "{message}");

    let mut nodes = String::new();
    for id in 0..5_000 {
        let parent = if id > 0 { format!(",\"parent\":{}", id - 1) } else { String::new() };
        write!(nodes, "{}{{\"label\":\"f\"{parent}}}", if id > 0 { "," } else { "" }).unwrap();
    }
    let columns = "\"columns\":[\"time\",\"path\"],\"column_metadata\":[]";
    let json = format!("{{\"data\":[],{columns},\"nodes\":[{nodes}]}}");
    let error = ats_reports::parse("a.json".as_ref(), json.into_bytes(), None).unwrap_err();
    assert!(error.to_string().contains("a path has more than 2000 regions"), "{error}");

    let row = format!("\"{}f\" 1 0 5 5 0 GROUP=\"A\"", "f => ".repeat(5_000));
    let tau = format!("1 templated_functions_MULTI_TIME\n# Name\n{row}\n");
    let error = ats_reports::parse("profile.0.0.0".as_ref(), tau.into_bytes(), None).unwrap_err();
    assert!(error.to_string().contains("at line 3: a call path has 5001 frames"), "{error}");

    let brackets = "[".repeat(1_000_000).into_bytes();
    assert!(ats_reports::parse("a.json".as_ref(), brackets, None).is_err());
}

#[test]
fn numbers_beyond_measure_are_refused() {
    let metrics: String =
        (0..2_000).map(|id| metric(id, "EXCLUSIVE", &format!("m{id}"), "DOUBLE", "")).collect();
    let message = refused(with_anchor(cubex::anchor(&metrics).as_bytes()));
    assert!(message.contains("it has more than 1024 metrics"), "{message}");

    // As many rows as call paths, of as many values as there are locations: a hundred million from three megabytes.
    let cnodes: String = (0..10_000).map(|_| "<cnode calleeId=\"2\"/>").collect();
    let anchor = time_anchor().replacen("</program>", &format!("{cnodes}</program>"), 1);
    let mut group = String::from("<locationgroup><rank>7</rank><type>process</type>");
    for thread in 0..10_000 {
        write!(group, "<location><rank>{thread}</rank><type>thread</type></location>").unwrap();
    }
    let anchor = anchor.replacen("</system>", &format!("{group}</locationgroup></system>"), 1);
    let rows: Vec<u32> = (0..10_000).collect();
    let entries: [(&str, &[u8]); 3] =
        [("anchor.xml", anchor.as_bytes()), ("0.index", &index(&rows, false)), ("0.data", b"CUBEX.DATA")];
    let message = refused(tar(&entries));
    assert!(message.contains("10000 rows of 10002 values are beyond all measure"), "{message}");
}

#[test]
fn names_that_repeat_beyond_measure_are_refused() {
    // A name of a megabyte, in every frame of paths that are two hundred deep.
    let name = "f".repeat(1 << 20);
    let anchor = time_anchor().replacen(">MPI_Recv<", &format!(">{name}<"), 1);
    let cnodes = "<cnode calleeId=\"2\">".repeat(200) + &"</cnode>".repeat(200);
    let anchor = anchor.replacen("</program>", &format!("{cnodes}</program>"), 1);
    let bytes = tar(&[
        ("anchor.xml", anchor.as_bytes()),
        ("0.index", &index(&[203], false)),
        ("0.data", &data(&[&[1.0, 1.0]], false)),
    ]);
    let message = refused(bytes);
    assert!(message.contains("its names, call paths and shares need more than 536870912 bytes"), "{message}");
}

/// Reads mutations of a report; how many were read, and how many were not.
fn mutations(
    name: &str,
    format: Format,
    original: &[u8],
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> [usize; 2] {
    let mut read = [0; 2];
    for round in 0..count {
        let mut bytes = original.to_vec();
        for _ in 0..=round % 3 {
            mutate(&mut bytes, random);
        }
        match ats_reports::parse(name.as_ref(), bytes, Some(format)) {
            Ok(report) => {
                let shares =
                    report.calls.iter().flat_map(|call| &call.locations).map(|share| share.inclusive_time);
                let waits = report.findings.iter().flat_map(|finding| &finding.locations);
                let waits = waits.map(|share| share.waiting_time);
                assert!(shares.chain(waits).all(|seconds| (0.0..1e13).contains(&seconds)), "{name}");
                read[0] += 1;
            }
            Err(error) => {
                assert!(error.to_string().starts_with(name), "{error}");
                read[1] += 1;
            }
        }
    }
    read
}

#[test]
fn no_mutation_makes_a_reader_panic_or_hang() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for (format, name) in FIXTURES {
        let path = fixture(name);
        let path = if path.is_dir() { path.join("profile.0.0.0") } else { path };
        let original = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let [read, failed] =
            mutations(&name, format, &original, ats_testing::seeds(600).count(), &mut random);
        assert!(read > 20 && failed > 20, "{format}: {read} mutations were read and {failed} were not");
    }
}

#[test]
fn no_mutation_of_a_real_report_does() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for (format, name) in [
        (Format::Cube, "scorep-hybrid-2x2/scout.cubex"),
        (Format::Cube, "scorep-7props-4ranks/profile.cubex"),
        (Format::Mpip, "mpip-7props-4ranks.txt"),
    ] {
        let original = std::fs::read(peer(name)).unwrap();
        let [_, failed] = mutations("report", format, &original, ats_testing::seeds(50).count(), &mut random);
        assert!(failed > 3, "{name}: {failed}");
    }
}
