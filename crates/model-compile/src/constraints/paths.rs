//! Courses: ways one after the other, as one condition and one list of writes over the state before the first.

use model::Model;

use super::{Constraints, Course, MOST_PATHS, Solved, Unknowns};
use crate::influence::substitute::{Map, Substitute};
use crate::influence::ways::{Way, seen};

impl Constraints {
    /// The courses that do nothing but initialise.
    pub(super) fn begin(&self) -> Result<Vec<Course>, String> {
        let Some(start) = &self.start else {
            return Err("the initialisation has a loop, or branches too much".to_owned());
        };
        let courses = start.iter().map(|way| Course {
            way: way.clone(),
            steps: Vec::new(),
            is_start: true,
        });
        Ok(courses.collect())
    }

    /// Courses that go on with one of some actions at each step. Those that start at the beginning are left out as soon as
    /// they are impossible.
    pub(super) fn courses(
        &mut self,
        begin: Vec<Course>,
        steps: &[Vec<usize>],
    ) -> Result<Vec<Course>, String> {
        let mut courses = begin;
        for actions in steps {
            courses = self.further(&courses, actions)?;
        }
        Ok(courses)
    }

    /// Courses through states that satisfy the invariant, but for the last.
    pub(super) fn good_courses(&mut self, steps: &[Vec<usize>]) -> Result<Vec<Course>, String> {
        let mut courses = vec![Course::default()];
        for (number, actions) in steps.iter().enumerate() {
            if number > 0 {
                for course in &mut courses {
                    for conjunct in self.supposed.clone() {
                        let after = self.after(&course.way, conjunct);
                        if after != conjunct {
                            course.way.conditions.push(after);
                        }
                    }
                }
            }
            courses = self.further(&courses, actions)?;
        }
        Ok(courses)
    }

    fn further(&mut self, courses: &[Course], actions: &[usize]) -> Result<Vec<Course>, String> {
        let mut next = Vec::new();
        for course in courses {
            for action in actions {
                let Some(ways) = self.actions[*action].clone() else {
                    return Err(self.not_understood(*action));
                };
                for way in &ways {
                    let mut longer = course.clone();
                    longer.steps.push((*action, course.way.names.len()));
                    longer.way = composed(&mut self.model, &course.way, way);
                    if longer.is_start && !self.is_possible(&longer) {
                        continue;
                    }
                    next.push(longer);
                    if next.len() > MOST_PATHS {
                        return Err(format!("there are more than {MOST_PATHS} paths to look at"));
                    }
                }
            }
        }
        Ok(next)
    }

    /// Whether a course may be possible.
    fn is_possible(&self, course: &Course) -> bool {
        let way = &course.way;
        let solved = self.solve(&way.names, &way.conditions, Unknowns::Constants);
        !matches!(solved, Solved::Nothing)
    }
}

/// One way after another.
fn composed(model: &mut Model, first: &Way, next: &Way) -> Way {
    let map = Map {
        is_renaming: true,
        ..Map::default()
    };
    let mut copy = Substitute::new(model, map);
    // Choices are bound before the conditions that mention them are copied.
    let names: Vec<_> = next.names.iter().map(|name| copy.rename(*name)).collect();
    let conditions: Vec<_> = next
        .conditions
        .iter()
        .map(|part| copy.expr(*part))
        .collect();
    let writes = next.writes.iter();
    let writes: Vec<_> = writes
        .map(|(var, value)| (*var, copy.expr(*value)))
        .collect();
    let mut way = first.clone();
    way.names.extend(names);
    for condition in conditions {
        let condition = seen(model, first, condition);
        way.conditions.push(condition);
    }
    for (var, value) in writes {
        let value = seen(model, first, value);
        match way.writes.iter_mut().find(|(known, _)| *known == var) {
            Some((_, old)) => *old = value,
            None => way.writes.push((var, value)),
        }
    }
    way
}
