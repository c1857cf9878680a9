import FileStore
import FileStoreTesting
import Foundation
import Testing

struct FolderTests {
  /// A new folder for one test, removed afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/daybook-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try body(path)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("On a real disk the first commit creates everything, private to the user, and a restart finds it")
  func realFolder() throws {
    try withFolder { temporary in
      let path = temporary + "/a/b/store/"
      let store = try FileStore.open(configuration(PosixFileSystem(), folder: path))
      #expect(!FileManager.default.fileExists(atPath: temporary + "/a"), "opening creates nothing")
      #expect(try store.snapshot.count(in: meals) == 0)
      #expect(store.commitAndWait(transaction(0, [put(0)])))
      for folder in ["", "/journal"] { #expect(try mode(temporary + "/a/b/store" + folder) == 0o700) }
      for file in ["store.json", "lock", "latest.json", "journal/000001.jsonl"] {
        #expect(try mode(path + file) == 0o600)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
          "journal", "latest.json", "lock", "store.json",
        ])
      let lock = try String(contentsOfFile: path + "lock", encoding: .utf8)
      #expect(lock.hasPrefix("pid \(ProcessInfo.processInfo.processIdentifier), since 2026-01-05T12:00:00.000Z"))
      let identity = store.identity
      store.close()
      let again = try FileStore.open(configuration(PosixFileSystem(), folder: path))
      #expect(try again.snapshot.contents == [0: "{}"])
      #expect(again.identity == identity)
      #expect(again.recoveryReport.findings.isEmpty)
      again.close()
    }
  }

  @Test("A wrong mode is reported, and repaired by the first write")
  func modes() throws {
    try withFolder { path in
      let first = try FileStore.open(configuration(PosixFileSystem(), folder: path))
      #expect(first.commitAndWait(transaction(0, [put(0)])))
      first.close()
      let files = ["/store.json", "/lock", "/journal/000001.jsonl"]
      for file in files { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + file) }
      for folder in ["", "/journal"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path + folder)
      }
      let second = try FileStore.opened(configuration(PosixFileSystem(), folder: path))
      #expect(second.recoveryReport.findings.contains { $0.kind == .wrongMode && $0.file == "journal/000001.jsonl" })
      #expect(try mode(path + "/lock") == 0o644, "not yet")
      #expect(second.commitAndWait(transaction(1, [put(1)])))
      for file in files { #expect(try mode(path + file) == 0o600) }
      for folder in ["", "/journal"] { #expect(try mode(path + folder) == 0o700) }
      second.close()
    }
  }

