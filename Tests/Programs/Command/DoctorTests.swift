import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("daybook doctor", .processes)
struct DoctorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func doctor(_ arguments: String...) async throws -> Finished {
    try await Program.run(["doctor"] + arguments + ["--data", folder.data])
  }

  private func call(_ method: String, _ params: String) async throws -> JSONValue {
    let call = try await Program.run(["call", method, params, "--data", folder.data])
    #expect(call.status == .exited(0), "\(call.error)")
    return try JSONValue(json: Array(call.output.utf8))
  }

  /// A store with three meals, the second of which was changed.
  private func prepare() async throws {
    for number in 1...3 {
      _ = try await call(
        "meals/add",
        #"{"id":"1111111\#(number)-1111-4111-8111-111111111111","day":"2026-01-05","name":"Soup \#(number)","calories":250}"#
      )
    }
    _ = try await call("meals/update", #"{"id":"11111112-1111-4111-8111-111111111111","calories":300}"#)
  }

  private func change(_ file: String, _ body: (inout [UInt8]) -> Void) throws {
    let url = URL(fileURLWithPath: folder.data + "/" + file)
    var bytes = [UInt8](try Data(contentsOf: url))
    body(&bytes)
    try Data(bytes).write(to: url)
  }

  private func json(_ output: String) throws -> JSONValue { try JSONValue(json: Array(output.utf8)) }

  private func kinds(_ output: String) throws -> Set<String> {
    guard case .array(let findings)? = try json(output)["findings"] else { return [] }
    return Set(findings.compactMap { $0["kind"]?.string })
  }

  @Test("An empty folder is in order, and stays unchanged")
  func nothing() async throws {
    for arguments in [[], ["--repair"]] {
      let run = try await Program.run(["doctor"] + arguments + ["--data", folder.data])
      #expect(run.status == .exited(0) && run.error.isEmpty)
      #expect(run.output.contains("in order"))
    }
    #expect(folder.dataEntries.isEmpty)
  }

  @Test("A store without problems is in order, and the check changes nothing")
  func fine() async throws {
    try await prepare()
    let before = folder.dataEntries
    let run = try await doctor()
    #expect(run.status == .exited(0) && run.output.hasPrefix("The store in \(folder.data) is in order.\n"))
    #expect(run.output.contains("4 changes, 3 records"))
    #expect(folder.dataEntries == before)
    #expect(try json(try await doctor("--json").output)["fine"] == .bool(true))
  }

  @Test("Damage is explained in plain words with status 1, repaired with a copy kept, and then the store is fine")
  func repair() async throws {
    try await prepare()
    try change("journal/000001.jsonl") { bytes in
      let start = bytes.dropLast().lastIndex(of: 0x0A) ?? 0
      bytes[start + 200] ^= 1
    }
    let damaged = try Data(contentsOf: URL(fileURLWithPath: folder.data + "/journal/000001.jsonl"))
    #expect(chmod(folder.data + "/journal/000001.jsonl", 0o644) == 0)
    let leftOver = folder.data + "/store.json.17.00000000-0000-4000-8000-000000000000"
    _ = FileManager.default.createFile(atPath: leftOver, contents: Data("{".utf8))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)], ofItemAtPath: leftOver)
    let copy = folder.data + "/journal/000001.sync-conflict-20260101-120000-ABCDEFG.jsonl"
    _ = FileManager.default.createFile(atPath: copy, contents: Data("{}\n".utf8))

    let found = try await doctor("--json")
    #expect(found.status == .exited(1) && found.output.split(separator: "\n").count == 1)
    #expect(try kinds(found.output).isSuperset(of: ["damagedLine", "wrongMode", "temporaryFile", "conflictCopy"]))
    #expect(try json(found.output)["lossPossible"] == .bool(true))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.data + "/journal/000001.jsonl")) == damaged)
    let text = try await doctor()
    #expect(text.status == .exited(1))
    for words in ["DAMAGE: ", "WARNING: ", "What it means: ", "What to do: ", "journal/000001.jsonl, bytes "] {
      #expect(text.output.contains(words), "\(words)")
    }

    let repaired = try await doctor("--repair")
    #expect(repaired.status == .exited(0), "\(repaired.output)")
    #expect(repaired.output.contains("Repaired:") && repaired.output.contains("quarantine/"))
    #expect(!FileManager.default.fileExists(atPath: leftOver) && !FileManager.default.fileExists(atPath: copy))
    let kept = folder.dataEntries.filter { $0.hasPrefix("quarantine/") }
    #expect(
      kept.contains { FileManager.default.contents(atPath: folder.data + "/" + $0)?.starts(with: damaged) == true },
      "the damaged journal is kept as it was: \(kept)")
    #expect(try kinds(try await doctor("--json").output).isDisjoint(with: ["damagedLine", "wrongMode"]))
    let meal = try await call("meals/get", #"{"id":"11111112-1111-4111-8111-111111111111"}"#)
    #expect(meal["meal"]?["calories"]?.integer == 250, "as it was before the change that is lost")
    let health = try await call("store/health", #"{"scrub":true}"#)
    #expect(health["state"]?.string == "recovered")
    guard case .array(let uncertain)? = health["uncertain"] else {
      Issue.record("no list of uncertain records")
      return
    }
    #expect(uncertain.map { $0["id"]?.string } == ["11111112-1111-4111-8111-111111111111"])
  }

  @Test("An unusable folder is reported with status 1, and left alone")
  func unusable() async throws {
    _ = FileManager.default.createFile(atPath: folder.data, contents: Data("x".utf8))
    let run = try await doctor("--repair")
    #expect(run.status == .exited(1) && run.output.contains("cannot be used as a data folder"))
    #expect(FileManager.default.contents(atPath: folder.data) == Data("x".utf8))
  }

  @Test(
    "Wrong usage is status 2",
    arguments: [
      ["doctor", "now"], ["doctor", "--repair=yes"], ["doctor", "--framing", "header"], ["watch", "--json"],
    ])
  func usage(_ arguments: [String]) async throws {
    let run = try await Program.run(arguments + ["--data", folder.data])
    #expect(run.status == .exited(2) && run.output.isEmpty && run.error.contains("daybook --help"))
  }

  @Test("The doctor has a page of help")
  func help() async throws {
    #expect(try await Program.run(["help", "doctor"]).output.contains("EXIT STATUS"))
  }
}
