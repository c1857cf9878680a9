import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Threads that share a number of pieces of work.
///
/// Threads rather than tasks: each spends its time in `poll`, which has no place on the pool of Swift's concurrency.
enum Workers {
  /// What the threads share.
  private final class Work: Sendable {
    /// The number of the next piece.
    let next = Atomic<Int>(0)
    /// How many pieces there are.
    let count: Int
    /// Does one.
    let body: @Sendable (Int) -> Void

    /// Work of which nothing is done.
    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
      self.count = count
      self.body = body
    }

    /// Does pieces until none is left.
    func run() {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
  }

  /// Does all pieces, `jobs` at a time, and returns when the last is done.
  static func run(count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let work = Work(count: count, body: body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Messages nest up to 512 levels, and are read by recursion.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    defer { pthread_attr_destroy(&attributes) }
    #if os(Linux)
      var threads: [pthread_t] = []
      var thread = pthread_t()
    #else
      var threads: [pthread_t?] = []
      var thread: pthread_t?
    #endif
    for _ in 0..<max(1, min(jobs, count)) {
      let argument = Unmanaged.passRetained(work)
      let status = pthread_create(&thread, &attributes, Workers.start, argument.toOpaque())
      if status == 0 { threads.append(thread) } else { argument.release() }
    }
    // Without a single thread, the work is done on this one.
    if threads.isEmpty { work.run() }
    for thread in threads {
      #if os(Linux)
        pthread_join(thread, nil)
      #else
        if let thread { pthread_join(thread, nil) }
      #endif
    }
  }

  #if os(Linux)
    /// Where a thread begins.
    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }
  #else
    /// Where a thread begins.
    private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }
  #endif
}
