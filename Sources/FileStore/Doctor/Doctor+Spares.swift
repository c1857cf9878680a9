extension Doctor {
  /// Verifies the files of records that only older manifests name: they are kept in case a newer one is damaged.
  func lookAtSpares(_ folder: StoreFolder, _ report: inout DoctorReport) {
    guard let root = folder.root else { return }
    let files = ManifestFiles(fileSystem: configuration.fileSystem, root: root)
    let loader = SegmentLoader(folder, cacheLimit: 0)
    var named: Set<String> = []
    if let (current, pin) = read(ManifestFiles.Name.current, files, folder) {
      configuration.fileSystem.close(pin)
      named = Set(current.segments.map(\.path))
    }
    for generation in (try? files.predecessors()) ?? [] {
      let name = ManifestFiles.Name.predecessor(generation)
      // While it is pinned, nobody removes what it names.
      guard let (manifest, pin) = read(name, files, folder) else { continue }
      defer { configuration.fileSystem.close(pin) }
      for entry in manifest.segments where named.insert(entry.path).inserted {
        var reason = "its hash is not the one that \(name) says"
        do throws(StoreError) {
          let (bytes, failure) = try loader.contents(entry.key.folderName, entry.fileName)
          if failure == nil, SHA256.hash(bytes) == entry.sha256 { continue }
          if let failure { reason = failure.description }
        } catch { reason = Doctor.text(error) }
        report.findings.append(
          Diagnosis(.damagedSpare, .note, StoreFolder.Name.segments + "/" + entry.path, reason))
      }
    }
  }

  /// A manifest and its pin; nil when it cannot be read, which others tell of.
  private func read(
    _ name: String, _ files: ManifestFiles, _ folder: StoreFolder
  ) -> (manifest: Manifest, pin: Descriptor)? {
    var notes: [ManifestNote] = []
    var ignored = RecoveryReport()
    let found = try? files.read(name, &notes) { name, directory, kind throws(StoreError) in
      try folder.openTrusted(name, in: directory, kind, &ignored)
    }
    guard case .readable(let manifest, let file)? = found else { return nil }
    return (manifest, file)
  }
}

extension SegmentEntry {
  /// Its file's name within the folder of segments.
  fileprivate var path: String { key.folderName + "/" + fileName }
}
