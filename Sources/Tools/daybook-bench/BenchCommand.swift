import Foundation

/// The command line of `daybook-bench`.
enum BenchCommand {
  /// Runs what the arguments ask for, and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do throws(BenchError) {
      switch arguments.first {
      case "generate" where arguments.contains("--help"): print(Options.help, terminator: "")
      case "generate": try GenerateCommand.run(Array(arguments.dropFirst()))
      case ReadAllCommand.name: try ReadAllCommand.run(Array(arguments.dropFirst()))
      default:
        let options = try Options(arguments)
        if options.wantsHelp { print(Options.help, terminator: "") } else { return try measure(options) }
      }
      return 0
    } catch {
      FileHandle.standardError.write(Data("daybook-bench: \(error.message)\n".utf8))
      return error.kind == .usage ? 2 : 1
    }
  }

  private static func measure(_ options: Options) throws(BenchError) -> Int32 {
    // A server that is gone must show as a failed write.
    signal(SIGPIPE, SIG_IGN)
    let machine = Machine(cpu: CPUPinning.pinToOne())
    let bench = try Bench(options)
    defer { bench.removeScratch() }
    if let complaint = bench.floor.complaint { print(complaint) }
    var table = Table(machine: machine)
    for group in Group.all {
      guard options.isSmoke || group.isOfStore == options.measuresStore, group.matches(options.only) else { continue }
      if !options.isSmoke { progress("\(group.name) …") }
      for row in try group.run(bench) where group.matches(options.only, row) { table.rows.append(row) }
    }
    guard !table.rows.isEmpty else { throw .usage("no measure has “\(options.only ?? "")” in its name") }
    table.remarks = bench.remarks
    print(table.text, terminator: "")
    if let path = options.json {
      do { try Data(table.json).write(to: URL(fileURLWithPath: path)) } catch {
        throw .usage("\(path) cannot be written: \(error.localizedDescription)")
      }
    }
    return table.rows.contains { $0.failure?.kind == .wrong } ? 1 : 0
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
  /// Whether it belongs to the store's table.
  var isOfStore = false

  static let all: [Group] = [
    Group(name: "json", run: JSONBench.run, measures: JSONBench.measures),
    Group(name: "start", run: StartBench.run, measures: StartBench.measures),
    Group(name: "requests", run: RequestBench.run, measures: RequestBench.measures),
    Group(name: "durability", run: DurabilityBench.run, measures: DurabilityBench.measures),
    Group(name: "memory", run: MemoryBench.run, measures: MemoryBench.measures),
    store("generator", GeneratorBench.measures, GeneratorBench.run),
    store("writes", DurableWriteBench.measures, DurableWriteBench.run),
    store("import", ImportBench.measures, ImportBench.run),
    store("open", OpenBench.measures, OpenBench.run),
    store("preview", PreviewBench.measures, PreviewBench.run),
    store("startup", StartupBench.measures, StartupBench.run),
    store("old months", OldMonthBench.measures, OldMonthBench.run),
    store("nutrition", NutritionBench.measures, NutritionBench.run),
    store("foods", FoodsBench.measures, FoodsBench.run),
    store("subscriptions", SubscriptionsBench.measures, SubscriptionsBench.run),
    store("passes", PassBench.measures, PassBench.run),
    store("two processes", FollowBench.measures, FollowBench.run),
    store("recovery", RecoveryBench.measures, RecoveryBench.run),
  ]

  /// A group of the store's table: when something goes wrong in it, its rows say so, and the others are still measured.
  private static func store(
    _ name: String, _ measures: [String], _ run: @escaping @Sendable (Bench) throws(BenchError) -> [Row]
  ) -> Group {
    let group = Group(
      name: name,
      run: { bench throws(BenchError) in
        do throws(BenchError) { return try run(bench) } catch {
          return measures.map { Row($0, failure: error) }
        }
      }, measures: measures, isOfStore: true)
    return group
  }

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
