//! Finding a program: a path as it is, a name on PATH.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::error::AgentError;
use super::vars::Vars;

/// The program behind a name or path.
///
/// # Errors
/// When there is no such file, or only one that may not be run.
pub fn program(name: &str, vars: &Vars) -> Result<PathBuf, AgentError> {
    if name.contains('/') {
        return runnable(&home_for_tilde(name, vars));
    }
    let path = vars.get("PATH").unwrap_or_default();
    let mut barred = None;
    for folder in std::env::split_paths(path) {
        let found = folder.join(name);
        match runnable(&found) {
            Ok(path) => return Ok(path),
            Err(AgentError::NotExecutable { path }) => barred = Some(path),
            Err(_) => {}
        }
    }
    Err(barred.map_or_else(
        || AgentError::NotFound {
            program: name.to_owned(),
        },
        |path| AgentError::NotExecutable { path },
    ))
}

fn home_for_tilde(name: &str, vars: &Vars) -> PathBuf {
    match (name.strip_prefix("~/"), vars.get("HOME")) {
        (Some(rest), Some(home)) => Path::new(home).join(rest),
        _ => PathBuf::from(name),
    }
}

fn runnable(path: &Path) -> Result<PathBuf, AgentError> {
    if path.is_dir() {
        let path = path.to_owned();
        return Err(AgentError::Folder { path });
    }
    if !path.is_file() {
        let program = path.display().to_string();
        return Err(AgentError::NotFound { program });
    }
    if access(path, Access::EXEC_OK).is_err() {
        let path = path.to_owned();
        return Err(AgentError::NotExecutable { path });
    }
    Ok(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test")]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn put(folder: &Path, name: &str, mode: u32) {
        let path = folder.join(name);
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_name_is_looked_up_on_path_in_order() {
        let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        put(a.path(), "agent", 0o644);
        put(b.path(), "agent", 0o755);
        let path = std::env::join_paths([a.path(), b.path()]).unwrap();
        let vars = Vars::default().with("PATH", path);
        assert_eq!(program("agent", &vars).unwrap(), b.path().join("agent"));
    }

    #[test]
    fn a_file_that_may_not_be_run_is_told_apart_from_none() {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "agent", 0o644);
        let vars = Vars::default().with("PATH", dir.path());
        let got = program("agent", &vars).unwrap_err();
        assert!(matches!(got, AgentError::NotExecutable { .. }), "{got}");
        let got = program("other", &vars).unwrap_err();
        assert!(matches!(got, AgentError::NotFound { .. }), "{got}");
    }

    #[test]
    fn a_folder_is_no_program_and_on_path_it_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("agent")).unwrap();
        let vars = Vars::default().with("PATH", dir.path());
        let got = program(&dir.path().join("agent").display().to_string(), &vars).unwrap_err();
        assert!(matches!(got, AgentError::Folder { .. }), "{got}");
        let got = program("agent", &vars).unwrap_err();
        assert!(matches!(got, AgentError::NotFound { .. }), "{got}");
    }

    #[test]
    fn a_tilde_is_the_home_folder() {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "agent", 0o755);
        let vars = Vars::default().with("HOME", dir.path());
        assert_eq!(program("~/agent", &vars).unwrap(), dir.path().join("agent"));
    }
}
