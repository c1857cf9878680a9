import ProtocolGenerator
import ProtocolModel
import Testing

/// The output of `protocol-gen --diff` for each kind of change.
struct ComparisonTests {
  /// The protocol of this package, and the toy protocol.
  @Test("A protocol compared with itself gives nothing")
  func same() throws {
    for files in [try PackageFiles.sources(), ToyProtocol.files()] {
      let comparison = try Comparison(old: files, new: files)
      #expect(comparison.breaking == [])
      #expect(comparison.additions == [])
    }
  }

  @Test("An older version may have names of forms that are no longer allowed")
  func oldNames() throws {
    let old = ToyProtocol.files(#""name": "lengthMs""#, #""name": "length""#)
    let comparison = try Comparison(old: old, new: ToyProtocol.files())
    #expect(comparison.breaking.contains("ToysSingParams.length was removed"))
    #expect(throws: SpecificationError.self) { try Comparison(old: ToyProtocol.files(), new: old) }
  }

  @Test(
    "A change that clients may not survive is breaking",
    arguments: [
      (
        #""name": "age", "type": "int", "minimum": 0, "maximum": 18, "optional": true"#,
        #""name": "age", "type": "int", "minimum": 0, "maximum": 18"#,
        ["Toy.age is required now"]
      ),
      (#""nullable": true, "doc": "Its colour.""#, #""doc": "Its colour.""#, ["Toy.colour may no longer be null"]),
      (#""maximum": 18"#, #""maximum": 17"#, ["Toy.age allows less than before"]),
      (#""minimum": 0, "maximum": 18"#, #""minimum": 1, "maximum": 18"#, ["Toy.age allows less than before"]),
      (#""minLength": 1"#, #""minLength": 2"#, ["Toy.name allows less than before"]),
      (#""maxLength": 20"#, #""maxLength": 19"#, ["Toy.name allows less than before"]),
      (#""scale": 2"#, #""scale": 1"#, ["Toy.price allows less than before"]),
      (
        #""type": "bool", "optional": true"#, #""type": "bool", "optional": true, "nullable": true"#,
        ["Toy.default may be null now"]
      ),
      (#""type": "instant""#, #""type": "instant", "optional": true"#, ["Box.packed may be absent now"]),
      (#""type": "instant""#, #""type": "date""#, ["Box.packed is date instead of instant"]),
      (
        #"{"name": "labels", "type": "map<string>", "optional": true, "doc": "What stands on it."},"#, "",
        ["Box.labels was removed"]
      ),
      (
        #"{"name": "day", "type": "date", "optional": true, "doc": "The day."},"#, "", ["ToysAddParams.day was removed"]
      ),
      (
        #"{"name": "day", "type": "date", "optional": true,"#, #"{"name": "day", "type": "date","#,
        ["ToysAddParams.day is required now"]
      ),
      (
        #"takes its time.", "params": []"#,
        #"takes its time.", "params": [{"name": "of", "type": "Colour", "doc": "Which."}]"#,
        ["ToysCountParams.of is new and required"]
      ),
      (
        #""params": [{"name": "token", "type": "token", "doc": "Chosen by the client."}, {"name": "force", "type": "number", "doc": "How hard."}]"#,
        #""params": []"#, ["ShakeParams.token was removed", "ShakeParams.force was removed"]
      ),
      (#", {"name": "blue", "doc": "As the sea."}"#, "", ["Colour has lost the value blue"]),
      (
        #"{"name": "blue", "doc": "As the sea."}"#,
        #"{"name": "blue", "doc": "As the sea."}, {"name": "pink", "doc": "."}"#,
        ["Colour, a closed enum, has the new value pink"]
      ),
      (#""open": true, "#, "", ["Mood is closed now"]),
      (#""method": "toys/count""#, #""method": "toys/number""#, ["toys/count was removed"]),
      (
        #""method": "toys/add", "direction": "clientToServer""#, #""method": "toys/add", "direction": "both""#,
        ["toys/add has the opposite direction"]
      ),
      (#""result": "int""#, #""result": "number""#, ["toys/count has another result"]),
      (
        #""effect": "write", "scope": ["toys"], "whileLocked""#,
        #""effect": "session", "scope": ["toys"], "whileLocked""#,
        ["toys/lend has the effect session"]
      ),
      (#""effect": "read","#, #""effect": "read", "requires": "sounds","#, ["toys/count needs the capability sounds"]),
      (#""code": 1000"#, #""code": 1002"#, ["error boxFull has the code 1002 instead of 1000"]),
      (#""feature": "lending""#, #""feature": "giving""#, ["toys/lend needs the feature giving"]),
      (#""whileLocked": true,"#, "", ["toys/lend is no longer served while locked"]),
    ] as [(String, String, [String])])
  func breaking(_ old: String, _ new: String, _ lines: [String]) throws {
    let comparison = try Comparison(old: ToyProtocol.files(), new: ToyProtocol.files(old, new))
    #expect(comparison.breaking == lines)
  }

  @Test(
    "A removal is breaking one way and an addition the other",
    arguments: [
      (
        #"{"name": "Mood", "kind": "enum", "open": true, "doc": "How a toy feels.", "values": [{"name": "glad", "doc": "Well."}]},"#,
        #"{"name": "mood", "type": "Mood""#, #"{"name": "mood", "type": "string""#, "type Mood"
      ),
      (
        #"{"name": "boxFull", "code": 1000, "retry": "afterFix", "when": "The box is full."}, "#, #"["boxFull"]"#, "[]",
        "error boxFull"
      ),
    ])
  func gone(_ definition: String, _ use: String, _ instead: String, _ what: String) throws {
    var without = ToyProtocol.files(definition, "")
    let text = String(decoding: without["domains/toy.json"] ?? [], as: UTF8.self)
    without["domains/toy.json"] = Array(text.split(separator: use, maxSplits: 1).joined(separator: instead).utf8)
    #expect(try Comparison(old: ToyProtocol.files(), new: without).breaking.contains("\(what) was removed"))
    #expect(try Comparison(old: without, new: ToyProtocol.files()).additions.contains("\(what) is new"))
  }

  @Test("A removed capability is breaking, a new one an addition")
  func capabilities() throws {
    let more = ToyProtocol.files(
      #"{"name": "sounds""#, #"{"name": "smells", "side": "client", "doc": "."}, {"name": "sounds""#, inRoot: true)
    #expect(try Comparison(old: more, new: ToyProtocol.files()).breaking == ["capability smells was removed"])
    #expect(try Comparison(old: ToyProtocol.files(), new: more).additions == ["capability smells is new"])
  }

  @Test("Params that no longer accept unknown members are breaking")
  func lenient() throws {
    let lenient = ToyProtocol.files(#""doc": "Shakes the box.","#, #""doc": "Shakes the box.", "lenient": true,"#)
    #expect(
      try Comparison(old: lenient, new: ToyProtocol.files()).breaking == ["ShakeParams refuses unknown members now"])
    #expect(try Comparison(old: ToyProtocol.files(), new: lenient).breaking == [])
  }

  @Test(
    "A change that clients do not notice is an addition, or nothing",
    arguments: [
      (
        #"{"name": "packed""#, #"{"name": "weight", "type": "int", "doc": "."}, {"name": "packed""#,
        ["Box.weight is new"]
      ),
      (
        #"{"name": "zone""#, #"{"name": "hour", "type": "int", "optional": true, "doc": "."}, {"name": "zone""#,
        ["ToysAddParams.hour is new"]
      ),
      (
        #"takes its time.", "params": []"#,
        #"takes its time.", "params": [{"name": "of", "type": "Colour", "optional": true, "doc": "."}]"#,
        ["ToysCountParams.of is new"]
      ),
      (
        #"{"name": "glad", "doc": "Well."}"#, #"{"name": "glad", "doc": "Well."}, {"name": "sad", "doc": "."}"#,
        ["Mood has the new value sad"]
      ),
      (
        #""result": "int", "errors": []"#, #""result": "int", "errors": ["boxFull"]"#, ["toys/count may answer boxFull"]
      ),
      (#""maximum": 18"#, #""maximum": 99"#, []), (#""doc": "A toy.""#, #""doc": "Any toy.""#, []),
      (#""feature": "lending", "#, "", []), (#""sensitive": true, "#, "", []),
      (#""scale": 2"#, #""scale": 3"#, []), (#""minLength": 1, "#, "", []),
    ] as [(String, String, [String])])
  func additions(_ old: String, _ new: String, _ lines: [String]) throws {
    let comparison = try Comparison(old: ToyProtocol.files(), new: ToyProtocol.files(old, new))
    #expect(comparison.breaking == [])
    #expect(comparison.additions == lines)
  }
}
