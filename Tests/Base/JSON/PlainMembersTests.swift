import Testing

@testable import JSON

@Suite("The members of an object, found without reading it")
struct PlainMembersTests {
  private static let documents: [String] = [
    #"{"id":"5be80d6b","day":"2026-01-05","name":"Oat \"bowl\" \\ é 😀","calories":350,"protein":"12.50","tags":["a]","}"]}"#,
    #"{"calories":0,"estimate":{"low":1,"note":"{\"}","items":[[],{}]},"done":true,"none":null,"x":-1.5e-3}"#,
    #"{}"#, #"{"a":""}"#,
  ]

  /// The members found; nil when it gives up.
  private func members(_ bytes: [UInt8]) -> [JSONMember]? {
    bytes.withUnsafeBytes { text in
      var members = PlainMembers(text)
      var found: [JSONMember] = []
      while let member = members.next() {
        guard let value = try? JSONValue(json: member.value) else { return nil }
        found.append(JSONMember(name: String(decoding: member.name, as: UTF8.self), value: value))
      }
      return members.isWhole ? found : nil
    }
  }

  @Test("In our own texts, members agree with a reader's", arguments: documents)
  func whole(_ text: String) throws {
    guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else { return }
    let found = try #require(members(Array(text.utf8)))
    #expect(found == object.members.map { JSONMember(name: $0.name, value: $0.value) })
  }

  @Test(
    "On texts unlike ours, it gives up",
    arguments: [
      "", " {}", "{} ", "[]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a" :1}"#, #"{"a\n":1}"#,
      #"{"a":"b"#, #"{"a":"b\"#, #"{"a":[1}"#, #"{"a":1}}"#, #"{"a":1 ,"b":2}"#,
    ])
  func givesUp(_ text: String) { #expect(members(Array(text.utf8)) == nil) }

  @Test("A hundred thousand mutated texts trap nothing, and members of good ones agree with a reader's")
  func mutations() {
    var random = SeededRandom(seed: 5)
    for round in 0..<100_000 {
      var bytes = Array(PlainMembersTests.documents[round % 2].utf8)
      for _ in 0...Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[at] = Array(#"{}[]",:\1"#.utf8).randomElement(using: &random) ?? 0
        case 2: bytes.remove(at: at)
        default: bytes.removeLast(bytes.count - at)
        }
      }
      guard let found = members(bytes), case .object(let object)? = try? JSONValue(json: bytes) else { continue }
      if found != object.members.map({ JSONMember(name: $0.name, value: $0.value) }) {
        Issue.record("\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test(
    "Only plain integers are read as integers",
    arguments: [
      ("0", 0), ("-7", -7), ("20000", 20000), ("999999999999999999", 999_999_999_999_999_999), ("01", nil), ("-", nil),
      ("1.0", nil), ("1e3", nil), ("true", nil), ("1234567890123456789", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ expected: Int?) {
    Array("{\"n\":\(text)}".utf8).withUnsafeBytes { text in
      var members = PlainMembers(text)
      #expect(members.next()?.integer == expected)
    }
  }
}

private struct JSONMember: Equatable {
  let name: String
  let value: JSONValue
}
