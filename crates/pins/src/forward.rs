//! Passes questions on: a system around another one writes out only what it answers itself.

/// In an `impl Worker`: the named questions go to the worker in a field, `forward!(self.inner: label, guard)`.
#[macro_export]
macro_rules! forward {
    (self.$($field:ident).+: $($question:ident),+ $(,)?) => {
        $crate::forward!(@each [$($field).+] $($question)+);
    };
    (@each $field:tt $($question:ident)+) => {
        $($crate::forward!(@ $question $field);)+
    };
    (@ setups [$($field:ident).+]) => {
        fn setups(
            &mut self,
            emit: &mut dyn FnMut(&[u32]) -> $crate::Flow,
        ) -> Result<(), $crate::Fault> {
            self.$($field).+.setups(emit)
        }
    };
    (@ initial [$($field:ident).+]) => {
        fn initial(
            &mut self,
            setup: &[u32],
            emit: &mut dyn FnMut(&[u32]) -> $crate::Flow,
        ) -> Result<(), $crate::Fault> {
            self.$($field).+.initial(setup, emit)
        }
    };
    (@ successors [$($field:ident).+]) => {
        fn successors(
            &mut self,
            state: &[u32],
            group: $crate::GroupId,
            emit: &mut dyn FnMut($crate::Step<'_>) -> $crate::Flow,
        ) -> Result<(), $crate::Fault> {
            self.$($field).+.successors(state, group, emit)
        }
    };
    (@ all_successors [$($field:ident).+]) => {
        fn all_successors(
            &mut self,
            state: &[u32],
            emit: &mut dyn FnMut($crate::GroupId, $crate::Step<'_>) -> $crate::Flow,
            fault: &mut dyn FnMut($crate::GroupId, $crate::Fault),
        ) {
            self.$($field).+.all_successors(state, emit, fault);
        }
    };
    (@ may_happen [$($field:ident).+]) => {
        fn may_happen(&mut self, state: &[u32], group: $crate::GroupId) -> bool {
            self.$($field).+.may_happen(state, group)
        }
    };
    (@ guard [$($field:ident).+]) => {
        fn guard(&mut self, state: &[u32], guard: usize) -> bool {
            self.$($field).+.guard(state, guard)
        }
    };
    (@ label [$($field:ident).+]) => {
        fn label(&mut self, state: &[u32], label: $crate::LabelId) -> $crate::Truth {
            self.$($field).+.label(state, label)
        }
    };
    (@ take_notes [$($field:ident).+]) => {
        fn take_notes(&mut self) -> $crate::Notes {
            self.$($field).+.take_notes()
        }
    };
    (@ give_up [$($field:ident).+]) => {
        fn give_up(&mut self) {
            self.$($field).+.give_up();
        }
    };
    (@ stutters [$($field:ident).+]) => {
        fn stutters(&mut self, state: &[u32]) -> bool {
            self.$($field).+.stutters(state)
        }
    };
    (@ heed [$($field:ident).+]) => {
        fn heed(&mut self, halt: $crate::Halt) {
            self.$($field).+.heed(halt);
        }
    };
    (@ go_past_faults [$($field:ident).+]) => {
        fn go_past_faults(&mut self) -> bool {
            self.$($field).+.go_past_faults()
        }
    };
}

/// In an `impl System`: the named questions go to the system in a field, `forward_system!(self.system: shape, bytes)`;
/// `values` are the three questions about numbered values.
#[macro_export]
macro_rules! forward_system {
    (self.$field:ident: $($question:ident),+ $(,)?) => {
        $($crate::forward_system!(@ $question, $field);)+
    };
    (@ shape, $field:ident) => {
        fn shape(&self) -> &$crate::Shape {
            self.$field.shape()
        }
    };
    (@ save, $field:ident) => {
        fn save(&self) -> Vec<u8> {
            self.$field.save()
        }
    };
    (@ restore, $field:ident) => {
        fn restore(&self, saved: &[u8]) -> Result<(), String> {
            self.$field.restore(saved)
        }
    };
    (@ bytes, $field:ident) => {
        fn bytes(&self) -> u64 {
            self.$field.bytes()
        }
    };
    (@ values, $field:ident) => {
        fn numbers(&self, slot: usize) -> Option<$crate::Numbers> {
            self.$field.numbers(slot)
        }
        fn write_value(&self, slot: usize, word: u32, out: &mut Vec<u8>) -> Result<(), String> {
            self.$field.write_value(slot, word, out)
        }
        fn read_value(&self, slot: usize, bytes: &[u8]) -> Result<u32, String> {
            self.$field.read_value(slot, bytes)
        }
    };
    (@ symmetry, $field:ident) => {
        fn symmetry(&self) -> Option<&dyn $crate::Permute> {
            self.$field.symmetry()
        }
        fn action(&self) -> Option<&$crate::Action> {
            self.$field.action()
        }
    };
}
