import Interleaving
import Testing

@Suite("The turns of heavy requests, in all interleavings")
struct WorkTurnModelTests {
  @Test("Every request gets a turn or is cancelled, and every turn is returned", arguments: [[], [1], [0, 2]])
  func complete(_ cancels: [Int]) {
    let all = Interleavings(from: WorkTurnModel(requests: 4, free: 2, cancels: cancels))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test(
    "Bulk work is done one at a time in order of arrival, and all of it gets a turn", arguments: [[], [1], [0, 2]],
    [[0, 1, 2], [1, 3], [0, 2, 3]] as [Set<Int>])
  func bulk(_ cancels: [Int], _ bulk: Set<Int>) {
    let all = Interleavings(from: WorkTurnModel(requests: 4, free: 2, cancels: cancels, bulk: bulk))
    #expect(all.failure == nil && all.done > 0, "\(all)")
  }

  @Test("A turn that is given to nobody is found", arguments: [WorkTurnModel.Mistake.entering, .leaving])
  func mistakes(_ mistake: WorkTurnModel.Mistake) {
    let all = Interleavings(from: WorkTurnModel(requests: 3, free: 1, cancels: [1], mistake))
    #expect(all.failure?.what == "nobody is going to do what was asked for")
  }
}
