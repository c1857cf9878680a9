import Foundation

/// What the command line asks for.
struct Options {
  /// How often each measure is taken; the median counts.
  var rounds = 7
  /// How long one measure is taken for in a round.
  var milliseconds = 300
  /// Part of the names of the measures to take, in lower case; all when nil.
  var only: String?
  /// The file that gets the figures as JSON.
  var json: String?
  /// The service to measure.
  var daybook: String
  /// The floor server to measure beside it.
  var floor: String?
  /// Whether it is enough that everything runs and answers rightly.
  var isSmoke = false
  var wantsHelp = false

  /// Reads the arguments that follow the program's name. `--name=value` and `--name value` are the same.
  init(_ arguments: [String]) throws(BenchError) {
    let environment = ProcessInfo.processInfo.environment
    daybook = Options.neighbour("daybook")
    floor = environment["DAYBOOK_BENCH_FLOOR"].flatMap { $0.isEmpty ? nil : $0 }
    var rest = arguments[...]
    var isRoundsGiven = false
    var isTimeGiven = false
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value() throws(BenchError) -> String {
        if parts.count == 2 { return parts[1] }
        guard let next = rest.popFirst() else { throw .usage("\(argument) needs a value") }
        return next
      }
      func number(_ range: ClosedRange<Int>) throws(BenchError) -> Int {
        let text = try value()
        guard let number = Int(text), range.contains(number) else {
          throw .usage("\(parts[0]) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
      }
      switch parts[0] {
      case "--rounds":
        rounds = try number(1...1000)
        isRoundsGiven = true
      case "--ms":
        milliseconds = try number(1...60_000)
        isTimeGiven = true
      case "--only": only = try value().lowercased()
      case "--json": json = try value()
      case "--daybook": daybook = try value()
      case "--floor": floor = try value()
      case "--smoke": isSmoke = true
      case "--help", "-h": wantsHelp = true
      default: throw .usage("unknown argument “\(argument)”")
      }
    }
    if isSmoke {
      if !isRoundsGiven { rounds = 1 }
      if !isTimeGiven { milliseconds = 20 }
    }
  }

  /// A program in the folder that this one is in.
  private static func neighbour(_ name: String) -> String {
    let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? own.path
    return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
  }

  static let help = """
    Usage: daybook-bench [options]

    Measures the service beside a floor server, which answers fixed texts, and beside Foundation and bare system calls,
    all on one CPU, in interleaved rounds, and prints the medians, their ratios and whether the goals are met.

      --rounds N      how often each measure is taken (7)
      --ms N          for how many milliseconds each time (300)
      --only TEXT     only the measures whose group or name contains TEXT
      --json FILE     write the figures as JSON too
      --daybook PATH  the service (the “daybook” beside this program); build it with “swift build -c release”
      --floor PATH    the floor server, also from DAYBOOK_BENCH_FLOOR (else one is compiled with “cc”)
      --smoke         tiny rounds: checks that everything runs and answers rightly, whatever it takes
      --help          this text

    Exit status: 0 it was measured, 1 something answered wrongly or died, 2 usage.

    """
}
