/// JSON Pointers (RFC 6901), and finding the one for a byte offset.
package enum JSONPointer {
  /// A reference token with its leading slash, `~` and `/` escaped.
  package static func token(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return "/" + name }
    var token = "/"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      default: token.unicodeScalars.append(scalar)
      }
    }
    return token
  }

  /// The longest name that is put into a pointer, in bytes: pointers are sent in replies, and names come from clients.
  static let longestName = 256

  /// The pointer to the value that starts at `offset`, or to the innermost array or object open there, and whether it
  /// is complete: it ends before a name that is too long.
  ///
  /// Readers do not track their path, which would slow every message; this scans the text again instead. The text
  /// before `offset` has been read and is well-formed.
  static func find(offset: Int, in text: UnsafeRawBufferPointer) -> (pointer: String, isWhole: Bool) {
    var walker = Walker(text: text, end: min(offset, text.count))
    walker.walk()
    return walker.pointer
  }

  /// A container around the current position.
  private struct Level {
    /// The index of the current element; nil in an object.
    var index: Int?
    /// The name of the current member; nil between members and in an array.
    var name: String?
  }

  private struct Walker {
    let text: UnsafeRawBufferPointer
    let end: Int
    var levels: [Level] = []
    var isValueNext = true
    var position = 0

    mutating func walk() {
      while position < end {
        let byte = text[position]
        switch byte {
        case UInt8(ascii: "{"):
          levels.append(Level(index: nil, name: nil))
          isValueNext = false
          position += 1
        case UInt8(ascii: "["):
          levels.append(Level(index: 0, name: nil))
          isValueNext = true
          position += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          _ = levels.popLast()
          isValueNext = false
          position += 1
        case UInt8(ascii: ","):
          next()
          position += 1
        case UInt8(ascii: ":"):
          isValueNext = true
          position += 1
        case UInt8(ascii: "\""):
          string()
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
          position += 1
        default:
          // A number or literal, possibly truncated.
          while position < end, !Walker.endsScalar(text[position]) { position += 1 }
          // A number that the text ends with may be complete; what was expected next is then not part of it.
          let isNumberAtEnd = position == text.count && text[position - 1] &- UInt8(ascii: "0") < 10
          if position < end || isNumberAtEnd { isValueNext = false }
        }
      }
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\n"),
        UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        true
      default: false
      }
    }

    /// Handles a comma: the next element, or no member until a name is read.
    mutating func next() {
      guard var level = levels.popLast() else { return }
      if let index = level.index {
        level.index = index + 1
        isValueNext = true
      } else {
        level.name = nil
        isValueNext = false
      }
      levels.append(level)
    }

    /// Handles a string: a member's name when an object expects one, else a value.
    mutating func string() {
      let start = position
      position += 1
      while position < end, text[position] != UInt8(ascii: "\"") {
        position += text[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position += 1
      guard !isValueNext, let last = levels.indices.last, levels[last].index == nil, levels[last].name == nil else {
        isValueNext = false
        return
      }
      guard position <= end else { return }
      var reader = JSONReader(UnsafeRawBufferPointer(rebasing: text[start..<min(position, text.count)]))
      levels[last].name = try? reader.string()
    }

    var pointer: (pointer: String, isWhole: Bool) {
      var result = ""
      for (depth, level) in levels.enumerated() {
        let isInnermost = depth == levels.count - 1
        if isInnermost, !isValueNext, position >= end, !isInsideValue { break }
        if let index = level.index {
          result += "/\(index)"
        } else if let name = level.name {
          guard name.utf8.count <= JSONPointer.longestName else { return (result, false) }
          result += JSONPointer.token(name)
        }
      }
      return (result, true)
    }

    /// Whether the byte at `end` belongs to a value of the innermost container rather than to the space between values.
    var isInsideValue: Bool {
      guard end < text.count, let last = levels.last else { return false }
      switch text[end] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""): return false
      default: return last.index != nil || last.name != nil
      }
    }
  }
}
