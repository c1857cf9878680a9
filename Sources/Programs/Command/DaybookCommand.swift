import DaybookServer
import JSON
import JSONRPC
import Platform
import TerminalPages

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

  /// Runs the command in the arguments after the program's name, and returns the exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    StandardStreams.fillMissingDescriptors()
    return Terminal.conclude(carryOut(arguments))
  }

  private static func carryOut(_ arguments: [String]) -> Int32 {
    do throws(UsageError) {
      var parsed = try Arguments(arguments)
      if parsed.wantsVersion {
        Terminal.print("daybook \(ServiceOptions.version)")
        return Status.done
      }
      if parsed.wantsHelp { return try help(parsed.operands) }
      // The service starts without the table.
      guard !parsed.operands.isEmpty || !parsed.flags.isEmpty || !parsed.values.isEmpty else {
        return try serve(parsed)
      }
      let word = parsed.operands.isEmpty ? "serve" : parsed.operands.removeFirst()
      guard let command = CommandTable.named(word) else {
        let near = Spelling.nearest(to: word, among: CommandTable.shown.map(\.name)) ?? DayWords.command(for: word)
        throw UsageError(message: "unknown command “\(word)”\(near.map { ", did you mean “\($0)”?" } ?? "")")
      }
      try parsed.refuseOthers(than: command)
      return try command.run(parsed)
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

  /// Prints the help on the program, or on the command or method among the words.
  static func help(_ words: [String]) throws(UsageError) -> Int32 {
    let words = words.filter { $0 != "help" }
    guard let topic = words.first == "call" && words.count > 1 ? words[1] : words.first else {
      Terminal.write(HelpTexts.general(), to: 1)
      return Status.done
    }
    guard let text = CommandTable.named(topic).map({ HelpTexts.topic($0) }) ?? MethodHelp.text(topic) else {
      let near = Spelling.nearest(
        to: topic, among: CommandTable.all.map(\.name) + ProtocolDescription().methods.map(\.name))
      throw UsageError(
        message:
          "there is no help on “\(topic)”\(near.map { ", did you mean “\($0)”?" } ?? ".") Topics are commands and the "
          + "methods that “daybook methods” lists")
    }
    Terminal.write(text, to: 1)
    return Status.done
  }

  /// Prints the methods whose name or text contains all words.
  static func listMethods(_ arguments: Arguments) throws(UsageError) -> Int32 {
    guard let text = MethodHelp.list(arguments.operands) else {
      Terminal.complain("daybook: no method has these words; “daybook methods” lists all")
      return Status.refused
    }
    Terminal.write(text, to: 1)
    return Status.done
  }

  /// Speaks the protocol over standard input and output until the connection ends.
  static func serve(_ arguments: Arguments) throws(UsageError) -> Int32 {
    if let word = arguments.operands.first { throw UsageError(message: "serve takes no operand “\(word)”") }
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
