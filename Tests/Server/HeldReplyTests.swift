import DaybookProtocol
import JSONRPC
import Platform
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Held replies")
struct HeldReplyTests {
  private let pipe: Pipe
  private let channel: OutputChannel
  private let traffic: Traffic
  private let releases = Notes<Int>()

  init() throws {
    Signals.ignoreBrokenPipes()
    pipe = try #require(Pipe())
    channel = OutputChannel(descriptor: pipe.writing) {}
    traffic = Traffic(channel: channel) { [releases] in releases.add(0) }
  }

  private func reply(
    _ text: String, _ revision: Int, note: Int = 0, isRepeatable: Bool = true, start: (@Sendable () -> Void)? = nil
  ) -> TrafficState.Reply {
    TrafficState.Reply(
      revision: revision, note: note, frames: OutgoingPieces(Array(text.utf8)), message: Array("message \(text)".utf8),
      answered: [(RequestID(lexeme: Array(text.utf8)), .daysGet)], deferred: [], isRepeatable: isRepeatable,
      start: start)
  }

  private func hold(_ reply: TrafficState.Reply) -> Bool { traffic.hold(reply, at: Instant(milliseconds: 0)) }

  private func takenBack() -> [TrafficState.Reply] {
    var replies: [TrafficState.Reply] = []
    traffic.withdraw { reply in
      #expect(!traffic.hasNoReplies && !traffic.isQuiet, "it is not answered yet")
      replies.append(reply)
    }
    return replies
  }

  private func sent() -> String {
    pipe.closeWriting()
    return String(decoding: pipe.readAll(), as: UTF8.self)
  }

  @Test("Replies leave in order, each when its revision is durable")
  func order() {
    traffic.begin(at: 4)
    #expect(hold(reply("1", 5)) && hold(reply("2", 5)) && hold(reply("3", 6)) && hold(reply("4", 7)))
    #expect(traffic.activities.map(\.state) == [.committing, .committing, .committing, .committing])
    traffic.open(upTo: 5)
    #expect(traffic.releasedRevision == 5 && !traffic.hasNoReplies)
    #expect(traffic.activities.count == 2)
    traffic.open(upTo: 7)
    #expect(traffic.hasNoReplies && traffic.hasNoRequests)
    #expect(sent() == "1234")
  }

  @Test("A reply that depends on nothing in flight is not held, unless an earlier reply is")
  func passing() {
    traffic.begin(at: 4)
    #expect(!hold(reply("1", 4)))
    #expect(hold(reply("2", 5)))
    #expect(hold(reply("3", 4)), "it must not overtake")
    traffic.open(upTo: 5)
    #expect(!hold(reply("4", 5)))
    #expect(sent() == "23")
  }

  @Test("A reply that waits for a note alone does not wait for a store that was replaced")
  func replacement() {
    traffic.begin(at: 4)
    #expect(hold(reply("1", 4, note: 1)))
    traffic.begin(at: 0)
    #expect(traffic.holdsReplies, "the note is not written")
    #expect(hold(reply("2", 1)))
    traffic.open(notes: 1)
    #expect(traffic.activities.count == 1, "the other one waits for the new store")
    traffic.open(upTo: 1)
    #expect(sent() == "12")
  }

  @Test("A reply that depends on others' changes waits until these are proven durable, or is withdrawn")
  func closing() {
    traffic.begin(at: 4)
    #expect(!hold(reply("1", 4)))
    traffic.close(at: 4)
    #expect(traffic.releasedRevision == 3)
    #expect(hold(reply("2", 4)) && traffic.holdsReplies)
    traffic.open(upTo: 4)
    #expect(traffic.hasNoReplies)
    traffic.close(at: 4)
    #expect(hold(reply("3", 4)))
    #expect(takenBack().map(\.message) == [Array("message 3".utf8)])
    traffic.begin(at: 4)
    #expect(!hold(reply("4", 4)) && !traffic.holdsReplies)
    #expect(sent() == "2")
  }

  @Test("A reply that depends on a revision and a note leaves when it has both, and later replies leave after it")
  func notes() {
    traffic.begin(at: 4)
    #expect(!hold(reply("1", 4)), "it rests on no note")
    #expect(hold(reply("2", 5, note: 1)) && hold(reply("3", 4)))
    traffic.open(notes: 1)
    #expect(traffic.releasedNote == 1 && traffic.holdsReplies)
    traffic.open(upTo: 5)
    #expect(traffic.hasNoReplies && traffic.hasNoRequests)
    #expect(hold(reply("4", 6, note: 2)))
    traffic.open(upTo: 6)
    #expect(traffic.holdsReplies)
    traffic.open(notes: 2)
    #expect(traffic.hasNoReplies && !hold(reply("5", 6, note: 2)))
    #expect(sent() == "234")
  }

