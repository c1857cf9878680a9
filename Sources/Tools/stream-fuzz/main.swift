// stream-fuzz [N]: N mutated byte streams (FUZZ_STREAMS, 1,000,000) from a seed (FUZZ_SEED, 1) through the message layer.
import Foundation
import StreamFuzzKit

let environment = ProcessInfo.processInfo.environment
let count = (CommandLine.arguments.dropFirst().first ?? environment["FUZZ_STREAMS"]).flatMap { Int($0) } ?? 1_000_000
var fuzzer = StreamFuzzer(seed: environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1)
for _ in 0..<count {
  guard let violation = fuzzer.step() else { continue }
  print("stream \(fuzzer.streams) of seed \(fuzzer.seed): \(violation.problem)\n\(violation.hex)")
  exit(1)
}
print(fuzzer.summary)
