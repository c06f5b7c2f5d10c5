//! What lies where the host's files belong: left by the dead, put there by others, or in its way.

use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::said;
use crate::desk::Desk;
use crate::play;
use crate::screen::say;
use crate::window::Window;

/// A desk whose far sockets are its own.
fn desk() -> Desk {
    let desk = play::desk(&[play::delta("Yes.")]);
    let run = desk.home().join("run");
    std::fs::create_dir_all(&run).unwrap();
    desk.set("XDG_RUNTIME_DIR", run.to_str().unwrap());
    std::fs::create_dir_all(private(&desk)).unwrap();
    desk
}

fn private(desk: &Desk) -> PathBuf {
    desk.workspace().join(".fascicle")
}

/// Commands are served, all by one host, and a window is.
fn is_served(desk: &Desk) {
    let id = desk.ok(&["new", "Letter"]);
    let host = desk.host().expect("a host that is found");
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
    assert_eq!(play::state(desk, &id), "unread");
    let window = play::window(desk, &id, "Yes.");
    assert_eq!(desk.host(), Some(host));
    drop(window);
}

/// Where the host says that it listens.
fn socket(desk: &Desk) -> PathBuf {
    let files = std::fs::read_dir(private(desk).join("hosts")).unwrap();
    let file = files.flatten().next().unwrap().path();
    let said: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    said["socket"].as_str().unwrap().into()
}

fn is_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_socket())
}

#[test]
fn the_socket_of_a_dead_host_is_in_nobodys_way() {
    let desk = desk();
    desk.ok(&["new", "Before"]);
    desk.kill_host();
    let near = private(&desk).join("host.sock");
    assert!(is_socket(&near), "the dead leave it");
    is_served(&desk);
    assert_eq!(socket(&desk), near);
    desk.ok(&["host", "stop"]);
    assert!(!near.exists(), "a host that ends leaves none");
}

#[test]
fn what_is_no_socket_of_ours_is_left_as_it_is_and_another_place_is_found() {
    type Put = fn(&Path);
    let foreign: [(&str, Put); 4] = [
        ("a folder with something in it", |at| {
            std::fs::create_dir(at).unwrap();
            std::fs::write(at.join("chapter.md"), "Words.").unwrap();
        }),
        ("an empty folder", |at| std::fs::create_dir(at).unwrap()),
        ("a file", |at| std::fs::write(at, "Words.").unwrap()),
        ("a link to nowhere", |at| {
            std::os::unix::fs::symlink("/nowhere/at/all", at).unwrap();
        }),
    ];
    for (what, put) in foreign {
        let desk = desk();
        let near = private(&desk).join("host.sock");
        put(&near);
        let before = std::fs::symlink_metadata(&near).unwrap();
        is_served(&desk);
        let far = socket(&desk);
        assert!(far.starts_with(desk.home().join("run")), "{what}: {far:?}");
        desk.ok(&["host", "stop"]);
        assert!(!far.exists(), "{what}: it is left behind");
        let after = std::fs::symlink_metadata(&near).unwrap();
        assert_eq!(before.file_type(), after.file_type(), "{what}");
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        let words = [near.clone(), near.join("chapter.md")].map(std::fs::read_to_string);
        assert_eq!(
            words.iter().flatten().any(|w| w == "Words."),
            what.contains("file") || what.contains("something")
        );
    }
}

#[test]
fn a_path_too_long_for_a_socket_is_served_from_elsewhere() {
    let desk = desk();
    let deep: PathBuf = (0..8).map(|_| "a-folder-of-a-writer").collect();
    let deep = desk.dir().join(deep);
    std::fs::create_dir_all(&deep).unwrap();
    desk.set("FASCICLE_WORKSPACE", deep.to_str().unwrap());
    is_served(&desk);
    assert!(!deep.join(".fascicle/host.sock").exists());
    let all = std::fs::read_dir(desk.home().join("run"));
    assert_eq!(all.unwrap().count(), 1);
    desk.ok(&["host", "stop"]);
}

#[test]
fn a_host_that_cannot_say_who_it_is_is_found_all_the_same() {
    for put in [
        (|at: &Path| std::fs::write(at, "Words.").unwrap()) as fn(&Path),
        |at| {
            std::fs::create_dir(at).unwrap();
            std::fs::set_permissions(at, std::fs::Permissions::from_mode(0o500)).unwrap();
        },
    ] {
        let desk = desk();
        let hosts = private(&desk).join("hosts");
        put(&hosts);
        is_served(&desk);
        desk.ok(&["host", "stop"]);
        assert!(hosts.exists());
    }
}

#[test]
fn a_lock_that_is_no_file_is_named_and_reading_goes_on() {
    let desk = desk();
    let id = desk.ok(&["new", "Letter"]);
    desk.ok(&["host", "stop"]);
    let lock = private(&desk).join("host.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    let done = desk.run(&["send", &id, "Begin."]);
    let why = play::refused(&done);
    assert!(why.contains("host.lock"), "{why}");
    assert_eq!(play::state(&desk, &id), "idle");
    assert!(desk.ok(&["show", &id]).contains("Letter"));
    let window = play::window_soon(&desk, &id);
    window.shows("host.lock");
    drop(window);
    std::fs::remove_dir(&lock).unwrap();
    assert_eq!(desk.ok(&["send", &id, "Begin.", "--wait"]), "Yes.");
}

#[test]
fn a_window_whose_program_was_replaced_or_deleted_still_gets_a_host() {
    let desk = desk();
    let copy = desk.dir().join("program");
    std::fs::copy(env!("CARGO_BIN_EXE_fascicle"), &copy).unwrap();
    let id = desk.ok(&["new", "Letter"]);
    let mut window = Window::open(&copy, &["resume", &id], &desk.variables(), (120, 40));
    window.shows("Letter");
    let mut turn = 0;
    for put in [
        (|at: &Path| std::fs::remove_file(at).unwrap()) as fn(&Path),
        |at| std::fs::write(at, "no program").unwrap(),
    ] {
        put(&copy);
        desk.kill_host();
        turn += 1;
        say(&mut window, "Begin.");
        let log = play::log(&desk, &id);
        assert_eq!(play::ended(&log, turn), "ok", "{}", window.screen());
        let exe = std::fs::read_link(format!("/proc/{}/exe", desk.host().unwrap()));
        let exe = exe.unwrap().display().to_string();
        assert!(
            exe.starts_with(copy.to_str().unwrap()) && exe.ends_with("(deleted)"),
            "{exe}"
        );
    }
    // A command of another build works with such a host.
    let done = desk.run(&["send", &id, "Again.", "--wait"]);
    assert!(done.status.success(), "{}", said(&done));
}
