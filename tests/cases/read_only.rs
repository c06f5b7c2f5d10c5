//! 28: a workspace that cannot be written: a read-only mount, a folder of somebody else's, settings that are fixed.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::bench::{Found, REPLY, answered, said};

const LOG: &str = "28-read-only-workspace/session.jsonl";
/// A user that owns nothing, for tests that run as root: no permission stops root.
const NOBODY: u32 = 65534;

/// Reading works, sending and making are refused with place and reason before any agent starts, and nothing changes.
fn can_be_read(found: &Found, run: &dyn Fn(&[&str]) -> Output) {
    let root = found.bench.desk.workspace();
    let place = root.display().to_string();
    assert!(answered(&run(&["list"])).contains("Harbour essay"));
    assert!(answered(&run(&["show", &found.id])).contains("Answer 2, part 1. Answer 2, part 2."));
    assert!(answered(&run(&["verify"])).contains("all whole."));
    assert!(run(&["host", "status"]).status.success());
    for verb in [
        &["send", &found.id, "Go on.", "--wait"][..],
        &["new", "Another"],
        &["rename", &found.id, "New"],
    ] {
        let refused = run(verb);
        assert_eq!(
            refused.status.code(),
            Some(1),
            "{verb:?}: {}",
            said(&refused)
        );
        let why = said(&refused);
        assert!(
            why.contains(&place) && why.contains("written"),
            "{verb:?}: {why}"
        );
        assert!(refused.stdout.is_empty(), "{verb:?}");
    }
    assert!(
        found.bench.heard("start").is_empty(),
        "no agent was started"
    );
    assert_eq!(std::fs::read(&found.log).unwrap(), found.before);
}

#[test]
fn case_28_on_a_read_only_mount_all_can_be_read_and_nothing_is_sent() {
    let found = Found::case(LOG);
    let root = found.bench.desk.workspace();
    // A mount of the workspace on itself that cannot be written, seen by the command alone.
    let script = format!(
        "mount --bind {0} {0} && mount -o remount,ro,bind {0} {0} && shift && exec \"$@\"",
        root.display()
    );
    let flags = if rustix::process::geteuid().is_root() {
        "-m"
    } else {
        "-Urm"
    };
    let mounted = |program: &Path, args: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args([flags, "sh", "-c", &script, "sh", "-"])
            .arg(program)
            .args(args);
        command
            .current_dir("/")
            .env_clear()
            .envs(found.bench.desk.variables());
        command.stdin(Stdio::null()).output()
    };
    let tried = mounted(Path::new("true"), &[]);
    if !tried.is_ok_and(|t| t.status.success()) {
        println!("skipped: this system lets nobody mount a folder read-only (unshare {flags}).");
        return;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_fascicle"));
    can_be_read(&found, &|args| mounted(binary, args).unwrap());
    found.rule();
    assert_eq!(found.answered("Go on."), format!("{REPLY}\n"));
    found.rule();
}

#[test]
fn case_28_a_folder_without_permission_can_be_read_and_nothing_is_sent() {
    let found = Found::case(LOG);
    let desk = &found.bench.desk;
    let root = desk.workspace();
    let is_root = rustix::process::geteuid().is_root();
    for folder in [
        &root,
        &root.join(".fascicle"),
        &root.join(".fascicle/sessions"),
        found.log.parent().unwrap(),
        &root.join("essays"),
    ] {
        std::fs::set_permissions(folder, Permissions::from_mode(0o555)).unwrap();
    }
    std::fs::set_permissions(desk.dir(), Permissions::from_mode(0o755)).unwrap();
    if is_root {
        every(&desk.home(), &|path| {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap()
        });
    }
    can_be_read(&found, &|args| {
        let mut command = desk.command(args);
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.stdin(Stdio::null()).output().unwrap()
    });
    found.rule();
    for folder in [
        &root,
        &root.join(".fascicle"),
        &root.join(".fascicle/sessions"),
        found.log.parent().unwrap(),
        &root.join("essays"),
    ] {
        std::fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn case_28_settings_and_caches_that_cannot_be_written_stop_nothing() {
    let found = Found::case(LOG);
    let desk = &found.bench.desk;
    let is_root = rustix::process::geteuid().is_root();
    std::fs::set_permissions(desk.dir(), Permissions::from_mode(0o755)).unwrap();
    if is_root {
        every(&desk.workspace(), &|path| {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap()
        });
        std::fs::create_dir(desk.home().join(".claude")).unwrap();
        chown(desk.home().join(".claude"), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    std::fs::write(desk.dir().join("heard"), "").unwrap();
    std::fs::set_permissions(desk.dir().join("heard"), Permissions::from_mode(0o666)).unwrap();
    let folders = [
        desk.home(),
        desk.home().join("config"),
        desk.home().join("config/fascicle"),
    ];
    std::fs::create_dir_all(desk.home().join(".claude")).unwrap();
    for folder in &folders {
        std::fs::set_permissions(folder, Permissions::from_mode(0o555)).unwrap();
    }
    let mut command = desk.command(&["send", &found.id, "Go on.", "--wait"]);
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let done = command.stdin(Stdio::null()).output().unwrap();
    for folder in &folders {
        std::fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(answered(&done), format!("{REPLY}\n"));
    found.rule();
}

/// Does something to a folder and to all below it.
fn every(path: &Path, deed: &dyn Fn(&Path)) {
    deed(path);
    for entry in std::fs::read_dir(path).into_iter().flatten() {
        every(&entry.unwrap().path(), deed);
    }
}
