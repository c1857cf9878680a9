import JSON

/// Reads the text of one case: comments, headers, steps.
package struct CaseFile {
  /// The file, as it is shown to people.
  let file: String
  /// What types exist; nil when nobody knows.
  let schema: Schema?
  /// The case as far as it has been read.
  var result: Case
  /// The names that earlier steps remember values by.
  var bound: Set<String> = []
  /// Whether the service has ended by `exit` or `kill`, after which only what needs none may come until `restart`.
  var hasEnded = false
  /// The line of each header that was read.
  private var headers: [String: Int] = [:]

  /// A reader that has read nothing.
  private init(file: String, name: String, schema: Schema?) {
    self.file = file
    self.schema = schema
    result = Case(name: name, file: file)
  }

  /// The case that some bytes are; throws the first mistake with its line.
  package static func read(
    _ bytes: [UInt8], file: String, name: String, schema: Schema? = nil
  ) throws(CaseError) -> Case {
    var reader = CaseFile(file: file, name: name, schema: schema)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw CaseError(file, 1, "the file is not UTF-8") }
    // By scalars: a carriage return before a newline makes one character of the two.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() { try reader.line(String(line), index + 1) }
    if reader.result.comment.isEmpty { throw CaseError(file, 1, "a comment on top has to say what is proven") }
    if let line = reader.headers["folder"], [.held, .newer, .damaged].contains(reader.result.folder),
      reader.result.fixture == "empty"
    {
      throw CaseError(file, line, "a folder that is \(reader.result.folder.rawValue) needs a fixture")
    }
    for name in ["capabilities", "initialize"] where reader.result.session != .initialized {
      if let line = reader.headers[name] {
        throw CaseError(file, line, "\(name): the runner's handshake is that of session: initialized")
      }
    }
    return reader.result
  }

  /// Reads one line.
  private mutating func line(_ text: String, _ number: Int) throws(CaseError) {
    guard !text.unicodeScalars.contains("\r") else { throw fail(number, "a carriage return; lines end in a newline") }
    if text.hasPrefix("#") {
      if headers.isEmpty, result.steps.isEmpty {
        let comment = Words.trimmed(text.dropFirst())
        if !comment.isEmpty { result.comment += (result.comment.isEmpty ? "" : "\n") + comment }
      }
      return
    }
    if Words.trimmed(text).isEmpty { return }
    let name = text.prefix { $0.isASCII && $0.isLetter }
    if !name.isEmpty, text[name.endIndex...].first == ":" {
      try header(String(name), Words.trimmed(text[name.endIndex...].dropFirst()), number)
    } else {
      try step(text, number)
    }
  }

  /// A mistake at a line of this file.
  func fail(_ line: Int, _ message: String) -> CaseError { CaseError(file, line, message) }

  /// The names of the headers, in the order of the description.
  private static let names = [
    "proves", "session", "fixture", "framing", "build", "args", "folder", "capabilities", "initialize", "clock", "zone",
    "variants",
  ]

  /// Reads one header.
  private mutating func header(_ name: String, _ value: String, _ line: Int) throws(CaseError) {
    guard CaseFile.names.contains(name) else {
      throw fail(line, "there is no header “\(name)”; expected one of \(CaseFile.names.joined(separator: ", "))")
    }
    guard result.steps.isEmpty else { throw fail(line, "the header “\(name)” comes after a step; headers come first") }
    if let before = headers.updateValue(line, forKey: name) {
      throw fail(line, "the header “\(name)” stands on line \(before) already")
    }
    guard !value.isEmpty else { throw fail(line, "the header “\(name)” says nothing") }
    switch name {
    case "proves": result.proves = Words.split(value)
    case "args": result.args = Words.split(value)
    case "fixture": result.fixture = value
    case "session": result.session = try choice(name, value, line)
    case "framing": result.framing = try choice(name, value, line)
    case "folder": result.folder = try choice(name, value, line)
    case "capabilities": result.capabilities = try object(name, value, line)
    case "initialize":
      result.initialize = try object(name, value, line)
      if result.initialize["capabilities"] != nil { throw fail(line, "capabilities have a header of their own") }
    case "clock": result.clock = try only("clock: INSTANT", value, line)
    case "zone": result.zone = try only("zone: NAME", value, line)
    case "build": result.build = try choice(name, value, line)
    default: result.variants = try choice(name, value, line)
    }
  }

  /// A header's JSON object.
  private func object(_ name: String, _ value: String, _ line: Int) throws(CaseError) -> JSONObject {
    guard case .object(let object)? = try? JSONValue(json: Array(value.utf8)) else {
      throw fail(line, "\(name): expected a JSON object on one line")
    }
    return object
  }

  /// One of a header's values.
  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ value: String, _ line: Int
  ) throws(CaseError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: value) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fail(line, "\(name): “\(value)” is not known; expected one of \(known)")
    }
    return choice
  }
}
