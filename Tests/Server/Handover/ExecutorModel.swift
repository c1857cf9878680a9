import Interleaving

@testable import DaybookServer

/// The session's executor with its own thread, one that borrows it, those that send work, and the one that looks now and then.
struct ExecutorModel: Interleaved, Hashable {
  /// A step that is left out, to see that the model finds what it leads to.
  enum Mistake {
    case none
    /// Who sends work calls nobody.
    case sending
    /// Who gives the executor back does not look for idle work.
    case givingBack
    /// The thread sleeps without saying so.
    case sleeping
    /// A thread that could not be started counts as started.
    case failing
    /// Nobody looks now and then.
    case looking
  }

  private enum Place: Hashable {
    case away, looking, asleep
    case working(Int), givingBack, calling
    case rousing(SleepingThread.Call)
    case failing
  }

  private struct Thread: Hashable {
    var place = Place.away
    /// Work still to be sent; from `idle` on for idle times.
    var sends: [Int] = []
    var borrows = 0
  }

  /// The numbers of work for idle times.
  static let idle = 100
  /// Work that sends more work, which has the next number.
  static let nesting = 50
  private static let (own, watcher) = (0, 1)

  private var state = ExecutorState<Int>()
  /// The session's own thread, the one that looks now and then, and the others.
  private var threads: [Thread]
  private var permits = 0
  private var done: [Int] = []
  private var failures: Int
  private let all: [Int]
  private let mistake: Mistake
  /// Whether somebody looks now and then, which would hide a lost wake-up where there is a thread to be had.
  private let isLookedAfter: Bool

  /// - Parameters:
  ///   - senders: What each of them sends.
  ///   - borrows: How often each borrower tries.
  ///   - failures: How many times the system has no thread to give.
  init(senders: [[Int]], borrows: [Int], failures: Int = 0, _ mistake: Mistake = .none) {
    threads = [Thread(), Thread()] + senders.map { Thread(sends: $0) } + borrows.map { Thread(borrows: $0) }
    all = senders.joined().flatMap { $0 == ExecutorModel.nesting ? [$0, $0 + 1] : [$0] }.sorted()
    self.failures = failures
    isLookedAfter = failures > 0 && mistake != .looking
    self.mistake = mistake
  }

  var key: ExecutorModel { self }

  var isDone: Bool {
    done.sorted() == all && state.owner == 0
      && threads.dropFirst(2).allSatisfy { $0.place == .away && $0.sends.isEmpty }
  }

  var offence: String? {
    let owners = threads.indices.filter {
      if case .working = threads[$0].place { true } else { threads[$0].place == .givingBack }
    }
    if owners.count > 1 { return "two threads have the executor" }
    if let owner = owners.first, state.owner != UInt(owner + 1) {
      return "a thread works that does not have the executor"
    }
    return Set(done).count < done.count ? "something was done twice" : nil
  }

  var next: [(step: String, state: ExecutorModel)] {
    threads.indices.flatMap { thread in steps(of: thread).map { ("thread \(thread): \($0.0)", $0.1) } }
  }

  private func steps(of number: Int) -> [(String, ExecutorModel)] {
    var model = self
    let id = UInt(number + 1)
    switch threads[number].place {
    case .away:
      if number == ExecutorModel.own || number == ExecutorModel.watcher && !isLookedAfter { return [] }
      if number == ExecutorModel.watcher {
        model.threads[number].place = .rousing(model.state.wakeThread())
        return [("looks", model)]
      }
      if let work = threads[number].sends.first {
        model.threads[number].sends.removeFirst()
        let call = work < ExecutorModel.idle ? model.state.add(work) : model.state.addIdle(work)
        model.threads[number].place = .rousing(mistake == .sending ? .nobody : call)
        return [("sends \(work)", model)]
      }
      guard threads[number].borrows > 0 else { return [] }
      model.threads[number].borrows -= 1
      if model.state.borrow(id) { model.threads[number].place = .givingBack }
      return [("borrows", model)]
    case .looking:
      let before = state.thread
      if let work = model.state.takeFirst(id) {
        model.threads[number].place = .working(work)
      } else {
        if mistake == .sleeping { model.state = state }
        model.threads[number].place = .asleep
      }
      return [(before == model.state.thread ? "takes" : "goes to sleep", model)]
    case .asleep:
      guard permits > 0 else { return [] }
      model.permits -= 1
      model.threads[number].place = .looking
      return [("wakes", model)]
    case .working(let work):
      model.done.append(work)
      // The owner looks itself: nobody is called.
      if work == ExecutorModel.nesting { _ = model.state.add(work + 1) }
      model.threads[number].place = .givingBack
      return [("does \(work)", model)]
    case .givingBack:
      model.threads[number].place = model.state.next().map { .working($0) } ?? .calling
      return [("gives back", model)]
    case .calling:
      let call = mistake == .givingBack ? .nobody : model.state.wakeThread()
      model.threads[number].place = .rousing(call)
      return [("calls", model)]
    case .rousing(let call): return rouse(call, number)
    case .failing:
      if mistake != .failing { model.state.threadFailedToStart() }
      model.threads[number].place = after(number)
      return [("finds that none was started", model)]
    }
  }

  private func rouse(_ call: SleepingThread.Call, _ number: Int) -> [(String, ExecutorModel)] {
    var model = self
    model.threads[number].place = after(number)
    switch call {
    case .nobody: return [("calls nobody", model)]
    case .wake:
      model.permits += 1
      return [("unparks", model)]
    case .start:
      var failed = self
      failed.failures -= 1
      failed.threads[number].place = .failing
      model.threads[ExecutorModel.own].place = .looking
      return [("starts the thread", model)] + (failures > 0 ? [("has no thread", failed)] : [])
    }
  }

  /// Where a thread goes on when it has called another.
  private func after(_ number: Int) -> Place { number == ExecutorModel.own ? .looking : .away }
}
