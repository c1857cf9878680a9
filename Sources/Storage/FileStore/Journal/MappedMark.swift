/// The mark of the latest revision, mapped: comparing two words of memory tells whether anybody has noted another one.
///
/// It is checked before it is mapped and never replaced by a writer; an erasure, which removes it, spoils it first. What remains is
/// somebody else who removes it, replaces it or gives it a second name, so that later writers note their changes in another file or
/// nowhere: that is found by the next look around.
struct MappedMark: Sendable {
  /// The part of the mark's text that changes with the revision, its last digits, and the two characters behind these.
  typealias Words = SIMD2<UInt64>

  /// What they were when everything that they tell of had been taken in; nil when that is not known.
  var seen: Words?
  private let word: @Sendable (Int) -> UInt64
  private let file: FileStatus

  /// Nil when there is none, it is not as a writer leaves it, or it cannot be mapped. It is opened to be written, which it is not, since a
  /// file of an image under a writable layer is another one as soon as somebody writes to it.
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

  /// What the mark says now; nil when it does not look like one any more.
  var words: Words? {
    let now = Words(word(MappedMark.offset), word(MappedMark.offset + 8))
    // Behind the digits stands what does so in each mark, and nowhere a zero.
    return now.y >> 48 == MappedMark.sign ? now : nil
  }

  /// What a mark of that revision says: its last digits, behind spaces, and what stands behind them.
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

  /// Whether it is still the mark of the folder, and looks like one.
  func isInPlace(_ folder: StoreFolder) -> Bool {
    guard words != nil, let root = folder.root,
      let named = try? folder.fileSystem.status(of: LatestMark.fileName, in: root)
    else { return false }
    return named.isSameFile(as: file) && named.size == file.size && named.linkCount == 1
  }

  /// Where the words are in the text, a multiple of eight.
  private static let offset = 64
  private static let sign = UInt64(UInt8(ascii: ",")) | UInt64(UInt8(ascii: "\"")) << 8
}
