//! A table of figures, with the columns that are read, too.

use std::io::{self, Write};

use ats_model::Experiment;

use super::unit;

pub(super) fn head(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"application,version,experiment,region,rank,thread,unit,metric,value\n")
}

pub(super) fn rows(id: &str, experiment: &Experiment, out: &mut dyn Write) -> io::Result<()> {
    let name = id.rsplit('/').next().unwrap_or(id);
    let mut writer = csv::Writer::from_writer(out);
    for summary in &experiment.summaries {
        let (rank, thread) = (summary.unit.rank.to_string(), summary.unit.thread.to_string());
        for (metric, value) in summary.spent.by_name() {
            let (unit, value) = (unit(experiment, &metric), value.to_string());
            let (application, version) = (&experiment.application, &experiment.version.name);
            let region = &summary.region;
            writer.write_record([
                application,
                version,
                name,
                region,
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
