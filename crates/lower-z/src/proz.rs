//! What ProB's Z mode prints about a specification before it does anything else; scripts read these lines.

use lang_z::tree::ParagraphKind;
use lang_z::{Checked, GlobalKind};

use super::{Machine, Options, machine};

/// The lines: a guessed initialisation, the operations with their inputs, the given sets. None when there is no machine.
pub fn lines(checked: &Checked, options: &Options) -> Vec<String> {
    let Ok((machine, _)) = machine(checked, options) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if machine.guessed {
        let name = checked.globals[machine.init].name;
        lines.push("! Message (source: proz):".to_owned());
        lines.push(format!(
            "! Did not find Init Schema; assuming following schema to define the initialisation: {name}"
        ));
    }
    lines.extend(operations(&machine));
    for (_, global) in checked.globals.iter().filter(|(_, global)| !global.toolkit) {
        let given = matches!(
            checked
                .tree
                .paragraphs
                .get(global.paragraph)
                .map(|p| &p.kind),
            Some(ParagraphKind::Given(_))
        );
        if given && global.kind == GlobalKind::Given {
            lines.push(format!("% given_set({})", global.name));
        }
    }
    lines
}

fn operations(machine: &Machine) -> Vec<String> {
    let shown = machine.operations.iter().map(|operation| {
        let inputs: Vec<&str> = operation.inputs.iter().map(|name| name.as_str()).collect();
        match inputs.is_empty() {
            true => format!("Z operation: {}", operation.name),
            false => format!("Z operation: {}({})", operation.name, inputs.join(",")),
        }
    });
    shown.collect()
}
