import FileStoreTesting
import Testing
import Values

@testable import FileStore

/// A simulated data folder, with its manifests.
struct ManifestPlace {
  let disk: SimulatedDisk
  let root: Descriptor
  let files: ManifestFiles

  init(_ disk: SimulatedDisk = SimulatedDisk()) throws {
    self.disk = disk
    for path in ["/home", "/home/someone", folder] { try? disk.makeDirectory(path: path) }
    try disk.synchronizeDirectory(try disk.openDirectory(path: "/", followingLinks: false))
    try disk.synchronizeDirectory(try disk.openDirectory(path: "/home", followingLinks: false))
    try disk.synchronizeDirectory(try disk.openDirectory(path: "/home/someone", followingLinks: false))
    root = try disk.openDirectory(path: folder, followingLinks: false)
    files = ManifestFiles(folder: try StoreFolder(rootOf: folder, disk), root: root)
  }

  func load() throws -> (loaded: ManifestFiles.Loaded?, findings: [Finding]) {
    var report = RecoveryReport()
    return (try files.load(store: EntityID(high: 1, low: 1), &report), report.findings)
  }

  /// The result of loading, and the kinds of findings; the pin is closed.
  func loaded() throws -> (ManifestFiles.Loaded, [Finding.Kind]) {
    let (found, findings) = try load()
    let loaded = try #require(found)
    if let pin = loaded.pin { disk.close(pin) }
    return (loaded, findings.map(\.kind))
  }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    var directory = root
    let names = path.split(separator: "/").map(String.init)
    for name in names.dropLast() {
      try? disk.makeDirectory(name, in: directory)
      directory = try disk.openDirectory(name, in: directory)
    }
    let file = try disk.createFile(names[names.count - 1], in: directory)
    _ = disk.appendAll(bytes, to: file)
    disk.close(file)
  }

  func names() throws -> [String] { try disk.names(in: root).sorted() }
}

/// Shared by the tests of manifests.
protocol ManifestTesting {}

extension ManifestTesting {
  func manifest(_ generation: Int) -> Manifest {
    Manifest(generation: generation, store: EntityID(high: 1, low: 2), revision: generation * 10, journal: generation)
  }

  /// A folder whose manifest was replaced until it had that generation.
  func place(_ generation: Int) throws -> ManifestPlace {
    let place = try ManifestPlace()
    for number in 1...generation {
      let old = number > 1 ? number - 1 : nil
      place.disk.close(try place.files.replace(old: old, with: manifest(number), temporaryName: "temporary-\(number)"))
    }
    return place
  }
}
