import JSON

extension CaseFile {
  /// Reads one step.
  mutating func step(_ text: String, _ line: Int) throws(CaseError) {
    let (word, rest) = Words.cut(text)
    if hasEnded, !["stderr", "put", "take", "zone", "restart"].contains(word) {
      throw fail(line, "“\(word)” after exit or kill; only stderr, put, take, zone and restart may follow")
    }
    let action: Step.Action
    switch word {
    case ">>": action = .send(try sent(rest, line, isRepeated: false))
    case _ where word.hasPrefix(">>*"):
      guard let count = Int(word.dropFirst(3)), count > 0 else { throw fail(line, "expected >>*N JSON, N from 1 on") }
      action = .sendRepeatedly(try sent(rest, line, isRepeated: true), count)
    case "<<": action = .expect(try pattern(rest, line))
    case "<<?": action = .allow(try pattern(rest, line))
    case "await": action = .await(try pattern(rest, line))
    case "<<~": action = .expectAnyOrder(try patterns(rest, line))
    case "<<!": action = .forbid(try only("<<! METHOD", rest, line))
    case "raw": action = .raw(try bytes(rest, line), 1)
    case "repeat":
      let (number, text) = Words.cut(rest)
      guard let count = Int(number), count > 0, !text.isEmpty else { throw fail(line, "expected repeat N TEXT") }
      action = .raw(Array(text.utf8), count)
    case "barrier": action = try nothing(.barrier, word, rest, line)
    case "eof": action = try nothing(.endOfInput, word, rest, line)
    case "exchange": action = try nothing(.exchange, word, rest, line)
    case "signal":
      guard let signal = Step.Signal(rawValue: Words.trimmed(rest)) else {
        throw fail(line, "expected signal TERM or signal INT")
      }
      action = .signal(signal)
    case "exit":
      guard let status = Int(Words.trimmed(rest)), (0...255).contains(status) else {
        throw fail(line, "expected exit N, a status from 0 to 255")
      }
      hasEnded = true
      action = .exit(status)
    case "stderr":
      guard hasEnded else { throw fail(line, "stderr before exit; it is read to its end after that") }
      guard !rest.isEmpty else { throw fail(line, "expected stderr TEXT") }
      action = .standardError(rest)
    case "undrained":
      guard Words.trimmed(rest) == "stdout" else { throw fail(line, "expected undrained stdout") }
      action = .undrained
    case "restart":
      hasEnded = false
      action = .restart(Words.split(rest))
    case "kill":
      hasEnded = true
      action = try nothing(.kill, word, rest, line)
    case "put": action = try put(rest, line)
    case "take": action = .take(try path(only("take PATH", rest, line), line))
    case "zone": action = .zone(try only("zone NAME", rest, line))
    default:
      throw fail(
        line,
        "there is no step “\(word)”; expected >>, >>*N, <<, <<~, <<?, <<!, raw, repeat, barrier, await, eof, exchange, signal, "
          + "restart, kill, put, take, zone, exit, stderr or undrained stdout")
    }
    result.steps.append(Step(line: line, text: text, action: action))
  }

  /// A step of one word.
  private func nothing(
    _ action: Step.Action, _ word: String, _ rest: String, _ line: Int
  ) throws(CaseError) -> Step.Action {
    guard Words.trimmed(rest).isEmpty else { throw fail(line, "nothing may follow “\(word)”") }
    return action
  }

  /// A single word.
  func only(_ form: String, _ rest: String, _ line: Int) throws(CaseError) -> String {
    let words = Words.split(rest)
    guard words.count == 1, let word = words.first else { throw fail(line, "expected \(form)") }
    return word
  }

  /// What a file of the data folder is to be.
  private func put(_ rest: String, _ line: Int) throws(CaseError) -> Step.Action {
    let (word, text) = Words.cut(rest)
    guard !text.isEmpty else { throw fail(line, "expected put PATH and JSON") }
    let path = try path(word, line)
    switch try json(text, line) {
    case .string: return .put(path, try bytes(text, line))
    case .object, .array: return .putLine(path, try sent(text, line, isRepeated: false))
    default: throw fail(line, "a file is the bytes of a JSON string, or a line with an object or an array")
    }
  }

  /// A path below the data folder.
  private func path(_ text: String, _ line: Int) throws(CaseError) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw fail(line, "“\(text)” is no path below the data folder")
    }
    return text
  }

  /// The text of a message to send. It has to be JSON, but may name a member twice: what is sent is the case's affair.
  private func sent(_ rest: String, _ line: Int, isRepeated: Bool) throws(CaseError) -> String {
    let text = Words.replacing("{{N}}", in: rest, by: String(result.steps.count + 1))
    let sample = isRepeated ? Words.replacing("{{i}}", in: text, by: "0") : text
    do throws(JSONError) {
      try JSONReader.read(Array(sample.utf8)) { reader throws(JSONError) in
        reader.allowsDuplicates = true
        try reader.skipValue()
      }
    } catch { throw fail(line, "the message is not JSON: \(error)") }
    for name in SentText.names(in: text) where !bound.contains(name) {
      throw fail(line, "“$\(name)” was not remembered by an earlier step")
    }
    return text
  }

  /// The pattern of a message.
  private mutating func pattern(_ rest: String, _ line: Int) throws(CaseError) -> Pattern {
    try compile(json(rest, line), line)
  }

  /// The patterns of messages in any order.
  private mutating func patterns(_ rest: String, _ line: Int) throws(CaseError) -> [Pattern] {
    guard case .array(let values) = try json(rest, line), !values.isEmpty else {
      throw fail(line, "expected <<~ [JSON, …], one pattern or more")
    }
    var patterns: [Pattern] = []
    for value in values { patterns.append(try compile(value, line)) }
    return patterns
  }

  /// A value as the pattern of a message.
  private mutating func compile(_ value: JSONValue, _ line: Int) throws(CaseError) -> Pattern {
    do throws(PatternError) { return try Pattern(message: value, bound: &bound, schema: schema) } catch {
      throw fail(line, error.message)
    }
  }

  /// The value a step carries.
  private func json(_ text: String, _ line: Int) throws(CaseError) -> JSONValue {
    do throws(JSONError) { return try JSONValue(json: Array(text.utf8)) } catch {
      throw fail(line, "the pattern is not JSON: \(error)")
    }
  }

  /// The bytes of a `raw` step: each scalar up to U+00FF is a byte.
  private func bytes(_ rest: String, _ line: Int) throws(CaseError) -> [UInt8] {
    guard case .string(let text) = try json(rest, line) else { throw fail(line, "expected raw and a JSON string") }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else {
        throw fail(line, "a character above U+00FF; its bytes are written \\u00XX each")
      }
      bytes.append(byte)
    }
    return bytes
  }
}
