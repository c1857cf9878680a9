import Foundation
import JSON
import ProtocolGenerator
import ProtocolModel
import Testing

/// A domain refers to itself, to the server and to the common file; so any domain can be left out.
struct BorderTests {
  /// A file that defines one type, one error and one event, and refers to what the others define.
  private struct File {
    let name: String
    var service: String?
    /// A type, or none.
    var type = "int"
    var result = "null"
    var error: String?
    var event: String?

    var text: String {
      let own = name.capitalized
      let messages = name != "common"
      let measure = event.map {
        #""measures": [{"name": "\#(name)s", "unit": "count", "doc": "D.", "events": ["\#($0)"]}],"#
      }
      let request = """
        {"method": "\(name)/get", "direction": "clientToServer", "effect": "read", "doc": "D.", "params": [],
          "result": "\(result)", "errors": [\(error.map { "\"\($0)\"" } ?? "")],
          "examples": [{"name": "E", "params": {}, "result": null}]}
        """
      let notification = """
        {"method": "\(name)Changed", "direction": "serverToClient", "delivery": "state", "doc": "D.", "params": []}
        """
      return """
        {"domain": "\(name)", "title": "T", "doc": "D.", "since": 1,
          \(service.map { "\"service\": \"\($0)\"," } ?? "") \(measure ?? "")
          "types": [{"name": "\(own)Thing", "kind": "struct", "doc": "D.",
            "members": [{"name": "part", "type": "\(type)", "doc": "D."}]}],
          "requests": [\(messages ? request : "")], "notifications": [\(messages ? notification : "")],
          "errors": [{"name": "\(name)Lost", "code": \(1000 + Int(name.utf8.count)), "retry": "later", "when": "W."}]}
        """
    }
  }

  /// The mistake in a protocol of two files of one domain, a file of another, one of the server, and the common one, of
  /// which `changed` replaces the one of its name.
  private func mistake(_ changed: File) -> SpecificationError? {
    var files = [
      "ant": File(name: "ant", service: "Zoo"), "bear": File(name: "bear", service: "Zoo"),
      "goose": File(name: "goose", service: "Farm"), "common": File(name: "common"), "setting": File(name: "setting"),
    ]
    files[changed.name] = changed
    let names = files.keys.sorted()
    let root = """
      {"name": "n", "title": "T", "doc": "D.", "protocolVersion": 1, "capabilities": [],
        "domains": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))],
        "errorRanges": [{"from": 1000, "to": 1099, "doc": "D."}]}
      """
    var sources = ["protocol.json": Array(root.utf8)]
    for (name, file) in files { sources["domains/\(name).json"] = Array(file.text.utf8) }
    do throws(SpecificationError) {
      _ = try Specification(files: sources)
      return nil
    } catch { return error }
  }

  @Test(
    "A file may refer to its own domain, to the server and to the common file",
    arguments: ["AntThing", "BearThing", "CommonThing", "SettingThing"])
  func inside(_ type: String) {
    let error = type.replacing("Thing", with: "Lost")
    let name = error.prefix(1).lowercased() + error.dropFirst()
    #expect(mistake(File(name: "bear", service: "Zoo", type: "array<\(type)>", result: type, error: name)) == nil)
  }

  @Test("A type, an error or an event of another domain is refused, with the place of the reference")
  func outside() throws {
    let remedy = "define it in domains/common.json"
    let owner = "belongs to the domain Farm (domains/goose.json)"
    let cases: [(File, String, String)] = [
      (
        File(name: "ant", service: "Zoo", type: "map<GooseThing>"), "/types/0/members/0/type",
        "the type “GooseThing” \(owner); \(remedy)"
      ),
      (
        File(name: "ant", service: "Zoo", result: "GooseThing"), "/requests/0/result",
        "the type “GooseThing” \(owner); \(remedy)"
      ),
      (
        File(name: "ant", service: "Zoo", error: "gooseLost"), "/requests/0/errors/0",
        "the error “gooseLost” \(owner); \(remedy)"
      ),
      (
        File(name: "ant", service: "Zoo", event: "gooseChanged"), "/measures/0/events/0",
        "the event “gooseChanged” \(owner); name one of this domain"
      ),
      (
        File(name: "setting", type: "GooseThing"), "/types/0/members/0/type",
        "the type “GooseThing” \(owner); \(remedy)"
      ),
      (
        File(name: "common", type: "SettingThing"), "/types/0/members/0/type",
        "the type “SettingThing” belongs to the server (domains/setting.json); \(remedy)"
      ),
    ]
    for (file, pointer, message) in cases {
      let error = try #require(mistake(file), "\(message)")
      #expect("\(error)" == "domains/\(file.name).json#\(pointer): \(message)")
    }
  }

  // MARK: leaving a domain out

  /// The services of the protocol; the files of each are a domain.
  private static let services = Set(
    ((try? Specification(files: PackageFiles.sources()))?.domains ?? []).compactMap(\.service)
  ).sorted()

  @Test("The domains are found")
  func found() {
    #expect(Self.services == ["Agenda", "Entries", "Habits", "Nutrition", "Subscriptions", "Training"])
  }

  @Test("Each service that a domain file names is one of the domains")
  func named() throws {
    // A value of an enumeration that is there for any other service would never be.
    for (path, text) in try PackageFiles.sources() where path.hasPrefix("domains/") {
      for name in String(decoding: text, as: UTF8.self).matches(of: /"service": "(\w+)"/) {
        #expect(Self.services.contains(String(name.1)), "\(path)")
      }
    }
  }

  @Test("Without a domain, the code of all others is generated as before", arguments: services)
  func leftOut(_ service: String) throws {
    var files = try PackageFiles.sources()
    let whole = try Generator(files: files)
    let left = try Specification(files: files).domains.filter { $0.service != service }.map(\.name)
    for path in files.keys where path.hasPrefix("domains/") {
      if !left.contains(where: { path == "domains/\($0).json" }) { files[path] = nil }
    }
    guard case .object(let root) = try JSONValue(json: files["protocol.json"] ?? []) else { return }
    var changed = JSONObject()
    for member in root.members {
      changed[member.name] = member.name == "domains" ? .array(left.map { .string($0) }) : member.value
    }
    files["protocol.json"] = JSONValue.object(changed).json
    for type in try Specification(files: files).allTypes {
      guard case .enumeration(let values) = type.kind else { continue }
      #expect(values.allSatisfy { $0.service != service }, "\(type.name)")
    }
    let generated = try Generator(files: files).files()
    let before = whole.files()
    #expect(!generated.keys.contains { $0.contains("/\(service)/") })
    for (path, text) in generated where path.hasPrefix("Sources/Domains/") && !path.contains("/Kit/") {
      #expect(text == before[path], "\(path)")
    }
    #expect(
      generated.keys.count { $0.hasPrefix("Sources/Domains/") && !$0.contains("/Kit/") } == Self.services.count - 1)
  }
}
