import CivilTime

extension StoreFolder {
  /// Takes the lock for the life of the process if the lock file is there.
  mutating func takeLock() throws(StoreError) {
    guard let root, lock == nil else { return }
    // The file may be exchanged between opening and locking it; then another one is the lock.
    for _ in 0..<8 {
      guard let descriptor = try openLock(in: root) else { return }
      do throws(StoreError) {
        let status = try StoreError.reading { () throws(FileSystemError) in try fileSystem.status(of: descriptor) }
        try trust(status, as: .file, descriptor.path)
        guard try StoreError.reading({ () throws(FileSystemError) in try fileSystem.lock(descriptor, .exclusive) })
        else {
          let holder = holderText(descriptor)
          throw StoreError(
            .storeInUse, "Another process has the store open (last writer: \(holder)).", path: path,
            details: ["holder": holder])
        }
        if let named = try? fileSystem.status(of: Name.lock, in: root), named.isSameFile(as: status) {
          lock = descriptor
          return
        }
      } catch {
        fileSystem.close(descriptor)
        throw error
      }
      fileSystem.close(descriptor)
    }
    throw StoreError(.storeUnavailable, "The lock file is being exchanged all the time.", path: path)
  }

  /// The lock file, open for updating if possible, else for reading; nil when there is none.
  private func openLock(in root: Descriptor) throws(StoreError) -> Descriptor? {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        return try fileSystem.openFile(Name.lock, in: root, for: .updating)
      } catch {
        guard error.reason == .permissionDenied || error.reason == .readOnly else { throw error }
        return try fileSystem.openFile(Name.lock, in: root, for: .reading)
      }
    } catch {
      if error.reason == .notFound { return nil }
      throw StoreError(reading: error)
    }
  }

  private func holderText(_ descriptor: Descriptor) -> String {
    let bytes = fileSystem.contents(of: descriptor, size: 256).bytes
    let text = String(decoding: bytes.prefix { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
    let end = text.lastIndex { $0 != " " }
    return end.map { String(text[...$0]) } ?? "unknown"
  }

  /// Makes the lock file if need be, takes the lock, and says in it who has it.
  mutating func makeAndTakeLock(now: Instant) throws(StoreError) {
    guard let root else { return }
    if lock == nil {
      do throws(FileSystemError) {
        fileSystem.close(try fileSystem.createFile(Name.lock, in: root))
      } catch  where error.reason != .alreadyExists {
        throw StoreError(writing: error)
      } catch {}
      try takeLock()
      do throws(StoreError) { try checkUnchanged() } catch {
        if let lock { fileSystem.close(lock) }
        lock = nil
        throw error
      }
    }
    guard let lock else { throw StoreError(.storeUnavailable, "The lock file disappeared.", path: path) }
    // Padded, so that a shorter text covers a longer one. Nothing depends on it, so nothing is done if it fails.
    var text = "pid \(fileSystem.processID), since \(now)"
    text += String(repeating: " ", count: max(0, 63 - text.utf8.count)) + "\n"
    Array(text.utf8).withUnsafeBytes { try? fileSystem.overwrite($0, of: lock) }
  }

  /// Throws if somebody wrote after the folder was read; without a lock file nobody was kept from it.
  private mutating func checkUnchanged() throws(StoreError) {
    guard let root else { return }
    var present = self
    var ignored = RecoveryReport()
    if journal == nil {
      present.journal = try openTrusted(Name.journal, in: root, .directory, &ignored)?.descriptor
    }
    defer {
      if journal == nil, let opened = present.journal { fileSystem.close(opened) }
    }
    if identity == nil { try present.readIdentity(&ignored) }
    guard try present.listJournal() == files, present.identity == identity else {
      throw StoreError(
        .storeChanged, "Another process has written to the store since it was opened here; open it again.", path: path)
    }
  }
}
