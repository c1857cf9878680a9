import JSON
import ProtocolModel

/// Everything that a run needs of the folder `Protocol/`.
package struct Suite: Sendable {
  /// The protocol.
  package let schema: Schema
  /// The cases: files in the order of their paths, then the examples of the domains.
  package let cases: [Case]
  /// The requests that make the store of each fixture.
  package let fixtures: [String: [String]]
  /// Ids of the requirements, in order.
  package let requirements: [String]
  /// What is known to fail.
  package let baseline: Baseline

  /// A suite of parts, for tests of the runner.
  package init(
    schema: Schema, cases: [Case], fixtures: [String: [String]] = ["empty": []], requirements: [String] = [],
    baseline: Baseline = Baseline()
  ) {
    self.schema = schema
    self.cases = cases
    self.fixtures = fixtures
    self.requirements = requirements
    self.baseline = baseline
  }

  /// Reads the folder; throws the first mistake in it.
  package init(folder: String) throws(CaseError) {
    schema = try Suite.schema(folder)
    let (requirements, areKnown) = try Suite.requirements(folder)
    self.requirements = requirements
    let place = "\(folder)/cases"
    var fixtures: [String: [String]] = [:]
    var cases: [Case] = []
    for path in Files.paths(below: place, ending: ".rpc") {
      let file = "\(place)/\(path)"
      guard let bytes = Files.read(file) else { throw CaseError(file, "the file cannot be read") }
      let read = try CaseFile.read(bytes, file: file, name: path, schema: schema)
      if path.hasPrefix("fixtures/") {
        fixtures[String(path.dropFirst("fixtures/".count).dropLast(".rpc".count))] = try Suite.requests(read)
      } else {
        cases.append(read)
      }
    }
    for item in cases {
      guard !item.proves.isEmpty else { throw CaseError(item.file, 1, "the header “proves” is missing") }
      for id in item.proves where areKnown && !requirements.contains(id) {
        throw CaseError(item.file, 1, "proves \(id), which requirements.json lacks")
      }
    }
    self.fixtures = fixtures
    let examples = Examples(schema: schema, folder: folder)
    self.cases = try cases + examples.cases()
    for item in self.cases where fixtures[item.fixture] == nil {
      throw CaseError(item.file, 1, "\(item.name): there is no fixture “\(item.fixture)”")
    }
    baseline = try Baseline(file: "\(place)/baseline.txt")
  }

  /// Reads `protocol.json` and the domains.
  package static func schema(_ folder: String) throws(CaseError) -> Schema {
    var files: [String: [UInt8]] = [:]
    for path in ["protocol.json"] + Files.paths(below: "\(folder)/domains", ending: ".json", prefix: "domains/") {
      guard let bytes = Files.read("\(folder)/\(path)") else {
        throw CaseError("\(folder)/\(path)", "the file cannot be read")
      }
      files[path] = bytes
    }
    do throws(SpecificationError) { return Schema(try Specification(files: files)) } catch {
      throw CaseError(folder, "\(error)")
    }
  }

  /// The ids of `requirements.json`, and whether there is such a file.
  private static func requirements(_ folder: String) throws(CaseError) -> ([String], Bool) {
    let file = "\(folder)/requirements.json"
    guard let bytes = Files.read(file) else { return ([], false) }
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(json: bytes) } catch { throw CaseError(file, "\(error)") }
    guard case .object(let object) = value, case .array(let list)? = object["requirements"] else {
      throw CaseError(file, "expected {\"requirements\": [{\"id\": …}]}")
    }
    var ids: [String] = []
    for item in list {
      guard case .object(let requirement) = item, case .string(let id)? = requirement["id"] else {
        throw CaseError(file, "a requirement has no id")
      }
      ids.append(id)
    }
    return (ids, true)
  }

  /// The requests of a fixture.
  private static func requests(_ fixture: Case) throws(CaseError) -> [String] {
    var requests: [String] = []
    for step in fixture.steps {
      switch step.action {
      case .send(let text): requests.append(text)
      case .sendRepeatedly(let text, let count): requests += SentText.repeated(text, count)
      default: throw CaseError(fixture.file, step.line, "a fixture consists of requests")
      }
    }
    return requests
  }
}
