//! The blocks of `docs/certificate.md`: files that must be accepted, and files that must be refused.

const PAGE: &str = include_str!("../../docs/certificate.md");

/// A block between fences: the word behind the first fence, the number of its first line, and its text.
pub struct Block {
    pub word: &'static str,
    pub line: usize,
    pub text: String,
}

pub fn blocks() -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in PAGE.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(word)) => open = Some(Block { word, line: index + 2, text: String::new() }),
            (Some(_), Some(end)) => {
                assert_eq!(end, "", "line {}: a fence inside a block", index + 1);
                found.extend(open.take());
            }
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "the last block has no end");
    found
}
