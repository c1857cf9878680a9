import Foundation
import JSON

/// Cuts what a service says into messages. Written apart from the service's own reader, and strict: anything that is no
/// message is remembered as garbage.
package struct MessageStream {
  private var buffer: [UInt8] = []
  private let isNewline: Bool
  /// Bytes that belong to no message.
  package private(set) var garbage: [UInt8] = []

  package init(isNewline: Bool) { self.isNewline = isNewline }

  /// Bytes of a message that is not complete.
  package var unfinished: Int { buffer.count }

  /// Takes bytes and gives back the messages that are complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [JSONValue] {
    buffer += bytes
    var messages: [JSONValue] = []
    var start = 0
    while let (body, end) = isNewline ? line(from: start) : frame(from: start) {
      if let message = try? JSONValue(json: Array(buffer[body])) {
        messages.append(message)
      } else {
        garbage += buffer[start..<end]
      }
      start = end
    }
    buffer.removeFirst(start)
    return messages
  }

  private func line(from start: Int) -> (Range<Int>, Int)? {
    guard let newline = buffer[start...].firstIndex(of: 10) else { return nil }
    return (start..<newline, newline + 1)
  }

  private func frame(from start: Int) -> (Range<Int>, Int)? {
    let name = Array("Content-Length: ".utf8)
    guard let end = buffer[start...].prefix(64).firstIndex(of: 10), end + 2 < buffer.count else { return nil }
    let header = buffer[start..<end]
    guard header.starts(with: name), header.last == 13, buffer[end + 1] == 13, buffer[end + 2] == 10,
      let length = Int(String(decoding: header.dropFirst(name.count).dropLast(), as: UTF8.self))
    else { return (start..<start, end + 1) }
    let body = end + 3
    guard buffer.count >= body + length else { return nil }
    return (body..<body + length, body + length)
  }
}
