import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

/// Settings for a reproducible store.
func inline(_ fileSystem: any FileSystem, folder: String = folder) -> FileStore.Configuration {
  var settings = configuration(fileSystem, folder: folder)
  settings.isInline = true
  settings.onDurable = { _ in }
  return settings
}

/// A disk with a store of some months, a checkpoint and a journal tail.
func diskWithStore(tail: Int = 2) throws -> SimulatedDisk {
  let disk = SimulatedDisk()
  let store = try FileStore.open(inline(disk))
  for number in 0..<4 {
    #expect(store.commitAndWait(transaction(number, [put(number, day: 20_000 + number * 20)])))
  }
  try store.checkpoint()
  for number in 4..<(4 + tail) {
    #expect(store.commitAndWait(transaction(number, [put(number % 5, "{\"n\":\(number)}")])))
  }
  store.close()
  return disk.afterCrash(.everything)
}

@Suite("Backups", .simulated)
struct BackupTests {
  private func path(_ backup: Backup) -> String { folder + "/backups/" + backup.id.description }

  private func inodes(_ disk: SimulatedDisk, _ path: String) throws -> [String: UInt64] {
    var inodes: [String: UInt64] = [:]
    for found in disk.walk(path) where found.kind == .file {
      inodes[found.path] = try disk.status(path: path + "/" + found.path).inode
    }
    return inodes
  }

  @Test("A backup is a store of its own with the same content", arguments: [true, false])
  func isStore(_ folds: Bool) throws {
    let disk = try diskWithStore()
    let expected = try FileStore.open(inline(disk)).snapshot
    let backup = try Backups(inline(disk)).create(.manual, note: "“before” \\ lunch", folds: folds)
    #expect(backup.isVerified && backup.revision == expected.revision && backup.records == 5)
    #expect(backup.note == "“before” \\ lunch")
    let copy = try FileStore.open(inline(disk, folder: path(backup)))
    #expect(try copy.snapshot.contents == expected.contents)
    #expect(try copy.revision == expected.revision)
    #expect(copy.recoveryReport.findings.isEmpty)
    #expect(try Backups(inline(disk)).list() == [backup])
    #expect(try Backups(inline(disk)).verify(backup.id).isEmpty)
    #expect(disk.isPrivate(folder + "/backups"))
  }

  @Test("Backups share unchanged files with each other, and none with the store")
  func sharing() throws {
    let disk = try diskWithStore()
    let backups = Backups(inline(disk))
    let first = try backups.create(.manual)
    let store = try FileStore.open(inline(disk))
    #expect(store.commitAndWait(transaction(20, [put(20, day: 20_060)])))
    store.close()
    let second = try backups.create(.manual)
    let live = try inodes(disk, folder).filter { !$0.key.hasPrefix("backups") }
    let (one, two) = (try inodes(disk, path(first)), try inodes(disk, path(second)))
    #expect(Set(one.values).isDisjoint(with: live.values))
    #expect(Set(two.values).isDisjoint(with: live.values))
    let shared = Set(one.filter { two[$0.key] == $0.value }.keys)
    #expect(shared.count >= 2 && shared.allSatisfy { $0.hasPrefix("segments/") }, "\(shared)")
    // Removing one does not harm the other.
    try backups.delete(first.id)
    #expect(try backups.verify(second.id).isEmpty)
  }

  @Test("A damaged shared file is found, and the next backup copies it from the store again")
  func damagedSharing() throws {
    let disk = try diskWithStore()
    let backups = Backups(inline(disk))
    let first = try backups.create(.manual)
    let name = try #require(disk.walk(path(first)).first { $0.path.hasPrefix("segments/") && $0.kind == .file }).path
    var bytes = try #require(disk.contents(path(first) + "/" + name))
    bytes[40] ^= 1
    disk.setContents(path(first) + "/" + name, bytes)
    #expect(try backups.list().first?.isVerified == true, "a quick check does not show it")
    let second = try backups.create(.manual)
    #expect(second.isVerified)
    #expect(try backups.verify(second.id).isEmpty)
    #expect(try backups.verify(first.id).first?.file == name)
    #expect(try backups.list().map(\.isVerified).filter { !$0 }.count == 1, "it is remembered")
    disk.setContents(path(first) + "/" + name, bytes.enumerated().map { $0.offset == 40 ? $0.element ^ 1 : $0.element })
    #expect(try backups.verify(first.id).isEmpty)
    #expect(try backups.list().allSatisfy(\.isVerified), "and cleared once it is intact again")
  }

