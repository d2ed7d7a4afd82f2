//! One HTML page of the last records of all studies: for each paper, its claims, held or refuted, and
//! our facts, with the figures, the machine, the date and the command.
//!
//! The page holds its figures and needs nothing else. It is written from records of runs
//! ([`Record`]), never by hand, and says of each study whether the run was a quick one, and whether the
//! machine was busy, so that times mean little.

use crate::list::{STUDIES, Study};
use crate::study::{self, Finding, Kind, Outcome, Record};
use anyhow::{Context, Result};
use base64::Engine;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .6rem;border-top:1px solid #ddd}\
.held{color:#1a7f37}.refuted{color:#b35900}.skipped{color:#777}.unexpected{color:#b00020;font-weight:bold}\
svg,img{max-width:100%;height:auto}.run{color:#555}figure{margin:1.5rem 0}";

/// Writes the page `index.html` to a folder. Every study of a paper must have been run.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>impinge: the papers' claims</title>\n<style>{STYLE}</style>\n\
         <h1>The papers' claims, measured</h1>\n\
         <p>Written by <code>impinge-studies report</code> from the records of the runs below. A claim \
         is a paper's statement; a fact is ours. Squares in figures are the paper's own points: \
         the numbers that its text and tables print.</p>\n"
    );
    let mut contents = String::from("<ul>\n");
    let mut sections = String::new();

    for study in &STUDIES {
        let record = Record::read(study.name);
        let record = match record {
            Err(error) if study.is_of_paper => return Err(error),
            Err(_) => {
                let _ = writeln!(contents, "<li>{}: not run</li>", escaped(study.title));
                continue;
            }
            Ok(record) => record,
        };

        let _ = writeln!(
            contents,
            "<li><a href=\"#{0}\">{1}</a></li>",
            study.name,
            escaped(&record.summary())
        );
        sections += &section(study, &record)?;
    }

    page += &contents;
    page += "</ul>\n";
    page += &sections;
    page += "</html>\n";

    let path = folder.join("index.html");
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, page).with_context(|| path.display().to_string())?;
    println!("written: {}", path.display());
    Ok(())
}

fn section(study: &Study, record: &Record) -> Result<String> {
    let mut html = format!(
        "<h2 id=\"{}\">{}</h2>\n{}",
        study.name,
        escaped(study.title),
        run_of(record)
    );
    let is_claim = |f: &&Finding| matches!(f.kind, Kind::Claim { .. });
    let (claims, facts): (Vec<&Finding>, Vec<&Finding>) =
        record.findings.iter().partition(is_claim);

    if !claims.is_empty() {
        html += &rows("Claims of the paper", &claims);
    }
    if !facts.is_empty() {
        html += &rows("Facts", &facts);
    }
    for figure in figures(study.name)? {
        let name = figure.file_stem().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            html,
            "<figure id=\"{}-{name}\">\n{}\n<figcaption>{name}</figcaption>\n</figure>",
            study.name,
            embedded(&figure)?
        );
    }

    Ok(html)
}

/// Returns a figure as a part of the page.
fn embedded(figure: &Path) -> Result<String> {
    if is_drawing(figure) {
        let text = std::fs::read_to_string(figure)?;
        // An XML declaration is not allowed within a page.
        return Ok(text[text.find("<svg").unwrap_or(0)..].to_owned());
    }

    let data = base64::engine::general_purpose::STANDARD.encode(std::fs::read(figure)?);
    Ok(format!(
        "<img alt=\"\" src=\"data:image/png;base64,{data}\">"
    ))
}

fn is_drawing(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "svg")
}

/// The figures of a study, by name.
fn figures(study: &str) -> Result<Vec<PathBuf>> {
    let mut figures = Vec::new();
    for entry in std::fs::read_dir(study::folder(study)?)? {
        let path = entry?.path();
        if is_drawing(&path) || path.extension().is_some_and(|end| end == "png") {
            figures.push(path);
        }
    }

    figures.sort();
    Ok(figures)
}

fn run_of(record: &Record) -> String {
    let busy = if record.is_on_busy_machine() {
        ", <strong>loaded by other programs: times mean little</strong>"
    } else {
        ""
    };
    let quick = if record.is_quick {
        " (small version)"
    } else {
        ""
    };
    let load = record.load_before.map_or_else(String::new, |load| {
        format!(", load {load:.1} before the run")
    });

    format!(
        "<p class=\"run\"><code>{}</code>{quick}, {} UTC, {:.0} s, on {} ({} processors{load}{busy})</p>\n",
        escaped(&record.command),
        record.date,
        record.seconds,
        escaped(&record.machine),
        record.processors
    )
}

fn rows(title: &str, findings: &[&Finding]) -> String {
    let mut html = format!("<h3>{title}</h3>\n<table>\n");
    for finding in findings {
        let (class, verdict) = verdict(finding);
        let place = match &finding.kind {
            Kind::Claim { place, .. } => escaped(place),
            Kind::Fact => String::new(),
        };
        let clock = if finding.by_clock {
            ", by the clock"
        } else {
            ""
        };
        let _ = writeln!(
            html,
            "<tr><td class=\"{class}\">{verdict}{clock}</td><td>{place}</td><td>{}</td><td>{}</td></tr>",
            escaped(&finding.statement),
            escaped(&finding.evidence)
        );
    }

    html + "</table>\n"
}

/// Class and word of an outcome.
fn verdict(finding: &Finding) -> (&'static str, &'static str) {
    match (finding.outcome, finding.is_as_expected()) {
        (Outcome::Skipped, _) => ("skipped", "skipped"),
        (Outcome::Held, true) => ("held", "held"),
        (Outcome::Refuted, true) => ("refuted", "refuted"),
        (Outcome::Held, false) => ("unexpected", "held, unexpectedly"),
        (Outcome::Refuted, false) => ("unexpected", "refuted, unexpectedly"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
