//! A writer's desk for a test: a home and a workspace of their own, and the real binary on them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long what runs on a desk may take to end with it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A private home and workspace, gone with the value.
pub struct Desk {
    dir: TempDir,
    workspace: String,
    more: std::cell::RefCell<Vec<(String, String)>>,
}

impl Desk {
    /// An empty desk.
    pub fn new() -> Self {
        let desk = Self {
            dir: tempfile::tempdir().unwrap(),
            workspace: "words".to_owned(),
            more: std::cell::RefCell::default(),
        };
        for folder in [
            desk.home(),
            desk.workspace(),
            desk.home().join("config/fascicle"),
        ] {
            std::fs::create_dir_all(folder).unwrap();
        }
        desk
    }

    /// With the writer's configuration.
    pub fn with(config: &str) -> Self {
        let desk = Self::new();
        desk.config(config);
        desk
    }

    /// Sets the writer's configuration.
    pub fn config(&self, text: &str) {
        std::fs::write(self.home().join("config/fascicle/config.toml"), text).unwrap();
    }

    /// Sets a variable that the binary sees.
    pub fn set(&self, name: &str, value: &str) {
        self.more
            .borrow_mut()
            .push((name.to_owned(), value.to_owned()));
    }

    /// Moves the workspace.
    pub fn move_workspace(&mut self, name: &str) {
        std::fs::rename(self.workspace(), self.dir.path().join(name)).unwrap();
        name.clone_into(&mut self.workspace);
    }

    /// Moves a folder above the workspace, and the workspace with it.
    pub fn move_above(&mut self, from: &str, to: &str) {
        let dir = self.dir.path();
        std::fs::rename(dir.join(from), dir.join(to)).unwrap();
        self.workspace = self.workspace.replacen(from, to, 1);
    }

    /// The folder of everything.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The home.
    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// The workspace.
    pub fn workspace(&self) -> PathBuf {
        self.dir.path().join(&self.workspace)
    }

    /// The binary with arguments, on this desk and nothing else.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fascicle"));
        command.args(args).current_dir(self.workspace()).env_clear();
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        command
    }

    /// What the binary sees of the world.
    pub fn variables(&self) -> Vec<(String, String)> {
        let home = self.home();
        let below = |name: &str| home.join(name).display().to_string();
        let mut all = vec![
            ("HOME".to_owned(), home.display().to_string()),
            ("XDG_CONFIG_HOME".to_owned(), below("config")),
            ("XDG_CACHE_HOME".to_owned(), below("cache")),
            ("XDG_STATE_HOME".to_owned(), below("state")),
            ("XDG_DATA_HOME".to_owned(), below("data")),
            (
                "FASCICLE_WORKSPACE".to_owned(),
                self.workspace().display().to_string(),
            ),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("TZ".to_owned(), "UTC".to_owned()),
        ];
        all.extend(self.more.borrow().iter().cloned());
        all.extend(
            std::env::var("PATH")
                .ok()
                .map(|path| ("PATH".to_owned(), path)),
        );
        all
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs a command that must succeed; what it printed, without the last line end.
    pub fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "fascicle {args:?}: {:?}\n{said}",
            output.status
        );
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Runs a command that lists, as JSON.
    pub fn json(&self, args: &[&str]) -> serde_json::Value {
        let text = self.ok(args);
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
    }

    /// Starts a command and leaves it running.
    pub fn start(&self, args: &[&str]) -> Child {
        self.command(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The process of the host that runs.
    pub fn host(&self) -> Option<u32> {
        let status = self.json(&["host", "status", "--json"]);
        status["pid"].as_u64().and_then(|pid| pid.try_into().ok())
    }

    /// Kills the host, as `kill -9` does, and waits until it is gone.
    pub fn kill_host(&self) {
        let pid = self.host().unwrap_or_else(|| panic!("no host runs"));
        let process = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
        let until = Instant::now() + PATIENCE;
        while rustix::process::test_kill_process(process).is_ok() && !is_dead(pid) {
            assert!(Instant::now() < until, "the host cannot be killed");
            std::thread::yield_now();
        }
    }

    /// Every process that knows this desk, whether or not it was started here.
    pub fn processes(&self) -> Vec<u32> {
        let number = |(pid, _)| pid;
        processes_of(self.dir.path())
            .into_iter()
            .map(number)
            .collect()
    }

    /// The logs of all sessions.
    pub fn logs(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let Ok(shelves) = std::fs::read_dir(self.workspace().join(".fascicle/sessions")) else {
            return found;
        };
        for shelf in shelves.flatten() {
            let Ok(files) = std::fs::read_dir(shelf.path()) else {
                continue;
            };
            let jsonl = |p: &PathBuf| p.extension().is_some_and(|e| e == "jsonl");
            found.extend(files.flatten().map(|f| f.path()).filter(jsonl));
        }
        found.sort();
        found
    }
}

/// Ends the host of the desk, if one runs, and sees that nothing is left of it.
impl Drop for Desk {
    fn drop(&mut self) {
        let mut stop = self.command(&["host", "stop", "--now"]);
        let _none = stop.current_dir(self.dir.path()).output();
        let until = Instant::now() + PATIENCE;
        loop {
            let left = processes_of(self.dir.path());
            if left.is_empty() || std::thread::panicking() {
                return;
            }
            assert!(Instant::now() < until, "left behind: {left:?}");
            std::thread::yield_now();
        }
    }
}

/// Whether a process has ended and only waits to be collected.
fn is_dead(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let ended = stat
        .rsplit_once(')')
        .is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'));
    // Its files and sockets are closed only when its last thread is gone, which is after its first.
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    ended && threads <= 1
}

/// The processes that name something below a folder in their words or variables, each with its words.
pub fn processes_of(folder: &Path) -> Vec<(u32, String)> {
    let folder = folder.display().to_string();
    let of = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let read = |name: &str| {
            let bytes = std::fs::read(entry.path().join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let words = read("cmdline");
        let names = words.contains(&folder) || read("environ").contains(&folder);
        (pid != std::process::id() && names).then_some((pid, words))
    };
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(of).collect()
}
