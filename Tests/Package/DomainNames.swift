import Foundation

/// The names that belong to domains: to files of the protocol that a service answers.
struct DomainNames: Sendable {
  private(set) var services: Set<String> = []
  /// The types, with those of the params and results of messages, and the service of each.
  private(set) var types: [String: String] = [:]
  private(set) var methods: Set<String> = []
  private(set) var collections: Set<String> = []
  /// The values of enumerations that are there for a domain.
  private(set) var cases: Set<String> = []

  /// The names in the texts of domain files.
  init(_ texts: [Data]) throws {
    struct File: Decodable {
      struct Kept: Decodable { let name: String }
      struct Value: Decodable {
        let name: String
        let service: String?
      }
      struct Named: Decodable {
        let name: String
        let values: [Value]?
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
      let values = (file.types ?? []).flatMap { $0.values ?? [] }
      cases.formUnion(values.filter { $0.service != nil }.map(\.name))
      guard let service = file.service else { continue }
      services.insert(service)
      for type in file.types ?? [] { types[type.name] = service }
      collections.formUnion((file.types ?? []).compactMap(\.collection?.name))
      let messages = (file.requests ?? []) + (file.notifications ?? [])
      for message in messages where message.room == nil {
        methods.insert(message.method)
        let name = message.method.split(separator: "/").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        for part in ["Params", "Result"] { types[name + part] = service }
      }
    }
  }

  /// The first name of a domain in a line of code; nil when there is none.
  func named(in line: String) -> String? {
    if let other = moduleOrType(in: line, home: nil) { return other }
    for text in line.matches(of: /"([^"\\]*)"/) {
      let text = String(text.1)
      let isPrefix = text.hasSuffix("/") && collections.contains(String(text.dropLast()))
      if isPrefix || methods.contains(text) { return "the method “\(text)”" }
    }
    let code = line.replacing(/"[^"\\]*"/, with: "")
    if let word = code.matches(of: /\bservices\.(\w+)/).first(where: { isService($0.1) }) {
      return "the service \(word.1)"
    }
    // A member of a value may have such a name; an enumeration's case has it after a space or a bracket.
    let cases = code.matches(of: /(?:^|[^\w)\]}?!"])\.(\w+)\b(?!\()/)
    return cases.map { String($0.1) }.first { collections.contains($0) || self.cases.contains($0) }
      .map { "the collection or value .\($0)" }
  }

  /// The first module or type of a domain in a line of code, unless it is the domain `home`.
  func moduleOrType(in line: String, home: String?) -> String? {
    if let module = line.firstMatch(of: /\bimport\s+(\w+)/)?.1,
      // “HabitTables” is a module of “Habits”.
      let service = services.first(where: {
        $0 != home && module.hasPrefix($0.hasSuffix("s") ? $0.dropLast() : $0[...])
      })
    {
      return "the module \(module) of \(service)"
    }
    let code = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "")
    let type = code.matches(of: /\b[A-Z]\w*/).first { types[String($0.0)].map { $0 != home } ?? false }
    return type.map { "the type \($0.0)" }
  }

  private func isService(_ name: Substring) -> Bool { services.contains { $0.lowercased() == name.lowercased() } }
}
