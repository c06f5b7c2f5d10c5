//! Words that stand twice by right, language by language. In which one a piece is written is not looked at: what is
//! right in one of them is no sure mistake in any.

/// What a language says twice.
struct Tongue {
    /// By grammar, or because it is said so: nothing is found.
    right: &'static [&'static str],
    /// About as often meant as not: the writer decides.
    asked: &'static [&'static str],
}

const ENGLISH: Tongue = Tongue {
    right: &[
        "had", "that", "her", "no", "so", "ha", "bye", "very", "long", "far", "many", "hear",
        "there", "now", "well", "ta",
    ],
    // What it is is clear; the room he came in in a hurry; what they do do.
    asked: &[
        "is", "was", "in", "on", "do", "does", "did", "you", "it", "who", "what",
    ],
};

const GERMAN: Tongue = Tongue {
    // Dass sie sie sah.
    right: &["sie", "ihr", "so", "sehr"],
    // Where no relative clause begins: see RELATIVE.
    asked: &[
        "der", "die", "das", "den", "dem", "des", "es", "in", "zu", "an", "auf", "mit", "ein",
        "von",
    ],
};

const DUTCH: Tongue = Tongue {
    // Ik denk dat dat kan; mensen die die film zagen.
    right: &["dat", "ze", "zij", "je", "u", "haar"],
    // Linux past zich aan aan nieuwe hardware.
    asked: &[
        "die", "er", "is", "in", "op", "hij", "het", "was", "dit", "wat", "aan", "uit", "over",
        "mee", "worden",
    ],
};

const FRENCH: Tongue = Tongue {
    right: &[
        "nous", "vous", "très", "oui", "non", "si", "bien", "tout", "jamais", "trop",
    ],
    asked: &["en", "faire", "y", "plus", "fait"],
};

const ITALIAN: Tongue = Tongue {
    right: &[
        "mano", "poco", "piano", "via", "quasi", "ora", "così", "bene", "sì", "appena", "zitto",
        "passo", "molto",
    ],
    asked: &["ci", "vi", "che", "lo"],
};

const SPANISH_AND_PORTUGUESE: Tongue = Tongue {
    right: &[
        "sí", "muy", "casi", "luego", "mucho", "poco", "sim", "não", "muito", "já", "logo",
        "quase", "nos",
    ],
    asked: &["que", "se"],
};

const NORDIC: Tongue = Tongue {
    right: &["ja", "nei", "nej", "så", "mycket", "meget", "veldig"],
    // Det det handlar om; dem som som barn bodde där.
    asked: &[
        "det", "den", "de", "som", "der", "er", "är", "var", "i", "på", "at", "att",
    ],
};

const RUSSIAN: Tongue = Tongue {
    right: &[
        "да",
        "нет",
        "чуть",
        "еле",
        "так",
        "вот",
        "ну",
        "ой",
        "ах",
        "очень",
        "едва",
        "все",
        "всё",
        "что",
        "это",
        "было",
        "эх",
        "ой",
    ],
    asked: &["он", "она", "его", "её", "их", "как"],
};

/// Turkish makes adverbs of them.
const TURKISH: Tongue = Tongue {
    right: &[
        "yavaş", "sık", "zaman", "tek", "teker", "ayrı", "uzun", "adım", "başka", "bir", "çok",
        "güzel", "çeşit", "koşa", "gide", "hızlı", "birer", "ikişer", "için", "kısa", "yer",
        "tane",
    ],
    asked: &["da", "de", "o", "ne"],
};

const OTHERS: Tongue = Tongue {
    right: &["da"],
    asked: &["się", "to", "se", "si", "je"],
};

const TONGUES: [&Tongue; 10] = [
    &ENGLISH,
    &GERMAN,
    &DUTCH,
    &FRENCH,
    &ITALIAN,
    &SPANISH_AND_PORTUGUESE,
    &NORDIC,
    &RUSSIAN,
    &TURKISH,
    &OTHERS,
];

/// Phrases that are said twice.
const PHRASES: [&str; 2] = ["a poco", "a mano"];

/// German articles that begin a relative clause and stand before a noun of it: *die, die die Stadt sahen*.
const RELATIVE: [&str; 6] = ["der", "die", "das", "den", "dem", "des"];

/// Small words that no piece doubles by habit: however often they stand twice, each time is a slip.
const NEVER: [&str; 47] = [
    "the", "a", "and", "of", "for", "with", "from", "at", "by", "or", "but", "than", "into", "his",
    "their", "its", "our", "your", "she", "we", "they", "are", "were", "this", "have", "has",
    "und", "ist", "eine", "einen", "einer", "im", "für", "le", "les", "une", "dans", "el", "los",
    "een", "och", "ett", "в", "на", "с", "и", "для",
];

/// Behind the last letter of the alphabets of Europe and the Near East. Beyond, most languages double words by their
/// grammar.
const ALPHABETS: char = '\u{700}';
/// Latin and Greek letters with more marks.
const MORE_ALPHABETS: std::ops::RangeInclusive<char> = '\u{1e00}'..='\u{1fff}';

/// Whether a word, in small letters, stands twice by right.
pub(super) fn is_right(word: &str) -> bool {
    TONGUES.iter().any(|t| t.right.contains(&word))
}

/// Whether a phrase, in small letters with a space between its words, stands twice by right.
pub(super) fn is_said(phrase: &str) -> bool {
    PHRASES.contains(&phrase)
}

/// Whether a word that stands twice may be meant.
pub(super) fn may_be_meant(word: &str) -> bool {
    let plain = |c: char| c < ALPHABETS || MORE_ALPHABETS.contains(&c);
    !word.chars().all(plain) || TONGUES.iter().any(|t| t.asked.contains(&word))
}

/// Whether a word never stands twice by habit.
pub(super) fn is_never_habit(word: &str) -> bool {
    NEVER.contains(&word)
}

/// Whether a word begins a relative clause and its noun, both at once.
pub(super) fn is_relative(word: &str) -> bool {
    RELATIVE.contains(&word)
}
