import Conformance
import Foundation
import JSON
import Testing

/// The examples of the domain files as cases.
struct ExampleTests {
  /// The cases of the toy protocol, in whose example of a note some text is put.
  private func cases(_ more: String) throws -> [Case] {
    let folder = try #require(Files.temporaryFolder())
    defer { Files.remove(folder) }
    for (path, text) in Toy.files {
      let changed = text.replacingOccurrences(
        of: #"{"name":"A note","session":"none","#, with: #"{"name":"A note",\#(more)"#)
      #expect(Files.put(Array(changed.utf8), path, below: folder))
    }
    #expect(Files.put(Array("# Nothing.\n".utf8), "cases/fixtures/empty.rpc", below: folder))
    return try Suite(folder: folder).cases
  }

  @Test("An example says what the client can do, and for which build it holds")
  func surroundings() throws {
    let cases = try cases(#""build":"release","capabilities":{"confirm":{}},"#)
    let note = try #require(cases.first { $0.name == "example notes/add “A note”" })
    #expect(note.build == .release && note.session == .initialized)
    #expect(note.capabilities == JSONObject([("confirm", .object(JSONObject()))]))
    let hello = try #require(cases.first { $0.name == "example initialize “Hello”" })
    #expect(hello.build == .any && hello.capabilities.members.isEmpty)
    #expect(cases.first { $0.name.contains("debug/fail") }?.build == .debug)
  }

  @Test(
    "An example that no handshake or build can be had for is refused",
    arguments: [#""build":"fast","#, #""capabilities":[],"#, #""session":"none","capabilities":{},"#])
  func refused(_ more: String) {
    #expect(throws: CaseError.self) { try cases(more) }
  }
}
