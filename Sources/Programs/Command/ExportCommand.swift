import FileStore

/// `daybook export`: writes everything as one text.
struct ExportCommand {
  private let arguments: Arguments
  private let path: String

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    try arguments.refuseServing("export", own: ["--overwrite"])
    guard let path = arguments.operands.first, arguments.operands.count == 1, !path.isEmpty else {
      throw UsageError(message: "export needs one file to write to, or “-” for standard output")
    }
    self.path = path
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    let export = StoreExport(configuration)
    let line = WorkLine("Exporting")
    defer { line.clear() }
    do throws(StoreError) {
      let summary: StoreExport.Summary
      if path == "-" {
        var isBroken = false
        do throws(StoreError) {
          summary = try export.run(line.monitor) { text throws(StoreError) in
            guard Terminal.write(text, to: 1) else {
              isBroken = true
              throw StoreError(.cancelled, "Standard output was closed.")
            }
          }
        } catch {
          if isBroken { return DaybookCommand.Status.transport }
          throw error
        }
        line.clear()
      } else {
        summary = try export.write(to: path, overwrites: arguments.flags.contains("--overwrite"), line.monitor)
        line.clear()
        Terminal.print("\(BackupCommand.count(summary.records)), \(summary.bytes) bytes: \(path)")
      }
      guard !summary.isDamaged else {
        Terminal.complain("daybook: a part of the data folder cannot be read, and is missing in the export")
        return DaybookCommand.Status.refused
      }
      return DaybookCommand.Status.done
    } catch {
      line.clear()
      return DaybookCommand.refuse(error)
    }
  }
}
