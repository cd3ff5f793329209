//! Answers of commands as text.

use ats_documents::answer::{Calibration, Machine};
use ats_documents::catalogue::ListedDocument;

use super::grid::Grid;

/// The published documents, each with the commands that write it.
pub fn documents(documents: &[ListedDocument], width: Option<u16>) -> String {
    let mut table = Grid::new(&["document", "written by"], &[], width);
    for ListedDocument { name, written_by } in documents {
        let by = if written_by.is_empty() { "hand".to_owned() } else { written_by.join(", ") };
        table.row([*name, &by]);
    }
    table.text()
}

/// The precision of work on a machine, by kind of work and duration.
pub fn precision(calibration: &Calibration, width: Option<u16>) -> String {
    let mut table =
        Grid::new(&["work", "microseconds", "median error", "99th percentile"], &[1, 2, 3], width);
    for row in &calibration.precision {
        table.row([
            row.kind.to_owned(),
            format!("{:.0}", row.seconds * 1e6),
            format!("{:.3} %", row.median_error * 100.0),
            format!("{:.3} %", row.p99_error * 100.0),
        ]);
    }
    let Machine { host, cpu_model, cores } = &calibration.machine;
    let file = calibration.file.as_ref().map_or("nowhere".to_owned(), |file| file.display().to_string());
    format!(
        "{host}: {cpu_model}, {cores} cores\ntimer resolution {:.0} ns, {:.3e} iterations/s; kept in {file}\n\n{}",
        calibration.timer_resolution_seconds * 1e9,
        calibration.iterations_per_second,
        table.text()
    )
}
