import ProtocolModel
import Testing

@Suite("Texts of the protocol")
struct EqualTextTests {
  /// The texts that say the same of differently named things in several domains, and rightly so.
  private static let rightlyEqual: [String: Set<String>] = [
    "A row and its outcome.": ["subscriptionrow", "tablerow"],
    "Centimetres.": ["cm", "height"],
    "Endurance.": ["cardio", "cardiolong"],
    "How active a usual day is.": ["activity", "activitylevel"],
    "How far start-up has come.": ["startup", "startupstate", "state"],
    "How many.": ["count", "failedattempt", "file", "length"],
    "How many charges.": ["charge", "count"],
    "How many there are without the limit.": ["total", "upcomingcount"],
    "ISO 4217, in capitals.": ["code", "currency"],
    "Its name.": ["label", "name", "title"],
    "Its position.": ["order", "position"],
    "Its severity.": ["level", "type"],
    "Kilograms.": ["kg", "startingweight", "weight"],
    "Metres.": ["m", "radiu"],
    "Premium is unlocked.": ["active", "premium"],
    "The cause.": ["reason", "trigger"],
    "The choice.": ["choice", "personality"],
    "The copy.": ["meal", "module", "workout"],
    "The first day.": ["currentfrom", "firstday", "from", "month", "start", "startday"],
    "The last day.": ["end", "endday", "lastday", "to"],
    "The least.": ["least", "low"],
    "The outcome.": ["outcome", "result"],
    "The pace.": ["deficitrate", "pace"],
    "The reason.": ["code", "kind", "message", "reason", "why"],
    "The scheduled workout.": ["scheduled"],
    "The source of the table.": ["format", "habittableformat", "tableformat"],
    "The statistics.": ["overview", "stat"],
    "The user's share of all of them by currency, ascending by code.": ["total", "upcomingtotal"],
    "The year.": ["summary", "year"],
    "What a table's rows are.": ["habittablekind", "tablekind"],
    "When it happened.": ["at", "completedat", "purchasedat"],
    "When it was logged.": ["at", "createdat"],
    "Where that value comes from.": ["currentsource", "prefillsource"],
    "Whether the introduction is complete now.": ["completed", "onboardingcompleted"],
    "Why there is no estimate.": ["estimatorcause", "expenditurereason"],
    "Years.": ["age", "year"],
  ]

  @Test("Differently named things of different domains have different texts, unless the texts are listed")
  func texts() throws {
    let specification = try Specification(files: PackageFiles.sources())
    var uses: [String: Set<Use>] = [:]
    for domain in specification.domains {
      for (name, text) in domain.texts { uses[text, default: []].insert(Use(domain: domain.name, name: plain(name))) }
    }
    var equal: Set<String> = []
    for (text, uses) in uses.sorted(by: { $0.key < $1.key }) {
      let names = Set(uses.map(\.name)).subtracting(["id"])
      guard names.count > 1, Set(uses.map(\.domain)).count > 1, !names.allSatisfy({ says(text, $0) }) else { continue }
      equal.insert(text)
      let unlisted = names.filter { Self.rightlyEqual[text]?.contains($0) != true && !says(text, $0) }.sorted()
      #expect(unlisted.isEmpty, "“\(text)” is the text of \(unlisted) too: \(uses.map { "\($0)" }.sorted())")
    }
    let idle = Set(Self.rightlyEqual.keys).subtracting(equal).sorted()
    #expect(idle.isEmpty, "these are not equal texts any more")
  }

  private struct Use: Hashable {
    let domain: String
    let name: String
  }

  /// A name without what does not change its meaning: `habits/update` and `updates`, `habitId` and `habit`.
  private func plain(_ name: String) -> String {
    var name = name.split(separator: "/").last.map(String.init) ?? name
    for end in ["Ids", "Id"] where name.hasSuffix(end) && name.count > end.count { name.removeLast(end.count) }
    name = name.lowercased()
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }

  /// Whether the last word of a text names it.
  private func says(_ text: String, _ name: String) -> Bool {
    let word = text.lowercased().split { !$0.isLetter }.last.map(String.init) ?? ""
    return word.count > 3 && name.contains(word.hasSuffix("s") ? String(word.dropLast()) : word)
  }
}

extension Domain {
  /// The names of types, members, values and messages, with their texts.
  fileprivate var texts: [(name: String, text: String)] {
    var texts: [(String, String)] = []
    func add(_ type: TypeDefinition) {
      texts += type.members.map { ($0.name, $0.doc) }
      if case .enumeration(let values) = type.kind { texts += values.map { ($0.name, $0.doc) } }
    }
    for type in types {
      texts.append((type.name, type.doc))
      // The values that an enumeration derives have the texts of what they come from.
      if !type.listsCollections, !type.listsMeasures { add(type) }
    }
    for message in requests + notifications {
      texts.append((message.method, message.doc))
      add(message.params)
      message.request?.resultType.map(add)
    }
    return texts
  }
}
