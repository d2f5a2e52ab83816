//! Files that a check writes beside its report: the page (`--report`) and the drawing (`--dot`).
//!
//! Invariant: a file that cannot be written is a warning of the report; the verdict stands.

use std::path::Path;

use super::Progress;
use crate::choice::ExportFormat;
use crate::export;
use crate::plan::Options;
use crate::report::{Extras, Report, Sample};
use crate::runnable::View;

/// State spaces with more states are not drawn on a page.
const MAX_DRAWN: u64 = 60;
/// Drawings on their own are cut after so many states.
const MAX_DOT: usize = 10_000;
/// So many points are enough for a line.
const MAX_SAMPLES: usize = 400;

/// Writes the files that options ask for; without a view there is nothing to draw.
pub(super) fn write(
    path: &Path,
    view: Option<View<'_>>,
    options: &Options,
    samples: &[Progress],
    report: &mut Report,
) {
    if let Some(file) = &options.dot {
        match view {
            Some(view) => {
                let limit = options.max_states.map(|limit| limit as usize);
                let graph = export::space(view, limit.unwrap_or(MAX_DOT));
                if let Some(cut) = &graph.cut {
                    report.warnings.push(format!("--dot: {cut}"));
                }
                save(file, &graph.write(ExportFormat::Dot), report);
            }
            None => report
                .warnings
                .push("--dot: this model cannot be drawn".to_owned()),
        }
    }
    if let Some(file) = &options.report {
        let is_small =
            report.statistics.states <= MAX_DRAWN.into() && report.statistics.states > 0.into();
        let picture = view.filter(|_| is_small).map(|view| {
            let graph = export::space(view, MAX_DRAWN as usize + 1);
            graph.write(ExportFormat::Svg)
        });
        let step = samples.len().div_ceil(MAX_SAMPLES).max(1);
        let extras = Extras {
            command: match &options.command {
                Some(command) => command.clone(),
                None => format!("burnside check {}", path.display()),
            },
            samples: samples.iter().step_by(step).map(sample).collect(),
            picture,
            paragraphs: view.map_or_else(Vec::new, |view| view.description().paragraphs.clone()),
        };
        let page = report.html(&extras);
        save(file, &page, report);
    }
}

fn sample(progress: &Progress) -> Sample {
    Sample {
        seconds: progress.elapsed.as_secs_f64(),
        states: progress.states,
        queue: progress.queue,
        bytes: progress.memory_bytes,
    }
}

fn save(file: &Path, text: &str, report: &mut Report) {
    if let Err(error) = std::fs::write(file, text) {
        let name = file.display();
        report
            .warnings
            .push(format!("cannot write \"{name}\": {error}"));
    }
}
