import Conformance
import Foundation
import JSON
import ProtocolGenerator
import ProtocolModel
import Testing

/// Values against declared types.
struct SchemaTests {
  /// The first place where a note is not a note; nil when it is one.
  private func fault(_ members: String) throws -> String? {
    var validator = SchemaValidator(schema: try Toy.schema())
    let value = try Toy.json(#"{"id":"11111111-1111-4111-8111-111111111111","text":"Tea""# + members + "}")
    do throws(Mismatch) { try validator.check(value, .named("Note"), at: "") } catch { return error.pointer }
    return nil
  }

  @Test(
    "A value of the type is one",
    arguments: [
      "", #","level":null"#, #","level":"low""#, #","weight":"10""#, #","weight":"0.25""#, #","weight":"10.00""#,
      #","count":9.0"#,
      #","restMs":0"#, #","ratio":1.5e3"#, #","token":"a","any":null"#, #","token":7"#, #","day":"2200-12-31""#,
      #","hour":"00:00""#, #","hour":"23:59""#,
      #","at":"2026-01-05T12:00:00.999Z""#, #","zone":"America/Argentina/Buenos_Aires""#, #","any":[{}]"#,
      #","named":{"a":1,"b":2}"#,
      #","parts":[{"id":"11111111-1111-4111-8111-111111111112","text":"🍛🍛🍛🍛🍛"}]"#,
    ])
  func good(_ members: String) throws {
    #expect(try fault(members) == nil)
  }

  @Test(
    "A value of another type is none, and the place is told",
    arguments: [
      (#","colour":1"#, "/colour"), (#","level":"middle""#, "/level"), (#","level":1"#, "/level"),
      (#","weight":null"#, "/weight"),
      (#","weight":3"#, "/weight"), (#","weight":"10.01""#, "/weight"), (#","weight":"-0.1""#, "/weight"),
      (#","weight":"1.234""#, "/weight"),
      (#","weight":"01""#, "/weight"), (#","weight":".5""#, "/weight"), (#","weight":"5.""#, "/weight"),
      (#","weight":"1e1""#, "/weight"),
      (#","count":10"#, "/count"), (#","count":-1"#, "/count"), (#","count":1.5"#, "/count"),
      (#","count":"1""#, "/count"),
      (#","restMs":-1"#, "/restMs"), (#","restMs":9007199254740992"#, "/restMs"), (#","ratio":"1""#, "/ratio"),
      (#","ratio":1e999"#, "/ratio"),
      (#","token":1.5"#, "/token"), (#","token":null"#, "/token"), (#","day":"2201-01-01""#, "/day"),
      (#","hour":"24:00""#, "/hour"), (#","hour":"07:60""#, "/hour"), (#","hour":"7:30""#, "/hour"),
      (#","hour":"07:30:00""#, "/hour"), (#","hour":730"#, "/hour"),
      (#","at":"2026-01-05""#, "/at"),
      (#","zone":"""#, "/zone"), (#","zone":"a//b""#, "/zone"), (#","named":{"a":"1"}"#, "/named/a"),
      (#","parts":{}"#, "/parts"),
      (#","parts":[{"id":"1","text":"a"}]"#, "/parts/0/id"),
    ])
  func bad(_ members: String, _ pointer: String) throws {
    #expect(try fault(members) == pointer)
  }

  @Test("Missing members, lengths and identities are looked at")
  func shape() throws {
    var validator = SchemaValidator(schema: try Toy.schema())
    for (text, pointer) in [
      (#"{"text":"Tea"}"#, "/id"), (#"{"id":"11111111-1111-4111-8111-111111111111","text":""}"#, "/text"),
      (#"{"id":"11111111-1111-4111-8111-111111111111","text":"coffee"}"#, "/text"), ("[]", ""), ("null", ""),
    ] {
      let value = try Toy.json(text)
      let error = #expect(throws: Mismatch.self) { try validator.check(value, .named("Note"), at: "") }
      #expect(error?.pointer == pointer)
    }
  }

  @Test("Every sample is judged as it says")
  func samples() throws {
    let folder = Place.root + "/Protocol"
    let schema = try Suite.schema(folder)
    var files: [String: [UInt8]] = [:]
    for path in Files.paths(below: folder, ending: ".json") where path == "protocol.json" || path.hasPrefix("domains/")
    {
      files[path] = Files.read(folder + "/" + path)
    }
    let samples = try Sample.all(files: files)
    #expect(samples.count > 5000)
    for sample in samples {
      let (type, value) = (try #require(schema.types[sample.type]), try JSONValue(json: sample.json))
      var validator = SchemaValidator(schema: schema)
      guard let pointer = sample.pointer, let why = sample.why else {
        #expect(throws: Never.self, "\(sample.type)") { try validator.check(value, .named(sample.type), at: "") }
        continue
      }
      // Open enumerations may gain values, and what the service says is not trimmed.
      if why == "unknown value", Self.isOpen(pointer, type, schema) { continue }
      if why == "nothing but white space" { continue }
      if type.isLenient, why == "unknown member" { continue }
      #expect(throws: Mismatch.self, "\(sample.type): \(why)") {
        try validator.check(value, .named(sample.type), at: "")
      }
    }
  }

  /// Whether the value at a sample's place is of an open enumeration.
  private static func isOpen(_ pointer: String, _ type: TypeDefinition, _ schema: Schema) -> Bool {
    guard let name = pointer.split(separator: "/").first else { return type.isOpen }
    let member = type.members.first { $0.name == name }
    return member?.type.reference.flatMap { schema.types[$0] }?.isOpen ?? false
  }
}
