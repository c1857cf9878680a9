import DaybookProtocol
import Foundation
import ProtocolGenerator
import Testing
import TextPacking

/// The generated documents are consistent.
struct DocumentTests {
  /// The anchors of a Markdown text's headings, as on GitHub.
  private func anchors(_ text: String) -> [String] {
    var times: [String: Int] = [:]
    return text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
      let slug = String(
        heading.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
      defer { times[slug, default: 0] += 1 }
      return times[slug].map { "\(slug)-\($0)" } ?? slug
    }
  }

  @Test(
    "Every link inside the manual leads to a heading, and one that names a type to that type", arguments: [true, false])
  func links(_ isToy: Bool) throws {
    let folder = "Protocol/generated/reference/"
    let files = try Generator(files: isToy ? ToyProtocol.files() : PackageFiles.sources()).files()
    let pages = files.filter { $0.key.hasPrefix(folder) }
    var count = 0
    for text in pages.values {
      let own = anchors(text)
      #expect(Set(own).count == own.count)
      for line in text.split(separator: "\n") {
        for link in line.matches(of: /\[([^\]]+)\]\(([^)#]*)(#[^)]+)?\)/) where !link.2.hasPrefix("..") {
          count += 1
          let target = try #require(link.2.isEmpty ? text : pages[folder + link.2], "\(link.0)")
          guard let anchor = link.3?.dropFirst() else { continue }
          let headings = target.split(separator: "\n").filter { $0.hasPrefix("#") }
          let index = try #require(anchors(target).firstIndex(of: String(anchor)), "\(link.0)")
          // In a table, links go to types.
          #expect(headings[index] == "## \(link.1)")
        }
      }
    }
    #expect(count > (isToy ? 10 : 500))
  }

  @Test("Every type has one heading in the manual")
  func types() throws {
    let files = try Generator(files: PackageFiles.sources()).files().filter { $0.key.contains("/reference/") }
    let headings = files.values.flatMap { $0.split(separator: "\n").filter { $0.hasPrefix("## ") } }
    #expect(headings.count > 300)
    #expect(Set(headings).count == headings.count)
  }

  @Test("Every reference inside the OpenRPC document leads to a schema, and every method stands there once")
  func references() throws {
    guard
      case .object(let document) = try JSONValue(json: Array(PackageFiles.text("Protocol/generated/openrpc.json").utf8)),
      case .object(let components)? = document["components"], case .object(let schemas)? = components["schemas"],
      case .object(let errors)? = components["errors"], case .array(let methods)? = document["methods"]
    else {
      Issue.record("no OpenRPC document")
      return
    }
    var references: [String] = []
    collect(.object(document), &references)
    #expect(references.count > 50)
    for reference in Set(references) {
      let parts = reference.split(separator: "/").map(String.init)
      #expect(parts.count == 4 && parts[0...1] == ["#", "components"], "\(reference)")
      let place = try #require(["schemas": schemas, "errors": errors][parts[2]], "\(reference)")
      #expect(place[parts[3]] != nil, "\(reference)")
    }
    #expect(errors.members.count > 45)
    for (name, error) in errors.members {
      guard case .object(let error) = error else { continue }
      // The meta-schema allows no other members, not even ours.
      #expect(error.members.map(\.name) == ["code", "message", "data"], "\(name)")
    }
    let names = methods.compactMap { method -> String? in
      guard case .object(let object) = method, case .string(let name)? = object["name"] else { return nil }
      return name
    }
    #expect(names.count == methods.count)
    #expect(Set(names).count == names.count)
    #expect(Method.allCases.allSatisfy { names.contains("\($0.name)") })
  }

  private func collect(_ value: JSONValue, _ references: inout [String]) {
    switch value {
    case .array(let values): for value in values { collect(value, &references) }
    case .object(let object):
      for member in object.members {
        if member.name == "$ref", case .string(let text) = member.value { references.append(text) }
        collect(member.value, &references)
      }
    default: break
    }
  }

  #if DEBUG
    @Test("The document that a debug build answers is the one in the file")
    func answered() throws {
      let packed = OpenRPCDocument.packed
      let text = PackedText.unpack(UnsafeBufferPointer(start: packed.utf8Start, count: packed.utf8CodeUnitCount))
      let file = try JSONValue(json: Array(PackageFiles.text("Protocol/generated/openrpc.json").utf8))
      #expect(text == file.json)
    }
  #endif
}

@Suite("Schemas of nullable values")
struct NullableSchemaTests {
  @Test("Null is accepted by exactly one branch")
  func branches() throws {
    let document = try JSONValue(
      json: Array(PackageFiles.text("Protocol/generated/openrpc.json").utf8))
    let choices = choices(in: document)
    #expect(choices.count > 50)
    for branches in choices {
      #expect(branches.count(where: acceptsNull) == 1, "\(branches)")
    }
  }

  /// The branches of each `oneOf`.
  private func choices(in value: JSONValue) -> [[JSONValue]] {
    switch value {
    case .array(let elements): return elements.flatMap(choices)
    case .object(let object):
      let inner = object.members.flatMap { choices(in: $0.value) }
      guard case .array(let branches)? = object["oneOf"] else { return inner }
      return [branches] + inner
    default: return []
    }
  }

  /// Whether a schema that refers to no other accepts null; named types are objects and texts.
  private func acceptsNull(_ schema: JSONValue) -> Bool {
    guard case .object(let object) = schema else { return true }
    if object["$ref"] != nil { return false }
    return object["type"].map { $0 == .string("null") } ?? true
  }
}
