import Foundation
import JSON
import ProcessTesting
import ServerTesting

/// The requests of a case in `Protocol/cases`, with what its expectations bind. Nothing is expected of the replies: the
/// case may be played at other times than those it was written for.
struct CaseRequests {
  /// The cases to play: those on a healthy folder, in order.
  static func all() throws -> [CaseRequests] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return try paths.filter { $0.hasSuffix(".rpc") && !$0.hasPrefix("fixtures/") }.map { try CaseRequests(path: $0) }
      .filter { $0.folder == nil }
  }

  private static let folder = URL(fileURLWithPath: Program.repository).appendingPathComponent("Protocol/cases")

  let path: String
  /// The fixture that its store begins with.
  private(set) var fixture: String?
  private var folder: String?
  private var requests: [JSONValue] = []
  /// The expected replies, by the text of their ids.
  private var replies: [String: JSONValue] = [:]

  init(path: String) throws {
    self.init(path, try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8))
  }

  init(_ path: String, _ text: String) {
    self.path = path
    for line in text.split(separator: "\n") {
      let (word, rest) = line.firstIndex(of: " ").map { (line[..<$0], line[$0...].dropFirst()) } ?? (line, "")
      switch word {
      case "fixture:": fixture = String(rest)
      case "folder:": folder = String(rest)
      case ">>":
        // An import that replaces everything brings times of its own.
        guard let request = try? JSONValue(json: Array(rest.utf8)), request["id"] != nil,
          request["method"]?.string != "data/import" || request["params"]?["mode"]?.string != "replace"
        else { continue }
        requests.append(request)
      case "<<", "await":
        guard let reply = try? JSONValue(json: Array(rest.utf8)), let id = reply["id"] else { continue }
        replies[id.text] = reply
      default: break
      }
    }
  }

  /// Sends the requests of `methods`, and others that bind a value; `before` is called before each.
  func play(on service: InProcessService, _ methods: Set<String>, before: (_ number: Int) -> Void) {
    var bound: [String: JSONValue] = [:]
    for (number, request) in requests.enumerated() {
      guard let method = request["method"]?.string, let id = request["id"] else { continue }
      let reply = replies[id.text]
      guard methods.contains(method) || reply?.text.contains("$bind:") == true,
        let params = Self.filled(request["params"] ?? .object(JSONObject()), bound)
      else { continue }
      before(number)
      let answer = service.call(method, params.text)
      if let reply { Self.bind(reply, answer, into: &bound) }
    }
  }

  /// A value with bound values in place of their names; nil when one is not bound.
  private static func filled(_ value: JSONValue, _ bound: [String: JSONValue]) -> JSONValue? {
    switch value {
    case .string(let text) where text.hasPrefix("$") && !text.hasPrefix("$$"): return bound[String(text.dropFirst())]
    case .array(let elements):
      let filled = elements.compactMap { Self.filled($0, bound) }
      return filled.count == elements.count ? .array(filled) : nil
    case .object(let object):
      var filled = JSONObject()
      for member in object.members {
        guard let value = Self.filled(member.value, bound) else { return nil }
        filled[member.name] = value
      }
      return .object(filled)
    default: return value
    }
  }

  private static func bind(_ pattern: JSONValue, _ value: JSONValue, into bound: inout [String: JSONValue]) {
    switch (pattern, value) {
    case (.string(let text), _) where text.hasPrefix("$bind:"): bound[String(text.dropFirst(6))] = value
    case (.array(let patterns), .array(let values)):
      for (pattern, value) in zip(patterns, values) { bind(pattern, value, into: &bound) }
    case (.object(let object), _):
      for member in object.members {
        if let value = value[member.name] { bind(member.value, value, into: &bound) }
      }
    default: break
    }
  }
}
