//! Variables of the environment: read once, passed on by name, never printed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;

/// What every child gets: where things are, how the terminal and the language are set.
const KEPT: [&str; 8] = [
    "PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER", "SHELL", "LANGUAGE",
];
/// Whole families that every child gets.
const KEPT_FAMILIES: [&str; 2] = ["LC_", "XDG_"];

/// Variables and their values. `Debug` shows the names only: values may be keys.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Vars(BTreeMap<OsString, OsString>);

impl Vars {
    /// Those of this process, as they are now.
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of one.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The value of one, when it is text and not empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        let value = self.get(name)?.to_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// The same with one more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// What a child gets of these: the few that every child needs, and those named.
    #[must_use]
    pub fn kept(&self, named: &[String]) -> Self {
        let keep = |name: &OsStr| {
            let Some(name) = name.to_str() else {
                return false;
            };
            KEPT.contains(&name)
                || KEPT_FAMILIES.iter().any(|f| name.starts_with(f))
                || named.iter().any(|n| n == name)
        };
        self.iter()
            .filter(|(name, _)| keep(name))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// All, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(k, v)| (k.as_os_str(), v.as_os_str()))
    }
}

impl FromIterator<(OsString, OsString)> for Vars {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl fmt::Debug for Vars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_gets_the_few_it_needs_and_those_named() {
        let all = Vars::default()
            .with("PATH", "/bin")
            .with("LC_ALL", "C")
            .with("XDG_CONFIG_HOME", "/c")
            .with("SECRET", "s")
            .with("ANTHROPIC_API_KEY", "k");
        let kept = all.kept(&["ANTHROPIC_API_KEY".to_owned(), "ABSENT".to_owned()]);
        let names: Vec<_> = kept.iter().map(|(n, _)| n.to_str()).collect();
        assert_eq!(
            names,
            [
                Some("ANTHROPIC_API_KEY"),
                Some("LC_ALL"),
                Some("PATH"),
                Some("XDG_CONFIG_HOME")
            ]
        );
    }

    #[test]
    fn values_are_never_printed() {
        let vars = Vars::default().with("KEY", "sk-secret");
        assert!(!format!("{vars:?}").contains("secret"));
    }
}
