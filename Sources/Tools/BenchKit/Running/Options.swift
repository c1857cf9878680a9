import Foundation

/// The options of the command line.
package struct Options: Sendable {
  /// The number of rounds; the median counts.
  package var rounds = 7
  /// The duration of a measure in a round, in milliseconds.
  package var milliseconds = 300
  /// A lower-case part of the names of measures to take; nil for all.
  var only: String?
  /// The file for the figures as JSON.
  var json: String?
  /// The service to measure.
  var daybook: String
  /// An earlier build, measured in the same rounds.
  var before: String?
  /// The floor server.
  var floor: String?
  /// Whether to measure the store instead of the rest.
  var measuresStore = false
  /// Whether to measure the store with one and two million records too.
  var isFull = false
  /// The folder that keeps the generated stores.
  var keep: String?
  /// Whether only to check that everything runs and answers correctly.
  package var isSmoke = false
  var wantsHelp = false

  /// Parses the arguments after the program's name.
  init(_ arguments: [String]) throws(BenchError) {
    let environment = ProcessInfo.processInfo.environment
    daybook = Options.neighbour("daybook")
    floor = environment["DAYBOOK_BENCH_FLOOR"].flatMap { $0.isEmpty ? nil : $0 }
    var reader = ArgumentReader(arguments)
    var (rounds, milliseconds): (Int?, Int?) = (nil, nil)
    while let name = reader.next() {
      switch name {
      case "--rounds": rounds = try reader.number(1...1000)
      case "--ms": milliseconds = try reader.number(1...60_000)
      case "--only": only = try reader.value().lowercased()
      case "--json": json = try reader.value()
      case "--daybook": daybook = try reader.value()
      case "--before": before = try reader.value()
      case "--floor": floor = try reader.value()
      case "--store": measuresStore = true
      case "--full": isFull = true
      case "--keep": keep = try reader.value()
      case "--smoke": isSmoke = true
      case "--help", "-h": wantsHelp = true
      default: throw .usage("unknown argument “\(name)”")
      }
    }
    if isFull || keep != nil { measuresStore = true }
    self.rounds = rounds ?? (isSmoke ? 1 : self.rounds)
    self.milliseconds = milliseconds ?? (isSmoke ? 20 : self.milliseconds)
  }

  /// The path of this program.
  static var ownPath: String {
    let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? own.path
  }

  /// A program in this program's folder.
  private static func neighbour(_ name: String) -> String {
    URL(fileURLWithPath: ownPath).deletingLastPathComponent().appendingPathComponent(name).path
  }
}
