//! The source files of a run's regions, as far as they can be read.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use ats_documents::Profile;
use ats_documents::profile::ProfiledRegion;

/// The bytes of a file that a page takes at most.
const LARGEST: u64 = 256 << 10;

/// The bytes of all files together.
const LARGEST_SUM: u64 = 1 << 20;

/// The source files of a profile, as far as they can be read and shown.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, Result<Source, String>>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The path where it was found.
    pub(crate) path: PathBuf,
    /// The content; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
}

impl Sources {
    /// Reads the source files of a profile's regions from a folder and its subfolders. Files elsewhere and hidden files
    /// are never read: a trace can name any file, and a page is handed on.
    ///
    /// A file that was in another folder when it was compiled is looked for by the end of its path. A file that cannot
    /// be read is noted, with the reason; so is a file of more than 256 KiB, or one that would bring the sum above 1
    /// MiB.
    pub fn read(profile: &Profile, folder: &Path) -> Self {
        let mut left = LARGEST_SUM;
        let mut files = BTreeMap::new();
        for (name, _) in profile.regions.iter().filter_map(ProfiledRegion::source) {
            files.entry(name.to_owned()).or_insert_with(|| {
                let source = read(name, folder, left)?;
                left -= source.text.len().min(left as usize) as u64;
                Ok(source)
            });
        }
        Sources { files }
    }

    /// The file of this name, or why it is not shown.
    pub(crate) fn file(&self, name: &str) -> Result<&Source, &str> {
        match self.files.get(name) {
            Some(read) => read.as_ref().map_err(String::as_str),
            None => Err("source files were not looked for"),
        }
    }
}

fn read(name: &str, folder: &Path, left: u64) -> Result<Source, String> {
    let path = found(name, folder).ok_or_else(|| format!("there is no such file in {}", folder.display()))?;
    let failed = |error: std::io::Error| format!("it cannot be read: {error}");
    let mut bytes = Vec::new();
    File::open(&path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(failed)?;
    match bytes.len() as u64 {
        size if size > LARGEST => Err(format!("it has more than {} KiB", LARGEST >> 10)),
        size if size > left => {
            Err(format!("the files before it fill the {} MiB that a page takes", LARGEST_SUM >> 20))
        }
        _ if bytes.contains(&0) => Err("it is not text".to_owned()),
        _ => Ok(Source { path, text: String::from_utf8_lossy(&bytes).into_owned() }),
    }
}

/// The file that is meant: at its path, or the longest end of it that there is in the folder.
fn found(name: &str, folder: &Path) -> Option<PathBuf> {
    let inside = folder.canonicalize().ok()?;
    let is_there = |path: &PathBuf| {
        let Ok(whole) = path.canonicalize() else { return false };
        let below = whole.strip_prefix(&inside);
        below.is_ok_and(|below| !below.iter().any(is_hidden)) && whole.is_file()
    };
    let parts: Vec<Component> = Path::new(name).components().collect();
    let ends = (0..parts.len()).map(|first| folder.join(parts[first..].iter().collect::<PathBuf>()));
    ends.into_iter().find(is_there)
}

/// The path from a folder to the file of this name in it, found as [`Sources::read`] does.
pub(crate) fn path_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let file = found(name, folder)?.canonicalize().ok()?;
    file.strip_prefix(folder.canonicalize().ok()?).ok().map(Path::to_owned)
}

/// Whether a name begins with a dot: keys and passwords lie in such files.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn profile(files: &[&str]) -> Profile {
        let region = |(id, file): (u32, &&str)| ProfiledRegion {
            id,
            file: Some((*file).to_owned()),
            lines: Some([1, 2]),
            ..ProfiledRegion::default()
        };
        Profile { regions: (0..).zip(files).map(region).collect(), ..Profile::new("test") }
    }

    #[test]
    fn files_are_read_from_the_folder_alone() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("heat");
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::write(around.path().join("secret.c"), "secret").unwrap();
        fs::write(folder.join("src/solve.c"), "int main;\n").unwrap();
        fs::create_dir(folder.join(".ssh")).unwrap();
        fs::write(folder.join(".ssh/id"), "secret").unwrap();
        std::os::unix::fs::symlink("../secret.c", folder.join("link.c")).unwrap();
        let outside = around.path().join("secret.c").display().to_string();
        let inside = folder.join("src/solve.c").display().to_string();
        let names = [
            "src/solve.c",
            "/build/heat/src/solve.c",
            &inside,
            "solve.c",
            &outside,
            "../secret.c",
            "link.c",
            ".ssh/id",
            "",
            "/",
        ];
        let sources = Sources::read(&profile(&names), &folder);
        let texts = names.map(|name| sources.file(name).map(|source| source.text.as_str()).ok());
        let solve = Some("int main;\n");
        assert_eq!(texts, [solve, solve, solve, None, None, None, None, None, None, None]);
        let why = sources.file("../secret.c").unwrap_err();
        assert_eq!(why, format!("there is no such file in {}", folder.display()));
    }

    #[test]
    fn large_files_and_other_than_text_are_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..6).map(|number| format!("{number}.c")).collect();
        for name in &names {
            fs::write(folder.path().join(name), "x".repeat(200 << 10)).unwrap();
        }
        fs::write(folder.path().join("large.c"), "x".repeat((256 << 10) + 1)).unwrap();
        fs::write(folder.path().join("object.o"), b"\x7fELF\0").unwrap();
        fs::write(folder.path().join("latin1.f"), b"c \xfcber\n").unwrap();
        let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
        all.extend(["large.c", "object.o", "latin1.f"]);
        let sources = Sources::read(&profile(&all), folder.path());
        let why = |name: &str| sources.file(name).err().unwrap_or_default();
        assert_eq!(why("4.c"), "");
        assert_eq!(why("5.c"), "the files before it fill the 1 MiB that a page takes");
        assert_eq!(why("large.c"), "it has more than 256 KiB");
        assert_eq!(why("object.o"), "it is not text");
        assert_eq!(sources.file("latin1.f").unwrap().text, "c \u{fffd}ber\n");
        assert_eq!(why("other.c"), "source files were not looked for");
    }
}
