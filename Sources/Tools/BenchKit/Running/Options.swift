import Foundation

/// What the command line asks for.
package struct Options: Sendable {
  /// How often each measure is taken; the median counts.
  package var rounds = 7
  /// How long one measure is taken for in a round.
  package var milliseconds = 300
  /// Part of the names of the measures to take, in lower case; all when nil.
  var only: String?
  /// The file that gets the figures as JSON.
  var json: String?
  /// The service to measure.
  var daybook: String
  /// An earlier build, measured in the same rounds.
  var before: String?
  /// The floor server to measure beside it.
  var floor: String?
  /// Whether the store is measured, instead of the rest.
  var measuresStore = false
  /// Whether the store is measured with one and two million records too.
  var isFull = false
  /// The folder in which the generated stores stay, to be used again.
  var keep: String?
  /// Whether it is enough that everything runs and answers rightly.
  package var isSmoke = false
  var wantsHelp = false

  /// Reads the arguments that follow the program's name.
  init(_ arguments: [String]) throws(BenchError) {
    let environment = ProcessInfo.processInfo.environment
    daybook = Options.neighbour("daybook")
    floor = environment["DAYBOOK_BENCH_FLOOR"].flatMap { $0.isEmpty ? nil : $0 }
    var reader = ArgumentReader(arguments)
    var isRoundsGiven = false
    var isTimeGiven = false
    while let name = reader.next() {
      switch name {
      case "--rounds":
        rounds = try reader.number(1...1000)
        isRoundsGiven = true
      case "--ms":
        milliseconds = try reader.number(1...60_000)
        isTimeGiven = true
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
    if isSmoke {
      if !isRoundsGiven { rounds = 1 }
      if !isTimeGiven { milliseconds = 20 }
    }
  }

  /// The path of this program.
  static var ownPath: String {
    let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? own.path
  }

  /// A program in the folder that this one is in.
  private static func neighbour(_ name: String) -> String {
    URL(fileURLWithPath: ownPath).deletingLastPathComponent().appendingPathComponent(name).path
  }
}
