#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Dispatch
#endif

/// A semaphore on which one of our own threads sleeps until it has work. Never used to wait for async work.
package final class Parker: Sendable {
  #if os(Linux)
    // A semaphore must not move, so it is allocated. An address is Sendable, unlike a pointer, and the semaphore calls are
    // safe from any thread.
    private let address: UInt

    private var semaphore: UnsafeMutablePointer<sem_t>? { UnsafeMutablePointer(bitPattern: address) }

    package init() {
      let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
      sem_init(memory, 0, 0)
      address = UInt(bitPattern: memory)
    }

    deinit {
      guard let semaphore else { return }
      sem_destroy(semaphore)
      semaphore.deallocate()
    }
  #else
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}
  #endif

  /// Sleeps until there is an `unpark` that no `park` has used, and uses it.
  package func park() {
    #if os(Linux)
      guard let semaphore else { return }
      while sem_wait(semaphore) != 0, errno == EINTR {}
    #else
      semaphore.wait()
    #endif
  }

  /// Like `park`, but returns false instead of sleeping.
  package func tryPark() -> Bool {
    #if os(Linux)
      semaphore.map { sem_trywait($0) == 0 } ?? false
    #else
      semaphore.wait(timeout: .now()) == .success
    #endif
  }

  /// Lets one current or future `park` return.
  package func unpark() {
    #if os(Linux)
      if let semaphore { sem_post(semaphore) }
    #else
      semaphore.signal()
    #endif
  }
}
