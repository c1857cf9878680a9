import FileStore
import FileStoreTesting

extension LabCase {
  /// Plays a history, then changes its files in one way at every place where that can be done.
  func mutate(
    _ driver: any StoreDriver, _ history: LabHistory, _ points: inout Int
  ) throws(Violation) {
    let disk = LabWorld.emptyDisk()
    let world = LabWorld(driver, history, profile: profile, disk: disk)
    try world.play()
    let mutator = FileMutator(seed: seed)
    let check = DamageCheck(driver, settings: history.settings, model: world.model, whole: disk)
    for file in disk.walk(driver.folder) where file.kind == .file {
      guard let bytes = disk.contents(driver.folder + "/" + file.path) else { continue }
      for (index, mutation) in mutator.mutations(of: bytes).enumerated() {
        points += 1
        do throws(Violation) {
          try check(file.path, bytes, mutation, goesOn: index % 16 == 0)
        } catch { throw error.at("\(file.path): \(mutation.text)") }
      }
    }
  }
}
