import HTTPCarriage
import Platform

/// What comes in at standard input.
enum Intake {
  enum Request {
    case request(CarriedRequest)
    /// The input ended before there was anything.
    case nothing
    case unusable(String)
  }

  /// Reads one request, waiting for it.
  static func read() -> Request {
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil {
      guard bytes.count <= CarriedRequest.longestLine else { return .unusable("the first line is too long") }
      let searched = bytes.count
      guard readMore(&bytes) else {
        return bytes.isEmpty ? .nothing : .unusable("the input ended within the first line")
      }
      end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    }
    guard let end, let (request, length) = CarriedRequest.reading(Array(bytes[..<end])) else {
      return .unusable("the first line is no request; “daybook” starts this program, people do not")
    }
    bytes.removeFirst(end + 1)
    while bytes.count < length {
      guard readMore(&bytes) else { return .unusable("the input ended within the body") }
    }
    guard bytes.count == length else { return .unusable("there is more than the body") }
    var whole = request
    whole.body = bytes
    return .request(whole)
  }

  /// Ends this process once standard input ends: its parent is gone, or does not want the answer.
  static func watchForTheEnd() {
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

/// What goes out at standard output.
enum Outlet {
  private static let isTaken = Guarded(false)

  /// Writes the answer and ends the process. The second caller has nothing to say any more.
  static func finish(_ answer: CarriedAnswer) {
    let isFirst = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard isFirst else { return }
    let isWritten = StandardStreams.writeAll(1, answer.text)
    Processes.end(isWritten ? 0 : 1)
  }
}
