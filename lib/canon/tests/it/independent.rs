//! Random structures against another algorithm: a search for isomorphisms of graphs that neither colours nor sorts.
//!
//! Technique: a structure becomes a graph with a vertex for every point and every node, edges from a node to its parts;
//! vertices are mapped one after the other, and a mapping is given up as soon as an edge does not fit [Ullmann 76].
//! The graph, its search and the library share nothing but the terms.

use canon::{Canon, Node, form};

/// A graph with labelled vertices and edges.
struct Graph {
    labels: Vec<(u8, u64)>,
    /// `edges[a][b]`: the label of the edge, zero when there is none.
    edges: Vec<Vec<u32>>,
}

impl Graph {
    fn of(roots: &[Vec<Node>], classes: &[Vec<u32>], points: usize) -> Graph {
        let mut graph = Graph {
            labels: Vec::new(),
            edges: Vec::new(),
        };
        for point in 0..points as u32 {
            let class = classes.iter().position(|class| class.contains(&point));
            graph.vertex(match class {
                Some(class) => (0, class as u64),
                None => (1, u64::from(point)),
            });
        }
        for (number, root) in roots.iter().enumerate() {
            let top = graph.vertex((2, number as u64));
            graph.add(root, 0, top, 1);
        }
        graph
    }

    fn vertex(&mut self, label: (u8, u64)) -> usize {
        self.labels.push(label);
        let count = self.labels.len();
        self.edges.iter_mut().for_each(|row| row.push(0));
        self.edges.push(vec![0; count]);
        count - 1
    }

    /// Adds the part at `at`, which hangs below `above` by an edge with this label; gives its end.
    fn add(&mut self, term: &[Node], at: usize, above: usize, edge: u32) -> usize {
        let (label, parts) = match term[at] {
            Node::Point(point) => {
                let between = self.vertex((3, 0));
                self.edges[above][between] = edge;
                self.edges[between][point as usize] = 1;
                return at + 1;
            }
            Node::Atom(word) => ((4, word), 0),
            Node::Tuple(parts) => ((5, u64::from(parts)), parts),
            Node::Set(parts) => ((6, u64::from(parts)), parts),
        };
        let vertex = self.vertex(label);
        self.edges[above][vertex] = edge;
        let mut next = at + 1;
        for part in 0..parts {
            let edge = match term[at] {
                Node::Tuple(_) => part + 1,
                _ => 1,
            };
            next = self.add(term, next, vertex, edge);
        }
        next
    }

    /// How many isomorphisms there are to another graph, counted up to `most`.
    fn isomorphisms(&self, other: &Graph, most: u128) -> u128 {
        if self.labels.len() != other.labels.len() {
            return 0;
        }
        let mut images = vec![usize::MAX; self.labels.len()];
        let mut taken = vec![false; self.labels.len()];
        self.extend(other, 0, &mut images, &mut taken, most)
    }

    fn extend(
        &self,
        other: &Graph,
        at: usize,
        images: &mut [usize],
        taken: &mut [bool],
        most: u128,
    ) -> u128 {
        // Nodes first, each after the one above it; then points.
        let count = self.labels.len();
        let vertex = |at: usize| (at + POINTS) % count;
        if at == count {
            return 1;
        }
        let known: Vec<usize> = (0..at).map(vertex).collect();
        let vertex = vertex(at);
        let mut found = 0;
        for image in 0..count {
            let fits = !taken[image]
                && self.labels[vertex] == other.labels[image]
                && known.iter().all(|known| {
                    self.edges[vertex][*known] == other.edges[image][images[*known]]
                        && self.edges[*known][vertex] == other.edges[images[*known]][image]
                });
            if fits {
                images[vertex] = image;
                taken[image] = true;
                found += self.extend(other, at + 1, images, taken, most);
                taken[image] = false;
                if found >= most {
                    break;
                }
            }
        }
        found
    }
}

