import Conformance
import Spawning
import _StringProcessing

/// What the words of the command line mean.
struct Options {
  /// Words that mean nothing.
  struct Wrong: Error {
    /// What is wrong.
    let message: String
  }

  /// The folder `Protocol/`.
  var folder = "Protocol"
  /// What is run.
  var selection = Selection()
  /// The build, when it is not to be asked for.
  var build: String?
  /// Coverage files to add.
  var coverageIn: [String] = []
  /// Where to write the coverage.
  var coverageOut: String?
  /// Whether everything is told.
  var isVerbose = false
  /// Whether only help is wanted.
  var isHelp = false
  /// Whether only the names are wanted.
  var isList = false
  /// The service.
  var command: [String] = []

  /// Reads the command line; the first word that is no option begins the command.
  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      if word == "--" { break }
      try option(word, &rest)
    }
    command = Array(rest)
    if command.isEmpty, !isHelp, !isList { throw Wrong(message: "no command was given") }
  }

  /// Whether a case is wanted by its name.
  func selects(_ name: String) -> Bool { selection.only.map { name.contains($0) } ?? true }

  /// Reads one option.
  private mutating func option(_ word: String, _ rest: inout ArraySlice<String>) throws(Wrong) {
    switch word {
    case "--help", "-h": isHelp = true
    case "--list": isList = true
    case "--verbose", "-v": isVerbose = true
    case "--protocol": folder = try value(word, &rest)
    case "--framing":
      let kind = try value(word, &rest)
      guard let framings = Case.Framings(rawValue: kind) else { throw Wrong(message: "there is no framing \(kind)") }
      selection.framings = WireFraming.allCases.filter { framings == .both || $0.rawValue == kind }
    case "--variants":
      let kind = try value(word, &rest)
      guard let variants = Case.Variants(rawValue: kind) else { throw Wrong(message: "there are no variants \(kind)") }
      selection.isPlainOnly = variants == .plain
    case "--build":
      let kind = try value(word, &rest)
      guard ["debug", "release"].contains(kind) else { throw Wrong(message: "there is no build \(kind)") }
      build = kind
    case "--only": selection.only = try value(word, &rest)
    case "--jobs":
      let text = try value(word, &rest)
      guard let jobs = Int(text), (1...64).contains(jobs) else { throw Wrong(message: "--jobs is from 1 to 64") }
      selection.jobs = jobs
    case "--coverage-in": coverageIn.append(try value(word, &rest))
    case "--coverage-out": coverageOut = try value(word, &rest)
    default: throw Wrong(message: "there is no option \(word)")
    }
  }

  /// The word after an option.
  private func value(_ option: String, _ rest: inout ArraySlice<String>) throws(Wrong) -> String {
    guard let value = rest.popFirst() else { throw Wrong(message: "\(option) needs a value") }
    return value
  }
}
