import DomainKit
import Platform

extension Session {
  nonisolated func dataExport(
    _ params: DataExportParams, _ work: HeavyWork
  ) async throws(RPCError) -> DataExportResult {
    let export = StoreExport(folderConfiguration)
    if let path = params.path {
      try RPCError.checkAbsolute(path)
      let summary = try await work.onThread("Exporting") { monitor throws(StoreError) in
        try export.write(to: path, overwrites: params.overwrite ?? false, monitor)
      }
      return DataExportResult(summary, lines: JSONLines())
    }
    let progress = work.progress
    let (summary, lines) = try await work.onThread("Exporting") { monitor throws(StoreError) in
      var lines = JSONLines()
      let summary = try export.run(monitor) { text throws(StoreError) in
        if progress.sendsParts {
          progress.send(text.split(separator: 0x0A).map { JSONFragment<JSONValue>(unchecked: $0) })
        } else {
          lines.append(unchecked: text)
        }
      }
      return (summary, lines)
    }
    return DataExportResult(summary, lines: lines)
  }

  nonisolated func dataImport(
    _ params: DataImportParams, _ work: HeavyWork
  ) async throws(RPCError) -> DataImportResult {
    let source: ImportSource
    switch (params.path, params.lines) {
    case (let path?, nil):
      try RPCError.checkAbsolute(path)
      source = .file(path)
    case (nil, let lines?): source = .lines(lines.pieces.map { $0[...] })
    default:
      throw RPCError(
        .invalidParams, "either “path” or “lines” says what to import", pointer: "",
        allowed: "one of “path” and “lines”")
    }
    let (configuration, mode) = (folderConfiguration, params.mode)
    if mode == .replace { OnboardingMirror.save(configuration) }
    let storeMode: StoreImportMode =
      switch mode {
      case .preview: .preview
      case .merge: .merge
      case .replace: .replace
      }
    let summary = try await work.onThread("Importing") { monitor throws(StoreError) in
      try work.importRecords(source, storeMode, configuration, monitor)
    }
    if summary.isChanged, summary.isUndoable { await own(summary.revision) }
    return DataImportResult(summary, mode)
  }

  /// Records that this connection made a change that it finds in the folder.
  func own(_ revision: Int) {
    if revision > folder.announcedRevision ?? 0 { folder.ownRevisions.insert(revision) }
  }
}

extension DataExportResult {
  fileprivate init(_ summary: StoreExport.Summary, lines: JSONLines) {
    self.init(
      records: summary.records, bytes: summary.bytes, revision: summary.revision, complete: !summary.isDamaged,
      lines: lines)
  }
}

extension DataImportResult {
  fileprivate init(_ summary: ImportSummary, _ mode: ImportMode) {
    self.init(
      mode: mode, changed: summary.isChanged, undoable: summary.isUndoable, revision: summary.revision,
      backupId: summary.backup?.description,
      collections: summary.collections.map { counts in
        ImportCounts(
          collection: counts.collection.rawValue, added: counts.added, updated: counts.updated, same: counts.same,
          kept: counts.kept, removed: counts.removed, refused: counts.refused)
      },
      refused: summary.refused,
      problems: summary.problems.map { problem in
        ImportProblem(line: problem.line, pointer: problem.pointer, reason: problem.reason)
      })
  }
}
