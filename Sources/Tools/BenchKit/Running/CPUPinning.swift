import Foundation

#if os(Linux)
  /// glibc's calls, which the module map leaves out; a set of CPUs is a row of bits.
  @_extern(c, "sched_getaffinity")
  func getAffinity(_ process: pid_t, _ size: Int, _ set: UnsafeMutablePointer<UInt64>) -> Int32

  @_extern(c, "sched_setaffinity")
  func setAffinity(_ process: pid_t, _ size: Int, _ set: UnsafePointer<UInt64>) -> Int32
#else
  /// There are no such calls here; both fail.
  func getAffinity(_ process: pid_t, _ size: Int, _ set: UnsafeMutablePointer<UInt64>) -> Int32 { -1 }
  func setAffinity(_ process: pid_t, _ size: Int, _ set: UnsafePointer<UInt64>) -> Int32 { -1 }
#endif

/// Keeps client and server on one CPU: no idle CPU has to wake up and no cache line travels, so that what is left is the
/// cost of the software, which repeats.
package enum CPUPinning {
  /// What this process might use before it was pinned.
  private static let allowed: [UInt64]? = {
    var allowed = [UInt64](repeating: 0, count: 16)
    return getAffinity(0, allowed.count * 8, &allowed) >= 0 ? allowed : nil
  }()

  /// Does something with all CPUs again, such as starting a process that may use more than one.
  package static func onAll<Value>(_ body: () throws(BenchError) -> Value) throws(BenchError) -> Value {
    guard let allowed else { return try body() }
    _ = setAffinity(0, allowed.count * 8, allowed)
    defer { _ = pinToOne() }
    return try body()
  }

  /// Pins this process, and with it every process it starts, to the last CPU that it may use; returns its number, or nil
  /// where that cannot be done.
  static func pinToOne() -> Int? {
    guard let allowed, let word = allowed.lastIndex(where: { $0 != 0 }) else { return nil }
    let bit = 63 - allowed[word].leadingZeroBitCount
    var one = [UInt64](repeating: 0, count: 16)
    one[word] = 1 << UInt64(bit)
    return setAffinity(0, one.count * 8, one) == 0 ? word * 64 + bit : nil
  }
}
