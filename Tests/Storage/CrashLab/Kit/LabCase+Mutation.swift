import FileStore
import FileStoreTesting

extension LabCase {
  /// Plays a history, then applies one mutation to its files at every possible place.
  func mutate(
    _ driver: any StoreDriver, _ history: LabHistory, _ points: inout Int
  ) throws(Violation) {
    let world = LabWorld(driver, history, profile: profile)
    try world.play()
    let mutator = FileMutator(seed: seed, part: part)
    let check = try DamageCheck(driver, settings: history.settings, model: world.model, whole: world.disk)
    // For a file whose content does not matter, a few places are enough to show that.
    for (file, bytes) in check.files.sorted(by: { $0.key < $1.key }) where !check.isExempt(file) || bytes.count < 100 {
      for (index, mutation) in mutator.mutations(of: bytes).enumerated() {
        points += 1
        do throws(Violation) {
          try check(file, mutation, shouldContinue: (index + Int(seed)) % 8 == 0)
        } catch { throw error.at("\(file): \(mutation.text)") }
      }
    }
  }
}
