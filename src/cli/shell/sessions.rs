//! Sessions by name in the scripts that complete: what is made from the definition knows verbs and flags alone.

use std::collections::BTreeSet;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::args::Cli;

/// What tells the names, one a line.
const NAMES: &str = "fascicle list --names 2>/dev/null";

/// How the script for zsh says that the first word is a session, and what it completes it with: files, and names.
const ZSH_IDS: [&str; 3] = ["':id -- ", "':a -- ", "':b -- "];
const ZSH_FILES: &str = ":_default'";
/// Its lines for the folder and for the verbs, and what stands for both.
const ZSH_FOLDER: &str = "'::dir -- ";
const ZSH_VERBS: &str = r#"":: :_fascicle_commands" \"#;
const ZSH_FIRST: &str = r#"": :_fascicle_first" \"#;
const ZSH_NAMES: &str = ":_fascicle_sessions'";

/// A script that also completes the session a verb is about. Shells that are not tried here keep what they have.
pub(super) fn named(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!(
            "{script}\n{}",
            bash(&verbs().join("|"), &valued().join("|"))
        ),
        Shell::Zsh => zsh(script),
        Shell::Fish => format!("{script}{}", fish(&verbs().join(" "))),
        _ => script.to_owned(),
    }
}

/// The verbs whose first word is a session.
pub(in crate::cli) fn verbs() -> Vec<String> {
    let command = Cli::command();
    let about = command.get_subcommands().filter(|verb| {
        let mut words = verb.get_positionals();
        // `compare` has two.
        words
            .next()
            .is_some_and(|arg| arg.get_id() == "id" || arg.get_id() == "a")
    });
    about.map(|verb| verb.get_name().to_owned()).collect()
}

/// The options behind which a value stands, of every verb.
fn valued() -> Vec<String> {
    fn add(command: &Command, all: &mut BTreeSet<String>) {
        let options = command.get_opts();
        for option in options.filter(|o| o.get_action().takes_values()) {
            all.extend(option.get_long().map(|name| format!("--{name}")));
            all.extend(option.get_short().map(|name| format!("-{name}")));
        }
        command.get_subcommands().for_each(|verb| add(verb, all));
    }
    let mut all = BTreeSet::new();
    add(&Cli::command(), &mut all);
    all.into_iter().collect()
}

fn bash(verbs: &str, valued: &str) -> String {
    format!(
        r#"_fascicle_sessions() {{
    _fascicle "$@"
    local cur="${{COMP_WORDS[COMP_CWORD]}}" verb="" value="" word name
    [[ $cur == -* ]] && return
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        [[ -n $value ]] && value="" && continue
        case "$word" in
            {valued}) value=1 ;;
            -*) ;;
            *) verb="${{verb:+$verb }}$word" ;;
        esac
    done
    [[ -n $value ]] && return
    case "$verb" in
        {verbs}|"compare "*|"recipe run") ;;
        *) return ;;
    esac
    cur=${{cur//[\\\"\']/}}
    COMPREPLY=()
    while IFS= read -r name; do
        [[ $name == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
    done < <({NAMES})
}}
complete -F _fascicle_sessions -o bashdefault -o default fascicle
"#
    )
}

/// The folder that may stand in the verb's place would push the verb to the second word; it is completed beside the verbs.
fn zsh(script: &str) -> String {
    let line = |line: &str| match line {
        ZSH_VERBS => Some(ZSH_FIRST.to_owned()),
        _ if line.starts_with(ZSH_FOLDER) => None,
        _ if ZSH_IDS.iter().any(|id| line.starts_with(id)) => {
            Some(line.replace(ZSH_FILES, ZSH_NAMES))
        }
        _ => Some(line.replace("$line[2]", "$line[1]")),
    };
    let lines = script.lines().filter_map(line).map(|line| line + "\n");
    let own = format!(
        r#"_fascicle_sessions() {{
    local -a names
    names=("${{(@f)$({NAMES})}}")
    compadd -a names
}}

_fascicle_first() {{
    _alternative 'verbs:verb:_fascicle_commands' 'folders:folder:_files -/'
}}

_fascicle() {{"#
    );
    lines.collect::<String>().replacen("_fascicle() {", &own, 1)
}

fn fish(verbs: &str) -> String {
    format!(
        "complete -c fascicle -n \"__fish_fascicle_using_subcommand {verbs}\" -f -a \"({NAMES})\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_about_a_session_completes_it() {
        let verbs = verbs();
        for verb in ["send", "show", "draft", "rename", "fork"] {
            assert!(verbs.iter().any(|v| v == verb), "{verb} in {verbs:?}");
        }
        assert!(
            !verbs.iter().any(|v| v == "new" || v == "list"),
            "{verbs:?}"
        );
        let zsh = super::super::script(Shell::Zsh);
        assert!(zsh.matches(ZSH_NAMES).count() >= verbs.len(), "{zsh}");
        assert!(zsh.starts_with("#compdef fascicle"));
        assert!(
            zsh.contains(ZSH_FIRST) && !zsh.contains("$line[2]"),
            "{zsh}"
        );
        let bash = super::super::script(Shell::Bash);
        assert!(bash.contains(NAMES) && bash.contains("|--to|"), "{bash}");
        assert!(bash.contains("compare|"), "{bash}");
        assert!(super::super::script(Shell::Fish).contains(NAMES));
    }
}
