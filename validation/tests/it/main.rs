//! Judging from end to end.

mod agreement;
mod causes;
mod clocks;
mod common;
mod cubex;
mod damage;
mod early;
mod entries;
mod explanations;
mod ideal;
mod pipeline;
mod profile;
mod progress;
mod quantities;
mod reports;
mod tolerances;
mod what_if;
