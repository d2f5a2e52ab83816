//! Writes certificates: the form is told in `certify/src/file.rs`.

use certify::{Header, Levels, MAGIC};

/// Collects what a certificate holds.
#[derive(Debug, Default)]
pub struct Writer {
    values: Vec<Vec<String>>,
    states: Vec<Box<[u32]>>,
    /// Nodes of a diagram, as they are written.
    nodes: Vec<u8>,
    count: u64,
}

impl Writer {
    /// Begins a certificate of states with so many components.
    pub fn new(components: usize) -> Writer {
        Writer {
            values: vec![Vec::new(); components],
            ..Writer::default()
        }
    }

    /// Gives a value of a component a number; the caller asks once for each value.
    pub fn number(&mut self, component: usize, text: String) -> u32 {
        let values = &mut self.values[component];
        values.push(text);
        values.len() as u32 - 1
    }

    /// Adds a state by the numbers of its values.
    pub fn add(&mut self, state: &[u32]) {
        self.states.push(state.into());
    }

    /// Adds a node of a diagram, whose children were added before, by the numbers of values; the last one is the root.
    /// Gives its number; 0 is the end.
    pub fn add_node(&mut self, edges: &[(u32, u32)]) -> u32 {
        put(&mut self.nodes, edges.len() as u64);
        for (value, child) in edges {
            put(&mut self.nodes, u64::from(*value));
            put(&mut self.nodes, u64::from(*child));
        }
        self.count += 1;
        self.count as u32
    }

    /// The file; `header` says everything but the numbers, and that of the states of a diagram.
    pub fn finish(mut self, header: &Header) -> Vec<u8> {
        self.states.sort_unstable();
        self.states.dedup();
        let header = Header {
            components: self.values.len(),
            states: match header.diagram {
                Some(_) => header.states,
                None => self.states.len() as u64,
            },
            diagram: header.diagram.clone().map(|levels| Levels {
                nodes: self.count,
                ..levels
            }),
            ..header.clone()
        };
        let mut out = begin(&header);
        for values in &self.values {
            put(&mut out, values.len() as u64);
            for text in values {
                put(&mut out, text.len() as u64);
                out.extend(text.as_bytes());
            }
        }
        out.extend(&self.nodes);
        let mut before: &[u32] = &[];
        for state in &self.states {
            let same = before.iter().zip(state).take_while(|(a, b)| a == b).count();
            put(&mut out, same as u64);
            for word in &state[same..] {
                put(&mut out, u64::from(*word));
            }
            before = state;
        }
        end(out)
    }
}

/// What a file begins with.
fn begin(header: &Header) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let line = serde_json::to_string(header).expect("a header has only texts and numbers");
    out.extend(line.as_bytes());
    out.push(b'\n');
    out
}

/// The file with its hash.
fn end(mut out: Vec<u8>) -> Vec<u8> {
    let hash = blake3::hash(&out);
    out.extend(hash.as_bytes());
    out
}

/// The same certificate with another header.
///
/// # Panics
/// If it is no certificate.
pub fn with_header(certificate: &[u8], header: &Header) -> Vec<u8> {
    let mut lines = certificate.splitn(3, |byte| *byte == b'\n');
    let rest = lines.nth(2).expect("two lines begin a certificate");
    let mut out = begin(header);
    out.extend(&rest[..rest.len() - blake3::OUT_LEN]);
    end(out)
}

/// Writes a number in groups of seven bits.
fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
