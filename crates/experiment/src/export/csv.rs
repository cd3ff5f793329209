//! A table of figures, with the columns that are read, too.

use std::io::{self, Write};

use ats_documents::Experiment;
use ats_documents::summaries::Summary;

use super::unit;

pub(super) fn head(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"application,version,experiment,region,rank,thread,unit,metric,value\n")
}

pub(super) fn rows(id: &str, experiment: &Experiment, out: &mut dyn Write) -> io::Result<()> {
    let name = id.rsplit('/').next().unwrap_or(id);
    let mut writer = csv::Writer::from_writer(out);
    let (application, version) = (&experiment.application, &experiment.version.name);
    for Summary { region, unit: at, spent, .. } in experiment.rows() {
        let (rank, thread) = (at.rank.to_string(), at.thread.to_string());
        for (metric, value) in spent.by_name() {
            let (unit, value) = (unit(experiment, &metric), value.to_string());
            writer.write_record([
                application,
                version,
                name,
                &region,
                &rank,
                &thread,
                unit,
                &metric,
                &value,
            ])?;
        }
    }
    writer.flush()
}
