import DaybookProtocol
import JSONRPC
import Platform

/// The `$/logTrace` notification about one request, as `$/setTrace` enables it. It is written when the reply leaves, so
/// that the duration includes work off the session and the disk.
struct RequestTrace: Sendable {
  /// Nil for an unknown method.
  let method: Method?
  /// When processing began, in monotonic nanoseconds.
  let started: UInt64
  /// Whether to include the duration.
  let isVerbose: Bool

  func write(to frames: inout OutgoingFrames) {
    let microseconds = (Clock.monotonicNanoseconds() &- started) / 1000
    frames.notify(
      LogTraceParams.method,
      LogTraceParams(
        message: "answered \(method.map { "\($0.name)" } ?? "a request")",
        verbose: isVerbose ? "\(microseconds) µs" : nil))
  }
}

extension Session {
  /// The trace of a request that is being processed; nil when the client wants none.
  func trace(_ incoming: Incoming) -> RequestTrace? {
    guard client.trace != .off, incoming.envelope.kind == .request else { return nil }
    let started = incoming.requestID.flatMap { writing.preparedOutcome[$0]?.started }
    return RequestTrace(
      method: incoming.method, started: started ?? Clock.monotonicNanoseconds(),
      isVerbose: client.trace == .verbose)
  }

  /// The traces of the requests of a batch.
  func traces(_ elements: [Range<Int>], _ text: UnsafeRawBufferPointer) -> [RequestTrace] {
    guard client.trace != .off else { return [] }
    return elements.compactMap { element in
      let part = UnsafeRawBufferPointer(rebasing: text[element])
      guard case .single(let incoming) = Message(object: part) else { return nil }
      return trace(incoming)
    }
  }
}
