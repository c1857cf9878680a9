import DomainKit
import Platform

/// The context of a heavy request, off the session.
struct HeavyWork: Work {
  /// The store's revision when the request came.
  let revision: Int
  /// The number of authentication prompts that had been answered when the request came.
  let answeredPrompts: Int
  let progress: Progress
  /// Its turn to work on the data folder.
  let turn: WorkTurn
  /// The client, if it answers `client/confirm`.
  let client: ClientRequests?
  let session: Session
  /// How to open the data folder once more.
  let configuration: FileStore.Configuration
  /// The author of its changes.
  let author: String
  let patience: Int?

  var sendsParts: Bool { progress.sendsParts }

  func endTurn() { turn.end() }

  func send(part: String) { progress.send([part]) }

  func importRecords(
    _ source: ImportSource, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> ImportSummary {
    try importRecords(source, .merge, configuration, monitor)
  }

  func importRecords(
    _ source: ImportSource, _ mode: StoreImportMode, _ configuration: FileStore.Configuration, _ monitor: WorkMonitor
  ) throws(StoreError) -> ImportSummary {
    let summary = try FileStore.importRecords(
      source, mode, configuration, author: author, check: { StoredForms.problem($0) }, monitor)
    if summary.isChanged { session.host.note(stored: summary.revision) }
    return summary
  }

  func own(_ revision: Int) async { await session.own(revision) }

  /// Throws once the request has been cancelled.
  func checkCancellation() throws(RPCError) {
    if Task.isCancelled { throw RPCError(.requestCancelled, "cancelled before anything was committed") }
  }
}

/// The progress reports of one request: one begin, any number of reports with a percentage that never falls, one end;
/// and parts of its result. Sends nothing without tokens from the client.
final class Progress: Sendable {
  private let channel: OutputChannel
  private let framing: Framing
  private let workDone: Token?
  private let partialResult: Token?
  private let percentage = Guarded(0)
  private let following = Guarded<[Event]>([])

  init(channel: OutputChannel, framing: Framing, workDone: Token?, partialResult: Token?) {
    self.channel = channel
    self.framing = framing
    self.workDone = workDone
    self.partialResult = partialResult
  }

  var sendsParts: Bool { partialResult != nil }

  func begin(_ title: String) { report(WorkProgress(kind: .begin, title: title, percentage: 0)) }

  func report(percentage new: Int) {
    let percentage = percentage.withLock { percentage in
      percentage = max(percentage, min(100, max(0, new)))
      return percentage
    }
    report(WorkProgress(kind: .report, percentage: percentage))
  }

  func end() { report(WorkProgress(kind: .end)) }

  func send(_ items: [some JSONEncodable]) {
    if let partialResult { notify(partialResult, items.json) }
  }

  func follow(with event: Event) { following.withLock { $0.append(event) } }

  var events: [Event] { following.withLock { $0 } }

  func request(_ id: Int, _ method: StaticString, _ params: some JSONEncodable) {
    var frames = OutgoingFrames(framing: framing, capacity: 256)
    frames.request(id, method, params)
    channel.send(frames.writer.buffer)
  }

  private func report(_ progress: WorkProgress) {
    if let workDone { notify(workDone, progress.json) }
  }

  private func notify(_ token: Token, _ value: [UInt8]) {
    var frames = OutgoingFrames(framing: framing, capacity: 256)
    frames.notify(ProgressParams.method, ProgressMessage(token: token, value: JSONFragment(unchecked: value)))
    channel.send(frames.writer.buffer)
  }

  /// `ProgressParams` with a value that is already encoded.
  private struct ProgressMessage: JSONEncodable {
    let token: Token
    let value: JSONFragment<JSONValue>

    func encode(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.name("token")
      token.encode(to: &writer)
      writer.name("value")
      value.encode(to: &writer)
      writer.endObject()
    }
  }
}
