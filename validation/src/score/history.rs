//! A folder of scores, one file for each time.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ats_documents::Score;
use thiserror::Error;

use super::read;

/// A score and when it was made, as [`Score::environment`] says under `time`.
#[derive(Clone, Debug)]
pub struct History {
    /// The time, as in RFC 3339; empty where the score does not say it.
    pub time: String,
    /// The score.
    pub score: Score,
}

/// Why a folder of scores cannot be used.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// It cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// The action that failed, as an infinitive.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file in it is no score.
    #[error("{} cannot be read as a score (ats-score/1): {reason}; move it out of the folder", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The mistake in it.
        reason: String,
    },
}

/// Writes a score into a folder, beside those that are there; returns the new file.
///
/// # Errors
/// The folder cannot be made or written.
pub fn append(dir: &Path, score: &Score) -> Result<PathBuf, HistoryError> {
    let failed = |what, path: &Path| {
        let path = path.to_owned();
        move |source| HistoryError::Io { what, path, source }
    };
    fs::create_dir_all(dir).map_err(failed("make", dir))?;
    let stem = stem(score);
    let text = serde_json::to_string_pretty(score).expect("a score is plain data") + "\n";
    for number in 0.. {
        let name = if number == 0 { format!("{stem}.json") } else { format!("{stem}.{number}.json") };
        let path = dir.join(name);
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => {
                file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed("write", &path))?;
                return Ok(path);
            }
        }
    }
    unreachable!("some number is free")
}

/// The scores of a folder, the oldest first.
///
/// # Errors
/// The folder cannot be read, or holds a JSON file that is no score.
pub fn history(dir: &Path) -> Result<Vec<History>, HistoryError> {
    let failed = |what, path: &Path| {
        let path = path.to_owned();
        move |source| HistoryError::Io { what, path, source }
    };
    let mut scores = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed("read", dir))? {
        let path = entry.map_err(failed("read", dir))?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let score = read(&path).map_err(|reason| HistoryError::Invalid { path: path.clone(), reason })?;
        scores.push((number(&path, &score), History { time: time(&score), score }));
    }
    scores.sort_by(|(m, a), (n, b)| (&a.time, &a.score.tool, m).cmp(&(&b.time, &b.score.tool, n)));
    Ok(scores.into_iter().map(|(_, score)| score).collect())
}

/// The name of its file, but for the number that those of one second have.
fn stem(score: &Score) -> String {
    format!("{}-{}", time(score), score.tool)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
        .collect()
}

/// The number of scores of the same second before this one; 0 for a file with a foreign name.
fn number(path: &Path, score: &Score) -> u64 {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.strip_prefix(&stem(score)).and_then(|rest| rest.strip_prefix('.')?.parse().ok());
    number.unwrap_or(0)
}

fn time(score: &Score) -> String {
    score.environment.get("time").and_then(|time| time.as_str()).unwrap_or_default().to_owned()
}
