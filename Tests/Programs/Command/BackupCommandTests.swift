import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("daybook backup, restore, export and import", .processes)
struct BackupCommandTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> Finished {
    try await Program.run(arguments + ["--data", folder.data])
  }

  private func add(_ name: String) async throws {
    let added = try await run("call", "meals/add", "{\"name\":\"\(name)\",\"calories\":1}")
    #expect(added.status == .exited(0), "\(added.error)")
  }

  private func names() async throws -> [String] {
    let list = try await run("call", "meals/list")
    guard case .array(let meals)? = try JSONValue(json: Array(list.output.utf8))["meals"] else { return [] }
    return meals.compactMap { $0["name"]?.string }.sorted()
  }

  /// The id at the beginning of a line.
  private func id(_ text: String) -> String { String(text.prefix { $0 != " " }) }

  @Test("A backup is created, listed, verified and restored; the previous contents become a backup too")
  func backups() async throws {
    #expect(try await run("backup").status == .exited(1), "there is nothing to back up yet")
    #expect(try await run("backup", "list").output == "There are no backups yet.\n")
    try await add("Soup")
    let made = try await run("backup", "--note", "with soup only")
    #expect(made.status == .exited(0) && made.error.isEmpty)
    try await add("Tea")
    let list = try await run("backup", "list")
    #expect(list.output.contains("“with soup only”") && list.output.contains("1 record,"))
    #expect(id(list.output) == id(made.output))
    #expect(try await run("backup", "verify", id(made.output)).status == .exited(0))
    let restored = try await run("restore", id(made.output))
    #expect(restored.status == .exited(0) && restored.output.contains("was restored"), "\(restored.error)")
    #expect(try await names() == ["Soup"])
    let before = try await run("backup", "list")
    #expect(before.output.contains("beforeRestore"))
    let saved = id(String(before.output.split(separator: "\n").first { $0.contains("beforeRestore") } ?? ""))
    #expect(try await run("restore", saved).status == .exited(0))
    #expect(try await names() == ["Soup", "Tea"])
    #expect(try await run("backup", "delete", id(made.output)).status == .exited(0))
    let gone = try await run("backup", "delete", id(made.output))
    #expect(gone.status == .exited(1) && gone.error.contains(id(made.output)))
  }

  @Test("While a service runs a restore waits, and the next process that starts alone carries it out")
  func waiting() async throws {
    try await add("Soup")
    let backup = id(try await run("backup").output)
    try await add("Tea")
    let service = try await Daybook.serve(folder.data)
    _ = try await service.call("1", "session/get")
    let restored = try await run("restore", backup)
    #expect(restored.status == .exited(0) && restored.output.contains("is prepared"), "\(restored.output)")
    #expect(try await names() == ["Soup", "Tea"])
    service.closeInput()
    _ = try await service.exitStatus()
    #expect(try await names() == ["Soup"])
  }

  @Test("A damaged backup is found and not restored")
  func damaged() async throws {
    try await add("Soup")
    let backup = id(try await run("backup").output)
    let path = folder.data + "/backups/\(backup)/store.json"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[20] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let verified = try await run("backup", "verify", backup)
    #expect(verified.status == .exited(1) && verified.error.contains("store.json"))
    #expect(try await run("backup", "list").output.contains("NOT IN ORDER"))
    #expect(try await run("restore", backup).status == .exited(1))
    #expect(try await names() == ["Soup"])
  }

  @Test("An export is imported into another folder, once; a file is not replaced without --overwrite")
  func exchange() async throws {
    try await add("Soup")
    let file = folder.path + "/export.jsonl"
    #expect(try await run("export", file).status == .exited(0))
    let again = try await run("export", file)
    #expect(again.status == .exited(1) && again.error.contains("already exists"))
    #expect(try await run("export", file, "--overwrite").status == .exited(0))
    let inside = try await run("export", folder.data + "/journal/000001.jsonl", "--overwrite")
    #expect(inside.status == .exited(1) && inside.error.contains("data folder"), "\(inside.error)")
    let special = try await run("export", "/dev/full", "--overwrite")
    #expect(special.status == .exited(1) && special.error.contains("regular file"), "\(special.error)")
    let streamed = try await run("export", "-")
    #expect(streamed.status == .exited(0) && streamed.error.isEmpty, "\(streamed.error)")
    #expect(streamed.output.split(separator: "\n").count == 3 && streamed.output.contains("\"Soup\""))
    let other = try TemporaryFolder()
    let preview = try await Program.run(["import", "--preview", file, "--data", other.data])
    #expect(preview.status == .exited(0) && preview.output.contains("meals: 1 added"))
    #expect(other.dataEntries.isEmpty, "a preview makes nothing: \(other.dataEntries)")
    let imported = try await Program.run(["import", file, "--data", other.data])
    #expect(imported.status == .exited(0) && imported.output.contains("Imported"), "\(imported.error)")
    let repeated = try await Program.run(["import", file, "--data", other.data])
    #expect(repeated.status == .exited(0) && repeated.output.contains("nothing to import"))
    let list = try await Program.run(["call", "meals/list", "--data", other.data])
    #expect(list.output.contains("Soup"))
    var text = try String(contentsOfFile: file, encoding: .utf8)
    text.removeLast(10)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let cut = try await Program.run(["import", file, "--data", other.data])
    #expect(cut.status == .exited(1) && cut.error.contains("Line 3"))
  }

  @Test(
    "Wrong usage is named, with status 2",
    arguments: [
      (["backup", "frob"], "frob"), (["backup", "verify"], "id"), (["backup", "verify", "x"], "x"), (["restore"], "id"),
      (["backup", "create", "x"], "--note"),
      (["backup", "--note", String(repeating: "x", count: 501)], "500 characters"),
      (["backup", "list", "--note", "x"], "--note"), (["export"], "file"),
      (["export", "a", "b"], "one file"), (["import"], "file"), (["import", "a", "--merge", "--replace"], "exclude"),
      (["call", "days/get", "--merge"], "--merge"), (["--overwrite"], "--overwrite"),
      (["import", "a", "--overwrite"], "import"),
    ])
  func usage(_ arguments: [String], _ expected: String) async throws {
    let finished = try await Program.run(arguments + ["--data", folder.data])
    #expect(finished.status == .exited(2) && finished.output.isEmpty)
    #expect(finished.error.contains(expected), "\(finished.error)")
    #expect(folder.dataEntries.isEmpty)
  }

  @Test("Each command has its help", arguments: ["backup", "restore", "export", "import"])
  func help(_ command: String) async throws {
    for arguments in [["help", command], [command, "--help"]] {
      let help = try await Program.run(arguments)
      #expect(help.status == .exited(0) && help.output.hasPrefix("daybook \(command): "))
      #expect(help.output.contains("EXIT STATUS"))
    }
  }
}
