import JSON
import ProtocolModel
import Testing

/// Plain requests and events declare only their differences; the rest follows from their collection.
struct PlainMessageTests {
  private static let domain = """
    {
      "domain": "toy", "title": "Moods", "doc": "How one feels.", "service": "Feeling",
      "types": [
        {"name": "Mood", "kind": "struct", "stored": true, "doc": "A mood.",
          "collection": {"name": "moods", "noun": "mood", "plural": "moods", "member": "mood", "dated": true, "event": "moodsChanged"},
          "members": [
            {"name": "id", "type": "id", "doc": "Its identity."},
            {"name": "day", "type": "date", "doc": "Its day."},
            {"name": "zone", "type": "timezone", "doc": "The zone."},
            {"name": "score", "type": "int", "minimum": 1, "maximum": 5, "doc": "How good."},
            {"name": "note", "type": "string", "trim": true, "optional": true, "doc": "Why."},
            {"name": "streak", "type": "int", "made": true, "doc": "Made here."},
            {"name": "createdAt", "type": "instant", "doc": "When."},
            {"name": "updatedAt", "type": "instant", "doc": "When."}]},
        {"name": "Origin", "kind": "enum", "doc": "Who.", "values": [{"name": "me", "doc": "I."}]},
        {"name": "EntityChange", "kind": "struct", "doc": "A change.", "members": [{"name": "id", "type": "id", "doc": "It."}]}
      ],
      "requests": [
        {"method": "moods/add", "plain": true, "examples": [{"name": "A", "params": {}, "result": {}}]},
        {"method": "moods/update", "plain": true, "examples": [{"name": "A", "params": {}, "result": {}}]},
        {"method": "moods/delete", "plain": true, "examples": [{"name": "A", "params": {}, "result": {}}]},
        {"method": "moods/get", "plain": true, "examples": [{"name": "A", "params": {}, "result": {}}]},
        {"method": "moods/list", "plain": true, "examples": [{"name": "A", "params": {}, "result": {}}]}
      ],
      "notifications": [{"method": "moodsChanged", "plain": true}],
      "errors": ERRORS
    }
    """

  private static let errors = [
    "serverNotInitialized", "invalidParams", "notFound", "conflict", "storeBusy", "storeReadOnly", "diskFull",
    "storeUnavailable",
  ]

  private func specification(
    _ old: String = "", _ new: String = ""
  ) throws(SpecificationError) -> Specification {
    let list = Self.errors.enumerated()
      .map { #"{"name": "\#($1)", "code": \#(1000 + $0), "retry": "never", "when": "Now."}"# }.joined(separator: ", ")
    let changed = old.isEmpty ? Self.domain : Self.domain.replacing(old, with: new)
    let text = changed.replacing("ERRORS", with: "[\(list)]")
    var files = ToyProtocol.files()
    files["domains/toy.json"] = Array(text.utf8)
    return try Specification(files: files)
  }

  private static let origin = #"{"name": "Origin", "kind": "enum", "doc": "Who.", "values""#
  private static let groups = #"{"name": "Origin", "kind": "enum", "doc": "Who.", "collections": true, "values""#

  @Test("An enumeration of the groups of events has the collections before its own values")
  func groups() throws {
    let type = try #require(try specification(Self.origin, Self.groups).type(named: "Origin"))
    guard case .enumeration(let values) = type.kind else { throw SpecificationError("Origin", "is no enumeration") }
    #expect(values.map(\.name) == ["moods", "me"] && values.map(\.doc) == ["Moods.", "I."])
  }

  @Test("The group of an event is one that there is", arguments: [("me", true), ("moods", true), ("you", false)])
  func group(_ name: String, _ isThere: Bool) throws {
    let event =
      #"{"method": "told", "direction": "serverToClient", "delivery": "state", "group": "\#(name)", "doc": "It.", "params": []}, "#
    let changed = Self.domain.replacing(Self.origin, with: Self.groups)
      .replacing(#""notifications": ["#, with: #""notifications": ["# + event)
    func read() throws { _ = try specification(Self.domain, changed) }
    if isThere { try read() } else { #expect(throws: SpecificationError.self) { try read() } }
  }

  @Test(
    "The params follow from the entity",
    arguments: [
      ("moods/add", ["id?", "day?", "score", "note?"]),
      ("moods/update", ["id", "revision?", "day?", "score?", "note?!"]),
      ("moods/delete", ["id", "revision?"]), ("moods/get", ["id"]),
      ("moods/list", ["day?", "from?", "to?", "limit?", "cursor?"]),
    ])
  func params(_ method: String, _ expected: [String]) throws {
    let message = try #require(try specification().requests.first { $0.method == method })
    let members = message.params.members.map { $0.name + ($0.isOptional ? "?" : "") + ($0.isNullable ? "!" : "") }
    #expect(members == expected)
    #expect(message.plainVerb != nil)
  }

  @Test("White space is removed from what clients send, and not from what is stored")
  func trimming() throws {
    let specification = try specification()
    let add = try #require(specification.requests.first { $0.method == "moods/add" })
    #expect(add.params.members.first { $0.name == "note" }?.isTrimmed == true)
    #expect(specification.type(named: "Mood")?.members.first { $0.name == "note" }?.isTrimmed == false)
  }

  @Test("Params of its own take the place of the content, and what is described differently is not generated")
  func own() throws {
    let method = #""moods/list", "plain": true,"#
    let own = #""moods/list", "plain": true, "params": [{"name": "score", "type": "int", "doc": "Of these only."}],"#
    let list = try #require(try specification(method, own).requests.first { $0.method == "moods/list" })
    #expect(list.params.members.map(\.name) == ["day", "from", "to", "limit", "cursor", "score"])
    #expect(list.plainVerb == nil && list.plainMethod == .list)
    let byHand = try specification(#""moods/add", "plain": true"#, #""moods/add", "plain": "byHand""#)
    let add = try #require(byHand.requests.first { $0.method == "moods/add" })
    #expect(add.params.members.map(\.name) == ["id", "day", "score", "note"])
    #expect(add.plainVerb == nil)
  }

  @Test("The event tells of changes")
  func event() throws {
    let event = try #require(try specification().notifications.first)
    #expect(event.params.members.map(\.name) == ["revision", "origin", "changes"])
    #expect(event.delivery == "state" && event.doc == "Moods changed.")
  }

  @Test(
    "A plain message without its collection is a mistake",
    arguments: [
      (#""moods/add", "plain": true"#, #""feelings/add", "plain": true"#),
      (#""moods/add", "plain": true"#, #""moods/tell", "plain": true"#),
      (#""method": "moodsChanged""#, #""method": "moodsMoved""#),
    ])
  func mistakes(_ old: String, _ new: String) {
    #expect(throws: SpecificationError.self) { try specification(old, new) }
  }
}
