import JSONRPC

/// Runs mutated streams until one violates a rule.
package struct StreamFuzzer {
  /// A stream that violates a rule.
  package struct Violation: Sendable {
    package let problem: String
    package let stream: [UInt8]

    /// The stream in hexadecimal.
    package var hex: String {
      stream.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  package let seed: UInt64
  package private(set) var streams = 0
  package private(set) var messages = 0
  package private(set) var faults = 0
  package private(set) var gaveUp = 0
  /// The number of params decoded by their type.
  package var decoded: Int { check.decoded }

  private var maker: StreamMaker
  private var random: SplitMix64
  private var check = MessageCheck()

  package init(seed: UInt64) {
    self.seed = seed
    maker = StreamMaker(random: SplitMix64(seed: seed))
    random = SplitMix64(seed: ~seed)
  }

  /// The counts in one line.
  package var summary: String {
    "streams \(streams), messages \(messages), faults \(faults), gave up \(gaveUp), seed \(seed)"
  }

  /// Creates a stream and runs all checks.
  package mutating func step() -> Violation? {
    let stream = maker.next()
    return run(stream).map { Violation(problem: $0, stream: stream) }
  }

  /// Runs all checks on a stream; returns the problem, or nil.
  package mutating func run(_ stream: [UInt8]) -> String? {
    streams += 1
    var pieces = StreamRun()
    var rest = stream[...]
    let largest = 1 + random.below(64)
    while !rest.isEmpty {
      let piece = rest.prefix(1 + random.below(largest))
      rest = rest.dropFirst(piece.count)
      pieces.feed(piece) { check.check($0) }
    }
    messages += pieces.messages
    faults += pieces.faults
    if pieces.hasGivenUp { gaveUp += 1 }
    if let problem = pieces.problem ?? compare(pieces, stream) { return problem }
    return recover(&pieces)
  }

  /// Checks that the stream in one piece gives the same events.
  private func compare(_ pieces: borrowing StreamRun, _ stream: [UInt8]) -> String? {
    var whole = StreamRun()
    whole.feed(stream[...]) { _ in nil }
    if let problem = whole.problem { return problem }
    let isSame = whole.digest == pieces.digest && whole.framing == pieces.framing
    return isSame ? nil : "the pieces gave \(pieces.messages) messages, the whole \(whole.messages), or others"
  }

  /// Checks that a valid frame is found after enough newlines, unless a body is still being discarded.
  private func recover(_ run: inout StreamRun) -> String? {
    let good = Array(#"{"jsonrpc":"2.0","id":"good","method":"server/info"}"#.utf8)
    switch run.framing {
    case .header: run.feed([UInt8](repeating: 0x0A, count: StreamRun.limits.message + 2)[...]) { _ in nil }
    case .newline: run.feed([0x0A]) { _ in nil }
    case nil: return nil
    }
    if run.hasGivenUp || run.problem != nil { return run.problem }
    let isDiscarding = run.mayDiscard && run.framing == .header
    let frame = run.framing == .header ? Array("Content-Length: \(good.count)\r\n\r\n".utf8) + good : good + [0x0A]
    run.feed(frame[...]) { _ in nil }
    if run.problem == nil, run.last != good, !isDiscarding { return "a good frame at the end was not found" }
    run.finish { _ in nil }
    return run.problem
  }
}
