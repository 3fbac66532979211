//! A table to be printed: for people on a terminal or in a paper, for spreadsheets, for browsers.

/// Rows under a header.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What stands above it.
    pub title: String,
    /// What is compared, and how to read it; a paragraph each.
    pub notes: Vec<String>,
    /// The heads of the columns.
    pub columns: Vec<&'static str>,
    /// A cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// How to print a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Markdown
    Markdown,
    /// CSV
    Csv,
    /// A page for a browser
    Html,
    /// A table for LaTeX
    Latex,
}

impl Sheet {
    /// The sheet as text.
    pub fn write(&self, style: Style) -> String {
        match style {
            Style::Markdown => self.markdown(),
            Style::Csv => self.csv(),
            Style::Html => self.html(),
            Style::Latex => self.latex(),
        }
    }

    /// The same without the columns that have nothing in them, for tables with few rows of one kind.
    pub fn without_empty_columns(self) -> Sheet {
        let used: Vec<bool> =
            (0..self.columns.len()).map(|index| self.rows.iter().any(|row| !row[index].is_empty())).collect();
        let keep = |index: &usize| used[*index];
        let columns = (0..used.len()).filter(keep).map(|index| self.columns[index]).collect();
        let row = |row: &Vec<String>| (0..used.len()).filter(keep).map(|index| row[index].clone()).collect();
        Sheet { columns, rows: self.rows.iter().map(row).collect(), ..self }
    }

    /// A Markdown table, its columns aligned.
    fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
        let width = |index: usize| {
            let cells = rows.iter().map(|row| row[index].chars().count());
            cells.chain([self.columns[index].len(), 3]).max().unwrap_or(3)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let padded: Vec<String> = cells.zip(&widths).map(|(text, &width)| format!("{text:<width$}")).collect();
            format!("| {} |\n", padded.join(" | "))
        };
        let mut text = format!("# {}\n\n", self.title);
        self.notes.iter().for_each(|note| text.push_str(&format!("{note}\n\n")));
        text.push_str(&line(&mut self.columns.iter().copied()));
        let dashes: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        text.push_str(&line(&mut dashes.iter().map(String::as_str)));
        rows.iter().for_each(|row| text.push_str(&line(&mut row.iter().map(String::as_str))));
        text
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns).expect("memory takes everything");
        self.rows.iter().for_each(|row| writer.write_record(row).expect("rows are as long as the header"));
        String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("text was written")
    }

    /// A page of its own. Everything is escaped: names of shapes come from users.
    fn html(&self) -> String {
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n\
             body {{ font-family: sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }}\n\
             table {{ border-collapse: collapse }} th, td {{ padding: 0.2rem 0.6rem; text-align: left; border-bottom: 1px \
             solid #ccc }}\n</style></head>\n<body>\n<h1>{0}</h1>\n",
            escape(&self.title)
        );
        text.push_str(&self.html_body());
        text.push_str("</body>\n</html>\n");
        text
    }

    /// The notes and the table, for a page that has them among other things.
    pub fn html_body(&self) -> String {
        let cells = |tag: &str, row: &mut dyn Iterator<Item = &str>| {
            row.map(|text| format!("<{tag}>{}</{tag}>", escape(text))).collect::<String>()
        };
        let mut text: String = self.notes.iter().map(|note| format!("<p>{}</p>\n", escape(note))).collect();
        text.push_str(&format!("<table>\n<tr>{}</tr>\n", cells("th", &mut self.columns.iter().copied())));
        for row in &self.rows {
            text.push_str(&format!("<tr>{}</tr>\n", cells("td", &mut row.iter().map(String::as_str))));
        }
        text + "</table>\n"
    }
}

/// Text as HTML shows it, between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            title: "a <b> & c".into(),
            notes: vec!["read \"this\"".into()],
            columns: vec!["name", "value"],
            rows: vec![vec!["<script>alert('x')</script>".into(), "1|2, 3".into()], vec!["".into(), "\"q\"".into()]],
        }
    }

    #[test]
    fn nothing_of_a_name_is_markup() {
        let page = sheet().write(Style::Html);
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("<td>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</td><td>1|2, 3</td>"), "{page}");
        assert!(page.contains("<h1>a &lt;b&gt; &amp; c</h1>") && page.contains("<p>read &quot;this&quot;</p>"));
    }

    #[test]
    fn empty_columns_can_be_left_out() {
        let mut sheet = sheet();
        sheet.rows.iter_mut().for_each(|row| row[0].clear());
        let sheet = sheet.without_empty_columns();
        assert_eq!((sheet.columns, sheet.rows[0].len()), (vec!["value"], 1));
    }

    #[test]
    fn every_format_keeps_its_separators() {
        assert!(sheet().write(Style::Markdown).contains("| <script>alert('x')</script> | 1\\|2, 3 |\n"));
        assert_eq!(sheet().write(Style::Csv), "name,value\n<script>alert('x')</script>,\"1|2, 3\"\n,\"\"\"q\"\"\"\n");
    }
}
