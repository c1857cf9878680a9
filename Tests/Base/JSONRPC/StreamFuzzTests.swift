import StreamFuzzKit
import Testing

/// Eight thousand of the streams that `stream-fuzz` makes by the million.
struct StreamFuzzTests {
  @Test(
    "Mutated streams trap nothing, are cut the same however they arrive, and good frames are found after them",
    arguments: 1...4)
  func streams(_ seed: UInt64) {
    var fuzzer = StreamFuzzer(seed: seed)
    for _ in 0..<2_000 {
      if let violation = fuzzer.step() {
        Issue.record("stream \(fuzzer.streams) of seed \(seed): \(violation.problem)\n\(violation.hex)")
        return
      }
    }
    // They are not all rubbish, and not all in order.
    #expect(fuzzer.messages > 2_000)
    #expect(fuzzer.decoded > 200)
    #expect(fuzzer.faults > 200)
    #expect(fuzzer.gaveUp > 10)
  }
}
