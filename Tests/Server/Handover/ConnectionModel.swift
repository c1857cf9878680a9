import DaybookProtocol
import Interleaving
import JSONRPC

@testable import DaybookServer

/// A connection with its reader, the session's own thread, the commit thread, a thread of heavy work, a timer and a signal: what becomes
/// of each message. What they share changes by the steps of the real `ExecutorState` and `TrafficState`.
struct ConnectionModel: Interleaved {
  enum Kind {
    /// Answered on the spot, or behind the changes it may rest on.
    case read
    /// Waits for the folder's lock, and for the disk.
    case write
    /// Worked on away from the session.
    case heavy
  }

  /// A step that is left out or altered, to see that the model finds what it leads to.
  enum Mistake: CaseIterable {
    case none
    /// Nobody is called to take the first message that waits.
    case scheduling
    /// A message that waits for the lock is not tried again.
    case retrying
    /// Whether a retry is on its way is forgotten, so that each attempt adds one.
    case counting
    /// What is on disk lets no reply through.
    case opening
    /// The session is not told of a failed commit.
    case failing
    /// What was taken back after a failed commit is not answered.
    case takingBack
    /// The end of the input asks only whether messages wait.
    case settling
    /// A signal asks for held replies before the change in hand has made one.
    case signalling
    /// The reader leaves what it has read behind a message that waits.
    case stopping
    /// The reader overtakes a message that is being tried.
    case overtaking
    /// The end of the input asks for requests and for held replies one after the other.
    case asking
    /// The session is not told that the held replies have left.
    case releasing
    /// The same, of replies that a failed commit withdraws.
    case withdrawing
    /// The reader leaves what it has read when too many replies are held.
    case leaving
  }

  /// Work of the session's executor.
  enum Job: Hashable {
    case take, retry, rollBack
  }

  /// One step of a thread; what follows it is below it on the thread's stack.
  enum Step: Hashable {
    case read, borrow, work, stopIfFull, afterWork, put, end(Int)
    case send(Job), rouse(SleepingThread.Call)
    case look, asleep, perform(Job), giveBack, callThread
    case take, takeOn, endTrying, flush
    case receive(Int), postpone(Int), commit(Int), gate(Int), hold(Int), answer(Int)
    case write, synchronize(Int), open(Int), start(Int), begun
    case heavyWork, leave(Int), sendLate(Int), left
    case timer, unlock, cancel(Int), signal(Int), poll
  }

  enum Thread: Int, CaseIterable {
    case reader, own, commit, worker, timer, others, client, watcher
    var id: UInt { UInt(rawValue + 1) }
  }

  /// What the threads share but for the traffic, and where each of them is.
  struct Shared: Hashable {
    var executor = ExecutorState<Job>()
    var permits = 0
    var stacks: [[Step]]
    /// Messages that are read at once, one read after another.
    var chunks: [[Int]]
    var decoder: [Int] = []
    /// Whether the reader, and who takes the messages that wait, has come to one that has to wait on.
    var hasStopped = false
    var hasPutBack = false
    /// The latest message that was worked on.
    var latestWorkedOn = -1
    var isOutOfOrder = false
    var isLocked: Bool
    var timers = 0
    var latest = 0
    var durable = 0
    var lines: [Int] = []
    var hasFailed = false
    var failures: Int
    var started: [Int] = []
    var unflushed: [Int] = []
    var answered: [Int] = []
    /// Changes that were begun, and those that were in hand when the signal came.
    var begun: [Int] = []
    var inHand: [Int] = []
    var isEnding = false
    var hasEnded = false
  }

  var shared: Shared
  var traffic = TrafficState()
  let kinds: [Kind]
  let ends: Bool
  let isBounded: Bool
  let mistake: Mistake

