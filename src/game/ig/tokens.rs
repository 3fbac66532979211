//! The text of a model cut into its signs, each with its line.

use super::error::IgError;

/// A sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign<'a> {
    /// `#depth`
    Section(&'a str),
    /// `:effect`
    Key(&'a str),
    /// `?x`
    Variable(&'a str),
    /// `black`, `xmax`, `left-diagonal`
    Word(&'a str),
    /// `12`
    Number(i64),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// Where a line ends: goals stand one a line.
    End,
}

/// A sign and its line, counted from 1.
pub type Token<'a> = (usize, Sign<'a>);

/// The signs of a text. `%` starts a remark that runs to the end of its line.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, IgError> {
    let mut tokens = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let mut rest = line.split('%').next().unwrap_or_default().trim();
        while let Some(first) = rest.chars().next() {
            let (sign, length) = sign(first, rest)
                .ok_or_else(|| IgError::at(number, format!("{first:?} is no sign of this language")))?;
            tokens.push((number, sign));
            rest = rest[length..].trim_start();
        }
        tokens.push((number, Sign::End));
    }
    Ok(tokens)
}

/// The sign at the start of a text, and how many bytes it has.
fn sign(first: char, text: &str) -> Option<(Sign<'_>, usize)> {
    let simple = match first {
        '(' => Some(Sign::Open),
        ')' => Some(Sign::Close),
        ',' => Some(Sign::Comma),
        '+' => Some(Sign::Plus),
        '-' => Some(Sign::Minus),
        _ => None,
    };
    if let Some(sign) = simple {
        return Some((sign, 1));
    }
    match first {
        '#' => word_at(text, 1).map(|end| (Sign::Section(&text[..end]), end)),
        ':' => word_at(text, 1).map(|end| (Sign::Key(&text[1..end]), end)),
        '?' => word_at(text, 1).map(|end| (Sign::Variable(&text[1..end]), end)),
        '0'..='9' => {
            let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
            // No board is that large: what is longer is no number of this language.
            text[..end].parse::<u32>().ok().map(|number| (Sign::Number(i64::from(number)), end))
        }
        _ => word_at(text, 0).map(|end| (Sign::Word(&text[..end]), end)),
    }
}

/// Where a word that starts at `start` ends. A minus belongs to it only before a letter: `left-diagonal`, not `xmax-1`.
fn word_at(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins = |at: usize| bytes.get(at).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !begins(start) {
        return None;
    }
    let mut end = start;
    while bytes.get(end).is_some_and(|&byte| {
        byte.is_ascii_alphanumeric()
            || byte == b'_'
            || (byte == b'-' && begins(end + 1) && !text[..end].starts_with('?'))
    }) {
        end += 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sums_are_told_apart() {
        let signs: Vec<Sign> =
            tokens("left-up ?x-1 xmax-2 ?y+10 % x\n:effect(black)").unwrap().into_iter().map(|token| token.1).collect();
        let expected = [
            Sign::Word("left-up"),
            Sign::Variable("x"),
            Sign::Minus,
            Sign::Number(1),
            Sign::Word("xmax"),
            Sign::Minus,
            Sign::Number(2),
            Sign::Variable("y"),
            Sign::Plus,
            Sign::Number(10),
            Sign::End,
            Sign::Key("effect"),
            Sign::Open,
            Sign::Word("black"),
            Sign::Close,
            Sign::End,
        ];
        assert_eq!(signs, expected);
    }

    #[test]
    fn strange_signs_have_a_place() {
        for text in ["\n é", "\n?", "\n#", "\n99999999999999", "\n1 2 ;"] {
            assert!(tokens(text).unwrap_err().to_string().starts_with("line 2: "), "{text:?}");
        }
    }
}
