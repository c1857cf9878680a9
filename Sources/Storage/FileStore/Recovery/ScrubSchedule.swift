import CivilTime

/// When everything in a data folder was last verified, kept in a small file of it, so that it is done once a week whichever process has
/// the time.
package struct ScrubSchedule: Sendable {
  /// How long a verification holds, in milliseconds: a week.
  static let interval: Int64 = 7 * 86_400_000

  private let configuration: FileStore.Configuration

  package init(_ configuration: FileStore.Configuration) { self.configuration = configuration }

  /// Whether it is time to verify everything: there is a store, and the last time is a week ago, unknown, or in the future.
  ///
  /// - Throws: What reading the folder throws.
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

  /// Notes that everything has just been verified.
  ///
  /// - Throws: What writing throws: on a folder that can only be read it is due again next time.
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
  /// Records what a scrub found, so that it is told of and `recoveryReport` has it.
  package func note(_ scrub: RecoveryReport) {
    let known = recoveryReport.findings
    for finding in scrub.findings where !known.contains(finding) { openingReport.noteOnce(finding) }
  }
}
