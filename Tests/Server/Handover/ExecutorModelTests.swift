import Interleaving
import Testing

@Suite("The handover of the session's executor, in all interleavings")
struct ExecutorModelTests {
  private static let idle = ExecutorModel.idle

  @Test(
    "Every job runs once, on one thread at a time",
    arguments: [
      ([[1, 2], [3]], [2]), ([[1], [idle]], [2, 1]), ([[idle, 1], [idle + 1]], [2]),
      ([[ExecutorModel.nesting, idle]], [2]),
    ])
  func complete(_ senders: [[Int]], _ borrows: [Int]) {
    let all = Interleavings(from: ExecutorModel(senders: senders, borrows: borrows))
    #expect(all.failure == nil && all.done > 0 && all.states > 100, "\(all)")
  }

  @Test("When no thread can be started, queued jobs run at the next periodic check")
  func failures() {
    let all = Interleavings(from: ExecutorModel(senders: [[1], [ExecutorModel.idle]], borrows: [1], failures: 2))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test(
    "Every omitted wake-up is found",
    arguments: [
      (ExecutorModel.Mistake.sending, 0), (.givingBack, 0), (.sleeping, 0), (.failing, 1), (.looking, 1),
    ])
  func mistakes(_ mistake: ExecutorModel.Mistake, failures: Int) {
    let all = Interleavings(
      from: ExecutorModel(senders: [[1], [ExecutorModel.idle]], borrows: [2], failures: failures, mistake))
    #expect(all.failure?.what == "nobody is going to do what was asked for")
  }
}
