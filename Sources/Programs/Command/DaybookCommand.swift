import DaybookServer
import JSON
import JSONRPC
import Platform

/// The command line of `daybook`.
package enum DaybookCommand {
  /// Exit statuses of all commands except `serve`.
  enum Status {
    static let done: Int32 = 0
    static let refused: Int32 = 1
    static let usage: Int32 = 2
    static let transport: Int32 = 3
    /// It was carried out, but the output could not be written.
    static let unanswered: Int32 = 4
  }

  private static let names = [
    "serve", "call", "watch", "doctor", "backup", "restore", "export", "import", "help",
  ]

  /// Runs the command in the arguments after the program's name, and returns the exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.fillMissingDescriptors()
    return Terminal.conclude(carryOut(arguments))
  }

  private static func carryOut(_ arguments: [String]) -> Int32 {
    do throws(UsageError) {
      var parsed = try Arguments(arguments)
      let command = parsed.operands.first.flatMap { names.contains($0) ? $0 : nil }
      if command != nil { parsed.operands.removeFirst() }
      if parsed.wantsVersion {
        Terminal.print("daybook \(ServiceOptions.version)")
        return Status.done
      }
      if parsed.wantsHelp || command == "help" { return try help(command == "help" ? parsed.operands.first : command) }
      if parsed.repairs || parsed.wantsJSON, command != "doctor" {
        throw UsageError(message: "--repair and --json are for “daybook doctor”")
      }
      switch command {
      case "call": return try CallCommand(parsed).run()
      case "watch": return try WatchCommand(parsed).run()
      case "doctor": return try DoctorCommand(parsed).run()
      case "backup": return try BackupCommand(parsed).run()
      case "restore": return try RestoreCommand(parsed).run()
      case "export": return try ExportCommand(parsed).run()
      case "import": return try ImportCommand(parsed).run()
      default:
        if let word = parsed.operands.first {
          let hint = Spelling.nearest(to: word, among: names).map { ", did you mean “\($0)”?" } ?? ""
          throw UsageError(message: "unknown command “\(word)”\(hint)")
        }
        return try serve(parsed)
      }
    } catch {
      Terminal.complain("daybook: \(error.message)\nTry “daybook --help”.")
      return Status.usage
    }
  }

  /// Reports unreadable arguments, and returns the exit status.
  package static func refuseArguments() -> Int32 {
    StandardStreams.fillMissingDescriptors()
    Terminal.complain("daybook: the arguments are not UTF-8\nTry “daybook --help”.")
    return Status.usage
  }

  private static func help(_ topic: String?) throws(UsageError) -> Int32 {
    guard let text = HelpTexts.text(topic) else {
      throw UsageError(
        message: "there is no help on “\(topic ?? "")”; topics are \(names.dropLast().joined(separator: ", "))")
    }
    Terminal.print(text)
    return Status.done
  }

  /// Speaks the protocol over standard input and output until the connection ends.
  private static func serve(_ arguments: Arguments) throws(UsageError) -> Int32 {
    if let other = arguments.flags.min() { throw UsageError(message: "“daybook serve” has no option \(other)") }
    var options = try arguments.serviceOptions()
    options.makesDailyBackups = arguments.clock == nil && arguments.seed == nil
    if StandardStreams.isTerminal(0) {
      Terminal.complain(HelpTexts.greeting)
      // People do not type header blocks.
      if options.framing == nil { options.framing = .newline }
    }
    Signals.ignoreBrokenPipes()
    let output = StandardStreams.redirectOutput()
    Signals.hold()
    let service = Service(options: options, input: 0, output: output)
    Processes.end(service.run { Threads.start { service.watch() } })
  }
}
