import DaybookProtocol
import JSON
import JSONRPC
import Platform

/// The line that tells a client of one of its requests, as `$/setTrace` asked for. It is written when the answer leaves, so that the
/// duration is all that it took: the work, wherever it was done, and the disk.
struct RequestTrace: Sendable {
  /// Nil for one that is not known.
  let method: Method?
  /// When its turn came, in monotonic nanoseconds.
  let started: UInt64
  /// Whether the duration is told.
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
  /// The line on a request whose turn has come; nil when the client wants none.
  func trace(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> RequestTrace? {
    guard client.trace != .off, envelope.kind == .request else { return nil }
    let id = envelope.id.map { RequestID(lexeme: UnsafeRawBufferPointer(rebasing: text[$0])) }
    let started = id.flatMap { writing.workedOut[$0]?.started }
    return RequestTrace(
      method: method(envelope, text), started: started ?? Clock.monotonicNanoseconds(),
      isVerbose: client.trace == .verbose)
  }

  /// Those on the requests of a batch.
  func traces(_ elements: [Range<Int>], _ text: UnsafeRawBufferPointer) -> [RequestTrace] {
    guard client.trace != .off else { return [] }
    return elements.compactMap { element in
      let part = UnsafeRawBufferPointer(rebasing: text[element])
      guard case .single(let envelope) = Envelope.classifyObject(part) else { return nil }
      return trace(envelope, part)
    }
  }
}
