import Platform
import Testing

@testable import FileStore

@Suite("Reading ahead")
struct ReadAheadTests {
  private struct Steps {
    var begun: [Int] = []
    var loaded: Set<Int> = []
  }

  @Test("No step is loaded twice, none is processed while it is loaded, and none is left out", arguments: 0..<50)
  func everyStepOnce(_ round: Int) throws {
    let count = 40
    let steps = Guarded(Steps())
    let load: @Sendable (Int) -> Void = { step in
      steps.withLock { $0.begun.append(step) }
      // Work of different lengths, so that either side may be faster.
      for _ in 0..<((step &* 7919 &+ round) % 13 * 300) { _ = Threads.current }
      steps.withLock { _ = $0.loaded.insert(step) }
    }
    let ahead = try #require(ReadAhead(from: 2, count: count, load: load))
    for step in 1..<count {
      ahead.begin(step)
      let (isBegun, isLoaded) = steps.withLock { ($0.begun.contains(step), $0.loaded.contains(step)) }
      #expect(isBegun == isLoaded, "step \(step) is being loaded")
      if !isBegun { load(step) }
    }
    ahead.end()
    let begun = steps.withLock { $0.begun }
    #expect(begun.sorted() == Array(1..<count))
  }

  @Test("Only a few steps are loaded ahead")
  func depth() throws {
    let loaded = Guarded(0)
    let ahead = try #require(ReadAhead(from: 1, count: 1_000_000) { _ in loaded.withLock { $0 += 1 } })
    ahead.begin(1)
    ahead.end()
    let after = loaded.withLock { $0 }
    #expect(after <= 4, "the steps read ahead, and the current one")
  }
}
