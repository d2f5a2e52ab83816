//! Development only.
use std::path::Path;
fn main() {
    for path in std::env::args().skip(1) {
        let mut sources = base::Sources::new();
        let read = lang_promela::preprocess::run(
            Path::new(&path),
            &Default::default(),
            &lang_promela::files::Disk,
            &mut sources,
        )
        .unwrap();
        let a = lang_promela::parse::program(read);
        if a.diagnostics.has_errors() {
            continue;
        }
        let t = lang_promela::print::program(&a.program);
        let f = sources.add("x", t.clone());
        let b = lang_promela::parse::program(lang_promela::preprocess::text_of(
            f,
            &Default::default(),
            &lang_promela::files::Disk,
            &mut sources,
        ));
        let t2 = lang_promela::print::program(&b.program);
        if b.diagnostics.has_errors() || t != t2 || a.program.stmts.len() != b.program.stmts.len() {
            println!(
                "{path} {:?}",
                b.diagnostics.iter().next().map(|d| (
                    &d.message,
                    sources.slice(sources.line_span(f, d.primary.as_ref().unwrap().span.start))
                ))
            );
        }
    }
}
