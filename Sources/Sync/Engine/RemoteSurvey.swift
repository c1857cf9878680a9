import FileStore
import SyncRules

/// What the devices have left at a remote, for the doctor. All of it is read, and nothing is written.
package struct RemoteSurvey: Sendable {
  /// How many devices have heads that can be read, this one included, and how many batches these name.
  package private(set) var (devices, batches) = (0, 0)
  /// What is damaged or missing, of devices that count; a newer form is a problem of the first kind that is met.
  package private(set) var problems: [RemoteFailure] = []

  /// - Parameter snapshot: What this device remembers.
  package init(_ remote: some PassRemote, _ snapshot: Snapshot) throws(RemoteFailure) {
    let (state, known) = (DeviceState(snapshot), SyncReport(snapshot).devices)
    var heads: [StreamHead] = []
    var unread: [(stream: String, failure: RemoteFailure)] = []
    for name in try remote.list("heads/").sorted() {
      guard let stream = RemoteLayout.stream(ofHead: name) else { continue }
      let content = try RemoteSurvey.get(name, at: remote).flatMap { StreamHead.verified($0) }
      if let content, StreamHead.isNewer(content) { problems.append(RemoteSurvey.newer(name)) }
      if let head = content.flatMap({ StreamHead($0) }), head.stream == stream {
        heads.append(head)
      } else {
        let file = PassOutcome.Incomplete(device: stream, file: name, isDamaged: true)
        unread.append((stream, file.failure(naming: known)))
      }
    }
    let marks = heads.marks(with: state?.marks ?? [:])
    problems += unread.filter { marks[$0.stream] == nil && $0.stream != state?.stream }.map(\.failure)
    if let own = state?.head, !heads.contains(where: { $0 == own || $0 == state?.intent?.head }) {
      problems.append(
        RemoteFailure(
          .lost,
          "“\(RemoteLayout.head(of: own.stream))” is not as this device has left it; its next pass says everything again."
        ))
    }
    for head in heads {
      devices += 1
      batches += head.batches.count
      guard head.counter > marks[head.stream] ?? 0 else { continue }
      for batch in head.batches {
        let name = RemoteLayout.batches(of: head.stream) + batch
        let bytes = RemoteLayout.isBatch(batch) ? try RemoteSurvey.get(name, at: remote) : []
        if let bytes, BatchContent.isNewer(bytes) {
          problems.append(RemoteSurvey.newer(name))
        } else if bytes.flatMap({ BatchContent($0, name: batch) }) == nil {
          let file = PassOutcome.Incomplete(device: head.device, file: name, isDamaged: bytes != nil)
          problems.append(file.failure(naming: []))
        }
      }
    }
  }

  /// The content of a file; an empty one if something else has its name, or it may not be read.
  private static func get(_ name: String, at remote: some PassRemote) throws(RemoteFailure) -> [UInt8]? {
    do throws(RemoteFailure) { return try remote.get(name) } catch {
      guard error.cause == .damaged || error.cause == .notPermitted else { throw error }
      return []
    }
  }

  private static func newer(_ name: String) -> RemoteFailure {
    RemoteFailure(.newerFormat, "A newer version of daybook has written \(name).")
  }
}
