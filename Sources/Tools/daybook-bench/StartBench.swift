import Foundation

/// From nothing to the first answer, and from the last word to the end.
enum StartBench {
  static let measures = [
    "cold start, a few meals", "cold start, no folder yet", "resident when ready", "end after exit",
    "page faults when ready", "size of the program, stripped",
  ]

  /// How many starts make a round.
  private static let starts = 15

  static func run(_ bench: Bench) throws(BenchError) -> [Row] {
    let filled = try bench.folder(meals: 4)
    var ours = Figures()
    var empty = Figures()
    var floor = Figures()
    let starts = bench.options.isSmoke ? 2 : starts
    for _ in 0..<bench.options.rounds {
      for _ in 0..<starts {
        try start("daybook", [bench.options.daybook, "serve", "--data", filled], &ours)
        try start("daybook", [bench.options.daybook, "serve", "--data", bench.freshFolder()], &empty)
        if let path = bench.floor.path { try start("the floor", [path], &floor) }
      }
    }
    func beside(_ keyPath: KeyPath<Figures, Series>) -> Double? {
      bench.floor.path == nil ? nil : floor[keyPath: keyPath].median
    }
    return [
      Row(
        measures[0], "ms", ours.starts.median, beside: "floor", beside(\.starts), goal: .ratioAtMost(2)),
      Row(
        measures[1], "ms", empty.starts.median, beside: "floor", beside(\.starts), goal: .ratioAtMost(2)),
      Row(
        measures[2], "MB", ours.memory.median, beside: "floor", beside(\.memory), goal: .atMost(4.5)),
      Row(measures[3], "ms", ours.ends.median, beside: "floor", beside(\.ends), goal: .atMost(2)),
      Row(measures[4], "", ours.faults.median, beside: "floor", beside(\.faults)),
    ] + (strippedSize(bench.options.daybook).map { [Row(measures[5], "MB", $0, goal: .atMost(15))] } ?? [])
  }

  private struct Figures {
    /// Milliseconds from before the process exists to its first answer.
    var starts = Series()
    /// Megabytes resident then.
    var memory = Series()
    /// Page faults until then that needed no reading.
    var faults = Series()
    /// Milliseconds from writing `exit` until the process is gone.
    var ends = Series()
  }

  private static func start(_ name: String, _ command: [String], _ figures: inout Figures) throws(BenchError) {
    let started = try begin(name, command)
    figures.starts.append(started.milliseconds, disturbance: started.disturbance)
    if let memory = started.memory { figures.memory.append(memory) }
    if let faults = started.faults { figures.faults.append(faults) }
    figures.ends.append(Double(try started.server.end()) / 1e6)
  }

  /// A server that has answered its first request.
  struct Started {
    let server: Spawned
    /// From before the process existed to its first answer.
    let milliseconds: Double
    /// The share of that time in which others had the CPU.
    let disturbance: Double
    /// Megabytes resident then.
    let memory: Double?
    /// Page faults until then that needed no reading.
    let faults: Double?
  }

  /// The size of a program without its symbols, in megabytes: where the last of the parts that are loaded ends. Nil when it is no
  /// 64-bit ELF file.
  private static func strippedSize(_ path: String) -> Double? {
    guard let file = FileManager.default.contents(atPath: path), file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    func number(_ offset: Int, _ bytes: Int) -> Int {
      file[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let ends = (0..<number(56, 2)).map { number(32, 8) + $0 * number(54, 2) }.filter { number($0, 4) == 1 }.map {
      number($0 + 8, 8) + number($0 + 32, 8)
    }
    return ends.max().map { Double($0) / 1_000_000 }
  }

  /// Starts a server and waits for its answer to `initialize`.
  static func begin(_ name: String, _ command: [String], isQuiet: Bool = false) throws(BenchError) -> Started {
    var hello: [UInt8] = []
    Bench.hello.append(100_000_000, to: &hello)
    let (own, start) = (Clocks.ownCPU(), Clocks.now())
    let server = try Spawned(name, command, isQuiet: isQuiet)
    try server.send(hello)
    let body = try server.receive()
    let time = Clocks.now() - start
    let busy = Clocks.ownCPU() - own + server.cpu
    let answer = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    try Bench.expect(
      (answer?["result"] as? [String: Any])?["capabilities"] != nil, "\(name) does not answer “initialize”")
    return Started(
      server: server, milliseconds: Double(time) / 1e6, disturbance: 1 - Double(busy) / Double(max(time, 1)),
      memory: server.memory("VmRSS"), faults: server.pageFaults)
  }
}
