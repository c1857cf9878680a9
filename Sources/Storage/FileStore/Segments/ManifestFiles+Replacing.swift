extension ManifestFiles {
  /// Replaces the current manifest, of generation `old`; nil means that there was no usable one. The old one is kept
  /// under its own name, with the locks of its users. Returns the new one's file, locked against removal. Every step
  /// can be repeated, so after a failure the whole can be retried; the caller holds the store's lock.
  func replace(old: Int?, with manifest: Manifest, temporaryName: String) throws(StoreError) -> Descriptor {
    let bytes = manifest.bytes
    guard case .readable(let read) = Manifest.read(bytes), manifest.isSame(as: read) else {
      throw StoreError(.storeUnavailable, "The manifest would not be read back unchanged.", path: root.path)
    }
    do throws(FileSystemError) {
      if let old { try keep(old) }
      return try write(bytes, temporaryName)
    } catch { throw StoreError(writing: error) }
  }

  /// Makes `manifest` the current one in place of the manifest of `base`.
  func publish(_ manifest: Manifest, replacing base: StoreBase, _ configuration: FileStore.Configuration)
    throws(StoreError)
  {
    let pin = try replace(
      old: base.generation > 0 && !base.isRebuilt ? base.generation : nil, with: manifest,
      temporaryName: configuration.temporaryName(of: "manifest"))
    fileSystem.close(pin)
  }

  /// Removes an older manifest. The caller removes the files it names first.
  func remove(generation: Int) throws(StoreError) {
    _ = try StoreError.writing(fileSystem.unlinkIfPresent(Name.predecessor(generation), in: root))
  }

  /// An older manifest that nobody uses, and its file, locked so that nobody starts to use it until it is closed. Nil
  /// when it is in use, missing or unreadable, so that the files it names are unknown.
  func lockUnused(generation: Int) throws(StoreError) -> (manifest: Manifest, file: Descriptor)? {
    guard let (manifest, file) = try pinned(Name.predecessor(generation)) else { return nil }
    let isLocked = try? fileSystem.lock(file, .exclusive)
    guard isLocked == true else {
      fileSystem.close(file)
      return nil
    }
    return (manifest, file)
  }

  /// Links the current manifest under a second name, unless it is of another generation because an earlier attempt got
  /// as far as renaming.
  private func keep(_ generation: Int) throws(FileSystemError) {
    let opened = try FileSystemError.ignoring(.notFound, fileSystem.openFile(Name.current, in: root, for: .reading))
    guard let current = opened else { return }
    defer { fileSystem.close(current) }
    let status = try fileSystem.status(of: current)
    let (bytes, _) = fileSystem.contents(of: current, size: min(status.size, ManifestFiles.longestFile))
    guard case .readable(let head) = ManifestHead.read(bytes), head.generation == generation else { return }
    let name = Name.predecessor(generation)
    if try FileSystemError.ignoring(.alreadyExists, fileSystem.link(Name.current, in: root, to: name, in: root)) != nil
    {
      return
    }
    // Probably left by an attempt that got no further.
    if try fileSystem.status(of: name, in: root).isSameFile(as: status) { return }
    try fileSystem.unlink(name, in: root)
    try fileSystem.link(Name.current, in: root, to: name, in: root)
  }

  /// Writes the file under a temporary name, reads it back and renames it; it is locked before anyone can see it.
  private func write(_ bytes: [UInt8], _ temporaryName: String) throws(FileSystemError) -> Descriptor {
    let file = try fileSystem.createFile(temporaryName, in: root)
    var pin: Descriptor?
    do throws(FileSystemError) {
      try fileSystem.fill(file, with: bytes)
      let opened = try fileSystem.openFile(temporaryName, in: root, for: .reading)
      pin = opened
      try fileSystem.verify(bytes, in: opened)
      // Where locks do not work, nobody removes anything either.
      _ = try? fileSystem.lock(opened, .shared)
      try fileSystem.rename(temporaryName, in: root, to: Name.current, in: root)
      try fileSystem.synchronizeDirectory(root)
      return opened
    } catch {
      if let pin { fileSystem.close(pin) }
      // After a successful rename there is nothing to remove.
      try? fileSystem.unlink(temporaryName, in: root)
      throw error
    }
  }
}

extension Manifest {
  /// Whether a manifest that was read back is equal, ignoring the order of segments.
  fileprivate func isSame(as read: Manifest) -> Bool {
    var own = self
    own.hasUnknownMembers = false
    own.segments.sort { $0.key < $1.key }
    return own == read
  }
}
