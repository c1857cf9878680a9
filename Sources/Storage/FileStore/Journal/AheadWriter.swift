/// Syncs copies of journal lines instead of the journal; owned by the journal's writer and used under the folder's
/// lock.
struct AheadWriter: Sendable {
  /// The file's size in bytes; 0 for none, so that the journal is synced each time.
  let size: Int
  /// The number of journal syncs by one process after which the file is worth making, since making it takes longer
  /// than a few syncs. After a failure, or while its content is still needed, it is left unused for as many syncs.
  let threshold: Int
  /// Journal syncs since the last attempt to open the file.
  private var syncs = 0
  private var file: Descriptor?
  private var head: [UInt8] = []
  /// The end of the run's lines in the file.
  private var end = 0
  /// The journal's end after the run's last line: what others have written since is not in the run.
  private var saved: JournalPosition?

  init(size: Int, threshold: Int) { (self.size, self.threshold) = (size, threshold) }

  mutating func countSync() { syncs += 1 }

  /// Makes durable the line that was appended to the journal between `start` and `place`; false when the journal must
  /// be synced instead.
  ///
  /// - Parameters:
  ///   - isProven: Whether the journals are durable up to `start`.
  ///   - revision: The revision before the line.
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
      // Syncing a file whose name was removed would save nothing.
      guard try fileSystem.status(of: file).linkCount == 1 else { return pause(fileSystem) }
      if let failure = fileSystem.overwriteAll(bytes, of: file, at: end).failure { throw failure }
      try fileSystem.synchronizeFile(file)
      end += bytes.count - head.count
      saved = place
      return true
    } catch { return pause(fileSystem) }
  }

  /// Whether nobody needs the file's present run: this writer made it and has synced the same journal since, or its
  /// journal is folded into segments. Copies by others may exist nowhere else: their own sync of the journal may have
  /// failed, and another sync proves nothing.
  private func isFree(_ file: Descriptor, for journal: Int, from first: Int, _ fileSystem: any FileSystem) -> Bool {
    // A head is shorter than this.
    let text = fileSystem.contents(of: file, size: 256).bytes
    guard let present = text.withUnsafeBytes({ AheadFile.Head(in: $0) }) else {
      return text.allSatisfy { $0 == UInt8(ascii: "\n") }
    }
    return present.journal < first || present.journal == journal && !head.isEmpty && text.starts(with: head)
  }

  /// Leaves the file unused for the next `threshold` syncs: someone needs it, or a failure left its content unknown.
  private mutating func pause(_ fileSystem: any FileSystem) -> Bool {
    close(fileSystem)
    syncs = 0
    return false
  }

  mutating func close(_ fileSystem: any FileSystem) {
    if let file { fileSystem.close(file) }
    (file, saved) = (nil, nil)
  }

  /// Opens the file, or creates it after enough journal syncs; nil until then, and when there is too little space.
  ///
  /// - Throws: I/O errors, and an error when the name belongs to something else.
  private mutating func open(_ folder: StoreFolder) throws(FileSystemError) -> Descriptor? {
    let fileSystem = folder.fileSystem
    guard syncs >= threshold, let root = folder.root, fileSystem.medium(of: root) == .local else { return nil }
    syncs = 0
    // Scarce space is left for changes.
    guard fileSystem.room(in: root).map({ $0 / 16 >= size }) ?? true else { return nil }
    let opened = try fileSystem.openOrCreate(AheadFile.fileName, in: root)
    do throws(FileSystemError) {
      let status = try fileSystem.status(of: opened)
      guard status.kind == .file, status.owner == fileSystem.userID, status.linkCount == 1,
        status.size <= AheadFile.sizeLimit
      else {
        throw FileSystemError(call: "open", path: opened.path, reason: .other, errno: 0, text: "not the store's file")
      }
      if status.size < size {
        // Blank lines, so that the file shows as text.
        let blank = [UInt8](repeating: UInt8(ascii: "\n"), count: size - status.size)
        if let failure = fileSystem.overwriteAll(blank, of: opened, at: status.size).failure { throw failure }
        try fileSystem.synchronizeFile(opened)
      }
      try fileSystem.synchronizeDirectory(root)
      // The next journal uses it at once.
      syncs = threshold
      return opened
    } catch {
      fileSystem.close(opened)
      throw error
    }
  }
}
