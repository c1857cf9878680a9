import FileStore
import Foundation

/// A device whose files are written by hand, as a later version or a faulty one would leave them.
struct ForeignDevice {
  let stream: String
  /// The members of its head before the checksum, without the braces.
  var members: String

  /// - Parameter digit: Makes the stream.
  init(_ name: String, _ digit: Character = "f") {
    stream = String(repeating: digit, count: 32)
    members = #""device":"\#(name)","version":"99.0","at":"2026-01-05T12:00:00.000Z""#
  }

  /// Leaves one batch, and the head that names it.
  func leave(_ lines: [String], requires: Int = 1, batch: Int = 1, in shared: String) throws {
    let text = ([#"{"batch":\#(batch),"stream":"\#(stream)","number":1}"#] + lines).map { $0 + "\n" }.joined()
    let hash = ForeignDevice.hash(text)
    let name = "00000001-\(hash.prefix(16)).jsonl"
    try write(
      text + #"{"count":\#(lines.count),"sha256":"\#(hash)"}"# + "\n", to: name, in: "\(shared)/batches/\(stream)")
    let head =
      #"{"stream":"\#(stream)","counter":1,"batches":["\#(name)"],"seen":{},"marks":{},"requires":\#(requires),"#
      + members
    let checksum = ForeignDevice.hash(head + "}")
    try write(head + #","sha256":"\#(checksum)"}"# + "\n", to: "\(stream).json", in: "\(shared)/heads")
  }

  private func write(_ text: String, to name: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  private static func hash(_ text: String) -> String { Array(text.utf8).withUnsafeBytes { "\(SHA256.hash($0))" } }
}
