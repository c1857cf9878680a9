import Values

extension Checkpoint {
  /// How many manifests are kept beside the current one, with everything they name.
  private static let predecessors = 2

  /// Removes what only manifests name that are older than the two before the current one, and that nobody uses.
  func clean() throws(StoreError) {
    // Who has put the store together from its files holds no manifest that would keep these.
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
        // In use, or one of the two: what it names stays. One that cannot be read says nothing about what it needs.
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

  /// Keeps what is no good line of a journal that goes.
  private func keepDamage(ofJournal number: Int, in journal: Descriptor) throws(StoreError) {
    let name = JournalFile.name(number)
    let (bytes, failure, size) = try StoreError.reading(folder.fileSystem.contents(of: name, in: journal))
    let findings = JournalScan.findings(in: bytes, of: name, size: size, failure: failure)
    try Quarantine(folder: folder, now: configuration.now()).keep(findings, revision: 0)
  }
}
