import Interleaving
import Testing

@Suite("The output channel, in all interleavings")
struct OutputModelTests {
  @Test(
    "Everything is written, or the client is gone, and waiting senders are notified",
    arguments: [([4], false, 0), ([2, 3], false, 0), ([3, 2], true, 0), ([2, 2], false, 2)])
  func complete(_ left: [Int], mayBreak: Bool, failures: Int) {
    let all = Interleavings(from: OutputModel(left: left, mayBreak: mayBreak, failures: failures))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test(
    "Every omitted wake-up is found",
    arguments: [(OutputModel.Mistake.leaving, 0), (.draining, 0), (.breaking, 0), (.looking, 1)])
  func mistakes(_ mistake: OutputModel.Mistake, failures: Int) {
    let model = OutputModel(left: [3, 1], mayBreak: mistake == .breaking, failures: failures, mistake)
    #expect(Interleavings(from: model).failure?.what == "nobody is going to do what was asked for")
  }
}
