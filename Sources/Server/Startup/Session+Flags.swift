import CivilTime
import FileStore
import JSON
import Platform
import Premium

extension Session {
  /// A small file of the data folder, to be read.
  nonisolated func smallFile(_ name: SmallFile.Name) -> SmallFile { SmallFile(name, in: options.dataFolder) }

  /// A small file of the folder that is open, to be written: what is known of this folder does not go into another one that was
  /// put in its place a moment ago.
  func ownSmallFile(_ name: SmallFile.Name) -> SmallFile {
    SmallFile(name, in: options.dataFolder, home: store?.home)
  }

  /// Changes what this device remembers. Where there is no data folder yet it is kept in memory until there is one, unless
  /// `insists`, which makes the folder.
  ///
  /// The file is read again before it is written: another process may have changed it meanwhile.
  func changeFlags(insists: Bool = false, _ change: (inout Flags) -> Void) {
    guard device.change(change) else { return }
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
    let (device, zoneName, now) = (device, deviceZone.name, now())
    do throws(StoreError) {
      _ = try ownSmallFile(.flags).update { content throws(StoreError) in
        device.merged(onto: content, change, device: zoneName, at: now)
      }
      self.device.noteSaved(true)
    } catch {
      self.device.noteSaved(false)
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
