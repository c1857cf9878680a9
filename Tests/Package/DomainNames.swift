import Foundation

/// The names that belong to domains: to files of the protocol that a service answers.
struct DomainNames: Sendable {
  private(set) var services: Set<String> = []
  private(set) var types: Set<String> = []
  private(set) var methods: Set<String> = []
  private(set) var collections: Set<String> = []

  /// The names in the texts of domain files.
  init(_ texts: [Data]) throws {
    struct File: Decodable {
      struct Kept: Decodable { let name: String }
      struct Named: Decodable {
        let name: String
        let collection: Kept?
      }
      struct Message: Decodable {
        let method: String
        let room: String?
      }
      let service: String?
      let types: [Named]?
      let requests: [Message]?
      let notifications: [Message]?
    }
    for text in texts {
      let file = try JSONDecoder().decode(File.self, from: text)
      guard let service = file.service else { continue }
      services.insert(service)
      types.formUnion((file.types ?? []).map(\.name))
      collections.formUnion((file.types ?? []).compactMap(\.collection?.name))
      let messages = (file.requests ?? []) + (file.notifications ?? [])
      methods.formUnion(messages.filter { $0.room == nil }.map(\.method))
    }
  }

  /// The first name of a domain in a line of code; nil when there is none.
  func named(in line: String) -> String? {
    if let module = line.firstMatch(of: /\bimport\s+(\w+)/)?.1, let service = services.first(where: module.hasPrefix) {
      return "the module \(module) of \(service)"
    }
    for text in line.matches(of: /"([^"\\]*)"/) {
      let text = String(text.1)
      let isPrefix = text.hasSuffix("/") && collections.contains(String(text.dropLast()))
      if isPrefix || methods.contains(text) { return "the method “\(text)”" }
    }
    let code = line.replacing(/"[^"\\]*"/, with: "")
    if let type = code.matches(of: /\b[A-Z]\w*/).first(where: { types.contains(String($0.0)) }) {
      return "the type \(type.0)"
    }
    if let word = code.matches(of: /\bservices\.(\w+)/).first(where: { isService($0.1) }) {
      return "the service \(word.1)"
    }
    // A member of a value may have such a name; an enumeration's case has it after a space or a bracket.
    let cases = code.matches(of: /(?:^|[^\w)\]}?!"])\.(\w+)\b(?!\()/)
    return cases.first { collections.contains(String($0.1)) }.map { "the collection .\($0.1)" }
  }

  private func isService(_ name: Substring) -> Bool { services.contains { $0.lowercased() == name.lowercased() } }
}
