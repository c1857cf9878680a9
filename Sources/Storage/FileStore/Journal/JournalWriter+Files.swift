/// Where one journal file ends and the next begins.
extension JournalWriter {
  /// Ends the journal for a checkpoint: heals and syncs the current file, seals it and starts the next. Returns its
  /// number.
  mutating func seal() throws(FileSystemError) -> Int {
    guard let place = position else {
      try startFile(sealing: false)
      return current?.number ?? 1
    }
    if place.tail.takesLines {
      guard let journal else { return 1 }
      let file = try fileSystem.openFile(JournalFile.name(place.file), in: journal, for: .appending)
      current = (file, place.file)
      if place.tail != .whole {
        if let failure = fileSystem.appendAll(place.tail.healing, to: file).failure { throw failure }
        position?.tail = .whole
      }
      // A file must be durable before it is sealed.
      try fileSystem.synchronizeFile(file)
    }
    try startFile(sealing: current != nil)
    return current?.number ?? 1
  }

  /// Starts the next journal file and continues there. The previous file is sealed if it is in order; one whose sync
  /// failed is not touched again.
  mutating func startFile(sealing: Bool) throws(FileSystemError) {
    guard let journal else { return }
    let number = try JournalFile.next(in: journal, after: position, from: window?.firstJournal ?? 1, fileSystem)
    let descriptor = try fileSystem.createFile(JournalFile.name(number), in: journal)
    do throws(FileSystemError) { try fileSystem.synchronizeDirectory(journal) } catch {
      fileSystem.close(descriptor)
      throw error
    }
    if let current, sealing {
      // A seal only helps readers, who also look for the next number themselves, so its failure is harmless.
      let seal = JournalLine.seal(successor: JournalFile.name(number)).bytes
      if fileSystem.appendAll(seal, to: current.descriptor).failure == nil {
        try? fileSystem.synchronizeFile(current.descriptor)
      }
    }
    close()
    current = (descriptor, number)
    position = JournalPosition(file: number, offset: 0, size: 0, tail: .whole)
  }
}
