#if os(Linux)
  /// glibc's call, which the module map leaves out; the set is a row of bits.
  @_extern(c, "sched_getaffinity")
  private func getAffinity(_ process: Int32, _ size: Int, _ set: UnsafeMutableRawPointer) -> Int32
#else
  /// There is no such call here.
  private func getAffinity(_ process: Int32, _ size: Int, _ set: UnsafeMutableRawPointer) -> Int32 { -1 }
#endif

/// The processors of the machine.
package enum Processors {
  /// Whether this thread may use more than one of them, so that two threads can run at once; true when unknown.
  package static var areSeveral: Bool {
    var set = SIMD16<UInt64>()
    guard getAffinity(0, MemoryLayout.size(ofValue: set), &set) >= 0 else { return true }
    return set.indices.reduce(0) { $0 + set[$1].nonzeroBitCount } > 1
  }
}
