import Foundation

/// Ten years with damaged bytes: opening and reading all that is left.
enum RecoveryBench {
  static let measures = [
    "open and read damaged ten years", "open damaged ten years", "records lost by the damage", "findings reported",
  ]

  /// Bytes that are changed, each in a place of its own.
  private static let damages = 8

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let fixture = try bench.fixture(.tenYears.scaled(bench.options))
    let folder = bench.freshFolder()
    try fixture.copy(to: folder)
    try damage(folder)
    var (damaged, whole, starts, wholeStarts) = (Series(), Series(), Series(), Series())
    var (lost, findings) = (0, 0)
    for _ in 0..<bench.longRounds {
      let figures = try ReadAllFigures(folder)
      damaged.append(figures.whole)
      lost = fixture.size.records - figures.count
      findings = figures.findings
      whole.append(try ReadAllFigures(fixture.folder).whole)
      starts.append(try start(bench, folder))
      wholeStarts.append(try start(bench, fixture.folder))
    }
    try Bench.expect(findings > 0, "\(damages) damaged bytes are reported by nothing")
    return [
      Row(measures[0], "ms", damaged.median, beside: "undamaged", whole.median, goal: .atMost(500)),
      Row(measures[1], "ms", starts.median, beside: "undamaged", wholeStarts.median),
      Row(measures[2], "", Double(lost), beside: "bytes damaged", Double(damages)),
      Row(measures[3], "", Double(findings), beside: "bytes damaged", Double(damages)),
    ]
  }

  /// Milliseconds until a service on that folder has answered `initialize`. What it has to say of the damage is no news.
  private static func start(_ bench: Bench, _ folder: String) throws(BenchError) -> Double {
    try StartBench.begin("daybook", [bench.options.daybook, "serve", "--data", folder], isQuiet: true).milliseconds
  }

  /// Flips a bit in the text of journals and segments, the longer files more often.
  private static func damage(_ folder: String) throws(BenchError) {
    let files = FileManager.default
    let names = (files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".jsonl") }.sorted()
    let sizes = names.map { name in (try? files.attributesOfItem(atPath: folder + "/" + name))?[.size] as? Int ?? 0 }
    let total = sizes.reduce(0, +)
    guard total > damages else { throw .unavailable("there are no journals or segments to damage") }
    var random = SeededRandom(seed: 1)
    for number in 0..<damages {
      // One in each part of the whole, so that they are apart.
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
