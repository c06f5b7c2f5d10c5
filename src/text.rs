//! Words and what is done with them: counting, cleaning, wrapping, Markdown. Pure, open to every room.

mod changes;
mod clean;
mod count;
mod cut;
pub mod hash;
mod limits;
pub mod markdown;
pub mod mend;
pub mod merge;
mod name;
mod size;
mod width;
mod wrap;

pub use changes::changes;
pub use clean::{clean, one_line};
pub use count::count;
pub use cut::head;
pub use limits::limits;
pub use name::slug;
pub use size::{counted, size, thousands};
pub use width::{TAB, cells, width};
pub use wrap::wrap;
