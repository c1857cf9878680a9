import Synchronization

/// A value protected by a mutex.
///
/// The thread sanitizer does not see the locking inside `Mutex`, whose library is not instrumented, and would report
/// every use; the atomic shows it the same ordering. Inlinable because every request takes several locks, and an
/// unspecialized generic call looks up its types each time.
@usableFromInline
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let order = Atomic(false)

  @inlinable
  package init(_ value: Value) { mutex = Mutex(value) }

  /// Runs `body` with exclusive access to the value.
  @inlinable
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return body(&value)
    }
  }
}
