/// Puts copies of journal lines on the medium in the place of the journal; lives with the journal's writer, under the folder's lock.
struct AheadWriter: Sendable {
  /// The file's length in bytes; 0 for none: then the journal is synchronized each time.
  let size: Int
  /// After so many syncs of journals by one process it is worth having; making it takes longer than a few of them. After a failure, and
  /// where somebody needs what is in it, it is left alone for as many.
  let threshold: Int
  /// Syncs of journals since the file was last asked for.
  private var syncs = 0
  private var file: Descriptor?
  private var head: [UInt8] = []
  /// Where the lines of the run end in the file.
  private var end = 0
  /// How far the journal was when its last line was put into the run: what others have written since is not in it.
  private var saved: JournalPosition?

  init(size: Int, threshold: Int) { (self.size, self.threshold) = (size, threshold) }

  /// Counts a sync of a journal.
  mutating func countSync() { syncs += 1 }

  /// Puts the line on the medium that stands in the journal between two places; false when the journal has to be synchronized.
  ///
  /// - Parameters:
  ///   - isProven: Whether the journals are on the medium up to `start`.
  ///   - revision: The one before it.
  mutating func save(
    _ line: [UInt8], from start: JournalPosition, to place: JournalPosition, isProven: Bool, after revision: Int,
    in window: WindowStart
  ) -> Bool {
    guard size > 0, isProven || saved == start else { return false }
    let folder = window.folder
    let fileSystem = folder.fileSystem
    do throws(FileSystemError) {
      if file == nil { file = try open(folder) }
      guard let file, let identity = folder.identity else { return false }
      if isProven {
        guard isFree(file, for: start.file, from: window.firstJournal, fileSystem) else { return pause(fileSystem) }
        head = AheadFile.Head(store: identity.store, journal: start.file, revision: revision).text()
        end = 0
      }
      let bytes = (isProven ? head : []) + line + head
      guard end + bytes.count <= size else { return false }
      // A file whose name was taken away would save nothing.
      guard try fileSystem.status(of: file).linkCount == 1 else { return pause(fileSystem) }
      if let failure = fileSystem.overwriteAll(bytes, of: file, at: end).failure { throw failure }
      try fileSystem.synchronizeFile(file)
      end += bytes.count - head.count
      saved = place
      return true
    } catch { return pause(fileSystem) }
  }

  /// Whether nobody needs the run that the file has: it is of this writer, which has synchronized the same journal since, or of a
  /// journal that is in the segments by now. What others have saved may be nowhere else: their own sync of the journal may have
  /// failed, and another one proves nothing.
  private func isFree(_ file: Descriptor, for journal: Int, from first: Int, _ fileSystem: any FileSystem) -> Bool {
    // A head is shorter.
    let text = fileSystem.contents(of: file, size: 256).bytes
    guard let present = text.withUnsafeBytes({ AheadFile.Head(in: $0) }) else {
      return text.allSatisfy { $0 == UInt8(ascii: "\n") }
    }
    return present.journal < first || present.journal == journal && !head.isEmpty && text.starts(with: head)
  }

  /// Leaves the file alone until many syncs later: somebody needs it, or nobody knows what is in it after a failure.
  private mutating func pause(_ fileSystem: any FileSystem) -> Bool {
    close(fileSystem)
    syncs = 0
    return false
  }

  mutating func close(_ fileSystem: any FileSystem) {
    if let file { fileSystem.close(file) }
    (file, saved) = (nil, nil)
  }

  /// The file, which is made once enough was synchronized without it; nil until then, or where there is no room for it.
  ///
  /// - Throws: What went wrong, and when something else stands in its place.
  private mutating func open(_ folder: StoreFolder) throws(FileSystemError) -> Descriptor? {
    let fileSystem = folder.fileSystem
    guard syncs >= threshold, let root = folder.root, fileSystem.medium(of: root) == .local else { return nil }
    syncs = 0
    // What little room there is is for changes.
    guard fileSystem.room(in: root).map({ $0 / 16 >= size }) ?? true else { return nil }
    let opened = try fileSystem.openOrCreate(AheadFile.fileName, in: root)
    do throws(FileSystemError) {
      let status = try fileSystem.status(of: opened)
      guard status.kind == .file, status.owner == fileSystem.userID, status.linkCount == 1,
        status.size <= AheadFile.sizeLimit
      else {
        throw FileSystemError(call: "open", path: opened.path, reason: .other, errno: 0, text: "not the store's own")
      }
      if status.size < size {
        // Blank lines are what a person finds in it who looks.
        let blank = [UInt8](repeating: UInt8(ascii: "\n"), count: size - status.size)
        if let failure = fileSystem.overwriteAll(blank, of: opened, at: status.size).failure { throw failure }
        try fileSystem.synchronizeFile(opened)
      }
      try fileSystem.synchronizeDirectory(root)
      // It is there: with the next journal it is used at once.
      syncs = threshold
      return opened
    } catch {
      fileSystem.close(opened)
      throw error
    }
  }
}
