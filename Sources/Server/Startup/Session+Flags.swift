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

  /// Changes what this device remembers: here at once, and in the file away from the session; what is answered after it waits for that.
  /// Where there is no data folder yet it is kept in memory until there is one, unless `insists`, which makes the folder.
  ///
  /// The file is read again before it is written: another process may have changed it meanwhile.
  func changeFlags(insists: Bool = false, _ body: @escaping @Sendable (inout Flags) -> Void) {
    guard let change = device.change(body) else { return }
    if insists { makeFolder() }
    let (file, small, zoneName, now) = (device.file, ownSmallFile(.flags), deviceZone.name, now())
    notes.write { [weak self, log] in
      var isSaved = true
      do throws(StoreError) {
        _ = try small.update { content throws(StoreError) in
          file.merged(change, onto: content, device: zoneName, at: now)
        }
      } catch {
        isSaved = false
        if error.code != .nothingStored {
          log.warning(.startup, "flags.json cannot be written: \(public: error.message)")
        }
      }
      file.note(change, isSaved: isSaved)
      self?.enqueue { [isSaved] in $0.device.noteSaved(isSaved, in: file) }
    }
  }

  /// Writes what could not be written before there was a data folder, or room in it.
  func saveFlagsIfNeeded() {
    if device.needsSaving { changeFlags { _ in } }
    // What another process has written since is taken over first.
    if entitlement.needsSaving, let record = entitlement.state.record, FileMark(path: premiumPath) == entitlement.file {
      store(record)
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
