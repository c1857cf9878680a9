extension ManifestFiles {
  /// Puts a manifest in the place of the current one, whose generation `old` is; nil says that there is none that could be
  /// used. The old one goes on under a name of its own, with the locks of those who use it. Returns the new one's file,
  /// locked against removal. Every step may be taken again, so that after a failure the whole can be tried again; the
  /// caller holds the store's lock.
  func replace(old: Int?, with manifest: Manifest, temporaryName: String) throws(StoreError) -> Descriptor {
    let bytes = manifest.bytes
    guard case .readable(let read) = Manifest.read(bytes), manifest.isSame(as: read) else {
      throw StoreError(.storeUnavailable, "The manifest would not be read back as it is.", path: root.path)
    }
    do throws(FileSystemError) {
      if let old { try keep(old) }
      return try write(bytes, temporaryName)
    } catch { throw StoreError(writing: error) }
  }

  /// Makes a manifest the one in use, instead of that of `base`.
  func publish(_ manifest: Manifest, replacing base: StoreBase, _ configuration: FileStore.Configuration)
    throws(StoreError)
  {
    let pin = try replace(
      old: base.generation > 0 && !base.isRebuilt ? base.generation : nil, with: manifest,
      temporaryName: configuration.temporaryName(of: "manifest"))
    fileSystem.close(pin)
  }

  /// Removes an older manifest. What it names is the caller's business, and comes first.
  func remove(generation: Int) throws(StoreError) {
    _ = try StoreError.writing(fileSystem.unlinkIfPresent(Name.predecessor(generation), in: root))
  }

  /// An older manifest that nobody uses, and its file, locked so that nobody begins to until it is closed. Nil when
  /// somebody does, or when it is not there or cannot be read, so that nobody knows what it names.
  func lockUnused(generation: Int) throws(StoreError) -> (manifest: Manifest, file: Descriptor)? {
    guard let (manifest, file) = try pinned(Name.predecessor(generation)) else { return nil }
    let isLocked = try? fileSystem.lock(file, .exclusive)
    guard isLocked == true else {
      fileSystem.close(file)
      return nil
    }
    return (manifest, file)
  }

  /// Gives the current manifest a second name, unless it is not the one meant: then an attempt came as far as renaming.
  private func keep(_ generation: Int) throws(FileSystemError) {
    let current: Descriptor
    do throws(FileSystemError) { current = try fileSystem.openFile(Name.current, in: root, for: .reading) } catch {
      if error.reason == .notFound { return }
      throw error
    }
    defer { fileSystem.close(current) }
    let status = try fileSystem.status(of: current)
    let (bytes, _) = fileSystem.contents(of: current, size: min(status.size, ManifestFiles.longestFile))
    guard case .readable(let head) = ManifestHead.read(bytes), head.generation == generation else { return }
    let name = Name.predecessor(generation)
    do throws(FileSystemError) { try fileSystem.link(Name.current, in: root, to: name, in: root) } catch
      where error.reason == .alreadyExists
    {
      // Most likely of an attempt that got no further.
      if try fileSystem.status(of: name, in: root).isSameFile(as: status) { return }
      try fileSystem.unlink(name, in: root)
      try fileSystem.link(Name.current, in: root, to: name, in: root)
    }
  }

  /// Writes the file under a name of its own, reads it back, and renames it; it is locked before anybody can see it.
  private func write(_ bytes: [UInt8], _ temporaryName: String) throws(FileSystemError) -> Descriptor {
    let file = try fileSystem.createFile(temporaryName, in: root)
    var pin: Descriptor?
    do throws(FileSystemError) {
      try fileSystem.fill(file, with: bytes)
      let opened = try fileSystem.openFile(temporaryName, in: root, for: .reading)
      pin = opened
      try fileSystem.verify(bytes, in: opened)
      // Where there are no locks, nobody removes anything either.
      _ = try? fileSystem.lock(opened, .shared)
      try fileSystem.rename(temporaryName, in: root, to: Name.current, in: root)
      try fileSystem.synchronizeDirectory(root)
      return opened
    } catch {
      if let pin { fileSystem.close(pin) }
      // It may have been renamed already; then there is nothing to remove.
      try? fileSystem.unlink(temporaryName, in: root)
      throw error
    }
  }
}

extension Manifest {
  /// Whether a manifest that was read says the same; the order of segments is that of their keys in any case.
  fileprivate func isSame(as read: Manifest) -> Bool {
    var own = self
    own.hasUnknownMembers = false
    own.segments.sort { $0.key < $1.key }
    return own == read
  }
}
