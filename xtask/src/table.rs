//! Reads the tables of the oracles: a header line, then one record per line.

use std::collections::HashMap;
use std::path::Path;

/// One record: column name to field.
pub type Record = HashMap<String, String>;

/// Reads a comma-separated table; fields may be quoted and then hold commas, quotes and line breaks.
pub fn read_csv(path: &Path) -> std::io::Result<Vec<Record>> {
    let text = std::fs::read_to_string(path)?;
    Ok(records(split_csv(&text)))
}

/// Reads a tab-separated table; fields are never quoted.
pub fn read_tsv(path: &Path) -> std::io::Result<Vec<Record>> {
    let text = std::fs::read_to_string(path)?;
    let rows = text
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    Ok(records(rows))
}

fn records(rows: Vec<Vec<String>>) -> Vec<Record> {
    let mut rows = rows.into_iter();
    let header = rows.next().unwrap_or_default();
    rows.map(|row| header.iter().cloned().zip(row).collect())
        .collect()
}

fn split_csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    if !row.is_empty() || !field.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_may_hold_commas_quotes_and_line_breaks() {
        let rows = split_csv("a,b\n\"1,\"\"2\"\"\n\",3\n");
        assert_eq!(rows, [vec!["a", "b"], vec!["1,\"2\"\n", "3"]]);
    }
}
