import StreamFuzzKit
import Testing

/// Eight thousand streams of the kind that `stream-fuzz` runs by the million.
struct StreamFuzzTests {
  @Test(
    "Mutated streams trap nothing, decode the same in any chunks, and good frames are found after them",
    arguments: 1...4)
  func streams(_ seed: UInt64) {
    var fuzzer = StreamFuzzer(seed: seed)
    for _ in 0..<2_000 {
      if let violation = fuzzer.step() {
        Issue.record("stream \(fuzzer.streams) of seed \(seed): \(violation.problem)\n\(violation.hex)")
        return
      }
    }
    // Some are valid, and some are not.
    #expect(fuzzer.messages > 2_000)
    #expect(fuzzer.decoded > 200)
    #expect(fuzzer.faults > 200)
    #expect(fuzzer.gaveUp > 10)
  }
}
