import JSON

/// Puts a data folder into the state a case asks for.
struct FolderState {
  /// The state.
  let state: Case.Folder
  /// The folder.
  let data: String
  /// How the service is started.
  let launch: Launch

  /// Brings the state about; the lock of a held folder is ours as long as somebody keeps what is returned.
  func establish() throws(PlayFailure) -> FileLock? {
    switch state {
    case .fresh, .full: return nil
    case .newer:
      try makeNewer()
      return nil
    case .damaged:
      try makeDamaged()
      return nil
    case .held:
      guard let lock = FileLock("\(data)/lock") else { throw PlayFailure("the lock of the folder cannot be had") }
      return lock
    }
  }

  /// The command under which the service runs. No file may grow under it on a full disk, while pipes take what they can.
  var launchInState: Launch {
    guard state == .full else { return launch }
    let limit = ["/bin/sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"]
    return Launch(command: limit + launch.command, guardTime: launch.guardTime)
  }

  /// Changes a byte of the last line of the journal.
  private func makeDamaged() throws(PlayFailure) {
    let file = "\(data)/journal/000001.jsonl"
    guard var bytes = Files.read(file), bytes.last == UInt8(ascii: "\n") else {
      throw PlayFailure("\(file) has no last line")
    }
    let start = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    bytes[start + (bytes.count - start) / 2] ^= 1
    guard Files.write(bytes, to: file) else { throw PlayFailure("\(file) cannot be written") }
  }

  /// Marks the store as written by a version whose format nobody knows yet.
  private func makeNewer() throws(PlayFailure) {
    let file = "\(data)/store.json"
    guard let bytes = Files.read(file), let value = try? JSONValue(json: bytes), case .object(var store) = value,
      store["format"] != nil
    else { throw PlayFailure("\(file) does not say which format the store has") }
    store["format"] = .number(JSONNumber(1_000_000))
    // A text without a checksum is taken as it is.
    store["crc"] = nil
    guard Files.write(JSONValue.object(store).json, to: file) else { throw PlayFailure("\(file) cannot be written") }
  }
}
