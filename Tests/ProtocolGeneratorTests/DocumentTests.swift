import DaybookProtocol
import Foundation
import JSON
import ProtocolGenerator
import Testing

/// The documents made from the protocol hold together.
struct DocumentTests {
  /// The anchors of a Markdown text's headings, as GitHub makes them.
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
    let files = try Generator(files: isToy ? ToyProtocol.files() : PackageFiles.sources()).files()
    let text = try #require(files["Protocol/generated/REFERENCE.md"])
    let anchors = anchors(text)
    #expect(Set(anchors).count == anchors.count)
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
    let links = text.matches(of: /\[([^\]]+)\]\(#([^)]+)\)/)
    #expect(links.count > 10)
    for link in links {
      let index = try #require(anchors.firstIndex(of: String(link.2)), "\(link.0)")
      #expect(headings[index].drop { $0 == "#" }.dropFirst() == link.1)
    }
    // In a table, a link is a type's.
    for line in text.split(separator: "\n") where line.hasPrefix("|") {
      for link in line.matches(of: /\[([^\]]+)\]\(#([^)]+)\)/) {
        let index = try #require(anchors.firstIndex(of: String(link.2)))
        #expect(headings[index] == "### \(link.1)")
      }
    }
  }

  @Test("Every reference inside the OpenRPC document leads to a schema, and every method stands there once")
  func references() throws {
    guard
      case .object(let document) = try JSONValue(json: Array(PackageFiles.text("Protocol/generated/openrpc.json").utf8)),
      case .object(let components)? = document["components"], case .object(let schemas)? = components["schemas"],
      case .array(let methods)? = document["methods"]
    else {
      Issue.record("no OpenRPC document")
      return
    }
    var references: [String] = []
    collect(.object(document), &references)
    #expect(references.count > 50)
    for reference in Set(references) {
      #expect(reference.hasPrefix("#/components/schemas/"))
      #expect(schemas[String(reference.dropFirst("#/components/schemas/".count))] != nil, "\(reference)")
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
      var writer = JSONWriter()
      OpenRPCDocument.encode(to: &writer)
      let file = try JSONValue(json: Array(PackageFiles.text("Protocol/generated/openrpc.json").utf8))
      #expect(writer.bytes == file.json)
    }
  #endif
}
