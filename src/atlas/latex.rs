//! Sheets for papers: LaTeX, with every name and number as text.

use super::sheet::Sheet;

/// A table with so many letters in its longest row fits the page as it is; others get columns in which texts are broken.
const PAGE: usize = 90;

/// A longer word is a hash, and may be broken.
const WORD: usize = 12;

/// Where a word may be broken: a character that is not seen, and is none of LaTeX's.
const BREAK: char = '\u{200b}';

/// The share of the page's width for the columns of a wide table; the rest is between them.
const SHARE: f64 = 0.92;

impl Sheet {
    /// A table that may run over several pages, for a document that says `\usepackage{array,longtable}`.
    pub(super) fn latex(&self) -> String {
        let longest = |index: usize, length: fn(&str) -> usize| {
            let texts = self.rows.iter().map(|row| row[index].as_str());
            texts.chain([self.columns[index]]).map(length).max().unwrap_or(0)
        };
        let whole = |text: &str| text.chars().count();
        // What LaTeX cannot break, a little wider than it is counted.
        let piece = |text: &str| text.split([' ', ':']).map(|word| word.chars().count().min(WORD)).max().unwrap_or(0);
        let lengths: Vec<usize> = (0..self.columns.len()).map(|index| longest(index, whole)).collect();
        // Room for the longest piece, and by the root of the length: a text twice as long needs more lines, too.
        let room = |index: usize| (1.2 * longest(index, piece) as f64).max(1.5 * (lengths[index] as f64).sqrt());
        let total: f64 = (0..self.columns.len()).map(room).sum();
        let fits = lengths.iter().sum::<usize>() <= PAGE;
        let column = |index: usize| match fits {
            true => "l".to_owned(),
            false => format!(">{{\\raggedright\\arraybackslash}}p{{{:.3}\\linewidth}}", SHARE * room(index) / total),
        };
        let columns: String = (0..self.columns.len()).map(column).collect();
        let cell = |text: &str| escape(&breakable(text));
        let line =
            |cells: &mut dyn Iterator<Item = String>| format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "));
        let head = line(&mut self.columns.iter().map(|name| format!("\\textit{{{}}}", escape(name))));
        let mut text = format!("% needs \\usepackage{{array,longtable}}\n\\section*{{{}}}\n", escape(&self.title));
        self.notes.iter().for_each(|note| text += &format!("{}\n\n", escape(note)));
        text += "{\\scriptsize\\setlength{\\tabcolsep}{2pt}\n";
        text += &format!("\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n{head}\\hline\n\\endhead\n");
        self.rows.iter().for_each(|row| text += &line(&mut row.iter().map(|text| cell(text))));
        text + "\\end{longtable}}\n"
    }
}

/// The same text with places where a line may end: after a colon, and in words that are too long.
fn breakable(text: &str) -> String {
    let mut broken = String::new();
    for word in text.split_inclusive([' ', ':']) {
        let long = word.trim_end().chars().count() > WORD + 2;
        for (place, letter) in word.chars().enumerate() {
            if long && place > 0 && place % 8 == 0 {
                broken.push(BREAK);
            }
            broken.push(letter);
        }
        if word.ends_with(':') {
            broken.push(BREAK);
        }
    }
    broken
}

/// Text as LaTeX takes it: characters with a meaning of their own are spelled out, and what its fonts have not is a `?`.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("{\\ttfamily\\char34}"),
            // Two of them would become a dash.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            '–' => out.push_str("\\textendash{}"),
            '—' => out.push_str("\\textemdash{}"),
            '…' => out.push_str("\\dots{}"),
            BREAK => out.push_str("\\allowbreak{}"),
            '×' => out.push_str("$\\times$"),
            '≤' => out.push_str("$\\leq$"),
            '≥' => out.push_str("$\\geq$"),
            '→' => out.push_str("$\\to$"),
            '’' => out.push('\''),
            '[' | ']' => out.extend(['{', character, '}']),
            character if character.is_control() => out.push(' '),
            // Latin letters with their accents.
            character if character.is_ascii() || ('À'..='ž').contains(&character) => out.push(character),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tex_spells_out_what_means_something() {
        assert_eq!(
            escape("a_b {50%} \\ ~^ #1 & $<x>…"),
            "a\\_b \\{50\\%\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{} \\#1 \\& \\$\\textless{}x\\textgreater{}\\dots{}"
        );
        assert_eq!(escape("--rule a—b é 漢\x1b"), "-{}-rule a\\textemdash{}b é ? ");
    }

    #[test]
    fn a_table_has_a_column_for_each_and_nothing_of_a_name_is_markup() {
        let sheet = Sheet {
            title: "a & b".into(),
            notes: vec!["100% {sure}".into()],
            columns: vec!["name", "long_one"],
            rows: vec![
                vec!["\\input{x}".into(), "yy ".repeat(40)],
                vec!["1&2".into(), "blake3:0123456789abcdef".into()],
            ],
        };
        let text = sheet.latex();
        assert!(text.contains("\\section*{a \\& b}\n100\\% \\{sure\\}\n\n"), "{text}");
        assert_eq!(text.matches(">{\\raggedright\\arraybackslash}p{0.").count(), 2, "{text}");
        assert!(text.contains("\\textit{name} & \\textit{long\\_one} \\\\\n\\hline\n\\endhead\n"), "{text}");
        assert!(text.contains("\\textbackslash{}input\\{x\\} & yy yy"), "{text}");
        assert!(text.contains("1\\&2 & blake3:\\allowbreak{}01234567\\allowbreak{}89abcdef \\\\\n"), "{text}");
        let short = Sheet { rows: vec![vec!["a".into(), "b".into()]], ..sheet };
        assert!(short.latex().contains("{@{}ll@{}}\n"), "what fits is not broken");
    }
}
