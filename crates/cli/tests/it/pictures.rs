//! The pictures of the documentation: each is what the command beside it draws.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::common::answer;
use tempfile::TempDir;

/// The commands of a page that draw, on one line each; and the pictures that it shows.
fn of_page(text: &str) -> (Vec<String>, Vec<String>) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let commands = text.split('`').filter(|code| code.starts_with("ats draw ") && code.contains(" -o docs/"));
    let shown = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let shown = shown.filter(|path| path.ends_with(".svg"));
    (commands.map(str::to_owned).collect(), shown.map(str::to_owned).collect())
}

#[test]
fn each_is_what_its_command_draws() {
    let root = ats_testing::suite();
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = in_docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let pages: Vec<PathBuf> = pages.chain([root.join("README.md")]).collect();
    let dir = TempDir::new().unwrap();
    let drawn = dir.path().join("drawn.svg");
    let mut all = BTreeSet::new();
    for page in pages {
        let (commands, shown) = of_page(&fs::read_to_string(&page).unwrap());
        let mut pictures = BTreeSet::new();
        for command in commands {
            let (draw, file) = command.split_once(" -o ").unwrap();
            let words: Vec<&str> = draw.split(' ').skip(1).chain(["-o", drawn.to_str().unwrap()]).collect();
            answer(root, &words);
            let kept = fs::read_to_string(root.join(file)).unwrap_or_default();
            assert!(kept == fs::read_to_string(&drawn).unwrap(), "draw it again: {command}");
            pictures.insert(root.join(file));
        }
        let shown: BTreeSet<PathBuf> = shown.iter().map(|path| page.parent().unwrap().join(path)).collect();
        assert_eq!(shown, pictures, "{}: each picture has its command beside it", page.display());
        all.extend(pictures);
    }
    let kept = fs::read_dir(root.join("docs/pictures")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(all, kept.collect::<BTreeSet<_>>(), "no picture that nobody sees");
}
