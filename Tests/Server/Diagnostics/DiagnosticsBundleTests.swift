import CivilTime
import FileStore
import FileStoreTesting
import Foundation
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("The diagnostics bundle")
struct DiagnosticsBundleTests {
  private let disk = SimulatedDisk()

  init() throws {
    disk.isTracing = false
    for path in ["/home", "/home/ann", "/home/ann/data", "/home/ann/data/logs", "/out"] {
      try disk.makeDirectory(path: path)
    }
    disk.setContents("/home/ann/data/store.json", Array("secret".utf8))
    disk.setContents("/home/ann/data/divorce.txt", Array("secret".utf8))
  }

  private func bundle(_ limit: Int = DiagnosticsBundle.largest, on fileSystem: (any FileSystem)? = nil)
    -> DiagnosticsBundle
  {
    DiagnosticsBundle(
      dataFolder: "/home/ann/data", home: "/home/ann/", now: Instant(milliseconds: 0), fileSystem: fileSystem ?? disk,
      limit: limit)
  }

  /// The entries of an archive, read by the test itself.
  private func entries(_ path: String = "/out/b.tar") throws -> [String: String] {
    let bytes = try #require(disk.contents(path))
    var entries: [String: String] = [:]
    var at = 0
    while at < bytes.count, bytes[at] != 0 {
      func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[(at + range.lowerBound)..<(at + range.upperBound)].prefix { $0 != 0 }, as: UTF8.self)
      }
      let size = try #require(Int(text(124..<135), radix: 8))
      let name = text(0..<100)
      entries[name] = String(decoding: bytes[(at + 512)..<(at + 512 + size)], as: UTF8.self)
      at += TarWriter.length(of: size)
    }
    #expect(at + TarWriter.endLength == bytes.count)
    return entries
  }

  @Test(
    "It contains the reports, the listing and the log, without home paths or user data, readable by the user only")
  func content() throws {
    disk.setContents("/home/ann/data/logs/daybook.log", Array("at /home/ann/x\n".utf8))
    disk.setContents("/home/ann/data/logs/daybook.1.log", Array("older\n".utf8))
    var bundle = bundle()
    bundle.reports = [.init(name: "health.json", content: Array("\"/home/ann\"".utf8))]
    bundle.personalData = [.init(name: "meals.json", content: Array("secret".utf8))]
    let written = try bundle.write(to: "/out/b.tar")
    #expect(
      written.names == ["about.json", "health.json", "folder.txt", "logs/daybook.log", "logs/daybook.1.log"])
    #expect(written.shortened.isEmpty && written.length == disk.contents("/out/b.tar")?.count)
    let entries = try entries()
    #expect(Set(entries.keys) == Set(written.names.map { "daybook-diagnostics/" + $0 }))
    #expect(entries["daybook-diagnostics/health.json"] == "\"~\"")
    #expect(entries["daybook-diagnostics/logs/daybook.log"] == "at ~/x\n")
    let all = entries.values.joined()
    #expect(!all.contains("ann") && !all.contains("secret") && !all.contains("divorce"))
    #expect(disk.walk("/out").map(\.path) == ["b.tar"] && disk.walk("/out").first?.mode == 0o600)
    #expect(disk.openDescriptors(of: disk.process(42)).isEmpty)
  }

  @Test("Personal data is included on demand, unchanged")
  func personal() throws {
    var bundle = bundle()
    bundle.personalData = [.init(name: "meals.json", content: Array("/home/ann/soup".utf8))]
    bundle.includesPersonalData = true
    #expect(try bundle.write(to: "/out/b.tar").names == ["about.json", "folder.txt", "meals.json"])
    #expect(try entries()["daybook-diagnostics/meals.json"] == "/home/ann/soup")
  }

  @Test("The listing has modes, lengths and the program's own names, but no names of the user's files")
  func listing() throws {
    for path in ["segments", "segments/meals", "quarantine", "photos", "photos/logs", "backups"] {
      try disk.makeDirectory(path: "/home/ann/data/" + path)
    }
    for path in [
      "segments/meals/2026-01.3.jsonl", "quarantine/segments-meals-2026-01.3.jsonl.whole.5f3a9c01",
      "backups/20260105T120000Z-0a1b2c3d", "backups/Ann's copy", "photos/logs/store.json", "manifest-12.json",
      "manifest (Ann's laptop).json", "secrets.json", "..", "Store.json", "made-for-tests",
    ] where path != ".." { disk.setContents("/home/ann/data/" + path, [1]) }
    let lines = String(decoding: FolderListing(of: "/home/ann/data", disk).text, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "d  700           -  .")
    #expect(lines.contains("-  600           6  store.json"))
    let names = lines.dropFirst().map { String($0.dropFirst(20)) }
    #expect(
      names.sorted() == [
        "backups", "backups/20260105T120000Z-0a1b2c3d", "backups/…", "logs", "made-for-tests", "manifest-12.json",
        "quarantine", "quarantine/segments-meals-2026-01.3.jsonl.whole.5f3a9c01", "secrets.json", "segments",
        "segments/meals", "segments/meals/2026-01.3.jsonl", "store.json", "…", "…", "…", "…", "…/…", "…/…/…",
      ])
  }

  @Test(
    "Home paths are replaced, and longer names that begin with one are not",
    arguments: [
      ("/home/ann", "~"), ("/home/ann/x", "~/x"), ("a /home/ann.", "a ~."), ("/home/anna/x", "/home/anna/x"),
      ("/home/ann-2", "/home/ann-2"), ("/home/ann.old/x", "/home/ann.old/x"), ("/home/an", "/home/an"),
      ("“/home/ann”/home/ann:", "“~”~:"), ("", ""),
    ])
  func homes(_ text: String, _ hidden: String) {
    let paths = HomePaths("/home/ann/")
    #expect(String(decoding: paths.hidden(in: Array(text.utf8)), as: UTF8.self) == hidden)
    for home in [nil, "", "/", "relative"] { #expect(HomePaths(home).hidden(in: Array(text.utf8)) == Array(text.utf8)) }
  }

  @Test("An existing path is not overwritten, unless that is requested and it is a file")
  func replacing() throws {
    disk.setContents("/out/b.tar", [1])
    #expect { try bundle().write(to: "/out/b.tar") } throws: { ($0 as? DiagnosticsError)?.code == .alreadyExists }
    #expect(disk.contents("/out/b.tar") == [1])
    _ = try bundle().write(to: "/out/b.tar", replacing: true)
    #expect(try entries().count == 2)
    try disk.makeDirectory(path: "/out/c")
    #expect { try bundle().write(to: "/out/c", replacing: true) } throws: {
      ($0 as? DiagnosticsError)?.code == .alreadyExists
    }
    #expect(disk.walk("/out").map(\.path) == ["b.tar", "c"])
  }

  @Test(
    "A path without a valid file name is refused",
    arguments: [("/out/", "invalidName"), ("", "invalidName"), ("/out/..", "invalidName"), ("/none/b.tar", "noFolder")])
  func paths(_ path: String, _ code: String) {
    #expect { try bundle().write(to: path) } throws: { ($0 as? DiagnosticsError)?.code.rawValue == code }
  }

  @Test("Whichever call fails, nothing is left behind, and existing files are unchanged", arguments: [false, true])
  func failures(_ replacing: Bool) throws {
    if replacing { disk.setContents("/out/b.tar", [1]) }
    disk.setContents("/home/ann/data/logs/daybook.log", Array("line\n".utf8))
    let before = disk.walk("/out")
    var failures = 0
    for call in [DiskCall.create, .append, .synchronizeFile, .rename, .open] {
      for after in 0..<12 {
        disk.setFaults { $0.rules = [DiskFault(.fails(.noSpace), calls: [call], after: after)] }
        do throws(DiagnosticsError) { _ = try bundle().write(to: "/out/b.tar", replacing: replacing) } catch {
          failures += 1
          #expect(disk.walk("/out") == before, "\(call) after \(after)")
          continue
        }
        disk.setFaults { $0 = SimulatedDisk.Faults() }
        disk.remove("/out/b.tar")
        if replacing { disk.setContents("/out/b.tar", [1]) }
      }
    }
    #expect(failures > 10)
    #expect(disk.openDescriptors(of: disk.process(42)).isEmpty)
  }

  @Test("A log beyond the limit loses its oldest lines; without room for the rest there is no bundle")
  func limit() throws {
    let line = Array((String(repeating: "a", count: 99) + "\n").utf8)
    for number in 0..<LogFolder.fileCount {
      disk.setContents(
        "/home/ann/data/logs/" + LogFolder.name(number), Array([[UInt8]](repeating: line, count: 100).joined()))
    }
    let limit = 32_000
    let written = try bundle(limit).write(to: "/out/b.tar")
    #expect(written.length <= limit && written.length > limit - 6000)
    #expect(written.names.suffix(3) == ["logs/daybook.log", "logs/daybook.1.log", "logs/daybook.2.log"])
    #expect(written.shortened == ["logs/daybook.2.log", "logs/daybook.3.log"])
    let partial = try #require(try entries()["daybook-diagnostics/logs/daybook.2.log"])
    #expect(partial.utf8.count % 100 == 0 && partial.utf8.count < 10_000)
    #expect { try bundle(4000).write(to: "/out/c.tar") } throws: { ($0 as? DiagnosticsError)?.code == .tooLarge }
    var twice = bundle()
    twice.reports = [.init(name: "folder.txt", content: [])]
    #expect { try twice.write(to: "/out/c.tar") } throws: { ($0 as? DiagnosticsError)?.code == .invalidName }
    #expect(disk.walk("/out").map(\.path) == ["b.tar"])
  }

  @Test("Python reads a bundle of a real folder")
  func realFolder() async throws {
    let folder = try TemporaryFolder()
    var file = LogFile(dataFolder: folder.path)
    #expect(FileManager.default.createFile(atPath: folder.path + "/store.json", contents: nil))
    #expect(file.append(Array("{}\n".utf8)) == .written)
    let bundle = DiagnosticsBundle(dataFolder: folder.path, home: nil, now: Instant(milliseconds: 0))
    #expect { try bundle.write(to: folder.path + "/store.json", replacing: true) } throws: {
      ($0 as? DiagnosticsError)?.code == .unwritable
    }
    let place = try TemporaryFolder()
    _ = try bundle.write(to: place.path + "/b.tar")
    let done = try await Program.command(["/usr/bin/env", "python3", "-m", "tarfile", "-l", place.path + "/b.tar"])
    let names = done.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(names == ["about.json", "folder.txt", "logs/daybook.log"].map { "daybook-diagnostics/" + $0 })
  }
}
