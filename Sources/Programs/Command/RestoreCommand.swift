import DaybookServer
import FileStore

/// `daybook restore`: puts a backup in the place of what is stored.
struct RestoreCommand {
  private let arguments: Arguments
  private let id: BackupID

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    try arguments.refuseServing("restore")
    id = try BackupCommand.id(arguments.operands.first, "restore")
    guard arguments.operands.count == 1 else { throw UsageError(message: "restore takes one backup's id") }
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    let line = WorkLine("Preparing the restore")
    defer { line.clear() }
    do throws(StoreError) {
      _ = try Backups(configuration).requestRestore(of: id, by: "restore", line.monitor)
    } catch {
      line.clear()
      return DaybookCommand.refuse(error)
    }
    line.clear()
    OnboardingMirror.save(configuration)
    switch PendingRestore.run(configuration) {
    case .done(let id, let revision):
      Terminal.print("Backup \(id) was restored, as revision \(revision). What was there before is a backup too.")
      return DaybookCommand.Status.done
    case .waiting(let id):
      Terminal.print(
        "Backup \(id) is prepared. Other processes use the data folder: it is restored by the first one that starts after all of "
          + "them have ended.")
      return DaybookCommand.Status.done
    case .postponed(_, let reason), .failed(let reason):
      Terminal.complain("daybook: the backup was not restored: \(reason)")
      return DaybookCommand.Status.refused
    case .nothing:
      Terminal.complain("daybook: another process has taken the request")
      return DaybookCommand.Status.refused
    }
  }
}
