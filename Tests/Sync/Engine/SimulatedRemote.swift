import FileStoreTesting
import Platform

@testable import SyncEngine

/// A remote in memory that fails, loses answers, and lets others act between any two calls.
final class SimulatedRemote: PassRemote, @unchecked Sendable {
  /// One file, and how often its owner has changed it.
  struct File {
    var change: Int
    /// Nil after a deletion.
    var bytes: [UInt8]?

    var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
  }

  var files: [String: File] = [:]
  /// Calls until one fails; nil for never.
  var callsUntilFailure: Int?
  /// Whether the call that fails has its effect before, so that only the answer is lost.
  var losesAnswer = false
  /// Why it fails then.
  var cause = RemoteFailure.Cause.timedOut
  /// Whether it takes no batch.
  var refusesBatches = false
  /// Called before each call.
  var betweenCalls: () -> Void = {}
  private(set) var puts = 0

  func list(_ prefix: String) throws(RemoteFailure) -> [String] {
    try call { files.filter { $0.key.hasPrefix(prefix) && $0.value.bytes != nil }.map(\.key) }
  }

  func get(_ name: String) throws(RemoteFailure) -> [UInt8]? { try call { files[name]?.bytes } }

  func put(_ name: String, _ bytes: [UInt8]) throws(RemoteFailure) {
    if refusesBatches, name.hasPrefix("batches/") { throw RemoteFailure(.notPermitted, "refused") }
    try call {
      puts += 1
      set(name, bytes)
    }
  }

  func delete(_ name: String) throws(RemoteFailure) { try call { set(name, nil) } }

  private func set(_ name: String, _ bytes: [UInt8]?) {
    files[name] = File(change: (files[name]?.change ?? 0) + 1, bytes: bytes)
  }

  private func call<Value>(_ body: () -> Value) throws(RemoteFailure) -> Value {
    betweenCalls()
    guard let left = callsUntilFailure else { return body() }
    callsUntilFailure = left - 1
    guard left <= 0 else { return body() }
    if losesAnswer { _ = body() }
    throw RemoteFailure(cause, "no answer")
  }

  /// Brings one file to another copy of the folder, as a program does that keeps folders alike.
  func give(_ name: String, to other: SimulatedRemote, isCut: Bool = false) {
    guard var file = files[name] else { return }
    // Where two have changed it, one of them wins everywhere.
    if let known = other.files[name], (file.change, file.text) <= (known.change, known.text) { return }
    if isCut, let bytes = file.bytes {
      file.bytes = Array(bytes.prefix(bytes.count / 2))
      file.change -= 1
    }
    other.files[name] = file
  }

  /// Leaves a second copy of a head, as such programs do where two have changed a file.
  func double(_ name: String) {
    guard let stream = RemoteLayout.stream(ofHead: name), let file = files[name] else { return }
    files["heads/\(stream).sync-conflict-20260105-120000-ABCDEFG.json"] = file
  }

  /// Loses a file.
  func lose(_ name: String) { set(name, nil) }
}
