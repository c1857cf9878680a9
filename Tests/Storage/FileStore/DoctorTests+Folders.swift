import FileStoreTesting
import Testing

@testable import FileStore

/// Folders in which nothing is damaged, and what is no data folder.
extension DoctorTests {
  @Test(
    "A folder in the place of a file is named",
    arguments: ["lock", "checkpoint.lock", "reserve", "checkpoint.reserve", "scrubbed"])
  func folderForFile(_ name: String) throws {
    let disk = try prepared()
    disk.replace(folder + "/" + name, with: .directory)
    let report = Doctor(settings(disk)).examine()
    #expect(report.findings.contains { $0.kind.rawValue == "folderForFile" && $0.file == name }, "\(report.findings)")
    #expect(!report.isFine && !report.isLossPossible)
  }

  @Test("A store that is in order is fine, and a repair changes nothing")
  func fine() throws {
    let disk = try prepared()
    let doctor = Doctor(settings(disk))
    let changes = disk.changes
    let report = doctor.examine()
    #expect(report.isFine, "\(report.findings)")
    #expect(report.revision == 30 && report.records == 24 && report.segments == 4 && report.journals >= 9)
    #expect(try doctor.repair().steps.isEmpty)
    #expect(disk.changes == changes)
  }

  @Test("An empty folder, and none, are no store and no problem")
  func nothing() throws {
    let disk = SimulatedDisk()
    #expect(Doctor(settings(disk)).examine().isFine)
    _ = try Doctor(settings(disk)).repair()
    #expect(disk.changes == 0)
  }

  @Test(
    "What cannot be a data folder is said to be so, and left alone",
    arguments: [FileStatus.Kind.file, .symbolicLink, .other])
  func unusable(_ kind: FileStatus.Kind) throws {
    let disk = try prepared()
    disk.move(folder, to: "/home/someone/elsewhere")
    disk.replace(folder, with: kind)
    let doctor = Doctor(settings(disk))
    #expect(kinds(doctor.examine()) == ["unusableFolder"])
    let changes = disk.changes
    _ = try doctor.repair()
    #expect(disk.changes == changes)
  }
}
