import JSON
import ProtocolModel

/// What coverage a run, or the union of some, can be asked for.
///
/// Everything the protocol has is demanded, but: what the baseline lists; what only the debug build has, while no debug
/// run is in the union; and what cases that were left out (as they are for a build or a framing that no run of the union
/// is for) mention, since they may be its only cases.
package struct Demand {
  /// The protocol.
  let schema: Schema
  /// Ids of the requirements.
  let requirements: [String]
  /// What need not be covered.
  private var pardoned: Set<CoverageItem>
  /// Names that cases left out mention.
  private var mentioned: Set<String> = []
  /// The builds that ran.
  let builds: Set<String>

  /// The demand on a union of runs of some builds, without the cases left out of all of them.
  package init(suite: Suite, builds: Set<String>, leftOut: [Case]) {
    schema = suite.schema
    requirements = suite.requirements
    pardoned = suite.baseline.items
    self.builds = builds
    for item in leftOut {
      mentioned.formUnion(item.proves)
      for step in item.steps { mention(step) }
    }
  }

  /// The items that are demanded and that nothing covers, in the protocol's order.
  package func unmet(by coverage: Coverage) -> [CoverageItem] {
    Coverage.items(schema, requirements: requirements).filter { item in
      coverage.counts[item] == nil && !isExcused(item)
    }
  }

  /// Whether an item need not be covered here.
  package func isExcused(_ item: CoverageItem) -> Bool {
    if pardoned.contains(item) || mentioned.contains(item.name) { return true }
    return !builds.contains("debug") && schema.debugOnly.contains(item.name)
  }

  /// Notes everything a step names.
  private mutating func mention(_ step: Step) {
    let words: [String] =
      switch step.action {
      case .send(let text), .sendRepeatedly(let text, _): Demand.texts(text)
      case .forbid: []
      default: step.patterns.flatMap { Demand.texts($0) }
      }
    for word in words {
      if let message = schema.requests[word] {
        mentioned.insert(word)
        mention(message.params.members.map(\.type) + [message.request?.result ?? .null])
        if message.request?.reportsProgress == true { mention([.named("WorkProgress")]) }
      } else if let message = schema.notifications[word] {
        mentioned.insert(word)
        mention(message.params.members.map(\.type))
      } else if schema.errors[word] != nil {
        mentioned.insert(word)
        mention([.named("ErrorData")])
      } else if schema.types[word] != nil {
        mention([.named(word)])
      }
    }
  }

  /// Notes types and everything in them.
  private mutating func mention(_ types: [TypeExpression]) {
    for name in types.compactMap(\.reference) where mentioned.insert(name).inserted {
      mention(schema.types[name]?.members.map(\.type) ?? [])
    }
  }

  /// The strings in a text that need not be JSON for every reader.
  private static func texts(_ text: String) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The strings in a pattern.
  private static func texts(_ pattern: Pattern) -> [String] {
    switch pattern {
    case .literal(.string(let text)): [text]
    case .array(let elements, _): elements.flatMap { texts($0) }
    case .object(let members, _): members.flatMap { $0.pattern.map { texts($0) } ?? [] }
    case .type(let type): type.reference.map { [$0] } ?? []
    default: []
    }
  }
}
