import Foundation

/// The machine of a run.
struct Machine: Encodable {
  /// The CPU of client and server; nil when they were not pinned.
  let cpu: Int?
  let system: String
  let processor: String
  /// The file system of the measured files, such as `ext4`, if known.
  let fileSystem: String?
  /// The load average before the run; above the number of CPUs, figures are less reliable.
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

  /// A summary line.
  var text: String {
    let place = cpu.map { "client and server on CPU \($0)" } ?? "not pinned to a CPU"
    let files = fileSystem.map { ", files on \($0)" } ?? ""
    return "\(processor), \(system)\(files), \(place), load \(String(format: "%.2f", load)) before"
  }

  /// The type of the file system mounted nearest above a path.
  private static func fileSystem(of path: String) -> String? {
    let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
    let fitting = mounts.split(separator: "\n").map { $0.split(separator: " ") }.filter { mount in
      guard mount.count > 2 else { return false }
      return mount[1] == "/" || path == mount[1] || path.hasPrefix(mount[1] + "/")
    }
    return fitting.max { $0[1].count < $1[1].count }.map { String($0[2]) }
  }
}
