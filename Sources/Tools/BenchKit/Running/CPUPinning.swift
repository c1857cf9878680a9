import Foundation

#if os(Linux)
  /// glibc's calls, which the module map omits; a CPU set is a bit array.
  @_extern(c, "sched_getaffinity")
  func getAffinity(_ process: pid_t, _ size: Int, _ set: UnsafeMutablePointer<UInt64>) -> Int32

  @_extern(c, "sched_setaffinity")
  func setAffinity(_ process: pid_t, _ size: Int, _ set: UnsafePointer<UInt64>) -> Int32
#else
  /// Elsewhere there are no such calls; both fail.
  func getAffinity(_ process: pid_t, _ size: Int, _ set: UnsafeMutablePointer<UInt64>) -> Int32 { -1 }
  func setAffinity(_ process: pid_t, _ size: Int, _ set: UnsafePointer<UInt64>) -> Int32 { -1 }
#endif

/// Pins client and server to one CPU: without wake-ups of idle CPUs and cache transfers, the repeatable cost of the
/// software remains.
package enum CPUPinning {
  /// The CPUs that this process could use before it was pinned.
  private static let allowed: [UInt64]? = {
    var allowed = [UInt64](repeating: 0, count: 16)
    return getAffinity(0, allowed.count * 8, &allowed) >= 0 ? allowed : nil
  }()

  /// Runs `body` on all CPUs, such as starting a process that may use several.
  package static func onAll<Value>(_ body: () throws(BenchError) -> Value) throws(BenchError) -> Value {
    guard let allowed else { return try body() }
    _ = setAffinity(0, allowed.count * 8, allowed)
    defer { _ = pinToOne() }
    return try body()
  }

  /// Pins this process and its future children to the last available CPU; returns its number, or nil on failure.
  static func pinToOne() -> Int? {
    guard let allowed, let word = allowed.lastIndex(where: { $0 != 0 }) else { return nil }
    let bit = 63 - allowed[word].leadingZeroBitCount
    var one = [UInt64](repeating: 0, count: 16)
    one[word] = 1 << UInt64(bit)
    return setAffinity(0, one.count * 8, one) == 0 ? word * 64 + bit : nil
  }
}
