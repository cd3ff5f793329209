//! The page of a trace of 64 locations and a million events: how long it takes to make, how large it is, and how long
//! headless Chromium takes until it is there, without the start of the browser.
#![allow(missing_docs, reason = "a benchmark has no documentation of its own")]

#[path = "../tests/showing/large.rs"]
mod large;

use std::{path::Path, process::Command};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use large::{Large, analyzed};

/// The page's own clock when all is loaded and laid out, in milliseconds; `None` if Chromium does not report it.
fn opened(chromium: &Path, folder: &Path, html: &str) -> Option<f64> {
    let watch = "<script>addEventListener('load', () => {
        document.body.getBoundingClientRect();
        document.title = `opened after ${performance.now()}`;
    });</script>";
    let end = html.rfind("</body>")?;
    let file = folder.join("page.html");
    std::fs::write(&file, format!("{}{watch}{}", &html[..end], &html[end..])).unwrap();
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .arg("--window-size=1300,900")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--dump-dom", &format!("file://{}", file.display())])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    dom.split_once("<title>opened after ")?.1.split('<').next()?.parse().ok()
}

/// The timeline and the page, beside the analysis that they show: their share of its time can be compared between
/// machines.
fn made(criterion: &mut Criterion) {
    let large = Large::new();
    let timeline = large.timeline();
    let mut group = criterion.benchmark_group("page");
    group.sample_size(10).throughput(Throughput::Elements(large.events() as u64));
    group.bench_function("analysis", |bencher| bencher.iter(|| analyzed(&large.trace)));
    group.bench_function("timeline", |bencher| bencher.iter(|| large.timeline()));
    group.bench_function("page", |bencher| bencher.iter(|| large.page(&timeline)));
    group.finish();
    opened_by_a_browser(&large.page(&timeline), large.events());
}

fn opened_by_a_browser(html: &str, events: usize) {
    println!("{events} events of 64 locations: {:.2} MB", html.len() as f64 / 1e6);
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let Some(chromium) = names.iter().find_map(|name| which::which(name).ok()) else {
        println!("skipped: Chromium is not installed (Debian: chromium)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut times: Vec<f64> = (0..5).filter_map(|_| opened(&chromium, folder.path(), html)).collect();
    times.sort_by(f64::total_cmp);
    match times[..] {
        [] => println!("Chromium does not open it"),
        _ => println!("open after {:.2} s (median of {})", times[times.len() / 2] / 1e3, times.len()),
    }
}

criterion_group!(benches, made);
criterion_main!(benches);
