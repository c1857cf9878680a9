import Foundation

/// Opening and reading a damaged ten-year store.
enum RecoveryBench {
  static let group = Group(
    "recovery", ofStore: true, isLong: true,
    [
      Measure(
        "open and read damaged ten years", .milliseconds, "damaged", beside: ("undamaged", "whole"), goal: .atMost(500)),
      Measure("open damaged ten years", .milliseconds, "start", beside: ("undamaged", "whole start")),
      Measure("records lost by the damage", .count, "lost", beside: ("bytes damaged", "damages")),
      Measure("findings reported", .count, "findings", beside: ("bytes damaged", "damages")),
    ]
  ) { bench throws(BenchError) in
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let folder = try bench.copyOfTenYears()
    try damage(folder)
    return { figures throws(BenchError) in
      let read = try ReadAllFigures(folder)
      try Bench.expect(read.findings > 0, "\(damages) damaged bytes are reported by nothing")
      figures.add("damaged", read.whole)
      figures.add("lost", Double(fixture.size.records - read.count))
      figures.add("findings", Double(read.findings))
      figures.add("damages", Double(damages))
      figures.add("whole", try ReadAllFigures(fixture.folder).whole)
      // The service's reports of the damage are not needed.
      _ = try StartBench.begin("start", "daybook", bench.serve(folder), isQuiet: true, &figures)
      _ = try StartBench.begin("whole start", "daybook", bench.serve(fixture.folder), isQuiet: true, &figures)
    }
  }

  /// The number of damaged bytes, each at a different place.
  private static let damages = 8

  /// Flips bits in journals and segments, in proportion to file size.
  private static func damage(_ folder: String) throws(BenchError) {
    let files = FileManager.default
    let names = (files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".jsonl") }.sorted()
    let sizes = names.map { name in (try? files.attributesOfItem(atPath: folder + "/" + name))?[.size] as? Int ?? 0 }
    let total = sizes.reduce(0, +)
    guard total > damages else { throw .unavailable("there are no journals or segments to damage") }
    var random = SeededRandom(seed: 1)
    for number in 0..<damages {
      // One in each of equal parts of the data, so that they are apart.
      var at = total / damages * number + random.int(0...total / damages - 1)
      guard
        let index = sizes.indices.first(where: { index in
          if at < sizes[index] { return true }
          at -= sizes[index]
          return false
        })
      else { continue }
      try flip(folder + "/" + names[index], at: at)
    }
  }

  private static func flip(_ path: String, at offset: Int) throws(BenchError) {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw .wrong("\(path) cannot be damaged: \(Spawned.systemError)") }
    defer { close(file) }
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, off_t(offset)) == 1 else { throw .wrong("\(path) cannot be read") }
    byte ^= 4
    guard pwrite(file, &byte, 1, off_t(offset)) == 1 else { throw .wrong("\(path) cannot be damaged") }
  }
}
