import Foundation

/// Write requests, each durable before it is answered, next to appending and syncing the same bytes.
package enum DurabilityBench {
  static let group = Group(
    "durability",
    [
      Measure("meals/add alone", .perSecond, "alone /s", beside: ("append, fdatasync", "bare /s")),
      Measure(
        "meals/add alone, p50", .microseconds, "alone p50", beside: ("append, fdatasync", "bare p50"),
        goal: .ratioAtMost(1)),
      Measure(
        "meals/add alone, p99", .microseconds, "alone p99", beside: ("append, fdatasync", "bare p99"),
        goal: .ratioAtMost(1.2)),
      Measure("meals/add, 64 in flight", .perSecond, "many /s", beside: ("append, fdatasync", "bare /s")),
      Measure("meals/add, server CPU", .microseconds, "many CPU", goal: .atMost(10)),
    ]
  ) { bench throws(BenchError) in
    let folder = bench.freshFolder()
    let server = try bench.service(folder)
    try server.pipeline(Bench.addMeal, window: 64, limit: 64)
    let before = size(of: folder)
    var added = 0
    let time = bench.options.milliseconds
    return { figures throws(BenchError) in
      let one = try server.sequence(Bench.addMeal, milliseconds: time)
      figures.add(latenciesOf: one, "alone")
      figures.add("alone /s", one.perSecond)
      added += one.count
      let bare = try append((size(of: folder) - before) / max(added, 1), in: folder, milliseconds: time)
      figures.add(latenciesOf: bare, "bare")
      figures.add("bare /s", bare.perSecond)
      let many = try server.pipeline(Bench.addMeal, window: 64, milliseconds: time)
      figures.add(throughputOf: many, "many")
      added += many.count
      let status = try server.request("server/status") as? [String: Any]
      try Bench.expect(
        status?["revision"] as? Int == added + 64 && status?["durableRevision"] as? Int == added + 64,
        "\(added + 64) meals were added, but “server/status” says \(status ?? [:])")
    }
  }

  /// The size of the journal in a data folder, in bytes.
  package static func size(of folder: String) -> Int {
    let journal = URL(fileURLWithPath: folder).appendingPathComponent("journal")
    let files = try? FileManager.default.contentsOfDirectory(at: journal, includingPropertiesForKeys: [.fileSizeKey])
    return (files ?? []).reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0) }
  }

  /// The lower bound of a durable write: appends `count` bytes to a file and syncs it, repeatedly.
  package static func append(_ count: Int, in folder: String, milliseconds: Int) throws(BenchError) -> Load {
    let path = folder + "/bare-appends"
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .wrong("\(path) cannot be created") }
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
