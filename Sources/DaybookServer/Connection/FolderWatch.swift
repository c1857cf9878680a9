import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Platform

/// Sees the changes that other processes make to a data folder, without taking its lock or writing to it.
package struct FolderWatch {
  package enum Outcome: Sendable {
    /// Notifications since the last look, as JSON texts, in order.
    case events([[UInt8]])
    /// The folder cannot be read, and why.
    case failed(String)
  }

  /// The domains that can be asked for.
  package static let domains = EventDomain.known.map(\.rawValue)
  /// How long to rest between looks, milliseconds.
  package static let interval = 250

  private let options: ServiceOptions
  private let wanted: Set<String>
  /// The revision told of last; nil before the first look.
  private var revision: Int?
  private var size: Int?

  /// Watches the folder of `options`; all domains when `domains` is empty.
  package init(options: ServiceOptions, domains: Set<String>) {
    self.options = options
    wanted = domains
  }

  /// Looks once.
  package mutating func poll() -> Outcome {
    let size = FileStore.journalSize(of: options.dataFolder)
    guard size != self.size || revision == nil else { return .events([]) }
    do throws(StoreError) {
      let store = try FileStore.open(
        FileStore.Configuration(
          folder: options.dataFolder, newID: options.newID, now: options.now, onDurable: { _ in },
          onCommitFailure: { _ in }, isReader: true))
      defer { store.close() }
      self.size = size
      let latest = store.revision
      guard let seen = revision, latest > seen else {
        revision = latest
        return .events([])
      }
      revision = latest
      let changes = try Session.recordChanges(store.changes(since: seen))
      let events = Session.events(for: changes, origin: .otherProcess)
      return .events(events.filter { isWanted($0) }.map { text($0) })
    } catch {
      return .failed(error.message)
    }
  }

  private func isWanted(_ event: Event) -> Bool {
    guard !wanted.isEmpty, let domain = Session.domain(ofEvent: event.method) else { return true }
    return wanted.contains(domain.rawValue)
  }

  private func text(_ event: Event) -> [UInt8] {
    var frames = OutgoingFrames(framing: .newline)
    frames.notify(event)
    return Array(frames.writer.bytes.dropLast())
  }
}
