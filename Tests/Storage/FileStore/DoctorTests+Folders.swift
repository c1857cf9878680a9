import FileStoreTesting
import Testing

@testable import FileStore

/// Folders in which nothing is damaged, and folders that cannot be data folders.
extension DoctorTests {
  @Test(
    "A folder instead of a file is reported",
    arguments: ["lock", "checkpoint.lock", "reserve", "checkpoint.reserve", "scrubbed"])
  func folderForFile(_ name: String) throws {
    let disk = try prepared()
    disk.replace(folder + "/" + name, with: .directory)
    let report = Doctor(settings(disk)).examine()
    #expect(report.findings.contains { $0.kind.rawValue == "folderForFile" && $0.file == name }, "\(report.findings)")
    #expect(!report.isFine && !report.isLossPossible)
  }

  @Test("An intact store is fine, and a repair changes nothing")
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

  @Test("An empty or missing folder is no store and no problem")
  func nothing() throws {
    let disk = SimulatedDisk()
    #expect(Doctor(settings(disk)).examine().isFine)
    _ = try Doctor(settings(disk)).repair()
    #expect(disk.changes == 0)
  }

  @Test(
    "What cannot be a data folder is reported, and left alone",
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
