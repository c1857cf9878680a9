import Platform
import ServerTesting
import Testing

@testable import DaybookServer

/// An actor on a session's executor.
private actor Resident {
  nonisolated let executor: SessionExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  var notes: [Int] = []

  init(_ executor: SessionExecutor) { self.executor = executor }

  func note(_ number: Int) { notes.append(number) }
}

@Suite("The session's executor")
struct SessionExecutorTests {
  @Test("The jobs of one task run in its order, even if others add jobs meanwhile")
  func order() async {
    let resident = Resident(SessionExecutor())
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { for number in 0..<500 { await resident.note(task * 1000 + number) } }
      }
    }
    let notes = await resident.notes
    #expect(notes.count == 4000)
    for task in 0..<8 {
      #expect(notes.filter { $0 / 1000 == task }.map { $0 % 1000 } == Array(0..<500))
    }
  }

  @Test("Borrowers and tasks exclude each other, and no job is lost")
  func borrowing() async {
    let executor = SessionExecutor()
    let resident = Resident(executor)
    let (borrowed, finished) = (Count(), Count())
    for _ in 0..<3 {
      Threads.start {
        for _ in 0..<2000 where executor.borrow() {
          resident.assumeIsolated { $0.notes.append(-1) }
          borrowed.add()
          executor.release()
        }
        finished.add()
      }
    }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for number in 0..<1000 { await resident.note(number) } }
      }
    }
    #expect(await eventually { finished.value == 3 })
    #expect(await resident.notes.count == 4000 + borrowed.value)
  }

  @Test("While it is owned nobody can borrow it, and jobs added meanwhile run before it is released")
  func exclusive() async {
    let executor = SessionExecutor()
    let resident = Resident(executor)
    let offences = Notes<String>()
    let task = await onThread {
      guard executor.borrow() else { return nil as Task<Void, Never>? }
      if executor.borrow() { offences.add("borrowed twice") }
      if executor.isIsolatingCurrentContext() != true { offences.add("the owner is not isolated") }
      let task = Task { await resident.note(1) }
      while executor.state.withLock({ $0.jobs.isEmpty }) {}
      if executor.borrow() { offences.add("borrowed over waiting work") }
      executor.release()
      if resident.borrowedNotes != [1] { offences.add("the work was not done") }
      return task
    }
    await task?.value
    #expect(task != nil && offences.all.isEmpty, "\(offences.all)")
    #expect(executor.isIsolatingCurrentContext() == false)
    #expect(await eventually { executor.isIdle })
  }

  @Test("Idle jobs run once each, in order, even if others work meanwhile")
  func idleWork() async {
    let executor = SessionExecutor()
    let resident = Resident(executor)
    let (finished, idle) = (Count(), Notes<Int>())
    for _ in 0..<2 {
      Threads.start {
        for _ in 0..<2000 where executor.borrow() {
          resident.assumeIsolated { $0.notes.append(-1) }
          executor.release()
        }
        finished.add()
      }
    }
    for number in 0..<500 {
      executor.enqueueWhenIdle {
        if executor.isIsolatingCurrentContext() != true { idle.add(-1) }
        idle.add(number)
      }
      if number % 7 == 0 { await resident.note(number) }
    }
    #expect(await eventually { finished.value == 2 && idle.all.count >= 500 })
    #expect(idle.all == Array(0..<500))
    #expect(await eventually { executor.isIdle })
  }

  @Test("Idle jobs prevent nobody from borrowing, and run after all other jobs")
  func idleWorkWaits() async {
    let executor = SessionExecutor()
    let order = Notes<String>()
    let isDone = await onThread {
      guard executor.borrow() else { return false }
      executor.enqueueWhenIdle { order.add("idle") }
      executor.enqueue { order.add("first") }
      executor.enqueue {
        order.add("second")
        executor.enqueue { order.add("third") }
      }
      executor.release()
      return true
    }
    #expect(isDone)
    #expect(await eventually { order.all.count == 4 })
    #expect(order.all == ["first", "second", "third", "idle"])
  }

  @Test("Idle jobs added while the executor was owned start once it is released")
  func idleWorkWakes() async {
    let executor = SessionExecutor()
    let done = Count()
    for round in 1...300 {
      let isBorrowed = await onThread {
        guard executor.borrow() else { return false }
        executor.enqueueWhenIdle { done.add() }
        executor.release()
        return true
      }
      #expect(await eventually { done.value == round || !isBorrowed })
      guard isBorrowed else {
        // The thread of the previous round may not have released it yet.
        executor.enqueueWhenIdle { done.add() }
        #expect(await eventually { done.value == round })
        continue
      }
    }
  }

  @Test("Idle jobs may add idle jobs, and jobs that run first")
  func idleWorkNests() async {
    let executor = SessionExecutor()
    let order = Notes<String>()
    executor.enqueueWhenIdle {
      executor.enqueueWhenIdle { order.add("later") }
      executor.enqueue { order.add("work") }
      order.add("idle")
    }
    #expect(await eventually { order.all.count == 3 })
    #expect(order.all == ["idle", "work", "later"])
  }

  @Test("An end on the owning thread first runs the queued jobs, and then no thread waits for it")
  func settling() async {
    let executor = SessionExecutor()
    let order = Notes<String>()
    let isSettled = await onThread {
      guard executor.borrow() else { return false }
      executor.enqueue { order.add("first") }
      guard executor.drain(), executor.isIdle else { return false }
      order.add("settled")
      executor.enqueue { order.add("second") }
      while !executor.drain() {}
      return executor.isIsolatingCurrentContext() == false
    }
    #expect(isSettled)
    #expect(order.all == ["first", "settled", "second"])
  }
}

extension Resident {
  /// The recorded jobs, read from the calling thread; nil when another thread owns the executor.
  fileprivate nonisolated var borrowedNotes: [Int]? {
    guard executor.borrow() else { return nil }
    defer { executor.release() }
    return assumeIsolated { $0.notes }
  }
}
