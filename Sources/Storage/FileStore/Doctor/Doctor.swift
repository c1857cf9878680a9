import CivilTime

/// Examines everything in a data folder without changing anything, and repairs what can be repaired.
package struct Doctor {
  var configuration: FileStore.Configuration

  /// The age from which leftovers are removed, in milliseconds.
  static let leftoverAge: Int64 = 86_400_000

  /// Creates a doctor for the configuration's folder; it works on the caller's thread.
  package init(_ configuration: FileStore.Configuration) {
    self.configuration = configuration
    self.configuration.isInline = true
  }

  /// Examines everything. Writes nothing.
  package func examine(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) -> DoctorReport {
    var report = DoctorReport(folder: configuration.folder)
    var opening = RecoveryReport()
    var folder: StoreFolder
    do throws(StoreError) {
      // Opening the store would continue an unfinished erasure.
      guard try !isBeingErased else {
        report.findings = [Finding(.unfinishedErasure, ErasureMarker.fileName, "the erasure is not finished")]
        return report
      }
      folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &opening)
    } catch {
      report.findings = [Finding(.unusableFolder, error.path ?? "", Doctor.text(error))]
      return report
    }
    defer { folder.close() }
    guard folder.root != nil, Doctor.hasStore(folder) else {
      report.findings = [Finding(.noStore, "", "it contains no store")]
      return report
    }
    let quarantine = Quarantine(folder: folder, now: configuration.now())
    let kept = quarantine.entries()
    for finding in opening.findings { report.add(finding) }
    scrub(folder, kept.entries, &report, progress)
    var survey = FolderSurvey(folder, now: configuration.now())
    survey.run()
    report.findings += survey.findings.filter { finding in !report.findings.contains { $0.isSame(as: finding) } }
    examineSpares(folder, &report)
    examineIdentity(folder, &report)
    examinePlace(folder, &report)
    examineQuarantine(kept, folder, &report)
    examineBackups(&report)
    report.findings.sort { ($1.severity, $0.file, $0.offset) < ($0.severity, $1.file, $1.offset) }
    return report
  }

  /// Whether an erasure was begun and is not finished.
  private var isBeingErased: Bool {
    get throws(StoreError) {
      var folder = try StoreFolder(rootOf: configuration.folder, configuration.fileSystem)
      defer { folder.close() }
      return folder.erasure != nil
    }
  }

  /// Whether anything was stored in a folder and not erased since.
  static func hasStore(_ folder: StoreFolder) -> Bool {
    guard let root = folder.root else { return false }
    let names = (try? folder.fileSystem.names(in: root)) ?? []
    return names.contains { name in
      if [StoreFolder.Name.journal, StoreFolder.Name.segments].contains(name) {
        // An erasure leaves them empty.
        return (try? folder.fileSystem.openDirectory(name, in: root)).map { inner in
          defer { folder.fileSystem.close(inner) }
          return (try? folder.fileSystem.names(in: inner).isEmpty) != true
        } ?? true
      }
      return [StoreFolder.Name.identity, ManifestFiles.Name.current].contains(name)
        || ManifestFiles.Name.generation(of: name) != nil
    }
  }

  static func text(_ error: StoreError) -> String { error.message.detailed(cause: error.systemText) }

  // MARK: the parts

  /// Verifies every segment and every journal.
  private func scrub(
    _ folder: StoreFolder, _ kept: [QuarantineEntry], _ report: inout DoctorReport, _ progress: (Int, Int) -> Void
  ) {
    do throws(StoreError) {
      var scrub = try Scrub(configuration)
      repeat { progress(scrub.done, scrub.total) } while try scrub.step()
      progress(scrub.done, scrub.total)
      report.omitted = scrub.report.omitted
      for finding in scrub.report.findings { report.add(finding) }
      report.revision = scrub.revision
      report.records = scrub.records
      report.segments = scrub.segments
      report.journals = (try folder.journalNumbers()).count
      if !scrub.isWritable {
        report.note(.newerVersion, ManifestFiles.Name.current, "it forbids this version to write")
      }
    } catch {
      if let reason = Doctor.newerVersion(folder) {
        report.note(.newerVersion, ManifestFiles.Name.current, reason)
      } else {
        report.note(.unusableFolder, error.path ?? "", Doctor.text(error))
      }
    }
  }

  /// Why a newer version's store must not be written here; nil when it may.
  private static func newerVersion(_ folder: StoreFolder) -> String? {
    do throws(StoreError) { try folder.checkWritable() } catch {
      return error.code == .storeReadOnly ? error.details["reason"] ?? error.message : nil
    }
    return nil
  }

  /// Verifies the segments that only older manifests name: they are spares in case a newer one is damaged.
  private func examineSpares(_ folder: StoreFolder, _ report: inout DoctorReport) {
    guard let files = folder.manifests else { return }
    let loader = SegmentLoader(folder, cacheLimit: 0)
    var named = Set((try? files.manifest(ManifestFiles.Name.current))?.segments.map(\.path) ?? [])
    for generation in (try? files.predecessors()) ?? [] {
      let name = ManifestFiles.Name.predecessor(generation)
      // While the manifest is pinned, nobody removes its files.
      guard let (manifest, pin) = try? files.pinned(name) else { continue }
      defer { configuration.fileSystem.close(pin) }
      for entry in manifest.segments where named.insert(entry.path).inserted {
        var reason = "its hash differs from that in \(name)"
        do throws(StoreError) {
          let (bytes, failure) = try loader.contents(entry.key.folderName, entry.fileName)
          if failure == nil, SHA256.hash(bytes) == entry.sha256 { continue }
          if let failure { reason = failure.description }
        } catch { reason = Doctor.text(error) }
        report.note(.damagedSpare, StoreFolder.Name.segments + "/" + entry.path, reason)
      }
    }
  }

  private func examineIdentity(_ folder: StoreFolder, _ report: inout DoctorReport) {
    if let obstacle = folder.obstacle {
      report.note(.newerVersion, StoreFolder.Name.identity, obstacle)
    }
    guard let identity = folder.identity else {
      guard folder.obstacle == nil else { return }
      guard !report.findings.contains(where: { $0.kind == .identityLost }) else { return }
      report.note(.identityLost, StoreFolder.Name.identity, "the file is missing")
      return
    }
    var ignored = RecoveryReport()
    let loader = SegmentLoader(without: configuration.fileSystem)
    if let store = (try? StoreBase.open(folder, loader, &ignored))?.store, store != identity.store {
      report.note(.identityMismatch, StoreFolder.Name.identity, "\(identity.store) is not \(store)")
    }
  }

  private func examinePlace(_ folder: StoreFolder, _ report: inout DoctorReport) {
    let place = StorePlace(folder)
    switch place.medium {
    case .local: break
    case .network(let name): report.note(.networkFolder, "", "it is on \(name)")
    case .program: report.note(.programFolder, "", "it is on FUSE")
    }
    if let marker = place.syncMarker {
      report.note(.syncedFolder, "", "“\(marker)” is a sign of it")
    }
    if let last = folder.lastChange(), last > configuration.now().advanced(by: Doctor.leftoverAge) {
      report.note(.clockBehind, "", "the latest change was made at \(last), but now it is \(configuration.now())")
    }
  }

  private func examineBackups(_ report: inout DoctorReport) {
    do throws(StoreError) {
      for (id, problem) in try Backups(configuration).problems() {
        report.note(.damagedBackup, "\(BackupPlace.folderName)/\(id)", "\(problem.file): \(problem.reason)")
      }
    } catch { report.note(.damagedBackup, BackupPlace.folderName, Doctor.text(error)) }
  }

  private func examineQuarantine(
    _ kept: (entries: [QuarantineEntry], unreadable: Int), _ folder: StoreFolder, _ report: inout DoctorReport
  ) {
    let list = "\(Quarantine.Name.folder)/\(Quarantine.Name.list)"
    if kept.unreadable > 0 {
      report.note(.damagedQuarantine, list, "\(kept.unreadable) lines of the list cannot be read")
    }
    let count = kept.entries.count { !$0.isEveryday }
    if count > 0 { report.note(.quarantined, list, "\(count) entries") }
    let names = Set(kept.entries.compactMap(\.copy))
    guard !names.isEmpty, let root = folder.root,
      let place = try? configuration.fileSystem.openDirectory(Quarantine.Name.folder, in: root)
    else { return }
    defer { configuration.fileSystem.close(place) }
    let present = Set((try? configuration.fileSystem.names(in: place)) ?? [])
    for name in names.subtracting(present).sorted() {
      report.note(.damagedQuarantine, "\(Quarantine.Name.folder)/\(name)", "it is missing")
    }
  }
}
