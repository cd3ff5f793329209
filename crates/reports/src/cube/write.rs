//! Writes a profile of ours as a report of CUBE 4.
//!
//! All call paths lie in an artificial region of the program, as they do in the reports of Score-P and Scalasca: the
//! profile's own, if it has one. Every metric is stored without the call paths inside, and with the metrics below it
//! ([`metrics`]).

mod anchor;
mod causes;
mod metrics;
mod parts;
mod rows;
mod shape;

use std::io::{self, BufWriter, Seek, Write};

use ats_documents::Profile;
use tar::{Builder, Header};

use crate::archive::ANCHOR;
use shape::Shape;

/// The form of the stored rows of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Uncompressed, like the reports of Score-P and Scalasca.
    Plain,
    /// Each compressed by itself (zlib).
    Compressed,
}

/// Writes a profile as a `.cubex`: time, visits and its other metrics, with zeros for missing values. Metrics have the
/// names, units and parents that they have in Score-P and Scalasca, if these know them.
///
/// ```
/// use ats_documents::profile::{CallNode, ProcessingUnit, Profile, ProfiledRegion};
/// let mut profile = Profile::new("traces.otf2");
/// profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
/// profile.regions = vec![ProfiledRegion { id: 0, name: "main".to_owned(), ..ProfiledRegion::default() }];
/// profile.call_tree = vec![CallNode { id: 0, parent: None, region: 0 }];
/// profile.values.insert("time".to_owned(), vec![(0, 0, 2.0)].into());
/// let mut file = std::io::Cursor::new(Vec::new());
/// ats_reports::cubex(&profile, ats_reports::Stored::Compressed, &mut file)?;
/// let report = ats_reports::parse("scout.cubex".as_ref(), file.into_inner(), None)?;
/// let main = report.calls.iter().find(|call| call.call_path == ["PROGRAM", "main"]).unwrap();
/// assert_eq!(main.locations[0].inclusive_time, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of `out`, or values that the profile has in a file cannot be read.
pub fn cubex(profile: &Profile, stored: Stored, out: impl Write + Seek) -> io::Result<()> {
    let shape = Shape::new(profile);
    let metrics = metrics::for_profile(profile);
    let mut archive = Builder::new(out);
    entry(&mut archive, ANCHOR, |out| anchor::write(profile, &shape, &metrics, out))?;
    for (id, metric) in metrics.iter().enumerate() {
        let values = metric.values(profile, &shape);
        profile.failure().map_or(Ok(()), |failure| Err(io::Error::other(failure.to_owned())))?;
        entry(&mut archive, &format!("{id}.index"), |out| rows::index(&values, out))?;
        entry(&mut archive, &format!("{id}.data"), |out| {
            rows::data(&values, metric.number, shape.units.len(), stored, out)
        })?;
    }
    archive.into_inner()?.flush()
}

/// Writes an entry of the archive.
fn entry<W: Write + Seek>(
    archive: &mut Builder<W>,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut header = Header::new_ustar();
    header.set_mode(0o644);
    let mut out = BufWriter::new(archive.append_writer(&mut header, name)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}
