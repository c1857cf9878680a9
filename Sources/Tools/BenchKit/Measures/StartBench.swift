import Foundation

/// The time from process start to the first response, and from `exit` to the end.
enum StartBench {
  static let group = Group(
    "start",
    [
      Measure("cold start, a few meals", .milliseconds, "filled", beside: ("floor", "floor"), goal: .ratioAtMost(1.6)),
      Measure("cold start, no folder yet", .milliseconds, "empty", beside: ("floor", "floor"), goal: .ratioAtMost(1.6)),
      Measure(
        "resident when ready", .megabytes, "filled resident", beside: ("floor", "floor resident"), goal: .atMost(5)),
      Measure("of which anonymous", .megabytes, "filled anonymous", goal: .atMost(0.6)),
      Measure("end after exit", .milliseconds, "filled end", beside: ("floor", "floor end"), goal: .atMost(1)),
      Measure("page faults when ready", .count, "filled faults", beside: ("floor", "floor faults")),
      Measure("size of the program, stripped", .megabytes, "size", goal: .atMost(15)),
    ]
  ) { bench throws(BenchError) in
    let filled = try bench.folder(meals: 4)
    return { figures throws(BenchError) in
      for _ in 0..<bench.count(15, smoke: 2) {
        try measure("filled", "daybook", bench.serve(filled), &figures)
        try measure("empty", "daybook", bench.serve(bench.freshFolder()), &figures)
        if let path = bench.floor.path { try measure("floor", "the floor", [path], &figures) }
      }
      if let size = bench.serve(filled).first.flatMap(strippedSize) { figures.add("size", size) }
    }
  }

  /// Measures one start and one end.
  private static func measure(
    _ key: String, _ name: String, _ command: [String], _ figures: inout Figures
  ) throws(BenchError) {
    let server = try begin(key, name, command, &figures)
    for (what, member) in [("resident", "VmRSS"), ("anonymous", "RssAnon")] {
      if let memory = server.memory(member) { figures.add("\(key) \(what)", memory) }
    }
    if let faults = server.pageFaults { figures.add("\(key) faults", faults) }
    figures.add("\(key) end", Double(try server.end()))
  }

  /// Starts a server and waits for the response to `initialize`; records the nanoseconds since before the spawn under
  /// `key`.
  static func begin(
    _ key: String, _ name: String, _ command: [String], isQuiet: Bool = false, _ figures: inout Figures
  ) throws(BenchError) -> Spawned {
    let hello = Bench.hello.frame(100_000_000)
    let (own, start) = (Clocks.ownCPU(), Clocks.now())
    let server = try Spawned(name, command, isQuiet: isQuiet)
    try server.send(hello)
    let body = try server.receive()
    let time = Clocks.now() - start
    let busy = Clocks.ownCPU() - own + server.cpu
    let answer = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    try Bench.expect(
      (answer?["result"] as? [String: Any])?["capabilities"] != nil, "\(name) does not answer “initialize”")
    figures.add(key, Double(time), disturbance: 1 - Double(busy) / Double(max(time, 1)))
    return server
  }

  /// The size of a program without symbols, in megabytes: the end of its last loaded segment. Nil unless it is a 64-bit
  /// ELF file.
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
}
