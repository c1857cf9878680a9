import Foundation

/// The command line of `daybook-bench`.
package enum BenchCommand {
  /// Runs the command in the arguments, with the groups of the domains, and returns the exit status.
  package static func run(_ arguments: [String], _ domains: [Group]) -> Int32 {
    do throws(BenchError) {
      switch arguments.first {
      case "generate" where arguments.contains("--help"): print(Options.help, terminator: "")
      case "generate": try GenerateCommand.run(Array(arguments.dropFirst()))
      case ReadAllCommand.name: try ReadAllCommand.run(Array(arguments.dropFirst()))
      default:
        let options = try Options(arguments)
        if options.wantsHelp { print(Options.help, terminator: "") } else { return try measure(options, domains) }
      }
      return 0
    } catch {
      FileHandle.standardError.write(Data("daybook-bench: \(error.message)\n".utf8))
      return error.kind == .usage ? 2 : 1
    }
  }

  private static let groups = [
    JSONBench.group, StartBench.group, RequestBench.group, DurabilityBench.group, MemoryBench.group,
    GeneratorBench.group, DurableWriteBench.group, ImportBench.group, OpenBench.group, PreviewBench.group,
    StartupBench.group, PassBench.group, FollowBench.group, RecoveryBench.group,
    StallBench.group, UndoBench.group, SyncBench.group,
  ]

  private static func measure(_ options: Options, _ domains: [Group]) throws(BenchError) -> Int32 {
    // A server that has ended must show as a failed write.
    signal(SIGPIPE, SIG_IGN)
    var table = Table(machine: Machine(cpu: CPUPinning.pinToOne()))
    let bench = try Bench(options)
    defer { bench.removeScratch() }
    if let complaint = bench.floor.complaint { print(complaint) }
    let benches = [bench] + (options.before.map { [bench.another($0)] } ?? [])
    for group in groups + domains {
      guard options.isSmoke || group.isOfStore == options.measuresStore, group.matches(options.only) else { continue }
      if !options.isSmoke { FileHandle.standardError.write(Data("\(group.name) …\n".utf8)) }
      let isWhole = options.only.map { group.name.contains($0) } ?? true
      table.rows += try group.run(benches).filter { isWhole || $0.measure.lowercased().contains(options.only ?? "") }
    }
    guard !table.rows.isEmpty else { throw .usage("no measure has a name with “\(options.only ?? "")”") }
    table.remarks = bench.remarks
    print(table.text, terminator: "")
    if let path = options.json {
      guard let json = table.json, (try? json.write(to: URL(fileURLWithPath: path))) != nil else {
        throw .usage("\(path) cannot be written")
      }
    }
    return table.rows.contains { $0.isWrong } ? 1 : 0
  }
}
