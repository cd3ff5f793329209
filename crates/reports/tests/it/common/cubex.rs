//! CUBE files, byte by byte.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

/// A header of a tar archive, with the right checksum.
pub(crate) fn header(name: &str, kind: u8, size: u64) -> [u8; 512] {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

/// A tar archive.
pub(crate) fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in entries {
        archive.extend(header(name, b'0', bytes.len() as u64));
        archive.extend(*bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// An index in little-endian order, or in big-endian order.
pub(crate) fn index(rows: &[u32], big_endian: bool) -> Vec<u8> {
    let full = |value: u32| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut bytes = b"CUBEX.INDEX".to_vec();
    bytes.extend(full(1));
    bytes.extend([0, 0, 1]);
    bytes.extend(full(rows.len() as u32));
    bytes.extend(rows.iter().flat_map(|&row| full(row)));
    bytes
}

/// Rows of values, as they are.
pub(crate) fn data(rows: &[&[f64]], big_endian: bool) -> Vec<u8> {
    let full = |value: f64| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut bytes = b"CUBEX.DATA".to_vec();
    bytes.extend(rows.iter().copied().flatten().flat_map(|&value| full(value)));
    bytes
}

/// Rows of values, compressed, the last row first; one of zeros has no stream.
pub(crate) fn compressed(rows: &[&[f64]]) -> Vec<u8> {
    let (mut headers, mut streams) = (Vec::new(), Vec::new());
    for (position, row) in rows.iter().enumerate().rev() {
        let plain: Vec<u8> = row.iter().flat_map(|value| value.to_le_bytes()).collect();
        let stream = if row.iter().all(|&value| value == 0.0) { Vec::new() } else { deflated(&plain) };
        for value in [position * plain.len(), streams.len(), stream.len()] {
            headers.extend((value as u64).to_le_bytes());
        }
        streams.extend(stream);
    }
    let mut bytes = b"ZCUBEX.DATA".to_vec();
    bytes.extend((rows.len() as u64).to_le_bytes());
    bytes.extend(headers);
    bytes.extend(streams);
    bytes
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An anchor: metrics as they are, the call tree `main/{late_sender/MPI_Recv, MPI_Barrier}`, two ranks of one thread.
pub(crate) fn anchor(metrics: &str) -> String {
    let regions = ["main", "late_sender", "MPI_Recv", "MPI_Barrier"];
    let region = |(id, name): (usize, &&str)| format!("<region id=\"{id}\"><name>{name}</name></region>");
    let regions: String = regions.iter().enumerate().map(region).collect();
    let group = |rank: u32| {
        format!(
            "<locationgroup Id=\"{rank}\"><rank>{rank}</rank><type>process</type>\
             <location Id=\"{rank}\"><rank>0</rank><type>thread</type></location></locationgroup>"
        )
    };
    format!(
        "<?xml version=\"1.0\"?><cube version=\"4.4\"><attr key=\"Creator\" value=\"Scalasca Trace Analyzer 2.6\"/>\
         <metrics>{metrics}</metrics><program>{regions}<cnode id=\"0\" calleeId=\"0\"><cnode id=\"1\" calleeId=\"1\">\
         <cnode id=\"2\" calleeId=\"2\"/></cnode><cnode id=\"3\" calleeId=\"3\"/></cnode></program>\
         <system><systemtreenode Id=\"0\">{}{}</systemtreenode></system></cube>",
        group(0),
        group(1)
    )
}

/// A metric with metrics below it.
pub(crate) fn metric(id: u32, kind: &str, name: &str, data_type: &str, below: &str) -> String {
    format!(
        "<metric id=\"{id}\" type=\"{kind}\"><uniq_name>{name}</uniq_name><dtype>{data_type}</dtype>\
         <uom>sec</uom>{below}</metric>"
    )
}

/// A small sound trace report: inclusive time, a late sender that is half in the wrong order, a barrier.
pub(crate) fn small() -> Vec<u8> {
    let wrong_order = metric(2, "EXCLUSIVE", "mpi_lswo_same", "FLOAT", "");
    let late_sender = metric(1, "EXCLUSIVE", "mpi_latesender", "FLOAT", &wrong_order);
    let metrics = metric(0, "INCLUSIVE", "time", "FLOAT", "") + &late_sender;
    let metrics = metrics + &metric(3, "EXCLUSIVE", "delay_latesender", "FLOAT", "");
    let anchor = anchor(&metrics);
    // Rows of an inclusive metric: main, late_sender, MPI_Barrier, MPI_Recv.
    let time: [&[f64]; 4] = [&[5.0, 5.0], &[4.0, 3.0], &[0.25, 1.25], &[0.0, 2.5]];
    tar(&[
        ("anchor.xml", anchor.as_bytes()),
        ("0.index", &index(&[0, 1, 2, 3], false)),
        ("0.data", &data(&time, false)),
        // Rows of an exclusive metric: main, late_sender, MPI_Recv, MPI_Barrier.
        ("1.index", &index(&[2], false)),
        ("1.data", &data(&[&[0.0, 2.0]], false)),
        ("2.index", &index(&[2], false)),
        ("2.data", &data(&[&[0.0, 0.5]], false)),
        ("3.index", &index(&[1], false)),
        ("3.data", &data(&[&[1.5, 0.0]], false)),
    ])
}
