//! The words by which a voice says what is never written, in many languages.

/// Headings and leads that begin a list of such words, as they are compared.
pub(super) const NEVER: &[&str] = &[
    "never",
    "avoid",
    "forbidden",
    "banned",
    "don't",
    "do not",
    "not",
    "no",
    "никогда",
    "избегать",
    "избегай",
    "нельзя",
    "не писать",
    "запрещено",
    "从不",
    "不用",
    "不写",
    "不要",
    "禁用",
    "避免",
    "nie",
    "niemals",
    "jamais",
    "évite",
    "nunca",
    "evita",
    "禁止",
];
/// Leads of words that are to be written: under a heading of forbidden ones they forbid nothing.
pub(super) const REACH: &[&str] = &[
    "reach for",
    "prefer",
    "use",
    "write",
    "choose",
    "instead",
    "rather",
    "better",
    "always",
    "allowed",
    "fine",
    "вместо",
    "лучше",
    "писать",
    "можно",
    "stattdessen",
    "lieber",
    "改用",
    "可用",
    "宜用",
];
/// Words that say no before one in quotation marks only.
pub(super) const NOT: &[&str] = &["не", "никогда не", "别"];
/// Leads that have a *don't* in them and ask for what follows.
pub(super) const FORGET: &[&str] = &[
    "forget",
    "забыва",
    "забудь",
    "vergiss",
    "oublie",
    "olvides",
    "忘",
];
/// Behind *never* these begin a rule; what else stands there unmarked can be a phrase, such as *never mind*.
pub(super) const RULES: &[&str] = &[
    "say", "write", "use", "using", "begin", "start", "end", "put",
];
/// A whole sentence that begins with one of these is a rule.
pub(super) const VERBS: &[&str] = &[
    "add",
    "close",
    "explain",
    "give",
    "keep",
    "leave",
    "make",
    "moralise",
    "moralize",
    "open",
    "repeat",
    "summarise",
    "summarize",
    "tell",
];
/// Who does it.
pub(super) const WE: &[&str] = &["i", "we", "you", "please", "ich", "wir", "я", "мы"];
/// What may stand between *never* and a word in quotation marks. Anything else makes it a rule, such as *never begin with
/// “And”*, that forbids no word.
pub(super) const SAY: &[&str] = &[
    "ever",
    "say",
    "write",
    "use",
    "using",
    "the",
    "a",
    "any",
    "word",
    "words",
    "phrase",
    "phrases",
    "term",
    "terms",
    "expression",
    "expressions",
    "like",
    "such",
    "as",
    "these",
    "пиши",
    "пишем",
    "писать",
    "говори",
    "используй",
    "использовать",
    "слово",
    "слова",
    "das",
    "wort",
    "die",
    "wörter",
    "dis",
    "écris",
    "utilise",
    "le",
    "les",
    "mot",
    "mots",
    "digas",
    "escribas",
    "uses",
    "la",
    "las",
    "palabra",
    "palabras",
    "用",
    "使用",
    "写",
    "说",
    "词",
    "词语",
];
/// What may stand between two of them.
pub(super) const AND: &[&str] = &[
    "and", "or", "nor", "и", "или", "ни", "und", "oder", "et", "ou", "y", "o", "ni", "和", "或",
    "及", "や", "と",
];
/// Phrases of two words and one of those that are no two entries.
pub(super) const IDIOMS: &[&str] = &[
    "again and again",
    "bits and pieces",
    "by and large",
    "each and every",
    "first and foremost",
    "more or less",
    "sooner or later",
    "time and again",
    "tried and true",
];
/// How a line ends that says it behind them.
pub(super) const ENDS: &[&str] = &[
    "は使わない",
    "は書かない",
    "を使わない",
    "は避ける",
    "を避ける",
];
/// Brackets: what stands in them is not parted.
pub(super) const BRACKETS: &[(char, &str)] = &[('(', ")"), ('（', "）")];
/// What parts the entries of a line.
pub(super) const COMMAS: &[char] = &[',', '，', '、', '،', ';', '；', '؛'];
/// What stands before a reason.
pub(super) const DASHES: &[&str] = &[" — ", " – ", " -- ", " - "];
/// What stands between a word and what is written in its place.
pub(super) const ARROWS: &[&str] = &["→", "->", "=>"];
