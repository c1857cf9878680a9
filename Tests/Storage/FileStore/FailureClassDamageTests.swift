import CrashLabKit
import FileStore
import FileStoreTesting
import Pacing
import Testing

/// The classes of failure in which reads differ from writes, or the store's environment misbehaves.
@Suite(.simulated)
struct FailureClassDamageTests {
  private let lab = FailureClassLab()

  @Test("Failure class 9: bits, bytes and lines of any file are changed", arguments: 0..<17 as Range<UInt64>)
  func damage(_ way: UInt64) {
    let deletion = LabAction.commit([LabChange(key: LabKey(collection: 0, record: 1), padding: nil)])
    let checkpoint = LabAction.perform(.checkpoint)
    let script = lab.history([lab.put(1), deletion, checkpoint, lab.put(2), checkpoint, lab.put(3)], journal: 450)
    var trial = LabCase(.mutation, .ordered, seed: way)
    trial.part = (Int(way % 32), 32)
    let outcome = trial.run(lab.driver, script)
    #expect(outcome.violation == nil)
    #expect(outcome.points > 0)
  }

  @Test(
    "Failure class 10: a file is missing, and its content is missed",
    arguments: ["store.json", "lock", "journal/000001.jsonl", "journal/000002.jsonl", "journal/000003.jsonl"])
  func missing(_ name: String) throws {
    var (disk, model) = try lab.prepare(6, journal: 500)
    let lost = try #require(disk.contents(lab.folder + "/" + name))
    #expect(disk.contents(lab.folder + "/journal/000003.jsonl") != nil)
    disk.remove(lab.folder + "/" + name)
    let changes = disk.changes
    let store = try lab.opened(disk)
    let gone = Set(lost.split(separator: UInt8(ascii: "\n")).compactMap { lab.driver.transaction(inLine: $0) })
    for number in 0..<6 { #expect((store.revision(of: number) != nil) == !gone.contains(number), "\(number)") }
    #expect(store.findings.contains(where: \.isLossPossible) == !gone.isEmpty, "\(store.findings)")
    #expect(disk.changes == changes)
    let revisions = (0..<6).map { store.revision(of: $0) }
    store.close()
    model.settle(revisions)
    var check = RecoveryCheck(lab.driver, profile: .minimal)
    check.hasLossOnRecord = true
    #expect(try check(disk, model) == revisions)
  }

  @Test(
    "Failure class 10: something else has a file's name, and is left alone",
    arguments: [FileStatus.Kind.directory, .other, .symbolicLink])
  func replaced(_ kind: FileStatus.Kind) throws {
    for name in ["store.json", "lock", "journal", "journal/000001.jsonl"] where name != "journal" || kind != .directory
    {
      let (disk, _) = try lab.prepare(2)
      disk.replace(lab.folder + "/" + name, with: kind)
      let before = disk.walk(lab.folder)
      switch lab.open(disk) {
      case .failed(let reason): #expect(reason.hasPrefix("storeUntrusted"))
      case .opened(let store):
        // The lock is not examined before the first write.
        guard name == "lock", case .refused(let reason) = store.commit(LabTransaction(number: 9, changes: [])) else {
          Issue.record("\(name) as \(kind) was used")
          continue
        }
        #expect(reason.hasPrefix("storeUntrusted") || kind == .directory && reason.hasPrefix("storeUnavailable"))
        store.close()
      }
      #expect(disk.walk(lab.folder) == before)
      #expect(disk.openDescriptors(of: disk.process(9)).isEmpty)
    }
  }

  @Test(
    "Failure class 14: the clock goes back, far forward, or stands still",
    arguments: [-31_536_000_000, 3_153_600_000_000, 0])
  func clock(_ jump: Int64) {
    let driver = AlteredDriver(
      lab.driver,
      settings: { settings, disk in
        // Each transaction is that much later than the previous one.
        settings.now = { 1_767_614_400_000 + jump * Int64(disk.changes % 3) }
      })
    lab.sweep(lab.history([lab.put(1), lab.put(1), .close, lab.put(2), lab.put(1), .close], journal: 400), driver)
  }

  @Test("Failure class 17: descriptors or memory run out, at any call", arguments: [false, true])
  func exhausted(_ isForEver: Bool) throws {
    for after in 0..<40 {
      // Reading an open file needs neither.
      let calls = Set(DiskCall.allCases).subtracting([.read])
      let rule = DiskFault(.fails(.other), calls: calls, after: after, isForEver: isForEver)
      let script = [
        lab.put(1), .close, lab.faults("exhausted") { $0.rules = [rule] }, lab.put(2), lab.put(3), .faults(.none),
        .close, lab.put(4),
        .close,
      ]
      var trial = LabCase(.faults, .ordered, seed: 1)
      trial.draws = 2
      let outcome = trial.run(lab.driver, lab.history(script, journal: 400))
      #expect(outcome.violation == nil, "call \(after)")
    }
  }

  @Test("Failure class 18: an unknown line with a valid checksum is reported and left")
  func unknownLine() throws {
    let (disk, model) = try lab.prepare(3)
    let path = lab.folder + "/journal/000001.jsonl"
    let journal = try #require(disk.contents(path))
    let start = Array("{\"seq\":4,\"weather\":\"new\"".utf8)
    let checksum = String(start.withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
    let line = start + Array(",\"crc\":\"\(String(repeating: "0", count: 8 - checksum.count))\(checksum)\"}\n".utf8)
    let check = try DamageCheck(lab.driver, settings: LabSettings(), model: model, whole: disk)
    let mutation = FileMutator.Mutation(
      bytes: journal + line, range: journal.count..<journal.count, text: "a line of another version")
    try check("journal/000001.jsonl", mutation, shouldContinue: true)
  }

  @Test("Failure class 19: good bytes are written to the wrong place")
  func misdirected() throws {
    let (disk, model) = try lab.prepare(6, journal: 500)
    let check = try DamageCheck(lab.driver, settings: LabSettings(), model: model, whole: disk)
    let names = ["journal/000001.jsonl", "journal/000002.jsonl", "store.json"]
    for source in names {
      let bytes = try #require(disk.contents(lab.folder + "/" + source))
      for name in names.prefix(2) {
        let original = try #require(disk.contents(lab.folder + "/" + name))
        let line = bytes.prefix((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1)
        for offset in Sweeps.places(stride(from: 0, through: original.count, by: 7)) {
          var changed = original
          let range = offset..<min(original.count, offset + line.count)
          changed.replaceSubrange(range, with: line)
          let mutation = FileMutator.Mutation(
            bytes: changed, range: range, isReordered: true, text: "\(source)'s first line at \(offset)")
          #expect(throws: Never.self, "\(name): \(mutation.text)") {
            try check(name, mutation, shouldContinue: offset % 5 == 0)
          }
        }
      }
    }
  }

  @Test("Failure class 20: each sync takes seconds")
  func slow() {
    let driver = AlteredDriver(
      lab.driver, disk: { $0.setFaults { $0.syncMilliseconds = 7000 } },
      settings: { settings, disk in settings.now = { 1_767_614_400_000 + disk.milliseconds } })
    lab.sweep(lab.history([lab.put(1), lab.put(2), .close, lab.put(3), .close], journal: 400), driver)
  }

  @Test("Failure class 21: a sync tool leaves copies, partial files and its own files in the folder")
  func strangers() throws {
    let (disk, model) = try lab.prepare(4, journal: 500)
    let journal = try #require(disk.contents(lab.folder + "/journal/000001.jsonl"))
    let strangers = [
      "desktop.ini", ".DS_Store", "store (conflicted copy).json", "journal/000001 (conflicted copy).jsonl",
      "journal/.syncthing.000002.jsonl.tmp", "journal/000009.jsonl.icloud", "journal/1.jsonl", "journal/000001.jsonl~",
    ]
    for name in strangers { disk.setContents(lab.folder + "/" + name, Array(journal.dropLast(5))) }
    lab.recover(disk, model)
    for name in strangers { #expect(disk.contents(lab.folder + "/" + name) == Array(journal.dropLast(5))) }
  }
}
