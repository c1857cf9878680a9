import Foundation

/// Writing requests, each of which is on disk before it is answered, beside appending the same bytes and syncing.
enum DurabilityBench {
  static let measures = [
    "meals/add alone", "meals/add alone, p50", "meals/add alone, p99", "meals/add, 64 in flight",
    "meals/add, server CPU",
  ]

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let folder = bench.freshFolder()
    let server = try bench.service(folder)
    _ = try server.pipeline(Bench.addMeal, window: 64, limit: 64)
    let before = size(of: folder)
    var added = 0
    var (alone, p50, p99, together, cpu) = (Series(), Series(), Series(), Series(), Series())
    var (bare, bareP50, bareP99) = (Series(), Series(), Series())
    for _ in 0..<bench.options.rounds {
      let time = bench.options.milliseconds
      let one = try server.sequence(Bench.addMeal, milliseconds: time)
      alone.append(one.perSecond)
      p50.append(one.latency(0.5))
      p99.append(one.latency(0.99))
      added += one.count
      let line = (size(of: folder) - before) / max(added, 1)
      let loop = try append(line, in: folder, milliseconds: time)
      bare.append(loop.perSecond)
      bareP50.append(loop.latency(0.5))
      bareP99.append(loop.latency(0.99))
      let many = try server.pipeline(Bench.addMeal, window: 64, milliseconds: time)
      together.append(many.perSecond)
      cpu.append(many.cpuEach)
      added += many.count
    }
    try check(server, added + 64)
    return [
      Row(measures[0], "/s", alone.median, beside: "append, fdatasync", bare.median),
      Row(measures[1], "µs", p50.median, beside: "append, fdatasync", bareP50.median),
      Row(measures[2], "µs", p99.median, beside: "append, fdatasync", bareP99.median),
      Row(measures[3], "/s", together.median, beside: "append, fdatasync", bare.median),
      Row(measures[4], "µs", cpu.median),
    ]
  }

  /// All meals added are there, also for the next process.
  private static func check(_ server: Spawned, _ count: Int) throws(BenchError) {
    let status = try server.request("server/status") as? [String: Any]
    try Bench.expect(
      status?["revision"] as? Int == count && status?["durableRevision"] as? Int == count,
      "\(count) meals were added, but “server/status” says \(status ?? [:])")
    _ = try server.end()
  }

  /// Bytes of the journal in a data folder.
  static func size(of folder: String) -> Int {
    let journal = URL(fileURLWithPath: folder).appendingPathComponent("journal")
    let files = try? FileManager.default.contentsOfDirectory(at: journal, includingPropertiesForKeys: [.fileSizeKey])
    return (files ?? []).reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0) }
  }

  /// The least that a durable write costs here: so many bytes at the end of a file, and waiting for the disk.
  static func append(_ count: Int, in folder: String, milliseconds: Int) throws(BenchError) -> Load {
    let path = folder + "/bare-appends"
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .wrong("\(path) cannot be made") }
    defer {
      close(file)
      unlink(path)
    }
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: max(count, 1))
    var load = Load()
    let begin = Clocks.now()
    let end = begin + UInt64(milliseconds) * 1_000_000
    var now = begin
    repeat {
      let start = now
      guard write(file, bytes, bytes.count) == bytes.count, fdatasync(file) == 0 else {
        throw .wrong("\(path) cannot be written")
      }
      now = Clocks.now()
      load.latencies.append(now - start)
      load.count += 1
    } while now < end
    load.time = now - begin
    return load
  }
}
