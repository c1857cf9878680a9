import Platform
import Synchronization

/// Writes the notes beside the store, `flags.json` and `premium.json`, one after the other and away from the session: on a thread that
/// ends when there is nothing left. Each writing has a number, and what rests on it leaves when it is over, done or failed.
final class NoteWriter: Sendable {
  private let state = Guarded(NoteQueue<@Sendable () -> Void>())
  private let issued = Atomic<Int>(0)
  private let traffic: Traffic

  init(traffic: Traffic) { self.traffic = traffic }

  /// The number of the latest writing that was asked for; 0 before the first.
  var latest: Int { issued.load(ordering: .acquiring) }

  /// Whether every writing is over.
  var isSettled: Bool { traffic.openedNote >= latest }

  /// Has `body` write something, after what was asked for before. For one thread at a time, the session's.
  func write(_ body: @escaping @Sendable () -> Void) {
    let number = latest + 1
    issued.store(number, ordering: .releasing)
    enqueue { [traffic] in
      body()
      traffic.open(notes: number)
    }
  }

  /// Waits until what was asked for before is over.
  func waitUntilSettled() {
    guard !isSettled else { return }
    let parker = Parker()
    enqueue { parker.unpark() }
    parker.park()
  }

  /// The same for work away from the session, without keeping a thread.
  func settle() async {
    guard !isSettled else { return }
    await withCheckedContinuation { continuation in enqueue { continuation.resume() } }
  }

  private func enqueue(_ job: @escaping @Sendable () -> Void) {
    guard state.withLock({ $0.add(job) }) else { return }
    // Where the system has no thread to give now, it is done at once.
    if !Threads.start({ [self] in run() }) { run() }
  }

  private func run() {
    while let job = state.withLock({ $0.next() }) { job() }
  }
}

/// What waits to be written, as a value: each step of `NoteWriter` under its lock.
struct NoteQueue<Job: Sendable>: Sendable {
  private var jobs: [Job] = []
  private var isRunning = false

  /// Adds a job; true when the caller has to start somebody who takes it.
  mutating func add(_ job: Job) -> Bool {
    jobs.append(job)
    defer { isRunning = true }
    return !isRunning
  }

  /// The next job; without one, the taker ends.
  mutating func next() -> Job? {
    guard !jobs.isEmpty else {
      isRunning = false
      return nil
    }
    return jobs.removeFirst()
  }
}
