import DaybookServer
import FileStore
import Platform

/// `daybook import`: imports the output of `daybook export`.
struct ImportCommand {
  private static let modes: [(option: String, mode: StoreImportMode)] = [
    ("--merge", .merge), ("--replace", .replace), ("--preview", .preview),
  ]

  private let arguments: Arguments
  private let path: String
  private let mode: StoreImportMode

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard let path = arguments.operands.first, arguments.operands.count == 1, !path.isEmpty else {
      throw UsageError(message: "import needs one file, or “-” for standard input")
    }
    self.path = path
    let wanted = ImportCommand.modes.filter { arguments.flags.contains($0.option) }
    guard wanted.count <= 1 else { throw UsageError(message: "--merge, --replace and --preview exclude each other") }
    mode = wanted.first?.mode ?? .merge
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    var source = ImportSource.file(path)
    if path == "-" {
      guard let text = StandardStreams.readAll(0, limit: FileStore.longestImport) else {
        Terminal.complain("daybook: standard input cannot be read, or exceeds 4 GiB")
        return DaybookCommand.Status.transport
      }
      source = .text(text)
    }
    if mode == .replace { OnboardingMirror.save(configuration) }
    do throws(StoreError) {
      let title = mode == .preview ? "Reading the file" : "Importing"
      let summary = try WorkLine.run(title) { monitor throws(StoreError) in
        try FileStore.importRecords(
          source, mode, configuration, author: "import", check: { StoredForms.problem($0) }, monitor)
      }
      if summary.isChanged { Terminal.note(done: "stored as revision \(summary.revision)") }
      return report(summary)
    } catch {
      return DaybookCommand.refuse(error)
    }
  }

  private func report(_ summary: ImportSummary) -> Int32 {
    for counts in summary.collections {
      let parts = [
        (counts.added, "added"), (counts.updated, "updated"), (counts.same, "the same"), (counts.kept, "kept"),
        (counts.removed, "removed"), (counts.refused, "refused"),
      ]
      let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      if !text.isEmpty { Terminal.print("\(counts.collection): \(text)") }
    }
    for problem in summary.problems {
      Terminal.complain(
        "daybook: line \(problem.line)\(problem.pointer.isEmpty ? "" : ", \(problem.pointer)"): \(problem.reason)")
    }
    if mode == .preview {
      Terminal.print("Nothing was changed.")
    } else if !summary.isChanged {
      Terminal.print("There was nothing to import.")
    } else {
      let before = summary.backup.map { "; the previous contents are backup \($0)" } ?? ""
      Terminal.print("Imported, as revision \(summary.revision)\(before).")
    }
    return summary.refused == 0 ? DaybookCommand.Status.done : DaybookCommand.Status.refused
  }
}
