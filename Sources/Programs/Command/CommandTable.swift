/// A command of `daybook`, described once: its dispatch, `--help`, the completions and the manual page come from here.
struct CommandEntry: Sendable {
  let name: String
  /// What it does: an imperative clause, without a full stop.
  let sentence: String
  /// The forms of its line, without the program's name.
  let synopsis: [String]
  /// Paragraphs about it; one that begins with two spaces is printed as it is.
  var text: [String] = []
  /// What its operands are, in order; the last one repeats.
  var operands: [Words] = []
  /// Its options, besides those that every command has.
  var options: [String] = []
  /// What its exit statuses mean, besides 2, wrong usage.
  var statuses: [(status: Int32, meaning: String)] = []
  /// Lines to type.
  var examples: [String] = []
  /// Whether everything behind its first operand is an operand, as in a text.
  var takesText = false
  /// Whether only scripts of ours call it.
  var isHidden = false
  /// Runs it; the name of the command is no longer among the operands.
  let run: @Sendable (Arguments) throws(UsageError) -> Int32
}

/// An option, described once.
struct OptionEntry: Sendable {
  /// Which commands have it.
  enum Reach: Sendable {
    /// Every command, and the help on it says so.
    case every
    /// Every command, but only the service and those who start it need it.
    case service
    /// The commands that name it.
    case named
  }

  let name: String
  /// Its one-letter form.
  var short: String?
  /// The name of its value in the help; nil for a flag.
  var value: String?
  /// What its value is.
  var values: Words = .text
  var reach = Reach.named
  let sentence: String
}

/// What a word of the command line is; completions offer it.
enum Words: Sendable, Equatable {
  /// Anything; nothing is offered.
  case text
  case file, folder
  case oneOf([String])
  case topics, methods, domains, backups
  /// `KEY=VALUE` of the method in front of it.
  case params
  /// A day, or a range of days.
  case day, range
  /// The text of an entry, as of `daybook log`.
  case entry
}

/// All commands, in the order of the help.
enum CommandTable {
  static let all = people + service + stored

  /// Those that the help shows.
  static var shown: [CommandEntry] { all.filter { !$0.isHidden } }

  /// The command named `name`. Editors start the service, so the lists of others are not made before it is looked for.
  static func named(_ name: String) -> CommandEntry? {
    service.first { $0.name == name } ?? all.first { $0.name == name }
  }
}
