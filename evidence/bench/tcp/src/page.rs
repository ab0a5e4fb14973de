// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of README.md, made of the committed records alone.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::traffic::Test;
use crate::variants::VARIANTS;

/// Writes the tables.
pub fn write(records: &Path) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = std::fs::read_to_string(&path)?;
    std::fs::write(&path, with_tables(&page, records)?)?;
    Ok(())
}

fn with_tables(page: &str, records: &Path) -> Result<String> {
    let page = with_block(page, "instructions", &instructions(records)?)?;
    with_block(&page, "times", &times(records)?)
}

fn with_block(page: &str, name: &str, text: &str) -> Result<String> {
    let (begin, end) = (
        format!("<!-- {name}:begin -->\n"),
        format!("<!-- {name}:end -->"),
    );
    let (before, rest) = page
        .split_once(&begin)
        .with_context(|| format!("README.md has no {begin}"))?;
    let (_, after) = rest
        .split_once(&end)
        .with_context(|| format!("README.md has no {end}"))?;
    Ok(format!("{before}{begin}{text}\n{end}{after}"))
}

fn json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

/// The order of the columns: streams first.
const TESTS: [Test; 6] = [
    Test::Bulk,
    Test::Mixed,
    Test::Jumbo8000,
    Test::Jumbo9000,
    Test::Interactive,
    Test::Connect,
];

/// Instructions a byte of payload, or an exchange, of each variant.
fn instructions(records: &Path) -> Result<String> {
    let record = json(&records.join("instructions.json"))?;
    let counted = record["counted"].as_array().context("no counts")?;
    let count = |variant: &str, test: Test| -> Option<f64> {
        let row = counted
            .iter()
            .find(|row| row["variant"] == variant && row["test"] == test.key())?;
        Some(row["instructions"]["all"].as_f64()? / row["amount"].as_f64()?)
    };
    let mut lines = vec![
        "| stack, checksum | bulk, a byte | mixed, a byte | jumbo 8000, a byte \
         | jumbo 9000, a byte | interactive, an exchange | connect, a connection |"
            .to_owned(),
        "|---|---:|---:|---:|---:|---:|---:|".to_owned(),
    ];
    for variant in &VARIANTS {
        let cells = TESTS.map(|test| match count(&variant.name(), test) {
            Some(count) if test.is_stream() => format!("{count:.2}"),
            Some(count) => format!("{count:.0}"),
            None => String::new(),
        });
        let (stack, key) = (variant.stack, variant.key);
        lines.push(format!("| {stack} {key} | {} |", cells.join(" | ")));
    }
    let fact = |key: &str| record[key].as_str().unwrap_or("?").to_owned();
    lines.push(format!(
        "\nlwIP {}, {}; smoltcp {}, {}; {}; {}; commit {}. Shares by function: \
         [instructions.md](../results/tcp/instructions.md).",
        fact("lwip"),
        fact("c_compiler"),
        fact("smoltcp"),
        fact("rust_compiler"),
        fact("c_library"),
        fact("valgrind"),
        fact("commit")
    ));
    Ok(lines.join("\n"))
}

/// A ratio of two rates of a record: of the first variant to the second.
fn ratio(record: &Value, stack: &str, of: [&str; 2], test: Test) -> Option<f64> {
    let rate = |variant: &str| {
        let rows = record["measured"].as_array()?;
        rows.iter()
            .find(|row| {
                row["stack"] == stack && row["variant"] == variant && row["test"] == test.key()
            })
            .and_then(|row| row["rate"]["median"].as_f64())
    };
    Some(rate(of[0])? / rate(of[1])?)
}

/// Ratios of rates, each from the lowest to the highest of the CPU families on record.
fn times(records: &Path) -> Result<String> {
    const COLUMNS: [(&str, &str, [&str; 2]); 6] = [
        ("wiresum : scalar assembly", "lwIP", ["wiresum", "scalar"]),
        (
            "wiresum-copy : scalar assembly",
            "lwIP",
            ["wiresum-copy", "scalar"],
        ),
        ("wiresum : lwIP's C", "lwIP", ["wiresum", "stock"]),
        ("wiresum-copy : lwIP's C", "lwIP", ["wiresum-copy", "stock"]),
        (
            "wiresum-copy : no checksum",
            "lwIP",
            ["wiresum-copy", "off"],
        ),
        ("smoltcp, device : own", "smoltcp", ["device", "own"]),
    ];
    let mut found = Vec::new();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(records)? {
        let path = entry?.path().join("results.json");
        if path.exists() {
            let record = json(&path)?;
            let folder = path
                .parent()
                .and_then(Path::file_name)
                .context("a folder")?;
            let folder = folder.to_string_lossy().into_owned();
            names.push(format!("[{folder}](../results/tcp/{folder}/README.md)"));
            found.push(record);
        }
    }
    ensure!(!found.is_empty(), "there is no record of times");
    names.sort();
    let heads = COLUMNS.map(|(head, ..)| head).join(" | ");
    let mut lines = vec![format!("| rate | {heads} |")];
    lines.push(format!("|---|{}", "---:|".repeat(COLUMNS.len())));
    for test in TESTS {
        let cells = COLUMNS.map(|(_, stack, of)| {
            let mut ratios: Vec<f64> = found
                .iter()
                .filter_map(|record| ratio(record, stack, of, test))
                .collect();
            ratios.sort_by(f64::total_cmp);
            match ratios[..] {
                [] => String::new(),
                [one] => format!("{one:.2}"),
                [low, .., high] => format!("{low:.2} to {high:.2}"),
            }
        });
        lines.push(format!("| {} | {} |", test.name(), cells.join(" | ")));
    }
    lines.push(format!("\nOn record: {}.", names.join("; ")));
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readme_shows_the_records() -> Result<()> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(here.join("README.md"))?;
        let again = with_tables(&page, &here.join("../results/tcp"))?;
        assert!(page == again, "write the tables again: the subcommand page");
        Ok(())
    }
}