  @Test("Verifying finds a change of any byte, a missing file and a longer one")
  func everyByte() throws {
    let disk = try diskWithStore()
    let backups = Backups(inline(disk))
    let backup = try backups.create(.manual, folds: false)
    let files = disk.walk(path(backup)).filter { $0.kind == .file }
    #expect(files.contains { $0.path.hasPrefix("journal/") } && files.contains { $0.path == "manifest.json" })
    for file in files {
      let whole = try #require(disk.contents(path(backup) + "/" + file.path))
      for at in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
        var bytes = whole
        bytes[at] ^= 0x10
        disk.setContents(path(backup) + "/" + file.path, bytes)
        #expect(try !backups.verify(backup.id).isEmpty, "\(file.path) at \(at)")
      }
      disk.setContents(path(backup) + "/" + file.path, whole + [0x0A])
      #expect(try !backups.verify(backup.id).isEmpty, "\(file.path) longer")
      #expect(try backups.list().first?.isVerified == false, "\(file.path) longer")
      disk.setContents(path(backup) + "/" + file.path, whole)
      #expect(try backups.verify(backup.id).isEmpty)
    }
    disk.remove(path(backup) + "/store.json")
    #expect(try backups.verify(backup.id).map(\.file) == ["store.json"])
    #expect(try backups.list().first?.problem?.file == "damage.json")
  }

  @Test("A backup of a damaged store has everything readable, and is marked as damaged")
  func damagedStore() throws {
    let disk = try diskWithStore()
    let name = "meals/" + (try #require(disk.walk(folder + "/segments/meals").first { $0.kind == .file }).path)
    var bytes = try #require(disk.contents(folder + "/segments/" + name))
    bytes[bytes.count / 2] ^= 1
    disk.setContents(folder + "/segments/" + name, bytes)
    let backup = try Backups(inline(disk)).create(.manual, folds: false)
    #expect(!backup.isVerified)
    #expect(disk.contents(path(backup) + "/segments/" + name) == bytes)
    disk.remove(folder + "/segments/" + name)
    #expect(try !Backups(inline(disk)).create(.manual, folds: false).isVerified)
    #expect(try Backups(inline(disk)).list().count == 2)
  }

  @Test("The last backup in order cannot be deleted, others can; a missing one and an empty folder are refused")
  func deleting() throws {
    let disk = try diskWithStore()
    let backups = Backups(inline(disk))
    let first = try backups.create(.manual)
    #expect(throws: StoreError.self) { try backups.delete(first.id) }
    let second = try backups.create(.daily)
    try backups.delete(first.id)
    #expect(try backups.list() == [second])
    do throws(StoreError) {
      try backups.delete(first.id)
      Issue.record("it is gone already")
    } catch { #expect(error.code == .backupNotFound) }
    do throws(StoreError) {
      try backups.delete(second.id)
      Issue.record("it is the last one")
    } catch { #expect(error.code == .lastBackup) }
    do throws(StoreError) {
      _ = try Backups(inline(SimulatedDisk())).create(.manual)
      Issue.record("nothing is stored")
    } catch { #expect(error.code == .nothingStored) }
    #expect(try Backups(inline(SimulatedDisk())).list().isEmpty)
  }

  @Test("Only one backup is made at a time; reading them works meanwhile")
  func oneAtATime() throws {
    let disk = try diskWithStore()
    let backup = try Backups(inline(disk)).create(.manual)
    let place = try BackupPlace.open(forWriting: inline(disk))
    do throws(StoreError) {
      _ = try Backups(inline(disk.process(7))).create(.manual)
      Issue.record("another one is at it")
    } catch { #expect(error.code == .backupBusy) }
    #expect(try Backups(inline(disk.process(7))).list() == [backup])
    _ = place.home
  }

  @Test("It does not wait for a process that is writing, and has what was on disk")
  func whileWriting() throws {
    let disk = try diskWithStore()
    let writer = try FileStore.open(inline(disk.process(7)))
    #expect(try writer.beginWriting())
    _ = try writer.commit(transaction(30, [put(30)]))
    let backup = try Backups(inline(disk)).create(.manual)
    writer.waitUntilDurable()
    writer.endWriting()
    #expect(backup.isVerified && backup.records == 5)
    #expect(try writer.snapshot.contents.count == 6)
  }

  @Test("Cancelling leaves nothing behind")
  func cancelling() throws {
    let disk = try diskWithStore()
    do throws(StoreError) {
      _ = try Backups(inline(disk)).create(.manual, WorkMonitor(isCancelled: { true }))
      Issue.record("it was cancelled")
    } catch { #expect(error.code == .cancelled) }
    let backups = Backups(inline(disk))
    #expect(try backups.list().isEmpty)
    _ = try backups.create(.manual)
    #expect(!disk.walk(folder + "/backups").contains { $0.path.hasPrefix(".tmp") })
  }

  @Test(
    "A power cut at any call of making a backup harms neither the store nor other backups, and the next one succeeds")
  func crashSweep() throws {
    let begun = try diskWithStore()
    _ = try Backups(inline(begun)).create(.manual)
    let store = try FileStore.open(inline(begun))
    #expect(store.commitAndWait(transaction(9, [put(9, day: 20_060), put(1, "{\"n\":9}")])))
    store.close()
    let dry = begun.afterCrash(.everything)
    let expected = try FileStore.open(inline(dry)).snapshot.contents
    let start = dry.calls
    _ = try Backups(inline(dry)).create(.daily)
    let calls = dry.calls - start
    #expect(calls > 100)
    for cut in Sweeps.places(0...calls) {
      for survival in [Survival.nothing, .everything, .random(seed: UInt64(cut)), .drawn(.minimal, seed: UInt64(cut))] {
        let disk = begun.afterCrash(.everything)
        disk.cutPower(afterCalls: cut)
        let made = try? Backups(inline(disk)).create(.daily)
        let found = disk.afterCrash(survival)
        let comment: Comment = "cut at \(cut), \(survival)"
        let backups = Backups(inline(found))
        let list = try backups.list()
        #expect(list.count == 1 || list.count == 2, comment)
        if let made { #expect(list.contains(made), comment) }
        for backup in list { #expect(try backups.verify(backup.id).isEmpty, "\(backup.id); \(comment)") }
        #expect(try FileStore.open(inline(found)).snapshot.contents == expected, comment)
        let next = try backups.create(.daily)
        #expect(next.isVerified && next.records == expected.count, comment)
        #expect(!found.walk(folder + "/backups").contains { $0.path.hasPrefix(".tmp") }, comment)
      }
    }
  }

  @Test("An error of the disk that happens once is no damage: of the store while a backup is made, or of a backup")
  func oneReadError() throws {
    let dry = try diskWithStore()
    let made = try Backups(inline(dry)).create(.manual, folds: false)
    for isMade in [false, true] {
      var place = 0
      while true {
        let disk = isMade ? dry.afterCrash(.everything) : try diskWithStore()
        let fault = DiskFault(.fails(.inputOutput), calls: [.read], after: place)
        disk.setFaults { $0.rules = [fault] }
        let backups = Backups(inline(disk))
        if isMade { _ = try? backups.verify(made.id) } else { _ = try? backups.create(.manual, folds: false) }
        let isOver = !disk.faults.rules.isEmpty
        disk.setFaults { $0.rules = [] }
        #expect(try backups.list().allSatisfy(\.isVerified), "read \(place)")
        if isOver { break }
        place += 1
      }
      #expect(place > 10)
    }
  }

  @Test("A file that cannot be read twice makes a damaged backup")
  func unreadableFile() throws {
    let disk = try diskWithStore()
    let name = try #require(disk.walk(folder + "/segments/meals").first { $0.kind == .file }).path
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.read], isForEver: true, name: name)]
    }
    #expect(try !Backups(inline(disk)).create(.manual, folds: false).isVerified)
  }
}
