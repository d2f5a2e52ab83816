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
        let checked = lang_promela::check::run(lang_promela::parse::program(read));
        for d in &checked.diagnostics {
            let p = d
                .primary
                .as_ref()
                .map(|l| sources.position(l.span.file, l.span.start).line)
                .unwrap_or(0);
            println!(
                "{path}:{p}: {} {} {}",
                d.severity.word(),
                d.code.id,
                d.message
            );
        }
        println!("{path}:exit {}", checked.diagnostics.exit());
    }
}
