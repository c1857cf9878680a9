/// What room is kept back for.
enum ReserveUse {
  /// For taking something away, with all there is.
  case deletions
  /// For a checkpoint, which others do not wait for: what is meant for deletions is not touched.
  case checkpoints

  /// The files whose room it may have, in their order.
  fileprivate var files: [String] {
    switch self {
    case .deletions: [StoreFolder.Name.reserve, StoreFolder.Name.checkpointReserve]
    case .checkpoints: [StoreFolder.Name.checkpointReserve]
    }
  }
}

extension StoreFolder {
  /// Keeps so many bytes of room back, half of them for deletions alone: files that do nothing but be there. Where there is less room,
  /// they take what there is but for a sixteenth part of that size, which is left to small changes. Whether so many are kept now.
  @discardableResult mutating func keepReserve(_ size: Int) -> Bool {
    hasLookedForReserve = true
    let isKept = ReserveUse.deletions.files.map { keep($0, size / 2, leaving: size / 16) }
    return isKept.allSatisfy { $0 }
  }

  private func keep(_ name: String, _ size: Int, leaving margin: Int) -> Bool {
    guard size > 0, let root else { return true }
    let found = try? fileSystem.status(of: name, in: root)
    if let found, found.kind != .file || found.owner != fileSystem.userID || found.size >= size { return true }
    let present = found?.size ?? 0
    var missing = size - present
    if let room = fileSystem.room(in: root) {
      missing = min(missing, room - margin)
      guard missing >= min(margin, size - present) else { return false }
    }
    let opened =
      found == nil
      ? try? fileSystem.createFile(name, in: root) : try? fileSystem.openFile(name, in: root, for: .appending)
    guard let opened else { return false }
    defer { fileSystem.close(opened) }
    guard fileSystem.appendAll([UInt8](repeating: 0, count: missing), to: opened).failure != nil else {
      return present + missing == size
    }
    try? fileSystem.unlink(name, in: root)
    return false
  }

  /// Gives back room that was kept, the next piece that there is for this; whether there was one.
  func releaseReserve(for use: ReserveUse) -> Bool {
    guard let root else { return false }
    return use.files.contains { name in
      guard let size = try? fileSystem.status(of: name, in: root).size, size > 0 else { return false }
      return (try? fileSystem.unlink(name, in: root)) != nil
    }
  }
}