  @Test("A reply that waits for a note alone is not withdrawn with lost changes, and leaves first")
  func keeping() {
    traffic.begin(at: 4)
    #expect(hold(reply("1", 4, note: 1)) && hold(reply("2", 4)) && hold(reply("3", 5, note: 1)) && hold(reply("4", 5)))
    #expect(takenBack().map(\.message) == [Array("message 3".utf8), Array("message 4".utf8)])
    #expect(traffic.activities.count == 2 && hold(reply("refused", 4)))
    traffic.open(notes: 1)
    #expect(traffic.hasNoReplies && traffic.hasNoRequests)
    #expect(sent() == "12refused")
  }

  @Test("A reply overtakes events that wait for a note alone, but no reply; events keep their order")
  func passingEvents() {
    traffic.begin(at: 4)
    func event(_ text: String, note: Int, mayBeOvertaken: Bool) -> TrafficState.Reply {
      TrafficState.Reply(
        revision: 4, note: note, frames: OutgoingPieces(Array(text.utf8)), message: [], answered: [], deferred: [],
        isRepeatable: false, mayBeOvertaken: mayBeOvertaken)
    }
    #expect(hold(event("1", note: 1, mayBeOvertaken: true)))
    traffic.send(Array("2".utf8))
    #expect(!hold(reply("0", 4)), "it passes")
    #expect(hold(event("3", note: 0, mayBeOvertaken: false)), "it is an event, of records")
    #expect(hold(reply("4", 4)), "it must not pass that")
    traffic.open(notes: 1)
    #expect(sent() == "1234")
  }

  @Test("A request to the client leaves after the held replies, and at once without any")
  func requests() {
    traffic.begin(at: 4)
    traffic.send(Array("1".utf8))
    #expect(hold(reply("2", 4, note: 1)))
    traffic.send(Array("3".utf8))
    traffic.open(notes: 1)
    #expect(sent() == "123")
  }

  @Test("Work that waits for the disk starts when its revision is durable")
  func starting() {
    let started = Notes<Int>()
    #expect(hold(reply("a", 1) { started.add(1) }))
    #expect(hold(reply("b", 2) { started.add(2) }))
    #expect(started.all.isEmpty)
    traffic.open(upTo: 1)
    #expect(started.all == [1])
    traffic.open(upTo: 9)
    #expect(started.all == [1, 2])
  }

  @Test("Withdrawn replies were not sent, come in order, and their ids are free again")
  func takingBack() {
    #expect(hold(reply("1", 1)) && hold(reply("2", 2, isRepeatable: false)) && hold(reply("3", 2)))
    traffic.open(upTo: 1)
    let held = takenBack()
    #expect(held.map { String(decoding: $0.message, as: UTF8.self) } == ["message 2", "message 3"])
    #expect(held.map(\.isRepeatable) == [false, true])
    #expect(traffic.hasNoReplies && traffic.hasNoRequests)
    traffic.open(upTo: 2)
    #expect(sent() == "1")
  }

  @Test(
    "Above the high-water mark held replies stop the session, which is notified once when they leave or are withdrawn")
  func bounded() {
    func holdLarge(_ text: String, _ revision: Int) {
      let answers = OutgoingPieces([UInt8](repeating: 0, count: OutputChannel.highWater / 2 + (256 << 10)))
      let held = TrafficState.Reply(
        revision: revision, frames: answers, message: Array(text.utf8), answered: [], deferred: [], isRepeatable: true)
      #expect(hold(held))
    }
    holdLarge("1", 1)
    #expect(!traffic.isFull && !traffic.isFullForNow())
    holdLarge("2", 2)
    #expect(traffic.isFullForNow() && traffic.isFullForNow() && releases.all.isEmpty)
    #expect(takenBack().count == 2 && releases.all.count == 1)
    #expect(!traffic.isFullForNow() && traffic.unsentBytes == 0)
    holdLarge("3", 1)
    holdLarge("4", 2)
    #expect(traffic.isFullForNow())
    // Nobody reads, so that what left of the first is unsent instead.
    traffic.open(upTo: 1)
    #expect(traffic.isFull && releases.all.count == 1, "half of it is still held")
    traffic.open(upTo: 2)
    #expect(releases.all.count == 2)
    #expect(traffic.isFullForNow(), "now the channel calls when the client has read")
    pipe.closeReading()
  }

  @Test("When replies are held while another thread releases them, each leaves once and in order")
  func racing() async {
    let pipe = pipe
    let traffic = traffic
    let channel = channel
    let count = 20_000
    Threads.start {
      for revision in 1...count { traffic.open(upTo: revision) }
    }
    Threads.start {
      for revision in 1...count {
        let frames = Array("\(revision)\n".utf8)
        let reply = TrafficState.Reply(
          revision: revision, frames: OutgoingPieces(frames), message: [], answered: [], deferred: [],
          isRepeatable: true)
        // Through the channel as the session does: straight to a full pipe, it would overtake what waits there.
        if !traffic.hold(reply, at: Instant(milliseconds: 0)) { frames.withUnsafeBytes { channel.send($0) } }
      }
      traffic.open(upTo: count)
      channel.flush(within: .max)
      pipe.closeWriting()
    }
    let text = await onThread { String(decoding: pipe.readAll(), as: UTF8.self) }
    #expect(text.split(separator: "\n").compactMap { Int($0) } == Array(1...count))
  }
}
