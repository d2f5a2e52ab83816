//! Functions that are made together, and the memory that holds their code.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, UserFuncName, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, ir};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use crate::writer::Writer;

/// The least lengths of the slices that a function is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Words.
    pub words: u32,
    /// Numbers.
    pub numbers: u32,
}

/// A place where functions are made. Those of one unit share pages, so they are best made many at a time.
#[derive(Clone)]
pub struct Unit(Arc<Owner>);

/// Gives the memory of code back when nobody can call it any more.
struct Owner(Mutex<Option<Parts>>);

struct Parts {
    module: JITModule,
    context: Context,
    frontend: FunctionBuilderContext,
    /// Functions that are written and cannot be called yet.
    open: Vec<(FuncId, Needs)>,
}

/// The signature of all functions: words, how many, numbers; the answer.
type Raw = extern "C" fn(*mut u32, u64, *mut i64) -> i64;

/// A function that can be called.
pub struct Entry {
    raw: Raw,
    needs: Needs,
    /// The memory of the code.
    _owner: Arc<Owner>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        let parts = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(parts) = parts.take() {
            // SAFETY: each entry holds the owner, so there is none left that could be called, and none is being called.
            unsafe { parts.module.free_memory() };
        }
    }
}

impl Unit {
    /// A unit for the processor at hand; `None` where no code can be made for it.
    pub fn new() -> Option<Unit> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("opt_level", "speed"),
            // Code is made while somebody waits: a pass that takes half the time makes up for registers that are used less well.
            ("regalloc_algorithm", "single_pass"),
            // It looks for mistakes of `Writer`, and tests run with it.
            (
                "enable_verifier",
                if cfg!(debug_assertions) {
                    "true"
                } else {
                    "false"
                },
            ),
            ("unwind_info", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?;
        let isa = isa.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let parts = Parts {
            context: module.make_context(),
            frontend: FunctionBuilderContext::new(),
            module,
            open: Vec::new(),
        };
        Some(Unit(Arc::new(Owner(Mutex::new(Some(parts))))))
    }

    /// Writes a function, which can be called after [`Unit::finish`]; nothing comes of it when `write` says so with `false`.
    ///
    /// # Panics
    /// When what is written is not a function: a label without a place, a variable that is used before it is set.
    pub fn define(&self, needs: Needs, write: impl FnOnce(&mut Writer<'_>) -> bool) -> bool {
        let mut guard = self.lock();
        let parts = guard.as_mut().expect("a unit has its parts until its end");
        let mut signature = parts.module.make_signature();
        for _ in 0..3 {
            signature.params.push(AbiParam::new(types::I64));
        }
        signature.returns.push(AbiParam::new(types::I64));
        parts.context.func.signature = signature;
        let config = parts.module.target_config();
        let builder = FunctionBuilder::new(&mut parts.context.func, &mut parts.frontend);
        let mut writer = Writer::new(builder, needs);
        let is_wanted = write(&mut writer);
        writer.end(config);
        if !is_wanted {
            parts.module.clear_context(&mut parts.context);
            return false;
        }
        let id = parts
            .module
            .declare_anonymous_function(&parts.context.func.signature)
            .expect("a function without a name can be declared");
        parts.context.func.name = UserFuncName::user(0, id.as_u32());
        let done = parts.module.define_function_with_control_plane(
            id,
            &mut parts.context,
            &mut ControlPlane::default(),
        );
        if let Err(error) = done {
            panic!("what is written is a function: {error:?}");
        }
        parts.module.clear_context(&mut parts.context);
        parts.open.push((id, needs));
        true
    }

    /// The functions that were written since the last time, in order.
    pub fn finish(&self) -> Vec<Entry> {
        let mut guard = self.lock();
        let parts = guard.as_mut().expect("a unit has its parts until its end");
        // What making code needed is given back: the next functions are written much later.
        parts.context = parts.module.make_context();
        parts.frontend = FunctionBuilderContext::new();
        if parts.module.finalize_definitions().is_err() {
            // There is no memory for code: nothing can be called.
            parts.open.clear();
            return Vec::new();
        }
        let open = std::mem::take(&mut parts.open);
        let entry = |(id, needs)| {
            let code = parts.module.get_finalized_function(id);
            Entry {
                // SAFETY: the code at this address was made for exactly this signature by `define`, in the calling
                // convention that the target has by default, and stays there while the owner lives.
                raw: unsafe { std::mem::transmute::<*const u8, Raw>(code) },
                needs,
                _owner: self.0.clone(),
            }
        };
        open.into_iter().map(entry).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Parts>> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Runs the function; [`crate::ASK`] when the slices are shorter than it needs.
    #[inline]
    pub fn call(&self, words: &mut [u32], numbers: &mut [i64]) -> i64 {
        if words.len() < self.needs.words as usize || numbers.len() < self.needs.numbers as usize {
            return crate::ASK;
        }
        // The code reads and writes within the two slices only (the invariant of the crate), which nobody else uses now.
        (self.raw)(words.as_mut_ptr(), words.len() as u64, numbers.as_mut_ptr())
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("needs", &self.needs).finish()
    }
}

impl std::fmt::Debug for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unit")
    }
}

/// The width of a word in memory.
pub(crate) const WORD: ir::Type = types::I32;
/// The width of everything that is computed.
pub(crate) const NUMBER: ir::Type = types::I64;
