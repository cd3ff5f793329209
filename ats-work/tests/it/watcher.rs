//! Regions are announced to the tool that watches the process, by its own functions. Libraries with these functions,
//! compiled from C, take the tools' places, and write down the arguments of their calls.

use std::path::{Path, PathBuf};
use std::process::Command;

/// As in TAU's TAU.h.
const TAU: &str = r#"
void Tau_start(const char *name) { note("start", name); }
void Tau_stop(const char *name) { note("stop", name); }
"#;
const TAU_SET_NODE: &str = "void Tau_set_node(int node) { }";

/// As in Caliper's cali.h.
const CALIPER: &str = r#"
void cali_begin_region(const char *name) { note("begin", name); }
void cali_end_region(const char *name) { note("end", name); }
const char *cali_caliper_version(void) { return "2.0"; }
"#;

/// As in Score-P's SCOREP_User_Functions.h: it fills in the handle of a region that is new to it.
const SCOREP: &str = r#"
#include <stdint.h>
typedef struct Region { char name[64]; } *Handle;
static struct Region regions[8];
static int count;
void SCOREP_User_RegionBegin(Handle *handle, const char **last_file_name, uint32_t *last_file, const char *name,
                             const uint32_t type, const char *file, const uint32_t line)
{
    note(*handle ? "begin again" : "begin", name);
    if (!*handle) {
        *handle = &regions[count++];
        strcpy((*handle)->name, name);
    }
    if (!last_file_name || *last_file_name || !last_file || *last_file || type || strcmp(file, "ats") || line)
        note("wrong arguments", name);
}
void SCOREP_User_RegionEnd(const Handle handle) { note("end", handle->name); }
void SCOREP_User_RewindRegionBegin(Handle *handle, const char **last_file_name, uint32_t *last_file, const char *name,
                                   const uint32_t type, const char *file, const uint32_t line) { }
"#;

/// As in Extrae's extrae_user_events.h.
const EXTRAE: &str = r#"
static char names[8][64];
static unsigned long long numbers[8];
static unsigned count;
void Extrae_define_event_type(unsigned *type, char *description, unsigned *values, unsigned long long *value,
                              char **names_of_values)
{
    if (*type != 0x415453 || strcmp(description, "Regions") || *values != 2 || value[0] || strcmp(names_of_values[0], "End"))
        note("wrong arguments", names_of_values[1]);
    note("define", names_of_values[1]);
    strcpy(names[count], names_of_values[1]);
    numbers[count++] = value[1];
}
void Extrae_event(unsigned type, unsigned long long value)
{
    if (type != 0x415453) note("wrong type", "");
    for (unsigned i = 0; i < count; i++)
        if (value == numbers[i]) { note("event", names[i]); return; }
    note("event", value ? "unknown" : "0");
}
void Extrae_get_version(unsigned *major, unsigned *minor, unsigned *revision) { }
"#;

const NOTE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void note(const char *what, const char *name)
{
    FILE *notes = fopen(getenv("NOTES"), "a");
    fprintf(notes, "%s %s\n", what, name);
    fclose(notes);
}
"#;

/// Compiles a library.
fn library(folder: &Path, name: &str, source: &str) -> PathBuf {
    let (file, library) = (folder.join(format!("{name}.c")), folder.join(format!("lib{name}.so")));
    std::fs::write(&file, format!("{NOTE}{source}")).unwrap();
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &file]).status();
    assert!(compiled.expect("a C compiler").success());
    library
}

/// The calls of libraries of these sources, made by [`marks_regions`].
fn calls(sources: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let libraries: Vec<_> = sources
        .iter()
        .enumerate()
        .map(|(number, source)| library(folder.path(), &number.to_string(), source))
        .collect();
    let notes = folder.path().join("notes");
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "watcher::marks_regions", "--ignored"])
        .env("LD_PRELOAD", std::env::join_paths(libraries).unwrap())
        .env("NOTES", &notes)
        .status();
    assert!(status.unwrap().success());
    std::fs::read_to_string(notes).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "a part of the others, which run it in processes of its own"]
fn marks_regions() {
    {
        let _outer = ats_work::region("outer");
        for _ in 0..2 {
            let _inner = ats_work::region("in\0ner");
        }
    }
    std::thread::spawn(|| drop(ats_work::region("outer"))).join().unwrap();
}

#[test]
fn tau_is_told_names() {
    assert_eq!(
        calls(&[&[TAU, TAU_SET_NODE].concat()]),
        [
            "start outer",
            "start inner",
            "stop inner",
            "start inner",
            "stop inner",
            "stop outer",
            "start outer",
            "stop outer",
        ]
    );
}

#[test]
fn caliper_is_told_names() {
    assert_eq!(
        calls(&[CALIPER]),
        [
            "begin outer",
            "begin inner",
            "end inner",
            "begin inner",
            "end inner",
            "end outer",
            "begin outer",
            "end outer",
        ]
    );
}

#[test]
fn scorep_is_given_back_its_handles() {
    assert_eq!(
        calls(&[SCOREP]),
        [
            "begin outer",
            "begin inner",
            "end inner",
            "begin again inner",
            "end inner",
            "end outer",
            "begin outer",
            "end outer",
        ]
    );
}

#[test]
fn extrae_is_told_a_name_before_its_number() {
    assert_eq!(
        calls(&[EXTRAE]),
        [
            "define outer",
            "event outer",
            "define inner",
            "event inner",
            "event 0",
            "event inner",
            "event 0",
            "event 0",
            // Another thread.
            "define outer",
            "event outer",
            "event 0",
        ]
    );
}

#[test]
fn the_first_tool_is_told_alone() {
    assert_eq!(calls(&[SCOREP, CALIPER]), calls(&[CALIPER]));
    assert_eq!(calls(&[EXTRAE, SCOREP]), calls(&[SCOREP]));
}

#[test]
fn functions_of_the_same_names_in_other_libraries_are_not_called() {
    assert_eq!(calls(&[TAU]), [""; 0]);
    assert_eq!(calls(&[TAU, TAU_SET_NODE]), [""; 0], "not all in one library");
    assert_eq!(calls(&[]), [""; 0]);
}
