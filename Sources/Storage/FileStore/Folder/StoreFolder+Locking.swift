import CivilTime

extension StoreFolder {
  /// Takes the lock without waiting, making the lock file if need be; false when another process has it.
  mutating func takeLock() throws(StoreError) -> Bool {
    guard let root else { return false }
    // The file may be exchanged between opening and locking it; then another one is the lock.
    for _ in 0..<8 {
      let descriptor = try openLock(in: root)
      do throws(StoreError) {
        let isTaken = try StoreError.writing(fileSystem.lock(descriptor, .exclusive))
        guard isTaken else { return false }
        let status = try StoreError.reading(fileSystem.status(of: descriptor))
        try trust(status, as: .file, descriptor.path)
        try refuseSecondName(status, descriptor.path)
        if let named = try? fileSystem.status(of: Name.lock, in: root), named.isSameFile(as: status) {
          lockedFile = status
          return true
        }
      } catch {
        fileSystem.unlock(descriptor)
        throw error
      }
      fileSystem.close(descriptor)
      lock = nil
    }
    throw StoreError(.storeUnavailable, "The lock file is being exchanged all the time.", path: path)
  }

  /// Refuses a file that is written in place and has another name, too: what is behind that would be changed.
  private func refuseSecondName(_ status: FileStatus, _ path: String) throws(StoreError) {
    guard status.linkCount > 1 else { return }
    throw StoreError(
      .storeUntrusted, "The file has a second name, a hard link, and what has that would be changed with it.",
      path: path)
  }

  /// Whether somebody has taken the lock file away or replaced it since this process locked it: then others may have a lock of their
  /// own, and write at the same time.
  var hasLostLock: Bool {
    guard let root, let lockedFile else { return false }
    do throws(FileSystemError) {
      return try !fileSystem.status(of: Name.lock, in: root).isSameFile(as: lockedFile)
    } catch { return error.reason == .notFound }
  }

  func unlock() { if let lock { fileSystem.unlock(lock) } }

  /// The lock file, open for updating; it is made if it is not there.
  private mutating func openLock(in root: Descriptor) throws(StoreError) -> Descriptor {
    if let lock { return lock }
    if let named = try? fileSystem.status(of: Name.lock, in: root) {
      try trust(named, as: .file, path + "/" + Name.lock)
    }
    let opened = try StoreError.writing(fileSystem.openOrCreate(Name.lock, in: root))
    lock = opened
    return opened
  }

  /// Who had the lock last, as far as its text tells; for people.
  var holder: String {
    guard let lock else { return "unknown" }
    let bytes = fileSystem.contents(of: lock, size: 256).bytes
    let text = String(decoding: bytes.prefix { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
    let end = text.lastIndex { $0 != " " }
    return end.map { String(text[...$0]) } ?? "unknown"
  }

  /// Says in the lock file who has the lock.
  func signLock(now: Instant) {
    guard let lock else { return }
    // Padded, so that a shorter text covers a longer one. Nothing depends on it, so nothing is done if it fails.
    var text = "pid \(fileSystem.processID), since \(now)"
    text += String(repeating: " ", count: max(0, 63 - text.utf8.count)) + "\n"
    Array(text.utf8).withUnsafeBytes { try? fileSystem.overwrite($0, of: lock) }
  }
}
