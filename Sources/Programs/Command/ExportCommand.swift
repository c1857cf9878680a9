import FileStore

/// `daybook export`: writes all stored data as one text.
struct ExportCommand {
  private let arguments: Arguments
  private let path: String

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    guard let path = arguments.operands.first, arguments.operands.count == 1, !path.isEmpty else {
      throw UsageError(message: "export needs one file, or “-” for standard output")
    }
    self.path = path
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    let export = StoreExport(configuration)
    var isBroken = false
    do throws(StoreError) {
      let summary = try WorkLine.run("Exporting") { monitor throws(StoreError) in
        guard path == "-" else {
          return try export.write(to: path, overwrites: arguments.flags.contains("--overwrite"), monitor)
        }
        return try export.run(monitor) { text throws(StoreError) in
          guard Terminal.write(text, to: 1) else {
            isBroken = true
            throw StoreError(.cancelled, "Standard output was closed.")
          }
        }
      }
      if path != "-" {
        Terminal.note(done: "the export was written")
        Terminal.print("\(BackupCommand.count(summary.records)), \(summary.bytes) bytes: \(path)")
      }
      guard !summary.isDamaged else {
        Terminal.complain("daybook: part of the data folder cannot be read, and is missing from the export")
        return DaybookCommand.Status.refused
      }
      return DaybookCommand.Status.done
    } catch {
      return isBroken ? DaybookCommand.Status.transport : DaybookCommand.refuse(error)
    }
  }
}
