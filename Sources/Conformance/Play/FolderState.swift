import JSON

/// Puts a data folder into the state a case asks for.
struct FolderState {
  /// The state.
  let state: Case.Folder
  /// The folder.
  let data: String
  /// How the service is started.
  let launch: Launch

  /// Brings the state about; the process that holds the folder, if there is one, does so as long as somebody keeps it.
  func establish() throws(PlayFailure) -> ServiceProcess? {
    switch state {
    case .fresh, .full: return nil
    case .newer:
      try makeNewer()
      return nil
    case .held:
      do throws(WireError) { return try hold() } catch { throw PlayFailure(error, "the holder of the folder: ") }
    }
  }

  /// The command under which the service runs. No file may grow under it on a full disk, while pipes take what they can.
  var launchInState: Launch {
    guard state == .full else { return launch }
    let limit = ["/bin/sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"]
    return Launch(command: limit + launch.command, guardTime: launch.guardTime)
  }

  /// Starts a process that has the folder open.
  private func hold() throws(WireError) -> ServiceProcess {
    let holder = try launch.start(data: data, framing: .newline, seed: 3, further: ["--no-handshake"])
    try holder.write(Launch.framed(#"{"jsonrpc":"2.0","id":1,"method":"session/get"}"#, .newline))
    guard let bytes = try holder.next("the answer of the process that holds the folder"),
      case .object(let answer) = try Incoming.value(bytes), answer["result"] != nil
    else { throw .unlawful("the folder cannot be held: \(Incoming.tail(holder.complaints))") }
    return holder
  }

  /// Marks the store as written by a version whose format nobody knows yet.
  private func makeNewer() throws(PlayFailure) {
    let file = "\(data)/store.json"
    guard let bytes = Files.read(file), let value = try? JSONValue(json: bytes), case .object(var store) = value,
      store["format"] != nil
    else { throw PlayFailure("\(file) does not say which format the store has") }
    store["format"] = .number(JSONNumber(1_000_000))
    guard Files.write(JSONValue.object(store).json, to: file) else { throw PlayFailure("\(file) cannot be written") }
  }
}
