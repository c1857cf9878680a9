import DomainKit

/// Keeps the completion of the onboarding on this device when the store that records it may be replaced.
package enum OnboardingMirror {
  /// Sets `hasCompletedOnboarding` in `flags.json` if the store of a folder says so: before a backup or an import
  /// replaces the store. Leaves what cannot be read or written as it is.
  package static func save(_ configuration: FileStore.Configuration) {
    let flags = SmallFile(.flags, in: configuration.folder, configuration.fileSystem)
    guard !saysCompleted(flags), isCompleted(configuration) else { return }
    _ = try? flags.update { content throws(StoreError) in
      var object = JSONObject()
      if case .value(let present) = content { object = present }
      object[Flags.completedName] = .bool(true)
      return object
    }
  }

  static func saysCompleted(_ flags: SmallFile) -> Bool {
    if case .value(let object) = flags.read() { object[Flags.completedName] == .bool(true) } else { false }
  }

  private static func isCompleted(_ configuration: FileStore.Configuration) -> Bool {
    var reading = configuration
    reading.isReader = true
    guard let store = try? FileStore.open(reading) else { return false }
    defer { store.close() }
    guard let record = try? store.preview(OnboardingRecord.singleID, in: OnboardingRecord.collection),
      case .object(let body)? = record.body.withUnsafeBytes({ try? JSONValue(json: $0) })
    else { return false }
    return body["completed"] == .bool(true)
  }
}
