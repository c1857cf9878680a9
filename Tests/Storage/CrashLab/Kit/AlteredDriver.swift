import FileStore
import FileStoreTesting

/// A driver that alters the disk, the settings or the store at each opening.
package struct AlteredDriver: StoreDriver {
  private let base: any StoreDriver
  private let disk: @Sendable (SimulatedDisk) -> Void
  private let settings: @Sendable (inout LabSettings, SimulatedDisk) -> Void
  private let store: @Sendable (any LabStore) -> any LabStore

  package init(
    _ base: any StoreDriver, disk: @escaping @Sendable (SimulatedDisk) -> Void = { _ in },
    settings: @escaping @Sendable (inout LabSettings, SimulatedDisk) -> Void = { _, _ in },
    store: @escaping @Sendable (any LabStore) -> any LabStore = { $0 }
  ) {
    self.base = base
    self.disk = disk
    self.settings = settings
    self.store = store
  }

  package var folder: String { base.folder }
  package var verbs: [LabVerb] { base.verbs }

  package func open(_ fileSystem: any FileSystem, _ settings: LabSettings) -> LabOpening {
    var settings = settings
    if let process = fileSystem as? SimulatedProcess {
      disk(process.disk)
      self.settings(&settings, process.disk)
    }
    let opening = base.open(fileSystem, settings)
    if case .opened(let opened) = opening { return .opened(store(opened)) }
    return opening
  }

  package func transaction(inLine line: ArraySlice<UInt8>) -> Int? { base.transaction(inLine: line) }

  package func record(inLine line: ArraySlice<UInt8>, of file: String) -> LabKey? {
    base.record(inLine: line, of: file)
  }

  package func isEquivalent(_ changed: [UInt8], to original: [UInt8], in file: String) -> Bool {
    base.isEquivalent(changed, to: original, in: file)
  }

  package func role(of file: String, among files: [String: [UInt8]]) -> LabFileRole {
    base.role(of: file, among: files)
  }
}
