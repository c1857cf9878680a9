import JSON
import Spawning

/// Puts into a store what a case may find there, by a process of its own on the same folder.
struct Fixture {
  /// The protocol.
  let schema: Schema
  /// How the service is started.
  let launch: Launch

  /// Sends the requests, each of which has to succeed; without any, a process is started only if a folder is needed.
  func apply(_ requests: [String], data: String, isNeeded: Bool = false) throws(PlayFailure) {
    guard isNeeded || !requests.isEmpty else { return }
    var conversation = Conversation(schema: schema)
    do throws(WireError) {
      // With a seed of its own: with the case's, both processes would make the same identities.
      let service = try launch.start(data: data, framing: .newline, seed: 2, further: ["--no-handshake"])
      for text in requests {
        conversation.ledger.note(text: text)
        try service.write(WireFraming.newline.framed(text))
      }
      service.closeInput()
      var answers = 0
      while let bytes = try service.next("the answers to the fixture's requests") {
        let message = try Incoming.value(bytes)
        do throws(Mismatch) { try conversation.receive(message) } catch {
          throw .unlawful("not lawful: \(error)\n\(PrettyText.full(message))")
        }
        guard case .object(let object) = message, object["method"] == nil else { continue }
        guard object["result"] != nil else { throw .unlawful("a request was refused: \(PrettyText.full(message))") }
        answers += 1
      }
      let end = try service.waitForEnd()
      guard answers == requests.count, end == .exited(0) else {
        throw .system(
          "\(answers) answers to \(requests.count) requests, \(end): \(Incoming.tail(service.complaints))")
      }
    } catch { throw PlayFailure(error, "the fixture: ") }
  }
}

/// What comes from the service.
enum Incoming {
  /// The value of a message's bytes.
  static func value(_ bytes: [UInt8]) throws(WireError) -> JSONValue {
    do throws(JSONError) { return try JSONValue(json: bytes) } catch {
      throw .noMessage("\(error): “\(String(decoding: bytes.prefix(200), as: UTF8.self))”")
    }
  }

  /// The end of what it complained.
  static func tail(_ complaints: [UInt8]) -> String {
    Words.trimmed(String(decoding: complaints.suffix(500), as: UTF8.self))
  }
}
