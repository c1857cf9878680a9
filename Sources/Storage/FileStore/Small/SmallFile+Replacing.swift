import JSON

extension SmallFile {
  /// Replaces the file's object. It is durable when this returns.
  ///
  /// - Throws: `nothingStored` when there is no data folder, which is never created for it; `storeBusy` when another
  ///   process holds the lock for too long; `storeUnavailable` when another folder has replaced `home`;
  ///   `recordTooLarge`; `invalidTransaction` when the object would not be read back equal, because it has a member
  ///   `checksum` or nests too deeply; `storeUntrusted` when something that is not ours has the name; write errors.
  package func replace(with object: JSONObject) throws(StoreError) {
    let text = try verifiedText(object)
    try whileLocked { folder throws(StoreError) in try replace(with: text, in: folder) }
  }

  /// Updates the file's object atomically: `body` gets the present content and returns the new object, or nil to keep
  /// it. Returns the resulting content. It waits for no lock of the store, and may be called while this process holds
  /// any of them.
  ///
  /// - Throws: As `replace`; what `body` throws.
  @discardableResult package func update(_ body: (Content) throws(StoreError) -> JSONObject?) throws(StoreError)
    -> Content
  {
    try whileLocked { folder throws(StoreError) in
      var ignored = RecoveryReport()
      let present = folder.read(name, &ignored)
      guard let new = try body(present) else { return present }
      try replace(with: try verifiedText(new), in: folder)
      return .value(new)
    }
  }

  /// The text of an object, verified to be read back equal.
  private func verifiedText(_ object: JSONObject) throws(StoreError) -> [UInt8] {
    let text = SmallFile.text(of: object)
    guard text.count <= SmallFile.sizeLimit else {
      throw StoreError(
        .recordTooLarge, "The content is too large for \(name.rawValue).", path: path,
        details: ["bytes": String(text.count), "limit": String(SmallFile.sizeLimit)])
    }
    guard SmallFile.content(of: text) == .value(object) else {
      throw StoreError(
        .invalidTransaction, "\(name.rawValue) cannot store that: it would not be read back unchanged.", path: path)
    }
    return text
  }

  /// Runs `body` while no other process replaces a small file of this folder. It locks its own descriptor of the
  /// folder, which nothing else locks: there is no lock file to lose, and no other lock is affected.
  private func whileLocked<Value>(_ body: (StoreFolder) throws(StoreError) -> Value) throws(StoreError) -> Value {
    var opened = try StoreFolder(rootOf: folder, fileSystem)
    defer { opened.close() }
    guard let root = opened.root else { throw StoreError(.nothingStored, "There is no data folder.", path: folder) }
    if let home, try !StoreError.writing(fileSystem.status(of: root)).isSameFile(as: home) {
      throw StoreError(.storeUnavailable, "Another folder has replaced the data folder in use.", path: folder)
    }
    try opened.finishErasing()
    try opened.checkWritable()
    var waited = 0
    while try !StoreError.writing(fileSystem.lock(root, .exclusive)) {
      guard waited < patience, fileSystem.pause() else {
        throw StoreError(.storeBusy, "Another process is writing a small file of the data folder.", path: path)
      }
      waited += 1
    }
    return try body(opened)
  }

  private func replace(with text: [UInt8], in folder: StoreFolder) throws(StoreError) {
    guard let root = folder.root else { return }
    let named = try StoreError.readingIfPresent(fileSystem.status(of: name.rawValue, in: root))
    if let named { try folder.trust(named, as: .file, path) }
    try StoreError.writing { () throws(FileSystemError) in
      // Nobody else is writing one: it was left by a killed process.
      for left in try fileSystem.names(in: root) where SmallFile.Name(ofTemporary: left) == name {
        try fileSystem.unlink(left, in: root)
      }
      try folder.replace(
        name.rawValue, in: root, with: text, temporaryName: "\(name.rawValue).\(fileSystem.processID).new")
    }
  }
}

extension SmallFile.Name {
  /// The file for which a temporary file was made; nil for other names.
  init?(ofTemporary file: String) {
    guard
      let name = SmallFile.Name.allCases.first(where: { file.hasPrefix($0.rawValue + ".") && file.hasSuffix(".new") })
    else { return nil }
    let number = file.dropFirst(name.rawValue.utf8.count + 1).dropLast(4)
    guard !number.isEmpty, number.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    self = name
  }
}
