//! Words and what is done with them: counting, cleaning, wrapping, Markdown. Pure, open to every room.

mod align;
mod blocks;
mod changes;
mod clean;
mod compacted;
pub mod compare;
mod count;
mod cut;
mod distance;
pub mod export;
pub mod find;
pub mod hash;
mod limits;
pub mod markdown;
pub mod mend;
pub mod merge;
mod name;
pub mod prose;
mod sentence;
mod size;
mod tokens;
mod width;
mod wrap;

pub use changes::changes;
pub use clean::{clean, one_line, revealed};
pub use compacted::{compacted, compacted_briefly};
pub use count::{count, is_cjk, places};
pub use cut::head;
pub use distance::distance;
pub use limits::limits;
pub use name::slug;
pub use sentence::sentences;
pub use size::{counted, size, thousands};
pub use tokens::{tokens, within};
pub use width::{TAB, cells, width};
pub use wrap::wrap;
