//! Cancellation of requests that have no answer yet.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Whether the client has cancelled a request, and what stops its work then.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_cancelled: bool,
    stop: Option<Box<dyn FnOnce() + Send>>,
}

impl Cancel {
    /// Has `stop` called, once, on another thread when the request is cancelled; at once, here, if it
    /// has been.
    pub fn on_cancel(&self, stop: impl FnOnce() + Send + 'static) {
        let mut state = lock(&self.0);
        if !state.is_cancelled {
            state.stop = Some(Box::new(stop));
            return;
        }
        drop(state);
        stop();
    }

    /// Whether the request is cancelled: nobody reads its answer.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        lock(&self.0).is_cancelled
    }

    fn cancel(&self) {
        let stop = {
            let mut state = lock(&self.0);
            state.is_cancelled = true;
            state.stop.take()
        };
        if let Some(stop) = stop {
            stop();
        }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("is_cancelled", &self.is_cancelled()).finish()
    }
}

/// The requests that have been read and not answered, by the text of their identifiers.
#[derive(Clone, Default)]
pub(super) struct Pending(Arc<Mutex<HashMap<String, Cancel>>>);

impl Pending {
    /// Adds a request.
    pub(super) fn add(&self, id: &Value) -> Cancel {
        let cancel = Cancel::default();
        lock(&self.0).insert(id.to_string(), cancel.clone());
        cancel
    }

    pub(super) fn cancel(&self, id: &Value) {
        // The lock is not held while something is stopped.
        let cancel = lock(&self.0).get(&id.to_string()).cloned();
        if let Some(cancel) = cancel {
            cancel.cancel();
        }
    }

    pub(super) fn remove(&self, id: &Value) {
        lock(&self.0).remove(&id.to_string());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
