#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Where one of our own threads sleeps until there is something to do. Never used to wait for async work.
  package final class Parker: Sendable {
    // The semaphore must not move, so it has memory of its own, whose address is kept as a number: unlike a pointer that may
    // be shared, and all that is done with it is calling the system, which is safe from any thread.
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

    /// Sleeps until `unpark` has been called once more than `park` has returned.
    package func park() {
      guard let semaphore else { return }
      while sem_wait(semaphore) != 0, errno == EINTR {}
    }

    /// Takes what would let `park` return; false when it would sleep.
    package func tryPark() -> Bool { semaphore.map { sem_trywait($0) == 0 } ?? false }

    /// Lets one `park` return, now or later.
    package func unpark() {
      if let semaphore { sem_post(semaphore) }
    }
  }
#else
  import Dispatch

  /// Where one of our own threads sleeps until there is something to do. Never used to wait for async work.
  package final class Parker: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Sleeps until `unpark` has been called once more than `park` has returned.
    package func park() { semaphore.wait() }

    /// Takes what would let `park` return; false when it would sleep.
    package func tryPark() -> Bool { semaphore.wait(timeout: .now()) == .success }

    /// Lets one `park` return, now or later.
    package func unpark() { semaphore.signal() }
  }
#endif