/// A generator of numbers; the seed is part of every message.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn shuffle(&mut self, points: &mut [u32]) {
        for at in (1..points.len()).rev() {
            points.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

fn set_of(parts: Vec<Vec<Node>>) -> Vec<Node> {
    let mut parts: Vec<Vec<Node>> = parts;
    parts.sort();
    parts.dedup();
    let mut term = vec![Node::Set(parts.len() as u32)];
    term.extend(parts.concat());
    term
}

fn pair(a: Vec<Node>, b: Vec<Node>) -> Vec<Node> {
    [vec![Node::Tuple(2)], a, b].concat()
}

/// Points 0 to 4 and 5 to 7 can be exchanged, 8 stays.
fn classes() -> Vec<Vec<u32>> {
    vec![(0..5).collect(), (5..8).collect()]
}
const POINTS: usize = 9;

/// A structure of two or three terms; small choices, so that many are symmetric.
fn structure(random: &mut Random) -> Vec<Vec<Node>> {
    let roots = 1 + random.below(2);
    let term = |random: &mut Random| match random.below(5) {
        // A relation in one class.
        0 => {
            let parts = 1 + random.below(5);
            let end = |random: &mut Random| vec![Node::Point(random.below(5) as u32)];
            set_of((0..parts).map(|_| pair(end(random), end(random))).collect())
        }
        // A relation between classes, the point that stays among them.
        1 => {
            let parts = 1 + random.below(5);
            let parts = (0..parts).map(|_| {
                let left = vec![Node::Point(random.below(5) as u32)];
                pair(left, vec![Node::Point(5 + random.below(4) as u32)])
            });
            set_of(parts.collect())
        }
        // A set of sets.
        2 => {
            let parts = 1 + random.below(4);
            let parts = (0..parts).map(|_| {
                let members = random.below(4);
                let members = (0..members).map(|_| vec![Node::Point(random.below(5) as u32)]);
                set_of(members.collect())
            });
            set_of(parts.collect())
        }
        // A ring.
        3 => {
            let mut points: Vec<u32> = (0..5).collect();
            random.shuffle(&mut points);
            let ring = (0..5).map(|at| {
                let [a, b] = [points[at], points[(at + 1) % 5]].map(|p| vec![Node::Point(p)]);
                pair(a, b)
            });
            set_of(ring.collect())
        }
        // A function to numbers, and what it is at one point.
        _ => {
            let parts = (0..5).map(|point| {
                let value = random.below(2);
                pair(vec![Node::Point(point)], vec![Node::Atom(value)])
            });
            pair(
                set_of(parts.collect()),
                vec![Node::Point(random.below(5) as u32)],
            )
        }
    };
    (0..roots).map(|_| term(random)).collect()
}

fn form_of(roots: &[Vec<Node>], images: &[u32]) -> Vec<Vec<Node>> {
    let form_of = |root: &Vec<Node>| {
        let mut out = Vec::new();
        form(root, images, &mut out);
        out
    };
    roots.iter().map(form_of).collect()
}

fn canonical(canon: &mut Canon, roots: &[Vec<Node>]) -> (Vec<Vec<Node>>, Option<u128>) {
    let slices: Vec<&[Node]> = roots.iter().map(Vec::as_slice).collect();
    let labelling = canon.label(&slices, &classes(), &[0; POINTS]);
    (form_of(roots, &labelling.images), labelling.automorphisms)
}

#[test]
fn forms_are_equal_exactly_for_isomorphic_structures() {
    let seed = 20_100_601;
    let mut random = Random(seed);
    let mut canon = Canon::new();
    let structures: Vec<Vec<Vec<Node>>> = (0..160).map(|_| structure(&mut random)).collect();
    let graphs: Vec<Graph> = structures
        .iter()
        .map(|roots| Graph::of(roots, &classes(), POINTS))
        .collect();
    let forms: Vec<_> = structures
        .iter()
        .map(|roots| canonical(&mut canon, roots))
        .collect();
    let mut isomorphic = 0;
    for a in 0..structures.len() {
        for b in 0..a {
            let is_isomorphic = graphs[a].isomorphisms(&graphs[b], 1) > 0;
            isomorphic += u32::from(is_isomorphic);
            assert_eq!(
                forms[a].0 == forms[b].0,
                is_isomorphic,
                "seed {seed}: {:?} and {:?}",
                structures[a],
                structures[b]
            );
        }
    }
    assert!(isomorphic > 20, "too few to mean anything: {isomorphic}");
}

#[test]
fn a_structure_under_other_names_has_the_same_form() {
    let seed = 20_070_315;
    let mut random = Random(seed);
    let mut canon = Canon::new();
    for _ in 0..2_000 {
        let roots = structure(&mut random);
        let mut images: Vec<u32> = (0..POINTS as u32).collect();
        random.shuffle(&mut images[..5]);
        random.shuffle(&mut images[5..8]);
        let renamed = form_of(&roots, &images);
        let (one, other) = (
            canonical(&mut canon, &roots),
            canonical(&mut canon, &renamed),
        );
        assert_eq!(one, other, "seed {seed}: {roots:?} by {images:?}");
    }
}

#[test]
fn automorphisms_are_counted_as_by_trying_all_mappings() {
    let seed = 19_811_101;
    let mut random = Random(seed);
    let mut canon = Canon::new();
    for _ in 0..300 {
        let roots = structure(&mut random);
        let graph = Graph::of(&roots, &classes(), POINTS);
        let all = graph.isomorphisms(&graph, u128::MAX);
        let (_, counted) = canonical(&mut canon, &roots);
        assert_eq!(counted, Some(all), "seed {seed}: {roots:?}");
    }
}
