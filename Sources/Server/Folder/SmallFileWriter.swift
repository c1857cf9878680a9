import Platform
import Synchronization

/// Writes the small files beside the store, `flags.json` and `premium.json`, in order and off the session, on a thread
/// that ends when the queue is empty. Each write, a note, has a number; a reply that depends on a note leaves when it
/// was written or has failed.
final class SmallFileWriter: Sendable {
  private let state = Guarded(JobQueue<@Sendable () -> Void>(maximumThreads: 1))
  private let issued = Atomic<Int>(0)
  private let traffic: Traffic

  init(traffic: Traffic) { self.traffic = traffic }

  /// The number of the last requested note; 0 before the first.
  var latest: Int { issued.load(ordering: .acquiring) }

  /// Whether every note was written or has failed.
  var isSettled: Bool { traffic.releasedNote >= latest }

  /// Queues `body`, which writes a note. Only the session calls this.
  func write(_ body: @escaping @Sendable () -> Void) {
    let number = latest + 1
    issued.store(number, ordering: .releasing)
    enqueue { [traffic] in
      body()
      traffic.open(notes: number)
    }
  }

  /// Waits until the notes requested before are written or have failed.
  func waitUntilSettled() {
    guard !isSettled else { return }
    let parker = Parker()
    enqueue { parker.unpark() }
    parker.park()
  }

  /// The same without blocking a thread.
  func settle() async {
    guard !isSettled else { return }
    await withCheckedContinuation { continuation in enqueue { continuation.resume() } }
  }

  private func enqueue(_ job: @escaping @Sendable () -> Void) {
    guard state.withLock({ $0.add(job) }) else { return }
    // Without a thread to start, the job runs at once.
    if !Threads.start({ [self] in run() }) { run() }
  }

  private func run() {
    while let job = state.withLock({ $0.next() }) { job() }
  }
}
