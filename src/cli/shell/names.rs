//! Names in the scripts that complete: of sessions, collections, recipes and stages. What is made from the definition knows
//! verbs and flags alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::args::Cli;

/// What a word can name.
struct Kind {
    name: &'static str,
    /// The words of the definition that stand for one.
    ids: &'static [&'static str],
    /// What tells the names, one a line.
    tells: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "sessions",
        ids: &["id", "a", "b"],
        tells: "fascicle list --names",
    },
    Kind {
        name: "collections",
        ids: &["collection"],
        tells: "fascicle collection list --names",
    },
    Kind {
        name: "recipes",
        ids: &["recipe"],
        tells: "fascicle recipe list --names",
    },
    Kind {
        name: "stages",
        ids: &["stage"],
        tells: "printf '%s\\n' idea outline draft revising done",
    },
];

/// A place on the command line where a name stands.
struct Spot {
    /// The verb, and the verb within it.
    path: Vec<String>,
    /// How many words stand before it, those of the verb with them.
    behind: usize,
    kind: &'static Kind,
}

/// What is put behind the script for bash.
const BASH: &str = include_str!("../../../assets/names.bash");
/// What the script for zsh completes a word with that it knows nothing of.
const ZSH_FILES: &str = ":_default'";
/// Its lines for the folder and for the verbs, and what stands for both.
const ZSH_FOLDER: &str = "'::dir -- ";
const ZSH_VERBS: &str = r#"":: :_fascicle_commands" \"#;
const ZSH_FIRST: &str = r#"": :_fascicle_first" \"#;

/// A script that also completes names. Shells that are not tried here keep what they have.
pub(super) fn named(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}\n{}", bash()),
        Shell::Zsh => zsh(script),
        Shell::Fish => format!("{script}{}", fish()),
        _ => script.to_owned(),
    }
}

/// The verbs whose first word is a session.
#[cfg(test)]
pub(in crate::cli) fn about_sessions() -> Vec<String> {
    let first = |spot: &Spot| spot.path.len() == 1 && spot.behind == 1;
    let about = spots()
        .into_iter()
        .filter(|spot| first(spot) && spot.kind.name == "sessions");
    about
        .filter_map(|spot| spot.path.into_iter().next())
        .collect()
}

fn kind_of(arg: &Arg) -> Option<&'static Kind> {
    let id = arg.get_id().as_str();
    KINDS.iter().find(|kind| kind.ids.contains(&id))
}

/// Every command, with the words that lead to it.
fn commands() -> Vec<(Vec<String>, Command)> {
    fn add(command: &Command, path: &[String], all: &mut Vec<(Vec<String>, Command)>) {
        for verb in command.get_subcommands() {
            let mut path = path.to_vec();
            path.push(verb.get_name().to_owned());
            add(verb, &path, all);
            all.push((path, verb.clone()));
        }
    }
    let mut all = Vec::new();
    add(&Cli::command(), &[], &mut all);
    all
}

fn spots() -> Vec<Spot> {
    let mut all = Vec::new();
    for (path, command) in commands() {
        for (n, arg) in command.get_positionals().enumerate() {
            all.extend(kind_of(arg).map(|kind| Spot {
                behind: path.len() + n,
                path: path.clone(),
                kind,
            }));
        }
    }
    all
}

/// The options behind which a value stands that fits, of every verb.
fn valued(fits: impl Fn(&Arg) -> bool) -> Vec<String> {
    let own = std::iter::once((Vec::new(), Cli::command()));
    let mut all = BTreeSet::new();
    for (_, command) in own.chain(commands()) {
        let options = command.get_opts();
        for option in options.filter(|o| o.get_action().takes_values() && fits(o)) {
            all.extend(option.get_long().map(|name| format!("--{name}")));
            all.extend(option.get_short().map(|name| format!("-{name}")));
        }
    }
    all.into_iter().collect()
}

/// For each kind its options and its spots, as a line of a script.
fn lines(of: impl Fn(&Kind, &[String], &[Spot]) -> String) -> String {
    let spots = spots();
    let of = KINDS.iter().map(|kind| {
        let is = |arg: &Arg| kind_of(arg).is_some_and(|own| own.name == kind.name);
        let here: Vec<Spot> = spots
            .iter()
            .filter(|spot| spot.kind.name == kind.name)
            .map(|spot| Spot {
                path: spot.path.clone(),
                ..*spot
            })
            .collect();
        of(kind, &valued(is), &here)
    });
    of.collect()
}

fn bash() -> String {
    let told = lines(|kind, _, _| format!("        {}) {} ;;\n", kind.name, kind.tells));
    let options = lines(|kind, options, _| {
        let all = options.join("|");
        if all.is_empty() {
            return String::new();
        }
        format!("        {all}) kind={} ;;\n", kind.name)
    });
    let places = lines(|kind, _, spots| {
        let all = spots.iter().map(|spot| match &*spot.path {
            [verb] => format!("\"{} {verb} \"*", spot.behind),
            path => format!("\"{} {}\"", spot.behind, path.join(" ")),
        });
        let all = all.collect::<Vec<_>>().join("|");
        format!("            {all}) kind={} ;;\n", kind.name)
    });
    let valued = valued(|_| true).join("|");
    [
        ("@told@", told),
        ("@options@", options),
        ("@places@", places),
        ("@valued@", valued),
    ]
    .into_iter()
    .fold(BASH.to_owned(), |script, (mark, text)| {
        script.replace(mark, &text)
    })
}

