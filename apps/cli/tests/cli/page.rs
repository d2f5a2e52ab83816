//! `check --report`: the page says the verdict, needs nothing else, and works in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::check::LIFT;
use crate::support::Folder;

const LEAK: &str = "\
MACHINE Leak
SETS COLOUR = {red, green}
CONSTANTS limit PROPERTIES limit = 2
VARIABLES level, paint
INVARIANT level : NATURAL & /*@label no_overflow*/ level <= limit & paint : COLOUR
INITIALISATION level := 0 || paint := red
OPERATIONS
  fill = BEGIN level := level + 1 END;
  mix(c) = SELECT c : COLOUR - {paint} & \"<b>&\" = \"<b>&\" THEN paint := c END;
  drain = SELECT level > 9 THEN level := 0 END
END
";

fn page(folder: &Folder, name: &str, model: &str) -> String {
    folder.file(&format!("{name}.mch"), model);
    let file = format!("{name}.mch");
    let out = format!("{name}.html");
    let run = folder.run(&["check", "--quiet", &file, "--report", &out]);
    assert!([0, 12].contains(&run.exit), "{}", run.err);
    std::fs::read_to_string(folder.path(&out)).expect("the page was written")
}

#[test]
fn the_page_needs_nothing_else_and_escapes_the_model() {
    let folder = Folder::new("page-alone");
    for (name, model) in [("Leak", LEAK), ("Lift", LIFT)] {
        let page = page(&folder, name, model);
        let outside = ["src=\"http", "href=\"http", "@import", "url(http", "fetch("];
        assert!(outside.iter().all(|text| !page.contains(text)), "{name}");
        assert_eq!(page.matches("<script").count(), 1);
        assert!(!page.contains("<b>&\""), "text of the model is escaped");
    }
    let page = page(&folder, "Leak", LEAK);
    for text in [
        "id=\"verdict\">violated<",
        "because level = 3, limit = 2",
        "last changed: level by fill (step 5)",
        "<td class=\"v changed\">3</td>",
        "did not happen",
        "burnside check --quiet Leak.mch --report Leak.html",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_page_that_cannot_be_written_is_refused_at_once() {
    let folder = Folder::new("page-unwritable");
    folder.file("Lift.mch", LIFT);
    let run = folder.run(&["check", "Lift.mch", "--report", "no/such/page.html"]);
    assert_eq!(run.exit, 2, "{}", run.err);
}

/// A browser, if there is one: `CHROMIUM`, or a program of that name.
fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).flat_map(|folder| {
        ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name))
    });
    named.or_else(|| found.find(|path| path.is_file()))
}

/// The page as the browser has it when its scripts have run, and what the console says.
fn load(browser: &Path, folder: &Folder, page: &Path) -> (String, String) {
    let profile = folder.path("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let console = text(&output.stderr);
    let console: Vec<&str> = console
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    (text(&output.stdout), console.join("\n"))
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium is installed (CHROMIUM names one)");
        return;
    };
    let folder = Folder::new("page-browser");
    for (name, model, verdict) in [("Leak", LEAK, "violated"), ("Lift", LIFT, "holds")] {
        let text = page(&folder, name, model);
        let (dom, console) = load(&browser, &folder, &folder.path(&format!("{name}.html")));
        assert_eq!(console, "", "{name}");
        assert!(
            dom.contains("data-ready=\"yes\""),
            "{name}: the script has run"
        );
        assert!(
            dom.contains(&format!("id=\"verdict\">{verdict}<")),
            "{name}"
        );
        if verdict == "holds" {
            continue;
        }
        assert!(
            dom.contains("step 5 of 5: fill"),
            "the slider begins at the end"
        );
        let moved = "<script>const s=document.querySelector('input[type=range]');s.value=3;\
                     s.dispatchEvent(new Event('input'));</script></body>";
        let moved = text.replace("</body>", moved);
        folder.file("moved.html", moved);
        let (dom, console) = load(&browser, &folder, &folder.path("moved.html"));
        assert_eq!(console, "");
        assert!(dom.contains("step 3 of 5: fill"), "the slider moves");
        assert!(
            dom.contains("<tr data-event=\"fill\" class=\"here\"><td class=\"n\">3<"),
            "the row is marked"
        );
    }
}
