//! Operators about the past.

use super::{FALSE, Node, Ref, TRUE, Table};

impl Table {
    pub(super) fn yesterday(&mut self, a: Ref) -> Ref {
        match a {
            FALSE => FALSE,
            _ => self.node(Node::Yesterday(a)),
        }
    }

    pub(super) fn weak_yesterday(&mut self, a: Ref) -> Ref {
        match a {
            TRUE => TRUE,
            _ => self.node(Node::WeakYesterday(a)),
        }
    }

    pub(super) fn since(&mut self, a: Ref, b: Ref) -> Ref {
        if a == FALSE || b == TRUE || b == FALSE || a == b {
            return b;
        }
        match self.get(b) {
            Node::Since(c, _) if *c == a => b,
            _ => self.node(Node::Since(a, b)),
        }
    }

    pub(super) fn trigger(&mut self, a: Ref, b: Ref) -> Ref {
        if a == TRUE || b == TRUE || b == FALSE || a == b {
            return b;
        }
        match self.get(b) {
            Node::Trigger(c, _) if *c == a => b,
            _ => self.node(Node::Trigger(a, b)),
        }
    }
}
