//! The classes against Scalasca 2.6's own definition, the file that it also puts into its reports.

use std::collections::BTreeMap;

use ats_documents::profile::ProfiledRegion;
use ats_model::definitions::{Paradigm, RegionRole};
use ats_testing::peer;
use regex::Regex;

use super::{CLASSES, of};
use crate::content::Content;
use crate::cube::tar::Archive;
use crate::error::Origin;

/// The masks of Scalasca that are called otherwise than their metrics.
const MASKS: [(&str, &str); 5] = [
    ("mpi_mgmt_startup", "mpi_init_exit"),
    ("mpi_sync_rma_active", "mpi_rma_sync_active"),
    ("mpi_sync_rma_passive", "mpi_rma_sync_passive"),
    ("mpi_file_individual", "mpi_io_individual"),
    ("mpi_file_collective", "mpi_io_collective"),
];

fn named(name: &str, paradigm: Paradigm, role: RegionRole) -> ProfiledRegion {
    ProfiledRegion { name: name.to_owned(), paradigm, role, ..ProfiledRegion::default() }
}

/// The metric of a function by its role, as Scalasca has it.
fn by_role(role: &str, name: &str) -> &'static str {
    let completes = Regex::new("^MPI_(Test|Wait)(all|any|some){0,1}$").unwrap();
    match role {
        "barrier" => "mpi_sync_collective",
        "point2point" => "mpi_point2point",
        "one2all" | "all2one" | "all2all" | "other collective" => "mpi_collective",
        "rma" | "atomic" => "mpi_rma_communication",
        _ if completes.is_match(name) => "mpi_point2point",
        _ => "mpi",
    }
}

#[test]
fn functions_are_in_the_classes_that_scalasca_puts_them_in() {
    let path = peer("scorep-hybrid-2x2/scout.cubex");
    let bytes = std::fs::read(&path).unwrap();
    let archive = Archive::open(Origin::file(&path), Content::memory(bytes.into())).unwrap();
    let text =
        |name: &str| String::from_utf8(archive.entry(name).unwrap().all().unwrap().into_owned()).unwrap();
    let rules = Regex::new(r"region::name\}.*? =~ /(\^.*?\$)/ \)\s*\{\s*\$\{(mpi_\w+)\}").unwrap();
    let spec = text("remapping.spec");
    let rules: BTreeMap<&str, Regex> = rules
        .captures_iter(&spec)
        .map(|rule| (rule.get(2).unwrap().as_str(), Regex::new(&rule[1]).unwrap()))
        .filter(|(mask, _)| !mask.starts_with("mpi_comm_rma_"))
        .collect();
    assert!(rules.len() >= 8, "{rules:?}");
    let regions = Regex::new(
        r"(?s)<region [^>]*>\s*<name>([^<]*)</name>.*?<paradigm>mpi</paradigm>\s*<role>([^<]*)</role>",
    );
    let anchor = text("anchor.xml");
    let mut count = 0;
    for region in anchor.split_inclusive("</region>") {
        let Some(region) = regions.as_ref().unwrap().captures(region) else { continue };
        let (name, role) = (&region[1], &region[2]);
        let mask = rules.iter().find(|(_, rule)| rule.is_match(name)).map(|(mask, _)| *mask);
        let renamed = |mask| MASKS.iter().find(|(old, _)| *old == mask).map_or(mask, |(_, metric)| *metric);
        let theirs = mask.map_or_else(|| by_role(role, name), renamed);
        if name == "PARALLEL" {
            continue;
        }
        assert_eq!(of(&named(name, Paradigm::Mpi, RegionRole::Unknown)), theirs, "{name}");
        count += 1;
    }
    assert!(count > 200, "{count}");
}

#[test]
fn constructs_are_in_the_classes_of_their_roles() {
    let class = |name, role| of(&named(name, Paradigm::OpenMp, role));
    assert_eq!(class("!$omp barrier @a.c:3", RegionRole::Barrier), "omp_ebarrier");
    assert_eq!(class("!$omp implicit barrier @a.c:3", RegionRole::ImplicitBarrier), "omp_ibarrier");
    assert_eq!(class("!$omp critical @a.c:3", RegionRole::Critical), "omp_critical");
    assert_eq!(class("omp_set_nest_lock", RegionRole::Wrapper), "omp_lock_api");
    assert_eq!(class("!$omp parallel @a.c:3", RegionRole::Parallel), "comp");
    assert_eq!(of(&named("solve", Paradigm::User, RegionRole::Function)), "comp");
    assert_eq!(of(&named("TRACE BUFFER FLUSH", Paradigm::Other, RegionRole::Artificial)), "overhead");
}

#[test]
fn a_class_comes_after_that_which_it_is_a_part_of() {
    let mut known = vec!["time"];
    for (name, above, ..) in CLASSES {
        assert!(known.contains(&above), "{above} of {name}");
        assert!(!known.contains(&name), "{name} is there twice");
        known.push(name);
    }
}
