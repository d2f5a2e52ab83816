//! The pages: built from `front/` by `front/build.mjs` and checked in, so that no Node is needed to build the program.

/// A file of the pages.
pub(crate) struct Asset {
    /// Its path.
    pub(crate) path: &'static str,
    /// What it is.
    pub(crate) kind: &'static str,
    /// Its bytes.
    pub(crate) bytes: &'static [u8],
}

/// The files of the pages.
pub(crate) const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../dist/index.html"),
    },
    Asset {
        path: "/app.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../dist/app.js"),
    },
    Asset {
        path: "/worker.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../dist/worker.js"),
    },
    Asset {
        path: "/app.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../dist/app.css"),
    },
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// `dist/manifest.txt` names each source and each built file with its digest: who changes a source and does not build
    /// again, or edits a built file, is found here without Node.
    #[test]
    fn the_built_files_match_their_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = std::fs::read_to_string(root.join("dist/manifest.txt"));
        let manifest = manifest.expect("the front end was built");
        let mut named = Vec::new();
        for line in manifest.lines() {
            let (digest, file) = line.split_once("  ").expect("a digest and a file");
            let bytes = std::fs::read(root.join(file)).unwrap_or_default();
            let actual = sum(&bytes);
            assert_eq!(
                actual, digest,
                "{file}: run `npm ci && npm run build` in apps/web/front"
            );
            named.push(file.to_owned());
        }
        let sources = std::fs::read_dir(root.join("front/src")).expect("there are sources");
        for source in sources.flatten() {
            let name = format!("front/src/{}", source.file_name().to_string_lossy());
            assert!(
                named.contains(&name),
                "{name} is not in the manifest: build again"
            );
        }
        for asset in [
            "dist/index.html",
            "dist/app.js",
            "dist/worker.js",
            "dist/app.css",
            "front/package-lock.json",
        ] {
            assert!(named.iter().any(|known| known == asset), "{asset}");
        }
    }

    /// A digest that Node can make too, without packages: FNV-1a of 64 bits over the bytes.
    fn sum(bytes: &[u8]) -> String {
        let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{sum:016x}")
    }
}