  /// - Parameters:
  ///   - chunks: The messages, as they are read.
  ///   - isLocked: Whether another process has the folder's lock for some time.
  ///   - failures: How many commits fail.
  ///   - cancelled: The messages that the client cancels.
  ///   - looks: How often somebody looks whether messages wait.
  ///   - ends: Whether the input ends behind them.
  ///   - isSignalled: Whether a signal comes.
  ///   - isBounded: Whether no message is worked on while a reply is held.
  init(
    _ chunks: [[Kind]], isLocked: Bool = false, failures: Int = 0, cancelled: [Int] = [], looks: Int = 0,
    ends: Bool = false, isSignalled: Bool = false, isBounded: Bool = false, _ mistake: Mistake = .none
  ) {
    var number = 0
    let numbered = chunks.map { chunk in
      chunk.map { _ -> Int in
        defer { number += 1 }
        return number
      }
    }
    var stacks = [[Step]](repeating: [], count: Thread.allCases.count)
    stacks[Thread.reader.rawValue] = [.read]
    stacks[Thread.commit.rawValue] = [.write]
    stacks[Thread.worker.rawValue] = [.heavyWork]
    stacks[Thread.timer.rawValue] = [.timer]
    stacks[Thread.others.rawValue] = isLocked ? [.unlock] : []
    stacks[Thread.client.rawValue] = cancelled.map { .cancel($0) }
    stacks[Thread.watcher.rawValue] = [Step](repeating: .poll, count: looks) + (isSignalled ? [.signal(0)] : [])
    shared = Shared(stacks: stacks, chunks: numbered, isLocked: isLocked, failures: failures)
    kinds = Array(chunks.joined())
    self.ends = ends
    self.isBounded = isBounded
    traffic.lowWater = 0
    self.mistake = mistake
  }

  static func id(_ message: Int) -> RequestID { RequestID(lexeme: [UInt8(message)]) }

  /// Whether held replies keep the session from making more.
  var isFull: Bool { isBounded && traffic.heldBytes > 0 }

  static let now = Instant(milliseconds: 0)

  var isDone: Bool {
    if shared.hasEnded { return true }
    return !ends && shared.answered.count == kinds.count && shared.executor.owner == 0 && shared.executor.jobs.isEmpty
  }

  var offence: String? {
    if Set(shared.answered).count < shared.answered.count { return "a request was answered twice" }
    if shared.isOutOfOrder { return "a request was worked on before an earlier one" }
    if shared.timers > 1 { return "a message that waits is tried by more and more" }
    guard shared.hasEnded else { return nil }
    let owed = shared.isEnding ? Set(shared.inHand) : Set(kinds.indices)
    let missing = owed.subtracting(shared.answered)
    return missing.isEmpty ? nil : "the end came before the answer to \(missing.sorted())"
  }

  struct Key: Hashable {
    var shared: Shared
    var traffic: [Int]
  }

  var key: Key { Key(shared: shared, traffic: traffic.figures) }

  var next: [(step: String, state: ConnectionModel)] {
    guard !shared.hasEnded else { return [] }
    return Thread.allCases.flatMap { thread -> [(step: String, state: ConnectionModel)] in
      guard let step = shared.stacks[thread.rawValue].first else { return [] }
      var model = self
      model.shared.stacks[thread.rawValue].removeFirst()
      return model.after(step, thread).map { ("\(thread): \(step)", $0) }
    }
  }

  /// This, with steps that a thread takes before those it has.
  func going(_ thread: Thread, _ steps: [Step]) -> ConnectionModel {
    var model = self
    model.shared.stacks[thread.rawValue].insert(contentsOf: steps, at: 0)
    return model
  }
}

extension TrafficState {
  /// Everything that matters for what comes next, as numbers.
  fileprivate var figures: [Int] {
    let flags = [isScheduled, isRetryScheduled, isClosed, awaitsRelease].map { $0 ? 1 : 0 }
    var figures = flags + [outgoingReplies, durable, runningReleases, -1]
    for item in items[nextItem...] {
      guard case .message(let text, let id, _) = item else { continue }
      figures += [Int(text[0]), id == nil ? 0 : 1]
    }
    figures += [-1, attempt.map { Int($0.id.lexeme[0]) * 2 + ($0.isCancelled ? 1 : 0) } ?? -1]
    for reply in held { figures += [reply.revision, Int(reply.message[0])] }
    figures.append(-1)
    for (id, request) in requests.sorted(by: { $0.key.lexeme[0] < $1.key.lexeme[0] }) {
      figures += [Int(id.lexeme[0]), request.state == .committing ? 1 : 0, request.isCancelled ? 1 : 0]
    }
    return figures
  }
}
