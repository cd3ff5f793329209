//! Files that are made of the sources and kept beside them, for builds that are quicker without making them.

use std::env;
use std::fs;
use std::path::Path;

/// Checks that a folder has these files with these texts, and no others; with `ATS_RENEW=1` it writes them.
///
/// # Panics
/// A file differs, is missing or is left over.
#[track_caller]
pub fn assert_current<N: AsRef<str>>(folder: &Path, files: impl IntoIterator<Item = (N, String)>) {
    let renews = env::var_os("ATS_RENEW").is_some_and(|value| value == "1");
    let shown = folder.display();
    let names = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut others: Vec<String> = names.collect();
    for (name, text) in files {
        let (name, path) = (name.as_ref(), folder.join(name.as_ref()));
        others.retain(|other| other != name);
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        assert!(renews, "{shown}/{name} is not current; set ATS_RENEW=1 and run this test to write it again");
        fs::create_dir_all(folder).unwrap();
        fs::write(path, text).unwrap();
    }
    assert!(others.is_empty(), "{shown} has files that nothing writes: {others:?}");
}
