extension Doctor {
  /// Verifies the files of records that only older manifests name: they are kept in case a newer one is damaged.
  func lookAtSpares(_ folder: StoreFolder, _ report: inout DoctorReport) {
    guard let files = folder.manifests else { return }
    let loader = SegmentLoader(folder, cacheLimit: 0)
    var named = Set((try? files.manifest(ManifestFiles.Name.current))?.segments.map(\.path) ?? [])
    for generation in (try? files.predecessors()) ?? [] {
      let name = ManifestFiles.Name.predecessor(generation)
      // While it is pinned, nobody removes what it names.
      guard let (manifest, pin) = try? files.pinned(name) else { continue }
      defer { configuration.fileSystem.close(pin) }
      for entry in manifest.segments where named.insert(entry.path).inserted {
        var reason = "its hash is not the one that \(name) says"
        do throws(StoreError) {
          let (bytes, failure) = try loader.contents(entry.key.folderName, entry.fileName)
          if failure == nil, SHA256.hash(bytes) == entry.sha256 { continue }
          if let failure { reason = failure.description }
        } catch { reason = Doctor.text(error) }
        report.note(.damagedSpare, StoreFolder.Name.segments + "/" + entry.path, reason)
      }
    }
  }
}
