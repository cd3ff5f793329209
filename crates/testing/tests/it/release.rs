//! A release is made of a commit: the archive, its checksum, and the recipes that name it.

use std::fs;
use std::path::Path;
use std::process::Command;

use ats_testing::suite;

use crate::rules::{manifest, members, read};

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn version() -> String {
    manifest(suite())["workspace"]["package"]["version"].as_str().unwrap().to_owned()
}

#[test]
fn a_commit_gives_one_archive_and_recipes_with_its_checksum() {
    // Who tests a release has no history to make another one of.
    if !suite().join(".git").exists() || !["git", "sha256sum"].iter().all(|tool| ats_testing::required(tool))
    {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let dir = dir.path().join(name);
        succeed(Command::new(suite().join("scripts/dist")).arg(&dir));
        dir
    };
    let (first, second) = (make("first"), make("second"));
    let archive = format!("ats-{}.tar.gz", version());
    assert!(fs::read(first.join(&archive)).unwrap() == fs::read(second.join(&archive)).unwrap());

    succeed(Command::new("sha256sum").args(["--check", &format!("{archive}.sha256")]).current_dir(&first));
    let checksum = read(&first.join(format!("{archive}.sha256"))).split(' ').next().unwrap().to_owned();
    let listed = succeed(Command::new("tar").arg("tzf").arg(first.join(&archive)));
    for file in ["Cargo.lock", "LICENSE-MIT", "crates/cli/src/main.rs", "scripts/dist"] {
        let path = format!("ats-{}/{file}", version());
        assert!(listed.lines().any(|line| line == path), "{path}");
    }

    let spack = read(&first.join("spack/ats/package.py"));
    let line = format!("\n    version(\"{}\", sha256=\"{checksum}\")\n    version(\"main\"", version());
    assert!(spack.contains(&line), "{spack}");
    let recipes: Vec<_> =
        fs::read_dir(first.join("easybuild")).unwrap().map(|it| it.unwrap().path()).collect();
    let [recipe] = &recipes[..] else { panic!("{recipes:?}") };
    assert!(read(recipe).contains(&format!("\nchecksums = ['{checksum}']\n")), "{}", read(recipe));
}

#[test]
fn recipes_and_citation_are_of_this_version() {
    let version = version();
    let name = format!("ATS-{version}-");
    let recipes = fs::read_dir(suite().join("share/easybuild")).unwrap().map(|it| it.unwrap().path());
    for recipe in recipes {
        let of_file = recipe.file_name().unwrap().to_string_lossy().starts_with(&name);
        assert!(
            of_file && read(&recipe).contains(&format!("\nversion = '{version}'\n")),
            "{}",
            recipe.display()
        );
    }
    let url = format!("/v{version}/ats-{version}.tar.gz\"");
    assert!(read(&suite().join("share/spack/ats/package.py")).contains(&url));
    assert!(read(Path::new(&suite().join("CITATION.cff"))).contains(&format!("\nversion: {version}\n")));
}

/// The members that are to be published, with their manifests.
fn published() -> Vec<(String, toml::Table)> {
    let members = members().into_iter().map(|member| (manifest(&suite().join(&member)), member));
    let published = members.filter(|(manifest, _)| manifest["package"].get("publish").is_none());
    published.map(|(manifest, member)| (member, manifest)).collect()
}

#[test]
fn a_crate_that_is_published_says_what_it_is_and_has_its_licences() {
    let published = published();
    assert!(published.iter().any(|(member, _)| member == "crates/cli") && published.len() < members().len());
    for (member, manifest) in &published {
        let package = manifest["package"].as_table().unwrap();
        for key in ["description", "license", "repository", "documentation", "keywords", "categories"] {
            assert!(package.contains_key(key), "{member} has no {key}");
        }
        let folder = suite().join(member);
        assert!(
            package.contains_key("readme") || folder.join("README.md").is_file(),
            "{member} has no README"
        );
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(read(&folder.join(licence)), read(&suite().join(licence)), "{member}");
        }
    }
}

#[test]
fn a_crate_that_is_published_knows_only_such_by_their_versions() {
    let root = manifest(suite());
    let known = root["workspace"]["dependencies"].as_table().unwrap();
    let published = published();
    let is_published =
        |name: &str| published.iter().any(|(_, manifest)| manifest["package"]["name"].as_str() == Some(name));
    for (member, manifest) in &published {
        let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| manifest.get(kind));
        for name in
            tables.flat_map(|table| table.as_table().unwrap().keys()).filter(|name| name.starts_with("ats-"))
        {
            assert!(is_published(name), "{member} knows {name}, which is not published");
            assert_eq!(known[name]["version"].as_str(), Some(&*version()), "{name}");
        }
    }
}
