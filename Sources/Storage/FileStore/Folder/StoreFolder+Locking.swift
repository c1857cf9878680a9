import CivilTime

extension StoreFolder {
  /// Acquires the lock without waiting, creating the lock file if needed; false when another process holds it.
  mutating func acquireLock() throws(StoreError) -> Bool {
    guard let root else { return false }
    // The file may be replaced between opening and locking it; then the new one is the lock.
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
    throw StoreError(.storeUnavailable, "The lock file keeps being replaced.", path: path)
  }

  /// Refuses a file that is overwritten in place but has a second name, whose content would change too.
  private func refuseSecondName(_ status: FileStatus, _ path: String) throws(StoreError) {
    guard status.linkCount > 1 else { return }
    throw StoreError(
      .storeUntrusted, "The file has a second hard link, which a write would change too.",
      path: path)
  }

  /// Whether the lock file was removed or replaced since this process locked it: then others may hold a lock of their
  /// own and write at the same time.
  var hasLostLock: Bool {
    guard let root, let lockedFile else { return false }
    do throws(FileSystemError) {
      return try !fileSystem.status(of: Name.lock, in: root).isSameFile(as: lockedFile)
    } catch { return error.reason == .notFound }
  }

  func unlock() { if let lock { fileSystem.unlock(lock) } }

  private mutating func openLock(in root: Descriptor) throws(StoreError) -> Descriptor {
    if let lock { return lock }
    if let named = try? fileSystem.status(of: Name.lock, in: root) {
      try trust(named, as: .file, path + "/" + Name.lock)
    }
    let opened = try StoreError.writing(fileSystem.openOrCreate(Name.lock, in: root))
    lock = opened
    return opened
  }

  /// The last holder of the lock by the file's text, for messages.
  var holder: String {
    guard let lock else { return "unknown" }
    let bytes = fileSystem.contents(of: lock, size: 256).bytes
    let text = String(decoding: bytes.prefix { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
    let end = text.lastIndex { $0 != " " }
    return end.map { String(text[...$0]) } ?? "unknown"
  }

  /// Writes this process's id into the lock file.
  func signLock(now: Instant) {
    guard let lock else { return }
    // Padded, so that a shorter text covers a longer one. Nothing depends on it, so failures are ignored.
    var text = "pid \(fileSystem.processID), since \(now)"
    text += String(repeating: " ", count: max(0, 63 - text.utf8.count)) + "\n"
    Array(text.utf8).withUnsafeBytes { try? fileSystem.overwrite($0, of: lock) }
  }
}
