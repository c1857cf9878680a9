import Foundation
import Platform
import Spawning

/// `daybook-bench read-all FOLDER`: opens a store in a separate process, reads every body twice, and prints times and
/// memory as a line of JSON.
enum ReadAllCommand {
  static let name = "read-all"

  static func run(_ arguments: [String]) throws(BenchError) {
    guard arguments.count == 1, let folder = arguments.first else { throw .usage("“\(name)” takes one data folder") }
    // As in the service.
    Allocator.returnFreedMemory()
    let before = resident()
    let start = Clocks.now()
    let store = try StoreUnderTest(folder)
    let opened = Clocks.now()
    let residentOpen = resident()
    let timed = Clocks.now()
    let (count, bytes) = try touchAll(store)
    let first = Clocks.now()
    let residentAfter = resident()
    let again = Clocks.now()
    _ = try touchAll(store)
    let second = Clocks.now()
    let figures = ReadAllFigures(
      count: count, bytes: bytes, findings: store.findings, open: Double(opened - start),
      first: Double(first - timed), second: Double(second - again), residentBefore: before,
      residentOpen: residentOpen, residentAfter: residentAfter)
    guard let text = try? JSONEncoder().encode(figures) else { throw .wrong("the figures are not JSON: \(figures)") }
    print(String(decoding: text, as: UTF8.self))
    store.close()
  }

  /// Reads a byte of every cache line of all bodies, so that no read is optimized away.
  private static func touchAll(_ store: StoreUnderTest) throws(BenchError) -> (count: Int, bytes: Int) {
    var (count, bytes, sum) = (0, 0, 0)
    try store.forEachBody { body in
      count += 1
      bytes += body.count
      for index in stride(from: 0, to: body.count, by: 64) { sum &+= Int(body[index]) }
    }
    try Bench.expect(count == 0 || sum > 0, "the bodies are empty")
    return (count, bytes)
  }

  /// The resident memory of this process in megabytes; 0 when unknown.
  private static func resident() -> Double { Spawned.memory(of: "self", "VmRSS") ?? 0 }
}

/// The output of the command.
struct ReadAllFigures: Codable {
  let count: Int
  let bytes: Int
  let findings: Int
  /// Nanoseconds.
  let open: Double
  let first: Double
  let second: Double
  /// Megabytes.
  let residentBefore: Double
  let residentOpen: Double
  let residentAfter: Double

  /// The time from opening to the last body.
  var whole: Double { open + first }
  /// The growth of resident memory, in megabytes.
  var grown: Double { residentAfter - residentBefore }
}

extension ReadAllFigures {
  /// Runs the command on a folder.
  init(_ folder: String) throws(BenchError) {
    let command = [Options.ownPath, ReadAllCommand.name, folder]
    guard let run = try? SpawnedProcess.run(command, standardError: .inherited), run.status == .exited(0),
      let figures = try? JSONDecoder().decode(ReadAllFigures.self, from: Data(run.output))
    else { throw .wrong("read-all failed on \(folder)") }
    self = figures
  }
}
