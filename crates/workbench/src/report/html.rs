//! The report as one page that needs nothing else: verdict first, then why, then figures.
//!
//! Everything is in the page when it is loaded; the script only moves the slider of a path, so the page prints and
//! reads well without it.
//! Invariant: no text of the model reaches the page without being escaped, and nothing is loaded from elsewhere.

mod paragraphs;
mod path;
mod plot;

use std::fmt::Write as _;

use subject::paragraph::Paragraph;
use verdict::Shown;

use super::trust::Trust;
use super::{ConjunctState, Count, Finding, Report, Verdict, counted, grouped};
use crate::export::escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the page shows beside the report.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// The command that was given.
    pub command: String,
    /// How the run went: seconds, states, queue, bytes.
    pub samples: Vec<Sample>,
    /// A drawing of the state space, when it is small.
    pub picture: Option<String>,
    /// The paragraphs of the text.
    pub paragraphs: Vec<Paragraph>,
}

/// How far a run was at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Since the search began.
    pub seconds: f64,
    /// States found.
    pub states: u64,
    /// States found and not explored yet.
    pub queue: u64,
    /// What the search needed.
    pub bytes: u64,
}

/// The page.
pub(super) fn write(report: &Report, extras: &Extras) -> String {
    let mut page = Page::default();
    page.header(report);
    page.findings(report);
    page.goal(report);
    page.formulas(report);
    page.checked(report);
    page.conjuncts(report);
    page.events(report);
    page.variables(report);
    page.statistics(report, extras);
    page.picture(extras);
    page.paragraphs(&extras.paragraphs);
    page.reproduce(report, extras);
    let title = report.model.name.as_deref().unwrap_or("model");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}: {}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n\
         <body>\n{}</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(title),
        report.verdict.word(),
        page.0
    )
}

#[derive(Default)]
struct Page(String);

