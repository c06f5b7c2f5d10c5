//! This machine, told apart from others that have the same folder.

use crate::agents::child::process::boot;
use crate::text::hash::sha256;

/// A machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Machine {
    /// Its name, as people know it.
    pub(super) name: String,
    /// Name of its own file in `.fascicle/hosts`: no other machine writes that.
    pub(super) key: String,
    /// Id of its present boot; none where the system does not tell.
    pub(super) boot: Option<String>,
}

impl Machine {
    /// The one this process runs on.
    pub(super) fn this() -> Self {
        let name = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        // machine-id(5): two machines of one name do not share it.
        let id = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let hash: String = sha256(format!("{name}\n{id}").as_bytes())
            .chars()
            .take(8)
            .collect();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let key: String = name.chars().map(plain).take(32).collect();
        Self {
            key: format!("{key}-{hash}"),
            name,
            boot: boot(),
        }
    }
}
