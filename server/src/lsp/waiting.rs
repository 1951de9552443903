//! Bounds what waits in the server: who adds more than there is room for waits, too.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The bytes that may wait. One message more is let in, whatever its length.
const MOST_BYTES: usize = 64 << 20;

/// Counts bytes that wait for something.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(Arc<(Mutex<usize>, Condvar)>);

impl Waiting {
    /// Counts some bytes until the result is dropped.
    pub(super) fn add(&self, bytes: usize) -> Held {
        *self.bytes() += bytes;
        Held { bytes, waiting: self.clone() }
    }

    /// Waits until there is room.
    pub(super) fn wait_for_room(&self) {
        let is_full = |bytes: &mut usize| *bytes >= MOST_BYTES;
        let waited = self.0.1.wait_while(self.bytes(), is_full);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn bytes(&self) -> std::sync::MutexGuard<'_, usize> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes that are counted.
#[derive(Debug)]
pub(super) struct Held {
    bytes: usize,
    waiting: Waiting,
}

impl Drop for Held {
    fn drop(&mut self) {
        *self.waiting.bytes() -= self.bytes;
        self.waiting.0.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn who_finds_no_room_waits_for_it() {
        let waiting = Waiting::default();
        let first = waiting.add(MOST_BYTES - 1);
        waiting.wait_for_room();
        let second = waiting.add(MOST_BYTES);
        let (done, is_done) = channel();
        let other = waiting.clone();
        let waits = thread::spawn(move || {
            other.wait_for_room();
            done.send(()).unwrap();
        });
        assert!(is_done.recv_timeout(Duration::from_millis(50)).is_err());
        drop(first);
        assert!(is_done.recv_timeout(Duration::from_millis(50)).is_err());
        drop(second);
        waits.join().unwrap();
        assert!(is_done.recv().is_ok());
    }
}
