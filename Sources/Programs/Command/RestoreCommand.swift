import DaybookServer
import FileStore

/// `daybook restore`: replaces the stored data by a backup.
struct RestoreCommand {
  private let arguments: Arguments
  private let id: BackupID

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    id = try BackupCommand.id(arguments.operands.first, "restore")
    guard arguments.operands.count == 1 else { throw UsageError(message: "restore takes the id of one backup") }
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    do throws(StoreError) {
      try WorkLine.run("Preparing the restore") { monitor throws(StoreError) in
        _ = try Backups(configuration).requestRestore(of: id, by: "restore", monitor)
      }
    } catch {
      return DaybookCommand.refuse(error)
    }
    OnboardingMirror.save(configuration)
    switch PendingRestore.run(configuration) {
    case .done(let id, let revision):
      Terminal.note(done: "backup \(id) was restored, as revision \(revision)")
      Terminal.print("Backup \(id) was restored, as revision \(revision). The previous contents are now a backup too.")
      return DaybookCommand.Status.done
    case .waiting(let id):
      Terminal.note(done: "backup \(id) is prepared")
      Terminal.print(
        "Backup \(id) is prepared. Other processes use the data folder: the first process to start after they have "
          + "ended restores it.")
      return DaybookCommand.Status.done
    case .postponed(_, let reason), .failed(let reason):
      Terminal.complain("daybook: the backup was not restored: \(reason)")
      return DaybookCommand.Status.refused
    case .nothing:
      Terminal.complain("daybook: another process has already handled the request")
      return DaybookCommand.Status.refused
    }
  }
}
