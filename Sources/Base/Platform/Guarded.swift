import Synchronization

/// A value behind a lock.
///
/// The thread sanitizer does not see the locking inside `Mutex`, which is in a library it has not instrumented, and
/// would report every use. The atomic tells it, in code that it does see, what the lock orders anyway. Inlined, as every
/// request takes several locks, and a generic call between modules looks its types up each time.
@usableFromInline
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let order = Atomic(false)

  @inlinable
  package init(_ value: Value) { mutex = Mutex(value) }

  /// Lends the value to one caller at a time.
  @inlinable
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return body(&value)
    }
  }
}
