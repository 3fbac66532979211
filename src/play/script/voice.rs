//! Who speaks.

/// Who said a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// The text, at this line.
    Text(usize),
    /// The search, where the text is silent.
    Search,
    /// The other side, which may play what it likes.
    Other,
}
