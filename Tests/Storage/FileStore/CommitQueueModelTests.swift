import Interleaving
import Testing

@Suite("The commit queue, in all interleavings")
struct CommitQueueModelTests {
  @Test(
    "Every line is written or fails, and nobody sleeps for ever",
    arguments: [
      [.commit, .commit, .wait, .commit, .finish], [.wait, .commit, .wait, .wait], [.commit, .finish],
      [.commit, .wait, .commit, .commit, .wait, .finish],
    ] as [[CommitQueueModel.Action]], [0, 2])
  func complete(_ script: [CommitQueueModel.Action], failures: Int) {
    let all = Interleavings(from: CommitQueueModel(script, failures: failures))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test("A missing wake-up is found", arguments: [CommitQueueModel.Mistake.enqueueing, .ending, .finishing])
  func mistakes(_ mistake: CommitQueueModel.Mistake) {
    let all = Interleavings(from: CommitQueueModel([.commit, .wait, .commit, .finish], mistake))
    #expect(all.failure?.what == "nobody is going to do what was asked for")
  }
}
