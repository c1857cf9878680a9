import CivilTime
import FileStore
import JSON
import Platform
import Premium

extension Session {
  /// A small file of the data folder.
  nonisolated func smallFile(_ name: SmallFile.Name) -> SmallFile { SmallFile(name, in: options.dataFolder) }

  /// Changes what this device remembers. Where there is no data folder yet it is kept in memory until there is one, unless
  /// `insists`, which makes the folder.
  ///
  /// The file is read again before it is written: another process may have changed it meanwhile.
  func changeFlags(insists: Bool = false, _ change: (inout Flags) -> Void) {
    var wanted = device.flags
    change(&wanted)
    guard wanted != device.flags || device.hasUnsaved else { return }
    if !device.hasUnsaved { device.written = device.flags }
    device.flags = wanted
    if insists { makeFolder() }
    saveFlags(change)
  }

  /// Writes what could not be written before there was a data folder, or room in it.
  func saveFlagsIfNeeded() {
    if device.hasUnsaved { saveFlags { _ in } }
    // What another process has written since is taken over first.
    if entitlement.hasUnsaved, let record = entitlement.state.record, FileMark(path: premiumPath) == entitlement.file {
      store(record)
    }
  }

  private func saveFlags(_ change: (inout Flags) -> Void) {
    let (mine, base, zoneName, now) = (device.flags, device.hasUnsaved ? device.written : nil, deviceZone.name, now())
    let wasThere = device.hasFile
    do throws(StoreError) {
      _ = try smallFile(.flags).update { content throws(StoreError) in
        var present = Flags()
        switch content {
        case .value(let object): present = Flags(object, device: zoneName, now: now)
        // One that was there is gone because everything was deleted, a moment ago: nothing of it may come back.
        case .missing where wasThere && base == nil: break
        case .missing, .damaged: return mine.json
        }
        if let base { present = mine.rebased(from: base, onto: present) } else { change(&present) }
        return present.json
      }
      device.hasUnsaved = false
      device.hasFile = true
    } catch {
      device.hasUnsaved = true
      if error.code != .nothingStored {
        log.warning(.startup, "flags.json cannot be written: \(public: error.message)")
      }
    }
  }

  /// Makes the data folder, for what has to be kept before anything is stored. One that is gone may be on its way back, and nothing is
  /// put into its place.
  func makeFolder() {
    guard !Files.exists(options.dataFolder) else { return }
    if let store, (try? store.isAbsent) != true { return }
    guard !Files.make(folder: options.dataFolder) else { return }
    log.warning(.startup, "the data folder cannot be made")
  }
}
