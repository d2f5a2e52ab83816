//! A path on the page: a table of states, with what changed marked.

use verdict::{Shown, ShownStep, escaped};

use super::Page;

impl Page {
    /// A path: a slider, and a table with a row for each step and a column for each variable.
    pub(super) fn path(&mut self, id: &str, path: &Shown) {
        let count = path.steps.len();
        let columns = columns(&path.steps);
        self.add(format_args!("<div data-trace id=\"{id}\">"));
        self.add(format_args!(
            "<div class=\"slider\"><button type=\"button\" data-back aria-label=\"one step back\">&#8592;</button>\
             <input type=\"range\" min=\"1\" max=\"{count}\" value=\"{count}\" aria-label=\"step of the path\">\
             <button type=\"button\" data-on aria-label=\"one step on\">&#8594;</button>\
             <output class=\"mono\" aria-live=\"polite\"></output></div>"
        ));
        self.add(format_args!(
            "<div class=\"scroll\"><table><thead><tr><th class=\"n\">step</th><th>event</th>"
        ));
        for column in &columns {
            self.add(format_args!(
                "<th class=\"v\" scope=\"col\">{}</th>",
                escaped(column)
            ));
        }
        self.add(format_args!("</tr></thead><tbody>"));
        for (number, step) in path.steps.iter().enumerate() {
            let label = escaped(&step.label());
            self.add(format_args!(
                "<tr data-event=\"{label}\"><td class=\"n\">{}</td><td class=\"v\">{label}</td>",
                path.number(number)
            ));
            let changes = path.changes(number);
            for column in &columns {
                let value = step
                    .state
                    .get(column)
                    .or_else(|| constant(path, number, column));
                let changed = if changes.get(column).is_some() {
                    " changed"
                } else {
                    ""
                };
                self.add(format_args!(
                    "<td class=\"v{changed}\">{}</td>",
                    escaped(value.unwrap_or_default())
                ));
            }
            self.add(format_args!("</tr>"));
        }
        self.add(format_args!("</tbody></table></div>"));
        if let Some(start) = path.loop_start {
            self.add(format_args!(
                "<p>Then from step {} again.</p>",
                path.number(start)
            ));
        }
        self.add(format_args!("</div>"));
    }
}

/// The names of all components of a path, constants first.
fn columns(steps: &[ShownStep]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for (name, _) in steps.iter().flat_map(|step| &step.state.0) {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns
}

/// The value of a constant, which only the set-up tells.
fn constant<'a>(path: &'a Shown, before: usize, name: &str) -> Option<&'a str> {
    let setup = path
        .steps
        .first()
        .filter(|step| step.is_setup && before > 0)?;
    setup.state.get(name)
}
