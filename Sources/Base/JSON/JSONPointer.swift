/// JSON Pointer texts (RFC 6901), and finding the one that belongs to a byte.
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

  /// The longest name that becomes a part of a pointer, in bytes; pointers go into replies, names come from anybody.
  static let longestName = 256

  /// The pointer of the value that starts at `offset`, or of the innermost array or object that is open there, and whether it leads
  /// all the way: before a name that is too long it ends.
  ///
  /// Readers keep no path while they read, as it would slow every message for the sake of the bad ones; it is found
  /// here by walking the text once more. What precedes `offset` has been read before and is well-formed.
  static func find(offset: Int, in text: UnsafeRawBufferPointer) -> (pointer: String, isWhole: Bool) {
    var walker = Walker(text: text, end: min(offset, text.count))
    walker.walk()
    return walker.pointer
  }

  /// A container that the walk is inside of.
  private struct Level {
    /// The index of the current element, nil in an object.
    var index: Int?
    /// The name of the current member, nil before its value begins.
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
          // A number or literal, perhaps broken off here.
          while position < end, !Walker.endsScalar(text[position]) { position += 1 }
          // A digit may be the last of a number that the text ends after; what was expected then is no part of it.
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

    /// A comma: the next element, or no member until its name is read.
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

    /// A string: the name of a member when an object expects one, else a value.
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

    /// Whether the byte at `end` lies in or right at a value of the innermost container rather than between values.
    var isInsideValue: Bool {
      guard end < text.count, let last = levels.last else { return false }
      switch text[end] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""): return false
      default: return last.index != nil || last.name != nil
      }
    }
  }
}
