//! Programs that do not load, or do not bear, a library that is preloaded.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ats_model::mpi::Function;
use goblin::elf::Elf;
use goblin::elf::program_header::PT_INTERP;

/// The option of GCC's address sanitizer that lets other libraries be loaded before it.
const ASAN_OPTION: &str = "verify_asan_link_order=0";
const ASAN_OPTIONS: &str = "ASAN_OPTIONS";

const SETUID: u32 = 0o4000;
/// A file with it that its group cannot execute is not setgid.
const SETGID: u32 = 0o2010;

/// Functions that only a static program with MPI or OpenMP has: of MPI, of LLVM's and of GNU's runtime.
const RECORDED: [&str; 3] = [Function::Init.name(), "__kmpc_fork_call", "GOMP_parallel"];

/// The reason why an executable cannot be recorded, with a way out. A static program may start others, which load
/// the recorder; so it is refused only if it has MPI or OpenMP itself, or may have, as a rank that is stripped.
pub(crate) fn problem(program: &Path, is_launched: bool) -> Option<&'static str> {
    let file = fs::metadata(program).ok()?;
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let is_privileged = file.mode() & SETUID != 0 && file.uid() != user
        || file.mode() & SETGID == SETGID && file.gid() != group;
    if is_privileged {
        return Some(
            "runs as another user or group (setuid or setgid), and such programs load no recorder; run a copy \
             without these bits (cp makes one)",
        );
    }
    let bytes = fs::read(program).ok()?;
    let elf = Elf::parse(&bytes).ok()?;
    let is_static = !elf.program_headers.iter().any(|header| header.p_type == PT_INTERP);
    if is_static && (has_any(&elf, &RECORDED) || is_launched && elf.syms.is_empty()) {
        return Some("is linked statically, so that it loads no recorder; link it without -static");
    }
    let is_sanitized = elf.libraries.iter().any(|library| library.starts_with("libasan.so"));
    let options = std::env::var(ASAN_OPTIONS).unwrap_or_default();
    (is_sanitized && !options.contains(ASAN_OPTION)).then_some(
        "is built with -fsanitize=address, and its sanitizer ends it where a recorder is preloaded; set \
         ASAN_OPTIONS=verify_asan_link_order=0",
    )
}

/// Whether a program has any of these functions, as far as it is not stripped.
fn has_any(elf: &Elf<'_>, functions: &[&str]) -> bool {
    elf.syms
        .iter()
        .any(|symbol| elf.strtab.get_at(symbol.st_name).is_some_and(|name| functions.contains(&name)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_program_that_loads_no_recorder_is_known_by_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("program.c");
        fs::write(&source, "void GOMP_parallel(void) {}\nint main(void) { return 0; }\n").unwrap();
        if !ats_testing::required("cc") {
            return;
        }
        let build = |name: &str, options: &[&str]| {
            let program = dir.path().join(name);
            let built = Command::new("cc").arg(&source).arg("-o").arg(&program).args(options).status();
            assert!(built.unwrap().success(), "{name}");
            program
        };
        let usual = build("usual", &[]);
        assert_eq!(problem(&usual, true), None);
        let fixed = build("static", &["-static"]);
        assert!(problem(&fixed, false).unwrap().contains("linked statically"));
        let other = build("other", &["-static", "-DGOMP_parallel=other"]);
        assert_eq!(problem(&other, true), None, "it may start others");
        let stripped = build("stripped", &["-static", "-s"]);
        assert_eq!(problem(&stripped, false), None, "it may start others");
        assert!(problem(&stripped, true).unwrap().contains("linked statically"));
        let sanitized = build("sanitized", &["-fsanitize=address"]);
        assert!(problem(&sanitized, false).unwrap().contains(ASAN_OPTION));

        fs::set_permissions(&usual, fs::Permissions::from_mode(0o4755)).unwrap();
        assert_eq!(problem(&usual, false), None, "it is the user's own");
        // Only root can give a file away.
        if std::os::unix::fs::chown(&usual, Some(1), Some(1)).is_ok() {
            fs::set_permissions(&usual, fs::Permissions::from_mode(0o4755)).unwrap();
            assert!(problem(&usual, false).unwrap().contains("setuid"));
        }
        assert_eq!(problem(&source, true), None);
    }
}
