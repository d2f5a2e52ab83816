//! Terms as flat lists, and their form under a permutation of the points.

/// A node of a term. A term is written from the outside in: each node before its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// Something without points.
    Atom(u64),
    /// A point.
    Point(u32),
    /// So many parts follow, in order.
    Tuple(u32),
    /// So many parts follow, in any order.
    Set(u32),
}

/// The end of the part of a term that begins at `at`.
pub fn end_of(term: &[Node], at: usize) -> usize {
    let mut left = 1;
    let mut next = at;
    while left > 0 {
        left -= 1;
        if let Node::Tuple(parts) | Node::Set(parts) = term[next] {
            left += parts as usize;
        }
        next += 1;
    }
    next
}

/// What forms are written in.
trait Letter: Copy + Ord {
    /// Appends a node.
    fn write(node: Node, out: &mut Vec<Self>);
    /// Sorts what was written for points.
    fn sort_points(written: &mut [Self]);
}

impl Letter for Node {
    #[inline]
    fn write(node: Node, out: &mut Vec<Node>) {
        out.push(node);
    }

    fn sort_points(written: &mut [Node]) {
        written.sort_unstable();
    }
}

impl Letter for u32 {
    #[inline]
    fn write(node: Node, out: &mut Vec<u32>) {
        match node {
            Node::Atom(word) => out.extend([0, word as u32, (word >> 32) as u32]),
            Node::Point(point) => out.extend([1, point]),
            Node::Tuple(parts) => out.extend([2, parts]),
            Node::Set(parts) => out.extend([3, parts]),
        }
    }

    fn sort_points(written: &mut [u32]) {
        written.as_chunks_mut::<2>().0.sort_unstable();
    }
}

/// Appends a node as words; different lists of nodes are different lists of words.
#[inline]
pub fn write_words(node: Node, out: &mut Vec<u32>) {
    Letter::write(node, out);
}

/// Appends a term to `out` with its points exchanged and its sets sorted: equal terms have equal forms.
pub fn form(term: &[Node], images: &[u32], out: &mut Vec<Node>) {
    write_all(term, images, out);
}

/// The same in words.
pub fn form_words(term: &[Node], images: &[u32], out: &mut Vec<u32>) {
    write_all(term, images, out);
}

fn write_all<L: Letter>(term: &[Node], images: &[u32], out: &mut Vec<L>) {
    let mut at = 0;
    while at < term.len() {
        at = write(term, at, images, out);
    }
}

/// Of so many parts nothing is allocated.
const FEW: usize = 8;

/// Writes the part that begins at `at`; gives the end of it.
fn write<L: Letter>(term: &[Node], at: usize, images: &[u32], out: &mut Vec<L>) -> usize {
    match term[at] {
        Node::Atom(_) => {
            L::write(term[at], out);
            at + 1
        }
        Node::Point(point) => {
            L::write(Node::Point(images[point as usize]), out);
            at + 1
        }
        Node::Tuple(parts) => {
            L::write(term[at], out);
            let mut next = at + 1;
            for _ in 0..parts {
                next = write(term, next, images, out);
            }
            next
        }
        Node::Set(parts) => {
            L::write(term[at], out);
            let parts = parts as usize;
            let within = &term[at + 1..(at + 1 + parts).min(term.len())];
            if within.iter().all(|node| matches!(node, Node::Point(_))) {
                write_points(within, images, out);
                return at + 1 + parts;
            }
            let start = out.len();
            let mut next = at + 1;
            let (mut few, mut many) = ([0; FEW + 1], Vec::new());
            let bounds = match parts <= FEW {
                true => &mut few[..parts + 1],
                false => {
                    many.resize(parts + 1, 0);
                    many.as_mut_slice()
                }
            };
            for bound in &mut bounds[..parts] {
                *bound = out.len();
                next = write(term, next, images, out);
            }
            bounds[parts] = out.len();
            sort_parts(out, start, bounds);
            next
        }
    }
}

/// Writes a set of points.
fn write_points<L: Letter>(points: &[Node], images: &[u32], out: &mut Vec<L>) {
    let start = out.len();
    for node in points {
        if let Node::Point(point) = node {
            L::write(Node::Point(images[*point as usize]), out);
        }
    }
    L::sort_points(&mut out[start..]);
}

/// Sorts the parts between neighbouring bounds.
fn sort_parts<L: Letter>(out: &mut Vec<L>, start: usize, bounds: &[usize]) {
    let part = |pair: &[usize]| pair[0]..pair[1];
    let parts = bounds.windows(2);
    let mut neighbours = parts.clone().zip(parts.clone().skip(1));
    if neighbours.all(|(a, b)| out[part(a)] <= out[part(b)]) {
        return;
    }
    if let [_, second, _] = bounds {
        out[start..].rotate_left(second - start);
        return;
    }
    let mut parts: Vec<&[L]> = parts.map(|pair| &out[part(pair)]).collect();
    parts.sort_unstable();
    let sorted = parts.concat();
    out.truncate(start);
    out.extend(sorted);
}
