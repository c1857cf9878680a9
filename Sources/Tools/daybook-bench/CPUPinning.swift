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
enum CPUPinning {
  /// What this process might use before it was pinned.
  private static let allowed: [UInt64]? = {
    var allowed = [UInt64](repeating: 0, count: 16)
    return getAffinity(0, allowed.count * 8, &allowed) >= 0 ? allowed : nil
  }()

  /// Does something with all CPUs again, such as starting a process that may use more than one.
  static func onAll<Value>(_ body: () throws(BenchError) -> Value) throws(BenchError) -> Value {
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

/// What was measured on.
struct Machine {
  /// The CPU that everything ran on; nil when nothing could be pinned.
  let cpu: Int?
  let system: String
  let processor: String
  /// What the measured files lie on, such as `ext4`; nil where that is not told.
  let fileSystem: String?
  /// The load average before it began; above the number of CPUs, figures are worth less.
  let load: Double

  init(cpu: Int?) {
    self.cpu = cpu
    system = ProcessInfo.processInfo.operatingSystemVersionString
    fileSystem = Machine.fileSystem(of: FileManager.default.temporaryDirectory.path)
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
    processor = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    let averages = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    load = averages.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  /// The kind of the file system that is mounted closest above a path.
  private static func fileSystem(of path: String) -> String? {
    let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
    let fitting = mounts.split(separator: "\n").map { $0.split(separator: " ") }.filter { mount in
      guard mount.count > 2 else { return false }
      return mount[1] == "/" || path == mount[1] || path.hasPrefix(mount[1] + "/")
    }
    return fitting.max { $0[1].count < $1[1].count }.map { String($0[2]) }
  }
}
