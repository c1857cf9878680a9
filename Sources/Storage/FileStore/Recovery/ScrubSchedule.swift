import CivilTime

/// When everything in a data folder was last verified. Kept in a small file there, so that verification happens once a
/// week, in whichever process has time.
package struct ScrubSchedule: Sendable {
  /// How long a verification is valid, in milliseconds: a week.
  static let interval: Int64 = 7 * 86_400_000

  private let configuration: FileStore.Configuration

  package init(_ configuration: FileStore.Configuration) { self.configuration = configuration }

  /// Whether verification is due: there is a store, and the last one is a week ago, unknown, or in the future.
  ///
  /// - Throws: Read errors of the folder.
  package func isDue() throws(StoreError) -> Bool {
    var report = RecoveryReport()
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    defer { folder.close() }
    guard let root = folder.root, folder.identity != nil, (try? folder.checkWritable()) != nil else { return false }
    guard let file = try folder.openTrusted(StoreFolder.Name.scrubbed, in: root, .file, &report) else { return true }
    defer { folder.fileSystem.close(file.descriptor) }
    let text = folder.fileSystem.contents(of: file.descriptor, size: min(file.status.size, 64)).bytes
    let last = text.prefix { $0 > 0x20 }.withUnsafeBufferPointer { Instant(utf8: $0) }
    guard let last else { return true }
    let (age, overflow) = configuration.now().milliseconds.subtractingReportingOverflow(last.milliseconds)
    return overflow || age < 0 || age >= ScrubSchedule.interval
  }

  /// Records that everything has just been verified.
  ///
  /// - Throws: Write errors; in a read-only folder it stays due.
  package func note() throws(StoreError) {
    var report = RecoveryReport()
    var folder = try StoreFolder(opening: configuration.folder, configuration.fileSystem, &report)
    defer { folder.close() }
    guard folder.root != nil else { return }
    try folder.checkWritable()
    try configuration.replace(StoreFolder.Name.scrubbed, in: folder, with: Array("\(configuration.now())\n".utf8))
  }
}

extension FileStore {
  /// Adds the findings of a scrub to `recoveryReport`.
  package func note(_ scrub: RecoveryReport) {
    let known = recoveryReport.findings
    for finding in scrub.findings where !known.contains(finding) { openingReport.noteOnce(finding) }
  }
}
