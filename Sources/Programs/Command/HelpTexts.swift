import DaybookServer
import Platform
import TerminalPages

/// The texts of `--help`, from the tables of commands and options.
enum HelpTexts {
  /// The width of a line in columns: that of the terminal, at most 80.
  static var width: Int {
    let terminal = (isTerminal: StandardStreams.isTerminal(1), columns: StandardStreams.columns(of: 1))
    let surface = Surface(width: nil, colours: .never, isASCII: false, terminal: terminal) { Processes.environment($0) }
    return min(surface.width ?? 80, 80)
  }

  /// Shown when the service is started in a terminal.
  static let greeting = """
    daybook speaks JSON-RPC 2.0 over standard input and output, for editors,
    frontends and scripts. It is waiting for a message. One message a line works
    here. Try:

      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
      {"jsonrpc":"2.0","id":2,"method":"days/get"}

    or leave with Ctrl-D and run “daybook call days/get”, or “daybook --help”.
    """

  /// The help on the program.
  static func general(width: Int = HelpTexts.width) -> String {
    var page = HelpPage(width: width)
    page.paragraph("daybook \(ServiceOptions.version): \(about)")
    page.section("USAGE", CommandTable.shown.map { ("daybook " + $0.synopsis[0], $0.sentence) })
    page.section("OPTIONS", OptionTable.all.filter { $0.reach != .named }.map(line))
    page.section("ENVIRONMENT", environment)
    page.section("FILES", files)
    page.section("EXAMPLE")
    page.lines(examples)
    page.paragraph(closing)
    return page.text
  }

  /// The help on a command.
  static func topic(_ command: CommandEntry, width: Int = HelpTexts.width) -> String {
    var page = HelpPage(width: width)
    page.paragraph("daybook \(command.name): \(command.sentence)")
    page.section("USAGE")
    page.lines(command.synopsis.map { "daybook " + $0 })
    for paragraph in command.text { page.paragraph(paragraph) }
    page.section("OPTIONS", options(of: command).map(line))
    page.section("EXIT STATUS", statuses(of: command).map { (String($0.status), $0.meaning) })
    page.section("EXAMPLE")
    page.lines(command.examples)
    return page.text
  }

  /// The options that the help on a command explains.
  static func options(of command: CommandEntry) -> [OptionEntry] {
    OptionTable.all.filter {
      switch $0.reach {
      case .every: true
      case .service: command.name == "serve"
      case .named: command.options.contains($0.name)
      }
    }
  }

  /// The exit statuses of a command, ascending.
  static func statuses(of command: CommandEntry) -> [(status: Int32, meaning: String)] {
    (command.statuses + [(DaybookCommand.Status.usage, "wrong usage")]).sorted { $0.status < $1.status }
  }

  private static func line(_ option: OptionEntry) -> (String, String) { (option.form, option.sentence) }
}

extension OptionEntry {
  /// The option as it is typed, such as “-h, --help” and “--data DIR”.
  var form: String { (short.map { $0 + ", " } ?? "") + name + (value.map { " " + $0 } ?? "") }
}
