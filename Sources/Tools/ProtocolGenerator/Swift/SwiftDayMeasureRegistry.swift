import ProtocolModel

/// Emits what domains offer to each other: day measures, agenda sections, entry kinds, and the use of their records.
struct SwiftDayMeasureRegistry {
  let specification: Specification

  var isAny: Bool {
    !specification.domains.allSatisfy { $0.measures.isEmpty && $0.agenda == nil && $0.entries.isEmpty }
  }

  func isOffered(by service: String) -> Bool {
    !measures(of: service).isEmpty || !sections(of: service).isEmpty || !entries(of: service).isEmpty
  }

  func readsEntries(_ service: String) -> Bool { !entries(of: service).isEmpty }

  private func measures(of service: String) -> [DayMeasureDefinition] {
    specification.domains.filter { $0.service == service }.flatMap(\.measures)
  }

  private func sections(of service: String) -> [Domain] {
    specification.domains.filter { $0.service == service && $0.agenda != nil }
  }

  private func records(of service: String) -> [RecordOfferDefinition] {
    specification.domains.filter { $0.service == service }.flatMap(\.recordOffers)
  }

  private func entries(of service: String) -> [EntryKindDefinition] {
    specification.domains.filter { $0.service == service }.flatMap(\.entries)
  }

  // MARK: the declarations

  /// Emits the tables of all measures and sections.
  func emit(into text: inout TextBuilder) {
    text.block("extension DayMeasureRegistry {") { text in
      text.line("/// The declared day measures, in the order of the domain files.")
      text.block("package static let measures: [DayMeasure] = [", closing: "]") { text in
        for domain in specification.domains {
          for measure in domain.measures {
            text.line(
              "DayMeasure(name: .\(measure.name), unit: .\(measure.unit), domain: \"\(domain.name)\", doc: ##\"\(measure.doc)\"##, events: \(list(measure.events))),"
            )
          }
        }
      }
      text.line()
      text.line("/// The names of the agenda's sections, in the order of the domain files.")
      let sections = specification.domains.compactMap { domain in domain.agenda.map { $0.name ?? domain.name } }
      text.line("package static let sections: [String] = \(list(sections))")
      let entries = specification.domains.flatMap(\.entries)
      guard !entries.isEmpty else { return }
      text.line()
      text.line("/// The declared kinds of entries, each with an example, in the order of the domain files.")
      text.block("package static let entryKinds: [(kind: EntryKind, example: String)] = [", closing: "]") { text in
        for entry in entries { text.line("(.\(entry.name), ##\"\(entry.example)\"##),") }
      }
    }
  }

  private func list(_ names: [String]) -> String { "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }

  // MARK: a service

  /// Emits the conformances of a service to its offers.
  func emit(_ service: String, into text: inout TextBuilder) {
    for offer in records(of: service) {
      text.line()
      text.line("/// \(offer.doc)")
      text.line("extension \(service)Service: \(Names.type(offer.name)) {}")
    }
    let measures = measures(of: service)
    if !measures.isEmpty {
      text.line()
      text.line("/// The day measures that the \(service) service computes.")
      text.block("enum \(service)Measure {") { text in
        text.line("case \(measures.map(\.name).joined(separator: ", "))")
        text.line()
        text.line("/// The measure named `name`; nil when this service does not compute it.")
        text.switchBlock("init?(_ name: DayMeasureName) {", over: "name", default: "return nil") { text in
          for measure in measures { text.line("case .\(measure.name): self = .\(measure.name)") }
        }
      }
      text.line()
      text.block("extension \(service)Service: DayMeasureSource {") { text in
        text.block(
          "package func values(\n  of name: DayMeasureName, in days: ClosedRange<CivilDay>, _ context: Context\n) throws(RPCError) -> [DayValue]? {"
        ) { text in
          text.line("guard let measure = \(service)Measure(name) else { return nil }")
          text.line("return try values(of: measure, in: days, context)")
        }
      }
    }
    emitEntries(service, into: &text)
    let sections = sections(of: service)
    guard !sections.isEmpty else { return }
    text.line()
    text.block("extension \(service)Service: AgendaSource {") { text in
      text.block(
        "package func agenda(\n  of days: ClosedRange<CivilDay>, only names: [String]?, _ context: Context\n) throws(RPCError) -> [AgendaSection] {"
      ) { text in
        text.line("var sections: [AgendaSection] = []")
        for domain in sections {
          guard let agenda = domain.agenda else { continue }
          let name = agenda.name ?? domain.name
          text.block("if names?.contains(\"\(name)\") != false {") { text in
            text.line("let part = try \(Names.function(name))Agenda(of: days, context)")
            text.line(
              "sections.append(AgendaSection(part, domain: \"\(name)\", title: ##\"\(agenda.title)\"##, events: \(list(agenda.events))))"
            )
          }
        }
        text.line("return sections")
      }
    }
  }

  private func emitEntries(_ service: String, into text: inout TextBuilder) {
    let entries = entries(of: service)
    guard !entries.isEmpty else { return }
    text.line()
    text.block("extension \(service)Service: EntrySource {") { text in
      text.switchBlock(
        "package func readings(\n  _ line: EntryLine, as kind: EntryKind, on day: CivilDay, _ context: Context\n) throws(RPCError) -> [EntryCandidate]? {",
        over: "kind", default: "return nil"
      ) { text in
        for entry in entries {
          text.line("case .\(entry.name): return try \(entry.name)Readings(line, on: day, context)")
        }
      }
    }
  }

  // MARK: the services

  /// Emits the offers of all services.
  func emitOffers(into text: inout TextBuilder) {
    let services = SwiftAnswerers(specification: specification, kind: .service).names
    func list(_ isOne: (String) -> Bool) -> String {
      "[" + services.filter(isOne).map(Names.function).joined(separator: ", ") + "]"
    }
    text.line("/// What the services offer each other.")
    text.line("let offers: DayMeasureRegistry")
    text.line()
    text.block("init() {") { text in
      let uses = services.flatMap { service in
        records(of: service).map { "\($0.name): \(service)Service.self" }
      }
      let readers = list { !entries(of: $0).isEmpty }
      let sources = services.filter { isOffered(by: $0) }.map(Names.function)
      if !sources.isEmpty {
        text.line("// The lists are made when somebody asks.")
        text.line(
          "let (\(sources.joined(separator: ", "))) = (\(sources.map { "self.\($0)" }.joined(separator: ", ")))")
      }
      text.line(
        "offers = DayMeasureRegistry(measures: \(list { !measures(of: $0).isEmpty }), agenda: \(list { !sections(of: $0).isEmpty })\(readers == "[]" ? "" : ", entries: \(readers)"), records: RecordOffers(\(uses.sorted().joined(separator: ", "))))"
      )
    }
  }
}
