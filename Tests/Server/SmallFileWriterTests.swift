import JSONRPC
import Platform
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Notes beside the store")
struct SmallFileWriterTests {
  private let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})

  @Test("They are written in the order of the requests, one after the other")
  func order() {
    let notes = SmallFileWriter(traffic: traffic)
    let written = Notes<Int>()
    let opened = Notes<Bool>()
    #expect(notes.isSettled && notes.latest == 0)
    for number in 1...1000 {
      notes.write { [traffic] in
        written.add(number)
        opened.add(traffic.releasedNote == number - 1)
      }
    }
    notes.waitUntilSettled()
    #expect(notes.isSettled && notes.latest == 1000)
    #expect(written.all == Array(1...1000) && opened.all.allSatisfy { $0 })
  }

  @Test("While one is being written, the requester continues, and waiters wait for its end")
  func waiting() async {
    let notes = SmallFileWriter(traffic: traffic)
    let gate = Parker()
    let written = Notes<Int>()
    notes.write {
      gate.park()
      written.add(1)
    }
    #expect(!notes.isSettled && traffic.releasedNote == 0 && written.all.isEmpty)
    Threads.start { gate.unpark() }
    await notes.settle()
    #expect(written.all == [1] && notes.isSettled)
    await notes.settle()
  }

  @Test("A thread is needed when none is running, and jobs come out in order")
  func queue() {
    var queue = JobQueue<Int>(maximumThreads: 1)
    let starts = [queue.add(1), queue.add(2)]
    let taken = [queue.next(), queue.next()]
    let later = queue.add(3)
    let last = [queue.next(), queue.next()]
    let restarts = queue.add(4)
    #expect(starts == [true, false] && taken == [1, 2] && !later && last == [3, nil] && restarts)
  }
}
