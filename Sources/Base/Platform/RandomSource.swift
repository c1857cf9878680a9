#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// `getrandom`, which the module map omits.
  @_extern(c, "getrandom")
  private func getrandom(_ buffer: UnsafeMutableRawPointer, _ length: Int, _ flags: UInt32) -> Int
#else
  import Darwin
#endif

/// Random words of the system, fetched in batches: one system call per identity would cost more than the work the
/// identity is for.
package enum RandomSource {
  private static let words = 64
  private static let rest = Guarded<[UInt64]>([])

  /// Two random words.
  package static func next() -> (UInt64, UInt64) {
    rest.withLock { rest in
      if rest.count < 2 { rest = fetch() }
      return (rest.removeLast(), rest.removeLast())
    }
  }

  private static func fetch() -> [UInt64] {
    var new = [UInt64](repeating: 0, count: words)
    let isWhole = new.withUnsafeMutableBytes { buffer -> Bool in
      guard let base = buffer.baseAddress else { return false }
      #if os(Linux)
        // The kernel never returns a request of this size partially.
        return getrandom(base, buffer.count, 0) == buffer.count
      #else
        arc4random_buf(base, buffer.count)
        return true
      #endif
    }
    if !isWhole {
      // When the system rejects the call, the standard library falls back to other sources.
      var source = SystemRandomNumberGenerator()
      for index in new.indices { new[index] = source.next() }
    }
    return new
  }
}
