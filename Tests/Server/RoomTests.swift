import DaybookProtocol
import Platform
import Testing

@testable import DaybookServer

@Suite("The parts of a session's state")
struct RoomTests {
  @Test(
    "The lock closes after an absence, counted from its report, else from the previous request",
    arguments: [
      // When the app went away, how long the lock waits, and when the app came back; the previous request came at 10
      // s.
      (20_000, 5_000, 24_999, false), (20_000, 5_000, 25_001, true), (nil, 5_000, 14_999, false),
      (nil, 5_000, 15_001, true), (20_000, 0, 20_001, true), (nil, 0, 10_900, false), (nil, 0, 11_001, true),
    ] as [(Int64?, Int64, Int64, Bool)])
  func absence(_ resigned: Int64?, _ lockAfter: Int64, _ back: Int64, _ locks: Bool) {
    var lock = ConnectionLock()
    lock.isAuthenticated = true
    lock.noteRequest(at: 10_000)
    if let resigned { lock.resign(at: resigned) }
    lock.noteRequest(at: back)
    let hasLocked = lock.checkAbsence(isBack: true, at: back, isEnabled: true, lockAfter: lockAfter)
    #expect(hasLocked == locks && lock.isAuthenticated == !locks)
  }

  @Test("The lock closes during a long absence, unless the absence was not reported")
  func away() {
    var lock = ConnectionLock()
    lock.isAuthenticated = true
    lock.noteRequest(at: 0)
    var outcomes = [lock.checkAbsence(isBack: false, at: 1_000_000, isEnabled: true, lockAfter: 5000)]
    lock.resign(at: 20_000)
    outcomes += [24_999, 25_000, 30_000].map {
      lock.checkAbsence(isBack: false, at: $0, isEnabled: true, lockAfter: 5000)
    }
    #expect(outcomes == [false, false, true, false] && !lock.isAuthenticated && lock.isAway)
    let hasLocked = lock.checkAbsence(isBack: true, at: 31_000, isEnabled: true, lockAfter: 5000)
    #expect(!hasLocked && !lock.isAway, "it was locked before")
  }

  @Test("One request prompts the user, and requests that come meanwhile share its outcome, unless they were cancelled")
  func prompts() {
    var lock = ConnectionLock()
    let turns = Guarded<[String]>([])
    func enter(_ name: String, isWaiting: Bool = true, answered: Int? = nil) {
      lock.enterPrompt(answered: answered ?? lock.answeredPrompts) { turn in
        switch turn {
        case .own: turns.withLock { $0.append("\(name) asks") }
        case .another(let outcome):
          turns.withLock { $0.append("\(name): \((try? outcome.get()) == nil ? "refused" : "proven")") }
        case nil: break
        }
        return isWaiting
      }
    }
    enter("gone", isWaiting: false)
    enter("first")
    enter("second")
    enter("third")
    lock.endPrompt(.success(()))
    // It came before the first prompt was answered.
    enter("late", answered: 0)
    enter("fourth", answered: 1)
    lock.endPrompt(.failure(.noAttempt))
    enter("fifth")
    enter("gone too", isWaiting: false)
    enter("sixth")
    enter("seventh")
    // Cancelled: the next request that still waits prompts.
    lock.endPrompt(nil)
    lock.endPrompt(.success(()))
    enter("eighth")
    lock.endPrompt(nil)
    enter("ninth")
    #expect(
      turns.withLock { $0 }
        == [
          "gone asks", "first asks", "second: proven", "third: proven", "late: proven", "fourth asks", "fifth asks",
          "gone too asks",
          "sixth asks", "seventh: proven", "eighth asks", "ninth asks",
        ])
  }

  @Test("A disabled lock closes after no absence")
  func absenceWithoutLock() {
    var lock = ConnectionLock()
    lock.isAuthenticated = true
    lock.resign(at: 0)
    let hasLocked = lock.checkAbsence(isBack: true, at: 1_000_000, isEnabled: false, lockAfter: 0)
    #expect(!hasLocked && lock.isAuthenticated)
  }

  @Test("A changed route or day is announced with the previous one")
  func told() throws {
    var announced = AnnouncedState()
    let routes = [
      announced.updateRoute(.main), announced.updateRoute(.locked), announced.updateRoute(.locked),
      announced.updateRoute(.main),
    ]
    #expect(routes == [nil, .main, nil, .locked])
    let (first, second) = (try #require(CivilDay("2026-03-01")), try #require(CivilDay("2026-03-02")))
    let days = [announced.updateDay(first), announced.updateDay(first), announced.updateDay(second)]
    #expect(days == [nil, nil, first])
  }

  @Test("Device events wait for the end of the start, each kind once at its latest position")
  func waitingEvents() {
    var start = StartupProgress(timeline: StartupTimeline(origin: 0))
    for event in [DeviceEvent.becameActive, .networkCame, .becameActive] { start.postpone(event) }
    let taken = [start.takeWaitingEvents(), start.takeWaitingEvents()]
    #expect(taken == [[.networkCame, .becameActive], []])
  }

  @Test("A throttled task is due again after its pause, or when its event overrides the throttle")
  func throttle() throws {
    var start = StartupProgress(timeline: StartupTimeline(origin: 0))
    let (event, task) = try #require(
      [DeviceEvent.becameActive, .networkCame].flatMap { event in event.tasks.map { (event, $0) } }
        .first { $0.1.throttle != nil && !$0.0.insists(on: $0.1) })
    let pause = Int64(try #require(task.throttle))
    let due = [0, 1, pause, pause + 1].map { start.isDue(task, of: event, at: $0) }
    #expect(due == [true, false, true, false])
  }

  @Test("Waiting for a quiet client ends at once when nothing happened since, and in any case with one that never is")
  func waiting() async {
    let activity = ClientActivity()
    var last: Int?
    activity.waitUntilQuiet(since: &last)
    #expect(last == 0)
    activity.note()
    activity.waitUntilQuiet(since: &last)
    #expect(last == 1)
    let isOver = Guarded(false)
    Threads.start { while !isOver.withLock({ $0 }) { activity.note() } }
    while activity.count == 1 { Threads.rest(milliseconds: 1) }
    activity.waitUntilQuiet(since: &last)
    isOver.withLock { $0 = true }
    #expect(last.map { $0 > 1 } == true)
  }

  @Test("The client is quiet when no message came between two checks for long enough, which is reported once")
  func quiet() {
    var idle = IdleWatch()
    let second: UInt64 = 1_000_000_000
    var said = [idle.isQuiet(0, milliseconds: 1000, now: 0), idle.isQuiet(0, milliseconds: 1000, now: second / 2)]
    said += (1...4).map { idle.isQuiet(1, milliseconds: 1000, now: $0 * second) }
    #expect(said == [false, false, false, true, false, false])
  }
}