  @Test("Entering the write window of a store with a journal syncs nothing; the first write does")
  func preparation() throws {
    let disk = SimulatedDisk()
    let founder = try FileStore.open(inline(disk.process(7)))
    #expect(founder.commitAndWait(transaction(0, [put(0)])))
    founder.close()
    let store = try FileStore.open(inline(disk.process(8)))
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeDirectory, .synchronizeFile], isForEver: true)]
    }
    #expect(try store.beginWriting())
    #expect(throws: Never.self) { try store.commit(transaction(1, [put(1)])) }
    store.endWriting()
    store.waitUntilDurable()
    #expect(store.hasFailed, "the folder could not be synchronized, so nothing was written")
    store.rollBack()
    disk.setFaults { $0.rules = [] }
    #expect(store.commitAndWait(transaction(2, [put(2)])), "and it is retried")
    #expect(try FileStore.open(inline(disk.afterCrash(.nothing).process(9))).snapshot.contents == [0: "{}", 2: "{}"])
  }

  @Test(
    "A symbolic link instead of any file is refused",
    arguments: ["", "/store.json", "/lock", "/journal", "/journal/000001.jsonl"])
  func links(_ name: String) throws {
    try withFolder { temporary in
      let path = temporary + "/store"
      let store = try FileStore.open(configuration(PosixFileSystem(), folder: path))
      #expect(store.commitAndWait(transaction(0, [put(0)])))
      store.close()
      try FileManager.default.moveItem(atPath: path + name, toPath: temporary + "/elsewhere")
      try FileManager.default.createSymbolicLink(atPath: path + name, withDestinationPath: temporary + "/elsewhere")
      for slash in ["", "/"] {
        let error = #expect(throws: StoreError.self) {
          // What reading does not need is checked by the first write.
          let store = try FileStore.opened(configuration(PosixFileSystem(), folder: path + slash))
          _ = try store.commit(transaction(1, [put(1)]))
        }
        #expect(error?.code == .storeUntrusted)
      }
    }
  }

  @Test(
    "Anything but a regular file or folder is refused",
    arguments: [
      ("/store.json", .directory), ("/lock", .directory), ("/lock", .other), ("/journal", .file),
      ("/journal/000001.jsonl", .other), ("", .file),
    ] as [(String, FileStatus.Kind)])
  func kinds(_ name: String, _ kind: FileStatus.Kind) throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    store.close()
    disk.replace(folder + name, with: kind)
    let error = #expect(throws: StoreError.self) {
      _ = try FileStore.opened(configuration(disk)).commit(transaction(1, [put(1)]))
    }
    #expect(error?.code == .storeUntrusted)
  }

  @Test("Another user's store is refused")
  func foreign() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    store.close()
    disk.setFaults { $0.owner = 1001 }
    let error = #expect(throws: StoreError.self) { _ = try FileStore.open(configuration(disk)) }
    #expect(error?.code == .storeUntrusted)
  }

  @Test("On a read-only disk reading works, and writing fails with the reason")
  func readOnly() throws {
    let disk = SimulatedDisk()
    let first = try FileStore.open(configuration(disk))
    #expect(first.commitAndWait(transaction(0, [put(0)])))
    first.close()
    disk.setFaults { $0.isReadOnly = true }
    let store = try FileStore.open(configuration(disk))
    #expect(try store.snapshot.contents == [0: "{}"])
    let error = #expect(throws: StoreError.self) { try store.commit(transaction(1, [put(1)])) }
    #expect(error?.code == .storeReadOnly)
    #expect(try store.snapshot.contents == [0: "{}"])
    disk.setFaults { $0.isReadOnly = false }
    #expect(store.commitAndWait(transaction(1, [put(1)])), "it works when the disk can be written again")
    store.close()
  }

  @Test("A store of a newer version can be read but not written")
  func newerFormat() throws {
    let disk = SimulatedDisk()
    let first = try FileStore.open(configuration(disk))
    #expect(first.commitAndWait(transaction(0, [put(0)])))
    first.close()
    let text = String(decoding: disk.contents(folder + "/store.json") ?? [], as: UTF8.self)
    let newer = text.replacing("\"format\":1", with: "\"format\":2").replacing(/,"crc":"[0-9a-f]*"/, with: "")
    disk.setContents(folder + "/store.json", Array(newer.utf8))
    let store = try FileStore.open(configuration(disk))
    #expect(try store.snapshot.contents == [0: "{}"])
    let error = #expect(throws: StoreError.self) { _ = try store.commit(transaction(1, [put(1)])) }
    #expect(error?.code == .storeReadOnly)
    store.close()
  }

  @Test("Journals are sealed at the size limit, name their successor, and are read as one")
  func sealing() throws {
    let disk = SimulatedDisk()
    var settings = configuration(disk)
    settings.journalSizeLimit = 600
    let store = try FileStore.open(settings)
    for number in 0..<10 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    store.close()
    let first = String(decoding: disk.contents(journalFile) ?? [], as: UTF8.self)
    #expect(first.split(separator: "\n").last?.hasPrefix("{\"sealed\":\"000002.jsonl\",\"crc\":") == true)
    let again = try FileStore.open(settings)
    #expect(try again.known(0..<10) == Array(0..<10))
    #expect(again.recoveryReport.findings.isEmpty)
    again.close()
  }

  @Test("Only one file makes system calls")
  func lint() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Storage/FileStore").standardized
    var knowing: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      if ["import Glibc", "import Musl", "import Darwin"].contains(where: text.contains) { knowing.append(file) }
      #expect(!text.contains("import Foundation"), "\(file)")
      let calls = [
        "openat(", "fdatasync(", "pwrite(", "pread(", "renameat(", "unlinkat(", "mkdirat(", "flock(", "linkat(",
      ]
      if file != "Disk/PosixFileSystem.swift" { #expect(!calls.contains(where: text.contains), "\(file)") }
    }
    #expect(knowing.sorted() == ["Disk/PosixFileSystem.swift"])
  }
}
