/// The mark of the last durable revision, mapped into memory: comparing two words shows whether anyone has updated it.
///
/// Writers never replace the file, and an erasure overwrites it before removing it. If anything else removes or
/// replaces it, or links a second name, later writers update another file or none: the next `poll` notices that.
struct MappedMark: Sendable {
  /// The changing part of the mark's text: the revision's last digits and the two characters after them.
  typealias Words = SIMD2<UInt64>

  /// The words when everything they stand for had been read; nil when unknown.
  var seen: Words?
  private let word: @Sendable (Int) -> UInt64
  private let file: FileStatus

  /// Nil when the mark is missing, malformed or cannot be mapped. It is opened for writing, though it is not written,
  /// because on an overlay file system the first write replaces a file of the lower layer.
  init?(_ folder: StoreFolder) {
    let fileSystem = folder.fileSystem
    guard let root = folder.root, let opened = try? fileSystem.openFile(LatestMark.fileName, in: root, for: .updating)
    else { return nil }
    defer { fileSystem.close(opened) }
    let text = fileSystem.contents(of: opened, size: LatestMark.sizeLimit).bytes
    guard let status = folder.markStatus(of: opened), status.mode & 0o077 == 0,
      let mark = try? LatestMark(checking: text), mark.bytes.count == status.size, let word = fileSystem.map(opened)
    else { return nil }
    (self.word, file) = (word, status)
  }

  /// The mark's current words; nil when it no longer looks like a mark.
  var words: Words? {
    let now = Words(word(MappedMark.offset), word(MappedMark.offset + 8))
    // Each mark has the same two characters after the digits, and never a zero there.
    return now.y >> 48 == MappedMark.sign ? now : nil
  }

  /// The words of a mark with that revision: its last digits, padded with spaces, and the characters after them.
  static func words(of revision: Int) -> Words {
    var text = SIMD16<UInt8>(repeating: UInt8(ascii: " "))
    (text[14], text[15]) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    var (rest, at) = (revision, 13)
    repeat {
      text[at] = UInt8(ascii: "0") + UInt8(rest % 10)
      (rest, at) = (rest / 10, at - 1)
    } while rest > 0 && at >= 0
    return unsafeBitCast(text, to: Words.self)
  }

  /// Whether it is still the folder's mark, and looks like one.
  func isInPlace(_ folder: StoreFolder) -> Bool {
    guard words != nil, let root = folder.root,
      let named = try? folder.fileSystem.status(of: LatestMark.fileName, in: root)
    else { return false }
    return named.isSameFile(as: file) && named.size == file.size && named.linkCount == 1
  }

  /// The offset of the words in the text, a multiple of eight.
  private static let offset = 64
  private static let sign = UInt64(UInt8(ascii: ",")) | UInt64(UInt8(ascii: "\"")) << 8
}
