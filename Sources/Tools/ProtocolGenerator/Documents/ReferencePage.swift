import JSON
import ProtocolModel

/// The page of a domain.
struct ReferencePage {
  let domain: Domain
  let anchors: Anchors

  var lines: [String] {
    var lines = ["# \(domain.title)", "", "[All domains](\(Anchors.index).md)", "", domain.doc, ""]
    for message in domain.requests { lines += request(message) }
    for message in domain.notifications { lines += notification(message) }
    for type in domain.types { lines += definition(type) }
    lines += offers
    return lines
  }

  /// The domain's day measures, entry kinds and agenda section.
  private var offers: [String] {
    var lines: [String] = []
    if !domain.measures.isEmpty {
      lines += [
        "## Day measures: \(domain.title)", "", "| Measure | Unit | Meaning | Changes with |", "|---|---|---|---|",
      ]
      lines +=
        domain.measures.map { "| `\($0.name)` | \($0.unit) | \(Self.cell($0.doc)) | \(Self.list($0.events)) |" } + [""]
    }
    if !domain.entries.isEmpty {
      lines += ["## Entries: \(domain.title)", "", "| Kind | Meaning | Example |", "|---|---|---|"]
      lines += domain.entries.map { "| `\($0.name)` | \(Self.cell($0.doc)) | `\($0.example)` |" } + [""]
    }
    if let agenda = domain.agenda {
      lines += ["## Agenda: \(agenda.title)", "", "\(agenda.doc) Changes with \(Self.list(agenda.events)).", ""]
    }
    return lines
  }

  private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  private func request(_ message: Message) -> [String] {
    guard let request = message.request else { return [] }
    var facts = [
      "request, \(message.direction == .serverToClient ? "service → client" : "client → service")",
      request.effect.rawValue,
    ]
    if request.isHeavy { facts.append("heavy") }
    if request.isCancellable { facts.append("cancellable") }
    if request.reportsProgress { facts.append("reports progress") }
    if let item = request.partialItem { facts.append("partial results of `\(item.text)`") }
    if let timeout = request.timeout { facts.append("waits \(timeout) ms for the answer") }
    if let ability = request.requires { facts.append("needs the capability `\(ability)`") }
    if let feature = request.feature { facts.append("needs the premium feature `\(feature)`") }
    if request.whileLocked { facts.append("served while locked") }
    if request.isSensitive { facts.append("never logged") }
    if !request.scope.isEmpty { facts.append("touches " + Self.list(request.scope)) }
    var lines = ["## `\(message.method)`", "", "*\(facts.joined(separator: " · "))*", "", message.doc, ""]
    lines += table("Params", message.params.members)
    if let result = request.resultType {
      lines += table("Result", result.members)
    } else {
      lines += ["Result: \(link(request.result))", ""]
    }
    if !request.errors.isEmpty {
      lines += ["Errors: " + Self.list(request.errors), ""]
    }
    for example in request.examples {
      lines += [
        "\(example.name)\(example.fixture == "empty" ? "" : " (fixture `\(example.fixture)`)"):", "", "```json",
      ]
      lines.append("→ " + json(example.params))
      if let result = example.result { lines.append("← " + json(result)) }
      if let error = example.error { lines.append("← error.data " + json(error)) }
      lines += ["```", ""]
    }
    return lines
  }

  private func notification(_ message: Message) -> [String] {
    let way =
      switch message.direction {
      case .clientToServer: "client → service"
      case .serverToClient: "service → client"
      case .both: "both ways"
      }
    let delivery = message.delivery.map { " · \($0)" } ?? ""
    return ["## `\(message.method)`", "", "*notification, \(way)\(delivery)*", "", message.doc, ""]
      + table("Params", message.params.members)
  }

  private func definition(_ type: TypeDefinition) -> [String] {
    var lines = ["## \(type.name)", "", type.doc, ""]
    if let collection = type.collection { lines += ["*\(Self.facts(collection))*", ""] }
    switch type.kind {
    case .structure(let members): lines += table("Members", members)
    case .enumeration(let values):
      lines += ["| Value (\(type.isOpen ? "open" : "closed")) | Meaning |", "|---|---|"]
      lines += values.map { "| `\($0.name)` | \(Self.cell($0.doc)) |" } + [""]
    }
    return lines
  }

  /// How the entities of a collection are kept.
  private static func facts(_ collection: Collection) -> String {
    var facts = ["kept in `\(collection.name)`\(collection.singleID == nil ? "" : ", one record")"]
    if collection.isDated { facts.append("belongs to a day") }
    if let event = collection.event { facts.append("told of by `\(event)`") }
    switch collection.merging {
    case .whole: facts.append("merged whole")
    case .byMember: facts.append("merged member by member")
    case .byPart(let lists):
      facts.append("merged part by part (\(lists.map { "`\($0.name)` by `\($0.key)`" }.joined(separator: ", ")))")
    case .mirrored: facts.append("only shown on other devices")
    case .never: facts.append("stays on its device")
    }
    if collection.syncPriority < Collection.usualSyncPriority { facts.append("priority \(collection.syncPriority)") }
    return facts.joined(separator: " · ")
  }

  private func table(_ title: String, _ members: [Member]) -> [String] {
    guard !members.isEmpty else { return ["\(title): none", ""] }
    return ["| \(title) | Type | Meaning |", "|---|---|---|"]
      + members.map { member in
        let name = "`\(member.name)`" + (member.isOptional ? " (optional)" : "")
        let type = link(member.form ?? member.type) + (member.isNullable ? " or null" : "") + bounds(member)
        return "| \(name) | \(type) | \(Self.cell(member.doc))\(member.isLocal ? " Stays on its device." : "") |"
      } + [""]
  }

  private func bounds(_ member: Member) -> String {
    var parts: [String] = []
    switch (member.minimum, member.maximum) {
    case (let low?, let high?): parts.append("\(low)…\(high)")
    case (let low?, nil): parts.append("≥ \(low)")
    case (nil, let high?): parts.append("≤ \(high)")
    case (nil, nil): break
    }
    switch (member.minimumLength, member.maximumLength) {
    case (let low?, let high?): parts.append("\(low)…\(high) characters")
    case (nil, let high?): parts.append("≤ \(high) characters")
    case (let low?, nil): parts.append("≥ \(low) characters")
    case (nil, nil): break
    }
    if let scale = member.scale { parts.append("\(scale) decimals") }
    return parts.isEmpty ? "" : " " + parts.joined(separator: ", ")
  }

  private func link(_ type: TypeExpression) -> String {
    switch type {
    case .named(let name): anchors.link(name, .type(name), from: domain.name)
    case .array(let element): "array of \(link(element))"
    case .map(let element): "map of \(link(element))"
    default: type.text
    }
  }

  static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  private func json(_ value: JSONValue) -> String { String(decoding: ReferencePage.shown(value).json, as: UTF8.self) }

  /// An example as sent on the wire: cases double a leading `$`.
  private static func shown(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(text.hasPrefix("$$") ? String(text.dropFirst()) : text)
    case .array(let values): .array(values.map(shown))
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.name, shown($0.value)) }))
    default: value
    }
  }
}
