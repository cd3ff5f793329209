//! `ats calibrate`.

use std::process::ExitCode;

use ats_documents::answer::{self, Doctor, KindPrecision, Machine};
use ats_presentation::text;
use ats_work::calibration::{self, Calibration};
use ats_work::{Config, Kind, precision};
use clap::Args;

use crate::commands::completions::one_of;
use crate::failure::Failure;
use crate::options::number::whole;
use crate::output::progress::Line;
use crate::output::{Output, remark, width};

/// Calibrate work on this machine, and show its precision.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats calibrate\n  ats calibrate --renew --work counted --repeats 500")]
pub(crate) struct Calibrate {
    /// Measure anew, even if the stored calibration is good.
    #[arg(long)]
    renew: bool,
    /// Only this kind of work.
    #[arg(long, value_name = "KIND", value_parser = |text: &str| text.parse::<Kind>(), add = one_of(|| Kind::timed().map(Kind::name).collect()))]
    work: Option<Kind>,
    /// The number of measurements of each duration.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole(1..=100_000_u32))]
    repeats: u32,
}

const DURATIONS: [f64; 4] = [1e-5, 1e-4, 1e-3, 1e-2];

impl Calibrate {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let line = Line::new(output);
        line.say("calibrating".to_owned());
        let (calibration, notices) = if self.renew { calibration::renew() } else { calibration::obtain() };
        for notice in notices {
            remark(&notice.to_string());
        }
        let kinds = self.work.map_or_else(|| Kind::timed().collect(), |kind| vec![kind]);
        let mut rows = Vec::new();
        for kind in kinds {
            line.say(format!("measuring {kind}"));
            rows.extend(self.measure(kind, &calibration));
        }
        line.done();
        let shown = answer::Calibration {
            file: calibration::path(),
            machine: Machine {
                host: calibration.machine.host,
                cpu_model: calibration.machine.cpu_model,
                cores: calibration.machine.cores,
            },
            timer_resolution_seconds: calibration.timer_resolution_seconds,
            iterations_per_second: calibration.rates.iterations_per_second,
            precision: rows,
        };
        let text = text::precision(&shown, width());
        let document = Doctor { schema: Doctor::SCHEMA, calibration: Some(shown), ..Doctor::default() };
        output.document(&document, || text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn measure(&self, kind: Kind, calibration: &Calibration) -> Vec<KindPrecision> {
        let config = Config { kind, rates: Some(calibration.rates), ..Config::default() };
        let row = |row: ats_work::Row| KindPrecision {
            kind: kind.name(),
            seconds: row.seconds,
            median_error: row.median_error,
            p99_error: row.p99_error,
        };
        precision(config, &DURATIONS, self.repeats as usize).into_iter().map(row).collect()
    }
}
