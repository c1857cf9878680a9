import JSON
import ProtocolModel

/// The examples of the domain files as cases.
struct Examples {
  /// The protocol.
  let schema: Schema
  /// The folder `Protocol/`, for the places.
  let folder: String

  /// Each example as a case that sends one request and expects its answer.
  func cases() throws(CaseError) -> [Case] {
    var cases: [Case] = []
    for domain in schema.specification.domains {
      let file = "\(folder)/domains/\(domain.name).json"
      let lines = String(decoding: Files.read(file) ?? [], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      for message in domain.requests {
        for example in message.request?.examples ?? [] {
          let line = Examples.line(of: example.name, method: message.method, in: lines)
          cases.append(try self.case(example, message.method, domain, file, line))
        }
      }
    }
    return cases
  }

  /// One example.
  private func `case`(
    _ example: Message.Example, _ method: String, _ domain: Domain, _ file: String, _ line: Int
  ) throws(CaseError) -> Case {
    var result = Case(name: "example \(method) “\(example.name)”", file: file)
    result.comment = example.name
    guard let session = Case.Session(rawValue: example.session) else {
      throw CaseError(file, line, "there is no session “\(example.session)”")
    }
    result.session = session
    result.fixture = example.fixture
    guard let build = Case.Build(rawValue: example.build) else {
      throw CaseError(file, line, "there is no build “\(example.build)”")
    }
    result.build = domain.isDebugOnly ? .debug : build
    result.capabilities = example.capabilities
    let id = JSONValue.number(JSONNumber(1))
    let version = JSONValue.string("2.0")
    let request = JSONValue.object(
      JSONObject([("jsonrpc", version), ("id", id), ("method", .string(method)), ("params", example.params)]))
    var answer = JSONObject([("jsonrpc", version), ("id", id)])
    if let value = example.error {
      guard case .object(let data) = value, case .string(let name)? = data["name"], let error = schema.errors[name]
      else { throw CaseError(file, line, "the example “\(example.name)” names no error of the catalogue") }
      answer["error"] = .object(
        JSONObject([("code", .number(JSONNumber(error.code))), ("message", .string("$string")), ("data", value)]))
    } else {
      answer["result"] = example.result ?? .null
    }
    var bound: Set<String> = []
    let pattern: Pattern
    do throws(PatternError) { pattern = try Pattern(message: .object(answer), bound: &bound, schema: schema) } catch {
      throw CaseError(file, line, error.message)
    }
    let sent = String(decoding: request.json, as: UTF8.self)
    let expected = String(decoding: JSONValue.object(answer).json, as: UTF8.self)
    result.steps = [
      Step(line: line, text: ">> \(sent)", action: .send(sent)),
      Step(line: line, text: "<< \(expected)", action: .expect(pattern)),
    ]
    return result
  }

  /// The line an example stands on: the first with its name after the one with its method.
  private static func line(of name: String, method: String, in lines: [Substring]) -> Int {
    let name = Array("\"name\": \(String(decoding: name.json, as: UTF8.self))".utf8)
    let method = "\"method\": \"\(method)\""
    guard let start = lines.firstIndex(where: { Words.contains(method, in: Array($0.utf8)) }) else { return 0 }
    let wanted = String(decoding: name, as: UTF8.self)
    return (lines[start...].firstIndex { Words.contains(wanted, in: Array($0.utf8)) } ?? start) + 1
  }
}
