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

/// Appends a term to `out` with its points exchanged and its sets sorted: equal terms have equal forms.
pub fn form(term: &[Node], images: &[u32], out: &mut Vec<Node>) {
    let mut at = 0;
    while at < term.len() {
        at = write(term, at, images, out);
    }
}

/// Writes the part that begins at `at`; gives the end of it.
fn write(term: &[Node], at: usize, images: &[u32], out: &mut Vec<Node>) -> usize {
    match term[at] {
        Node::Atom(_) => {
            out.push(term[at]);
            at + 1
        }
        Node::Point(point) => {
            out.push(Node::Point(images[point as usize]));
            at + 1
        }
        Node::Tuple(parts) => {
            out.push(term[at]);
            let mut next = at + 1;
            for _ in 0..parts {
                next = write(term, next, images, out);
            }
            next
        }
        Node::Set(parts) => {
            out.push(term[at]);
            let start = out.len();
            let mut next = at + 1;
            let mut bounds = Vec::with_capacity(parts as usize + 1);
            for _ in 0..parts {
                bounds.push(out.len());
                next = write(term, next, images, out);
            }
            bounds.push(out.len());
            sort_parts(out, start, &bounds);
            next
        }
    }
}

/// Sorts the parts between neighbouring bounds.
fn sort_parts(out: &mut Vec<Node>, start: usize, bounds: &[usize]) {
    let is_flat = bounds.windows(2).all(|pair| pair[1] - pair[0] == 1);
    if is_flat {
        out[start..].sort_unstable();
        return;
    }
    let mut parts: Vec<&[Node]> = bounds
        .windows(2)
        .map(|pair| &out[pair[0]..pair[1]])
        .collect();
    if parts.is_sorted() {
        return;
    }
    parts.sort_unstable();
    let sorted = parts.concat();
    out.truncate(start);
    out.extend(sorted);
}
