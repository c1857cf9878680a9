import Interleaving
import Testing

@Suite("The hand-over of the session's executor, in all interleavings")
struct ExecutorModelTests {
  private static let idle = ExecutorModel.idle

  @Test(
    "All that is sent is done, once and by one thread at a time",
    arguments: [
      ([[1, 2], [3]], [2]), ([[1], [idle]], [2, 1]), ([[idle, 1], [idle + 1]], [2]),
      ([[ExecutorModel.nesting, idle]], [2]),
    ])
  func complete(_ senders: [[Int]], _ borrows: [Int]) {
    let all = Interleavings(from: ExecutorModel(senders: senders, borrows: borrows))
    #expect(all.failure == nil && all.done > 0 && all.states > 100, "\(all)")
  }

  @Test("Where the system has no thread to give, what waits is done when somebody looks now and then")
  func failures() {
    let all = Interleavings(from: ExecutorModel(senders: [[1], [ExecutorModel.idle]], borrows: [1], failures: 2))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test(
    "A wake-up that is left out is found",
    arguments: [
      (ExecutorModel.Mistake.sending, 0), (.givingBack, 0), (.sleeping, 0), (.failing, 1), (.looking, 1),
    ])
  func mistakes(_ mistake: ExecutorModel.Mistake, failures: Int) {
    let all = Interleavings(
      from: ExecutorModel(senders: [[1], [ExecutorModel.idle]], borrows: [2], failures: failures, mistake))
    #expect(all.failure?.what == "nobody is going to do what was asked for")
  }
}
