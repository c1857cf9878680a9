import Synchronization

/// A closure that is set after the objects that call it were made.
final class DeferredHandler<Argument: Sendable>: Sendable {
  private let body = Mutex<(@Sendable (Argument) -> Void)?>(nil)

  func set(_ body: @escaping @Sendable (Argument) -> Void) { self.body.withLock { $0 = body } }

  func run(_ argument: Argument) { body.withLock { $0 }?(argument) }
}