/// The folder that may stand in the verb's place would push the verb to the second word; it is completed beside the verbs.
fn zsh(script: &str) -> String {
    let line = |line: &str| match line {
        ZSH_VERBS => Some(ZSH_FIRST.to_owned()),
        _ if line.starts_with(ZSH_FOLDER) => None,
        _ => match zsh_kind(line) {
            Some(kind) => Some(line.replace(ZSH_FILES, &format!(":_fascicle_{}'", kind.name))),
            None => Some(line.replace("$line[2]", "$line[1]")),
        },
    };
    let lines_of = script.lines().filter_map(line).map(|line| line + "\n");
    let told = lines(|kind, _, _| {
        format!(
            "_fascicle_{}() {{\n    local -a names\n    names=(\"${{(@f)$({} 2>/dev/null)}}\")\n    compadd -a names\n}}\n\n",
            kind.name, kind.tells
        )
    });
    let own = format!(
        r"{told}_fascicle_first() {{
    _alternative 'verbs:verb:_fascicle_commands' 'folders:folder:_files -/'
}}

_fascicle() {{"
    );
    lines_of
        .collect::<String>()
        .replacen("_fascicle() {", &own, 1)
}

/// What a line of the script for zsh is about: `':id -- ` and `'::id -- ` for a word, `:COLLECTION:` for an option.
fn zsh_kind(line: &str) -> Option<&'static Kind> {
    let is = |id: &str| {
        let word = line
            .strip_prefix("':")
            .map(|rest| rest.trim_start_matches(':'));
        word.is_some_and(|rest| rest.starts_with(&format!("{id} -- ")))
            || line.starts_with("'-")
                && line.contains(&format!(":{}{ZSH_FILES}", id.to_uppercase()))
    };
    KINDS.iter().find(|kind| kind.ids.iter().any(|id| is(id)))
}

fn fish() -> String {
    let valued = valued(|_| true).join(" ");
    let mut out = format!(
        r#"
function __fascicle_at
    set -l skip 0
    set -l words
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case {valued}
                set skip 1
            case '-*'
            case '*'
                set -a words $word
        end
    end
    test $skip -eq 0; and test (count $words) -eq $argv[1]; and string match -q -- "$argv[2..-1] *" "$words "
end
"#
    );
    for spot in spots() {
        let (path, behind, tells) = (spot.path.join(" "), spot.behind, spot.kind.tells);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "complete -c fascicle -n \"__fascicle_at {behind} {path}\" -f -a \"({tells} 2>/dev/null)\""
        );
    }
    for (path, command) in commands() {
        let condition = match &*path {
            [verb] => format!("__fish_fascicle_using_subcommand {verb}"),
            [verb, more @ ..] => format!(
                "__fish_fascicle_using_subcommand {verb}; and __fish_seen_subcommand_from {}",
                more.join(" ")
            ),
            [] => continue,
        };
        for option in command.get_opts() {
            let (Some(kind), Some(long)) = (kind_of(option), option.get_long()) else {
                continue;
            };
            let short = option
                .get_short()
                .map(|c| format!(" -s {c}"))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "complete -c fascicle -n \"{condition}\"{short} -l {long} -x -a \"({} 2>/dev/null)\"",
                kind.tells
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Stage;

    #[test]
    fn every_verb_about_a_session_completes_it() {
        let verbs = about_sessions();
        for verb in ["send", "show", "draft", "rename", "fork"] {
            assert!(verbs.iter().any(|v| v == verb), "{verb} in {verbs:?}");
        }
        assert!(
            !verbs.iter().any(|v| v == "new" || v == "list"),
            "{verbs:?}"
        );
        let zsh = super::super::script(Shell::Zsh);
        assert!(
            zsh.matches(":_fascicle_sessions'").count() >= verbs.len(),
            "{zsh}"
        );
        assert!(zsh.starts_with("#compdef fascicle"));
        assert!(
            zsh.contains(ZSH_FIRST) && !zsh.contains("$line[2]"),
            "{zsh}"
        );
    }

    #[test]
    fn collections_recipes_and_stages_are_completed_where_they_stand() {
        let zsh = super::super::script(Shell::Zsh);
        let bash = super::super::script(Shell::Bash);
        let fish = super::super::script(Shell::Fish);
        for has in [
            "\"1 send \"*|",
            "\"2 stage \"*) kind=stages",
            "\"2 recipe show\"|\"3 recipe run\") kind=recipes",
            "--collection|-c) kind=collections",
            "|--to|",
        ] {
            assert!(bash.contains(has), "{has} in {bash}");
        }
        for kind in ["sessions", "collections", "recipes", "stages"] {
            assert!(
                zsh.contains(&format!(":_fascicle_{kind}'")),
                "{kind} in {zsh}"
            );
        }
        assert!(!zsh.contains(":COLLECTION:_default"), "{zsh}");
        for has in [
            "\"__fascicle_at 3 recipe run\" -f -a \"(fascicle recipe list",
            "\"__fascicle_at 2 move\" -f -a \"(fascicle collection list",
            "using_subcommand new\" -s c -l collection -x -a \"(fascicle collection list",
        ] {
            assert!(fish.contains(has), "{has} in {fish}");
        }
        let words: Vec<&str> = Stage::ALL.iter().map(|stage| stage.word()).collect();
        let told = KINDS.last().map_or("", |kind| kind.tells);
        assert!(told.ends_with(&words.join(" ")));
    }
}
