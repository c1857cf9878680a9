extension Checkpoint {
  /// The number of manifests kept besides the current one, with everything they name.
  private static let predecessors = 2

  /// Removes files that are named only by manifests older than the last two predecessors and used by nobody.
  func clean() throws(StoreError) {
    // A process that rebuilt the store from its files holds no manifest that would protect them.
    guard content?.memory.snapshot.base.isRebuilt != true else { return }
    guard let manifests = folder.manifests, let journal = folder.journal,
      let current = try manifests.manifest(ManifestFiles.Name.current)
    else { return }
    let fileSystem = folder.fileSystem
    var kept = [current]
    let predecessors = try manifests.predecessors()
    var removed: [Int] = []
    for (index, generation) in predecessors.enumerated() {
      if index >= Checkpoint.predecessors, let (_, file) = try manifests.lockUnused(generation: generation) {
        fileSystem.close(file)
        removed.append(generation)
      } else if let manifest = try manifests.manifest(ManifestFiles.Name.predecessor(generation)) {
        // In use, or one of the two: the files it names stay. An unreadable one does not say what it needs.
        kept.append(manifest)
      }
    }
    guard !removed.isEmpty || predecessors.count < Checkpoint.predecessors else { return }
    let names = Set(kept.flatMap(\.segments).map(\.path))
    let (newest, generations) = (current.generation, Set(kept.map(\.generation)))
    try SegmentFiles.remove(in: folder) { collection, file, generation in
      let isKept =
        collection.isOfDigests ? generations.contains(generation) : names.contains("\(collection)/\(file)")
      return generation <= newest && !isKept
    }
    let first = kept.map(\.firstJournal).min() ?? 0
    for number in try folder.journalNumbers() where number < first {
      try keepDamage(ofJournal: number, in: journal)
      try StoreError.writing(fileSystem.unlink(JournalFile.name(number), in: journal))
    }
    for generation in removed { try manifests.remove(generation: generation) }
  }

  /// Quarantines the invalid lines of a journal before its removal.
  private func keepDamage(ofJournal number: Int, in journal: Descriptor) throws(StoreError) {
    let name = JournalFile.name(number)
    let (bytes, failure, size) = try StoreError.reading(folder.fileSystem.contents(of: name, in: journal))
    let findings = JournalScan.findings(in: bytes, of: name, size: size, failure: failure)
    try Quarantine(folder: folder, now: configuration.now()).keep(findings, revision: 0)
  }
}
