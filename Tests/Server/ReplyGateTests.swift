import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import Testing

@testable import DaybookServer

@Suite("The gate that replies wait at")
struct ReplyGateTests {
  private let pipe: Pipe
  private let inFlight = InFlightTable()
  private let channel: OutputChannel
  private let gate: ReplyGate

  init() throws {
    pipe = try #require(Pipe())
    channel = OutputChannel(descriptor: pipe.writing) {}
    gate = ReplyGate(channel: channel, inFlight: inFlight)
  }

  private func reply(
    _ text: String, _ revision: Int, isRepeatable: Bool = true, start: (@Sendable () -> Void)? = nil
  ) -> ReplyGate.Held {
    ReplyGate.Held(
      revision: revision, frames: Array(text.utf8), message: Array("message \(text)".utf8),
      answered: [(RequestID(lexeme: Array(text.utf8)), .daysGet)], elsewhere: [], isRepeatable: isRepeatable,
      start: start)
  }

  private func hold(_ reply: ReplyGate.Held) -> Bool { gate.hold(reply, at: Instant(milliseconds: 0)) }

  private func sent() -> String {
    pipe.closeWriting()
    return String(decoding: pipe.readAll(), as: UTF8.self)
  }

  @Test("Replies leave in order, each when its revision is on disk")
  func order() {
    gate.begin(at: 4)
    #expect(hold(reply("1", 5)) && hold(reply("2", 5)) && hold(reply("3", 6)) && hold(reply("4", 7)))
    #expect(inFlight.activities.map(\.state) == [.committing, .committing, .committing, .committing])
    gate.open(upTo: 5)
    #expect(gate.openedRevision == 5 && !gate.isEmpty)
    #expect(inFlight.activities.count == 2)
    gate.open(upTo: 7)
    #expect(gate.isEmpty && inFlight.isEmpty)
    #expect(sent() == "1234")
  }

  @Test("What rests on nothing that is under way is not held, unless something before it is")
  func passing() {
    gate.begin(at: 4)
    #expect(!hold(reply("1", 4)))
    #expect(hold(reply("2", 5)))
    #expect(hold(reply("3", 4)), "it must not overtake")
    gate.open(upTo: 5)
    #expect(!hold(reply("4", 5)))
    #expect(sent() == "23")
  }

  @Test("What rests on others' changes waits until these are proven, or is taken back")
  func closing() {
    gate.begin(at: 4)
    #expect(!hold(reply("1", 4)))
    gate.close(at: 4)
    #expect(gate.openedRevision == 3)
    #expect(hold(reply("2", 4)) && gate.holdsReplies)
    gate.open(upTo: 4)
    #expect(gate.isEmpty)
    gate.close(at: 4)
    #expect(hold(reply("3", 4)))
    #expect(gate.takeBack().map(\.message) == [Array("message 3".utf8)])
    gate.begin(at: 4)
    #expect(!hold(reply("4", 4)) && !gate.holdsReplies)
    #expect(sent() == "2")
  }

  @Test("Work that waits at the gate begins when it opens")
  func starting() {
    let started = Notes<Int>()
    #expect(hold(reply("a", 1) { started.add(1) }))
    #expect(hold(reply("b", 2) { started.add(2) }))
    #expect(started.all.isEmpty)
    gate.open(upTo: 1)
    #expect(started.all == [1])
    gate.open(upTo: 9)
    #expect(started.all == [1, 2])
  }

  @Test("What is taken back was not sent, comes in order, and its ids are free again")
  func takingBack() {
    #expect(hold(reply("1", 1)) && hold(reply("2", 2, isRepeatable: false)) && hold(reply("3", 2)))
    gate.open(upTo: 1)
    let held = gate.takeBack()
    #expect(held.map { String(decoding: $0.message, as: UTF8.self) } == ["message 2", "message 3"])
    #expect(held.map(\.isRepeatable) == [false, true])
    #expect(gate.isEmpty && inFlight.isEmpty)
    gate.open(upTo: 2)
    #expect(sent() == "1")
  }

  @Test("Held while another thread opens it, every reply leaves once and in order")
  func racing() async {
    let pipe = pipe
    let gate = gate
    let channel = channel
    let count = 20_000
    Threads.start {
      for revision in 1...count { gate.open(upTo: revision) }
    }
    Threads.start {
      for revision in 1...count {
        let frames = Array("\(revision)\n".utf8)
        let reply = ReplyGate.Held(
          revision: revision, frames: frames, message: [], answered: [], elsewhere: [], isRepeatable: true)
        // Through the channel as the session does: straight to a full pipe, it would overtake what waits there.
        if !gate.hold(reply, at: Instant(milliseconds: 0)) { frames.withUnsafeBytes { channel.send($0) } }
      }
      gate.open(upTo: count)
      channel.flush(within: .max)
      pipe.closeWriting()
    }
    let text = await onThread { String(decoding: pipe.readAll(), as: UTF8.self) }
    #expect(text.split(separator: "\n").compactMap { Int($0) } == Array(1...count))
  }
}
