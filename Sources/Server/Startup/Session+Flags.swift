import CivilTime
import FileStore
import JSON
import Platform
import Premium

extension Session {
  nonisolated func smallFile(_ name: SmallFile.Name) -> SmallFile { SmallFile(name, in: options.dataFolder) }

  /// A small file of the open folder, for writing: the state of this folder must not be written into another one that
  /// has just replaced it.
  func ownSmallFile(_ name: SmallFile.Name) -> SmallFile {
    SmallFile(name, in: options.dataFolder, home: store?.home)
  }

  /// Changes the flags: in memory at once, and in the file off the session; later replies wait for that write. Without
  /// a data folder they stay in memory, unless `insists`, which creates it.
  ///
  /// The file is read again before it is written, because another process may have changed it.
  func changeFlags(insists: Bool = false, _ body: @escaping @Sendable (inout Flags) -> Void) {
    guard let change = device.change(body) else { return }
    onboarding.flagsMayHaveChanged()
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
      self?.enqueue { [isSaved] in $0.device.endWriting(isSaved, in: file) }
    }
  }

  /// Retries writes that failed for lack of a data folder, or of space.
  func saveFlagsIfNeeded() {
    if device.needsSaving { changeFlags { _ in } }
    // A record written by another process since is adopted first.
    if entitlement.needsSaving, let record = entitlement.state.record, FileMark(path: premiumPath) == entitlement.file {
      store(record)
    }
  }

  /// Creates the data folder, for state that is kept before the first record. A folder that has disappeared may come
  /// back, and is not replaced.
  func makeFolder() {
    if mayMakeFolder { options.makeFolder(log) }
  }

  var mayMakeFolder: Bool { store.map { (try? $0.isAbsent) == true } ?? true }
}

extension ServiceOptions {
  /// Creates the data folder unless it exists.
  func makeFolder(_ log: Log) {
    guard !Files.exists(dataFolder), !Files.make(folder: dataFolder) else { return }
    log.warning(.startup, "the data folder cannot be made")
  }
}
