import Foundation

/// The command line of `daybook-bench`.
enum BenchCommand {
  /// Runs what the arguments ask for, and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do throws(BenchError) {
      let options = try Options(arguments)
      if options.wantsHelp {
        print(Options.help, terminator: "")
        return 0
      }
      try measure(options)
      return 0
    } catch {
      FileHandle.standardError.write(Data("daybook-bench: \(error.message)\n".utf8))
      return error.kind == .usage ? 2 : 1
    }
  }

  private static func measure(_ options: Options) throws(BenchError) {
    // A server that is gone must show as a failed write.
    signal(SIGPIPE, SIG_IGN)
    let machine = Machine(cpu: CPUPinning.pinToOne())
    let bench = try Bench(options)
    defer { bench.removeScratch() }
    if let complaint = bench.floor.complaint { print(complaint) }
    var table = Table(machine: machine)
    for group in Group.all {
      guard group.matches(options.only) else { continue }
      if !options.isSmoke { progress("\(group.name) …") }
      for row in try group.run(bench) where group.matches(options.only, row) { table.rows.append(row) }
    }
    guard !table.rows.isEmpty else { throw .usage("no measure has “\(options.only ?? "")” in its name") }
    print(table.text, terminator: "")
    if let path = options.json {
      do { try Data(table.json).write(to: URL(fileURLWithPath: path)) } catch {
        throw .usage("\(path) cannot be written: \(error.localizedDescription)")
      }
    }
  }

  private static func progress(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}

/// Measures that are taken together.
struct Group: Sendable {
  let name: String
  let run: @Sendable (Bench) throws(BenchError) -> [Row]
  /// The names of its rows, for choosing groups before they are run.
  let measures: [String]

  static let all: [Group] = [
    Group(name: "json", run: JSONBench.run, measures: JSONBench.measures),
    Group(name: "start", run: StartBench.run, measures: StartBench.measures),
    Group(name: "requests", run: RequestBench.run, measures: RequestBench.measures),
    Group(name: "durability", run: DurabilityBench.run, measures: DurabilityBench.measures),
    Group(name: "memory", run: MemoryBench.run, measures: MemoryBench.measures),
  ]

  /// Whether any of its rows is asked for.
  func matches(_ only: String?) -> Bool {
    guard let only else { return true }
    return name.contains(only) || measures.contains { $0.lowercased().contains(only) }
  }

  /// Whether that row is.
  func matches(_ only: String?, _ row: Row) -> Bool {
    guard let only else { return true }
    return name.contains(only) || row.measure.lowercased().contains(only)
  }
}
