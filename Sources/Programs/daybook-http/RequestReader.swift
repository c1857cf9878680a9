import HTTPCarriage
import Platform

/// Reads the request from standard input.
enum RequestReader {
  enum Request {
    case request(HTTPRequest)
    /// The input was empty.
    case nothing
    case unusable(String)
  }

  /// Reads one request, blocking for it.
  static func read() -> Request {
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil {
      guard bytes.count <= HTTPRequest.maximumLineLength else { return .unusable("the first line is too long") }
      let searched = bytes.count
      guard readMore(&bytes) else {
        return bytes.isEmpty ? .nothing : .unusable("the input ended within the first line")
      }
      end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    }
    guard let end, let (request, length) = HTTPRequest.reading(Array(bytes[..<end])) else {
      return .unusable("the first line is not a request; “daybook” starts this program, people do not")
    }
    bytes.removeFirst(end + 1)
    while bytes.count < length {
      guard readMore(&bytes) else { return .unusable("the input ended within the body") }
    }
    guard bytes.count == length else { return .unusable("there is more input after the body") }
    var whole = request
    whole.body = bytes
    return .request(whole)
  }

  /// Ends this process at the end of standard input: the parent has ended, or no longer wants the response.
  static func exitAtEndOfInput() {
    Threads.start {
      var bytes: [UInt8] = []
      while readMore(&bytes) { bytes = [] }
      Processes.end(0)
    }
  }

  private static func readMore(_ bytes: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    guard let count = piece.withUnsafeMutableBytes({ StandardStreams.read(0, into: $0) }), count > 0 else {
      return false
    }
    bytes += piece[..<count]
    return true
  }
}

/// Writes the outcome to standard output.
enum ResponseWriter {
  private static let hasFinished = Guarded(false)
  /// Writes the outcome and ends the process; only the first call has an effect.
  static func finish(_ answer: HTTPOutcome) {
    let isFirst = hasFinished.withLock { hasFinished in
      defer { hasFinished = true }
      return !hasFinished
    }
    guard isFirst else { return }
    let isWritten = StandardStreams.writeAll(1, answer.text)
    Processes.end(isWritten ? 0 : 1)
  }
}