impl Page {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(text);
        self.0.push('\n');
    }

    fn heading(&mut self, id: &str, text: &str) {
        self.add(format_args!("<h2 id=\"{id}\">{text}</h2>"));
    }

    fn header(&mut self, report: &Report) {
        let name = report.model.name.as_deref().unwrap_or("model");
        let word = report.verdict.word();
        self.add(format_args!(
            "<header><div><h1>{}<small class=\"mono\">{}</small></h1>",
            escaped(name),
            escaped(&report.model.file)
        ));
        self.add(format_args!(
            "<span class=\"verdict {word}\" id=\"verdict\">{word}</span><span class=\"sentence\">{}</span>",
            escaped(&sentence(report))
        ));
        let statistics = &report.statistics;
        let mut figures = vec![(grouped(&statistics.states), "states")];
        if let Some(transitions) = &statistics.transitions {
            figures.push((grouped(transitions), "transitions"));
        }
        if statistics.setups > 0 {
            figures.push((grouped(statistics.setups), "set-ups"));
        }
        figures.push((grouped(statistics.depth), "depth"));
        figures.push((seconds(statistics.wall_s), "time"));
        figures.push((bytes(statistics.peak_memory_bytes), "memory"));
        self.add(format_args!("<ul class=\"figures\">"));
        for (figure, what) in figures {
            self.add(format_args!("<li><b>{figure}</b><span>{what}</span></li>"));
        }
        self.add(format_args!("</ul></div></header>\n<main>"));
    }

    fn findings(&mut self, report: &Report) {
        if report.findings.is_empty() {
            return;
        }
        self.heading("findings", "What is wrong");
        for (number, finding) in report.findings.iter().enumerate() {
            self.finding(number, finding);
        }
    }

    fn finding(&mut self, number: usize, finding: &Finding) {
        self.add(format_args!(
            "<section class=\"finding\"><p>{}</p>",
            escaped(&finding.message)
        ));
        if let Some(place) = &finding.place {
            self.add(format_args!("<p>at <code>{}</code></p>", escaped(place)));
        }
        let changed = finding
            .last_changed
            .as_ref()
            .map(|changed| format!("last changed: {changed}"));
        let lines = finding.why.iter().chain(&changed);
        let lines: Vec<&String> = lines.collect();
        if !lines.is_empty() {
            self.add(format_args!("<ul class=\"because\">"));
            for line in lines {
                self.add(format_args!("<li><code>{}</code></li>", escaped(line)));
            }
            self.add(format_args!("</ul>"));
        }
        if !finding.along.is_empty() {
            self.add(format_args!(
                "<h3>Where its parts hold</h3><table class=\"along\"><thead><tr><th>part</th><th>after step</th></tr></thead><tbody>"
            ));
            for along in &finding.along {
                self.add(format_args!(
                    "<tr><td><code>{}</code></td><td>{}</td></tr>",
                    escaped(&along.part),
                    super::text::steps(&along.holds_after)
                ));
            }
            self.add(format_args!("</tbody></table>"));
        }
        if !finding.path.is_empty() {
            let shortened = match finding.found_in {
                Some(steps) => format!(
                    " (shortened; found after {})",
                    counted(steps as u64, "step")
                ),
                None => String::new(),
            };
            self.add(format_args!("<h3>How it happens{shortened}</h3>"));
            self.path(&format!("f{number}"), &finding.shown());
        }
        if let Some(chart) = &finding.chart {
            let drawing = verdict::chart::svg(chart);
            self.add(format_args!(
                "<h3>Who sends what to whom</h3><div class=\"picture\">{drawing}</div>"
            ));
        }
        self.add(format_args!("</section>"));
    }

    fn goal(&mut self, report: &Report) {
        let Some(goal) = &report.goal else { return };
        self.heading("goal", "The goal");
        let what = match goal.reached {
            Some(true) => "is reached",
            Some(false) => "cannot be reached",
            None => "was not reached so far",
        };
        self.add(format_args!(
            "<p><code>{}</code> {what}.</p>",
            escaped(&goal.predicate)
        ));
        if !goal.path.is_empty() {
            let shown = Shown {
                steps: goal.path.clone(),
                loop_start: None,
            };
            self.path("goal-path", &shown);
        }
    }

    /// A row for each temporal formula.
    fn formulas(&mut self, report: &Report) {
        if report.formulas.is_empty() {
            return;
        }
        self.heading("formulas", "Temporal formulas");
        self.add(format_args!(
            "<table><thead><tr><th></th><th>formula</th><th>verdict</th></tr></thead><tbody>"
        ));
        for formula in &report.formulas {
            let word = formula.verdict.word();
            let because = formula.because.iter().chain(&formula.warnings);
            let because: Vec<String> = because.map(|line| escaped(line)).collect();
            self.add(format_args!(
                "<tr><td>{}</td><td><code>{}</code></td><td><span class=\"verdict {word}\">{word}</span> {}</td></tr>",
                escaped(&formula.heading()),
                escaped(&formula.formula),
                because.join("; ")
            ));
        }
        self.add(format_args!("</tbody></table>"));
    }

    fn checked(&mut self, report: &Report) {
        self.heading("checked", "What was checked, and how far");
        self.list("Errors", &errors(report));
        self.list("Checked", &report.checked);
        self.list(
            "Not looked at, so the verdict is open",
            &report.open_because,
        );
        self.list("Not checked", &report.not_checked);
        let symmetry = &report.reductions.symmetry;
        let por = &report.reductions.por;
        self.add(format_args!(
            "<p>Symmetry reduction: <b>{}</b>{}. Partial order reduction: <b>{}</b>{}.</p>",
            escaped(symmetry.method.word()),
            because(symmetry.because.as_deref()),
            escaped(por.method.word()),
            because(por.because.as_deref())
        ));
        self.list("Warnings", &report.warnings);
        self.list("Hints", &report.hints);
        let trust = Trust::new(report);
        self.list("What was run", &trust.run);
        self.list("What was checked again", &trust.rechecked);
        self.list("What is assumed", &trust.assumed);
    }

    fn list(&mut self, heading: &str, lines: &[impl ToString]) {
        if lines.is_empty() {
            return;
        }
        self.add(format_args!("<h3>{heading}</h3><ul>"));
        for line in lines {
            self.add(format_args!("<li>{}</li>", escaped(&line.to_string())));
        }
        self.add(format_args!("</ul>"));
    }

    fn conjuncts(&mut self, report: &Report) {
        if report.conjuncts.is_empty() {
            return;
        }
        self.heading("invariant", "Invariant and assertions");
        self.add(format_args!(
            "<div class=\"scroll\"><table><thead><tr><th></th><th>label</th><th class=\"v\">predicate</th>\
             <th>verdict</th></tr></thead><tbody>"
        ));
        for conjunct in &report.conjuncts {
            let (class, word) = match conjunct.state {
                ConjunctState::Holds => ("yes", "holds in every state"),
                ConjunctState::Violated => ("no", "violated"),
                ConjunctState::Open => ("maybe", "not violated so far"),
                ConjunctState::NotChecked => ("maybe", "not checked"),
            };
            self.add(format_args!(
                "<tr><td>{}</td><td>{}</td><td class=\"v\">{}</td><td class=\"{class}\">{word}</td></tr>",
                conjunct.kind,
                escaped(conjunct.label.as_deref().unwrap_or_default()),
                escaped(&conjunct.text)
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
    }

    fn events(&mut self, report: &Report) {
        if report.operations.is_empty() {
            return;
        }
        self.heading("events", "Events");
        self.add(format_args!(
            "<div class=\"scroll\"><table><thead><tr><th>event</th><th class=\"n\">transitions</th><th></th>\
             <th>covered</th></tr></thead><tbody>"
        ));
        let number = |count: &Option<Count>| count.as_ref().map_or(0.0, |c| c.approximate());
        let most = report.operations.iter().map(|o| number(&o.transitions));
        let most = most.fold(1.0, f64::max);
        for operation in &report.operations {
            let width = number(&operation.transitions) / most * 220.0;
            let count = operation.transitions.as_ref().map(grouped);
            let (class, word) = match report.uncovered.contains(&operation.name) {
                true => ("no", "did not happen"),
                false => ("yes", "yes"),
            };
            self.add(format_args!(
                "<tr><td class=\"v\">{}</td><td class=\"n\">{}</td><td><span class=\"bar\" \
                 style=\"width:{width:.0}px\"></span></td><td class=\"{class}\">{word}</td></tr>",
                escaped(&operation.name),
                count.unwrap_or_default()
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
    }

    fn variables(&mut self, report: &Report) {
        if report.variables.is_empty() {
            return;
        }
        self.heading("variables", "Variables");
        self.add(format_args!(
            "<div class=\"scroll\"><table><thead><tr><th>variable</th><th class=\"n\">distinct values</th></tr>\
             </thead><tbody>"
        ));
        for variable in &report.variables {
            let sign = if variable.at_least { "≥ " } else { "" };
            self.add(format_args!(
                "<tr><td class=\"v\">{}</td><td class=\"n\">{sign}{}</td></tr>",
                escaped(&variable.name),
                grouped(variable.values)
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
    }

    fn statistics(&mut self, report: &Report, extras: &Extras) {
        self.heading("statistics", "How the run went");
        let samples = &extras.samples;
        if samples.len() >= plot::FEWEST {
            self.add(format_args!("<div class=\"plots\">"));
            for (caption, value) in [
                (
                    "states",
                    (|s: &Sample| s.states as f64) as fn(&Sample) -> f64,
                ),
                ("queue: states found and not yet explored", |s| {
                    s.queue as f64
                }),
                ("memory in MB", |s| s.bytes as f64 / 1e6),
            ] {
                let points: Vec<(f64, f64)> =
                    samples.iter().map(|s| (s.seconds, value(s))).collect();
                self.add(format_args!(
                    "<figure><figcaption>{caption}</figcaption>{}</figure>",
                    plot::line(&points, caption)
                ));
            }
            self.add(format_args!("</div>"));
        } else {
            self.add(format_args!(
                "<p>The run was too short for plots over time.</p>"
            ));
        }
        let statistics = &report.statistics;
        self.add(format_args!("<div class=\"scroll\"><table><tbody>"));
        for (what, value) in [
            (
                "nodes (states, set-ups and the root)",
                grouped(&statistics.nodes),
            ),
            (
                "questions for successors",
                grouped(statistics.next_state_calls),
            ),
            ("questions for predicates", grouped(statistics.label_calls)),
            (
                "guards without a value",
                grouped(statistics.undefined_guards),
            ),
            ("memory of the store", bytes(statistics.store_bytes)),
            ("files of states", bytes(statistics.disk_bytes.unwrap_or(0))),
        ] {
            self.add(format_args!(
                "<tr><td>{what}</td><td class=\"n\">{value}</td></tr>"
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
    }

    fn picture(&mut self, extras: &Extras) {
        if let Some(picture) = &extras.picture {
            self.heading("states", "The state space");
            self.add(format_args!("<div class=\"picture\">{picture}</div>"));
        }
    }

    fn reproduce(&mut self, report: &Report, extras: &Extras) {
        self.heading("reproduce", "To see it again");
        self.add(format_args!(
            "<pre><code>{}</code></pre>",
            escaped(&extras.command)
        ));
        self.list("Scopes", &report.scopes);
        self.add(format_args!(
            "<div class=\"scroll\"><table><thead><tr><th>option</th><th>chosen</th><th>because</th></tr></thead><tbody>"
        ));
        for choice in &report.choices {
            self.add(format_args!(
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                choice.option.word(),
                escaped(&choice.chosen),
                escaped(choice.because.unwrap_or_default())
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
        self.add(format_args!(
            "<footer>Written by burnside {}. Every path was replayed step by step by a second evaluator.</footer>",
            escaped(report.version)
        ));
    }
}

/// The verdict in one sentence.
fn sentence(report: &Report) -> String {
    match (report.verdict, report.findings.first()) {
        (Verdict::Violated, Some(finding)) => finding.message.clone(),
        (Verdict::Holds, _) => match &report.goal {
            Some(goal) if goal.reached == Some(true) => {
                format!("the goal is reached: {}", goal.predicate)
            }
            _ => "everything that was asked was checked in every reachable state".to_owned(),
        },
        (Verdict::Open, _) => format!("nothing was found, but {}", report.open_because.join("; ")),
        _ => "the model could not be checked".to_owned(),
    }
}

/// What kept the model from being checked.
fn errors(report: &Report) -> Vec<String> {
    let errors = report.diagnostics.iter();
    errors
        .map(|error| {
            let place = match (error["file"].as_str(), error["line"].as_u64()) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                _ => String::new(),
            };
            format!("{place}{}", error["message"].as_str().unwrap_or_default())
        })
        .collect()
}

fn because(reason: Option<&str>) -> String {
    reason.map_or(String::new(), |reason| format!(" ({})", escaped(reason)))
}

fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..10_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        10_000_000..10_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
