import CivilTime
import FileStore

/// `daybook backup`: creates, lists, verifies and deletes backups.
struct BackupCommand {
  private enum Action {
    case create, list
    case verify(BackupID), delete(BackupID)
  }

  private let arguments: Arguments
  private let action: Action

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    let word = arguments.operands.first ?? "create"
    if word != "create", arguments.values["--note"] != nil {
      throw UsageError(message: "“daybook backup \(word)” has no option --note")
    }
    switch word {
    case "create": action = .create
    case "list": action = .list
    case "verify": action = .verify(try BackupCommand.id(arguments.operands.dropFirst().first, "backup verify"))
    case "delete": action = .delete(try BackupCommand.id(arguments.operands.dropFirst().first, "backup delete"))
    default: throw UsageError(message: "backup takes create, list, verify or delete, not “\(word)”")
    }
    if let note = arguments.values["--note"], note.unicodeScalars.count > BackupCommand.longestNote {
      throw UsageError(message: "a note has at most \(BackupCommand.longestNote) characters")
    }
    let takesID = word == "verify" || word == "delete"
    guard arguments.operands.count <= (takesID ? 2 : 1) else {
      throw UsageError(message: "unexpected “\(arguments.operands.last ?? "")”; a note goes after --note")
    }
  }

  /// The maximum length of a note, as in “backup/create”.
  private static let longestNote = 500

  /// Parses the id of a backup.
  static func id(_ text: String?, _ command: String) throws(UsageError) -> BackupID {
    guard let text else {
      throw UsageError(message: "\(command) needs the id of a backup; “daybook backup list” shows them")
    }
    guard let id = BackupID(text) else {
      throw UsageError(message: "“\(text)” is not the id of a backup; “daybook backup list” shows them")
    }
    return id
  }

  func run() throws(UsageError) -> Int32 {
    guard let configuration = try arguments.storeConfiguration() else { return DaybookCommand.Status.refused }
    let backups = Backups(configuration)
    do throws(StoreError) {
      switch action {
      case .create: try create(backups)
      case .list: try list(backups)
      case .verify(let id): return try verify(id, backups)
      case .delete(let id):
        try backups.delete(id)
        Terminal.note(done: "backup \(id) was deleted")
        Terminal.print("Backup \(id) was deleted.")
      }
      return DaybookCommand.Status.done
    } catch { return DaybookCommand.refuse(error) }
  }

  private func create(_ backups: Backups) throws(StoreError) {
    let backup = try WorkLine.run("Backing up") { monitor throws(StoreError) in
      try backups.create(.manual, note: arguments.values["--note"], monitor)
    }
    Terminal.note(done: "backup \(backup.id) was made")
    Terminal.print("\(backup.id)  \(BackupCommand.count(backup.records)), \(BackupCommand.size(backup.bytes))")
    if let problem = backup.problem { Terminal.complain("daybook: \(problem.reason); see “daybook help backup”") }
  }

  private func list(_ backups: Backups) throws(StoreError) {
    let all = try backups.list()
    if all.isEmpty { Terminal.print("There are no backups yet.") }
    for backup in all {
      let state = backup.problem.map { "NOT IN ORDER: \($0.file): \($0.reason)" } ?? "in order"
      let note = backup.note.map { "  “\($0)”" } ?? ""
      Terminal.print(
        "\(backup.id)  \(backup.reason.rawValue)  \(BackupCommand.count(backup.records)), \(BackupCommand.size(backup.bytes))  "
          + state + note)
    }
  }

  private func verify(_ id: BackupID, _ backups: Backups) throws(StoreError) -> Int32 {
    let problems = try WorkLine.run("Verifying") { monitor throws(StoreError) in
      try backups.verify(id, monitor)
    }
    for problem in problems { Terminal.complain("daybook: \(problem.file): \(problem.reason)") }
    guard problems.isEmpty else { return DaybookCommand.Status.refused }
    Terminal.print("Backup \(id) is in order.")
    return DaybookCommand.Status.done
  }

  /// A number of records as text.
  static func count(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }

  /// A length in bytes as text.
  private static func size(_ bytes: Int) -> String {
    if bytes < 10_000 { return "\(bytes) bytes" }
    return bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
  }
}
