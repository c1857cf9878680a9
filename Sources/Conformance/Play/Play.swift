import JSON

/// One run of one case: in one framing, in one way of writing, against a process of its own.
package final class Play {
  /// The case.
  let item: Case
  /// How messages are framed.
  let framing: WireFraming
  /// How bytes are written.
  let variant: SendVariant
  /// Compares messages.
  let matcher: Matcher
  /// Both sides of the session.
  var conversation: Conversation
  /// The service.
  let service: ServiceProcess
  /// Its data folder.
  let data: String
  /// What is remembered.
  var bindings: Bindings = [:]
  /// Methods that may not arrive any more.
  var forbidden: Set<String> = []
  /// Expectations the next message may meet.
  var allowed: [Pattern] = []
  /// A message that was looked at and left for the next step.
  var held: JSONValue?
  /// Bytes that wait for the one write.
  private var unsent: [UInt8] = []
  /// Bytes sent as they are, in which requests may stand.
  private var raw: [UInt8] = []
  /// How many barriers there were.
  var barriers = 0
  /// Whether the case sent a signal.
  var hasSignalled = false
  /// The message last taken.
  var latest: JSONValue?

  /// A run that is about to begin.
  private init(
    _ item: Case, _ framing: WireFraming, _ variant: SendVariant, _ schema: Schema, _ service: ServiceProcess,
    data: String
  ) {
    self.data = data
    self.item = item
    self.framing = framing
    self.variant = variant
    self.service = service
    matcher = Matcher(schema: schema)
    conversation = Conversation(schema: schema)
  }

  /// Runs a case to its end and tells what it exercised.
  package static func run(
    _ item: Case, _ framing: WireFraming, _ variant: SendVariant, suite: Suite, launch: Launch
  ) throws(PlayFailure) -> Seen {
    guard let folder = Files.temporaryFolder() else { throw PlayFailure("there is no room for temporary files") }
    defer { Files.remove(folder) }
    let data = "\(folder)/data"
    try Fixture(schema: suite.schema, launch: launch).apply(suite.fixtures[item.fixture] ?? [], data: data)
    let folderState = FolderState(state: item.folder, data: data, launch: launch)
    let holder = try folderState.establish()
    // Kept to the end, for it holds the folder as long as it lives.
    defer { withExtendedLifetime(holder) {} }
    if item.steps.contains(where: \.isExchange), !Files.copy(folder: data, to: copy(of: data)) {
      throw PlayFailure("the data folder cannot be copied")
    }
    let arguments = (item.session == .noHandshake ? ["--no-handshake"] : []) + item.args
    let service: ServiceProcess
    do throws(WireError) {
      service = try folderState.launchInState.start(data: data, framing: framing, further: arguments)
    } catch { throw PlayFailure(error) }
    return try Play(item, framing, variant, suite.schema, service, data: data).run()
  }

  /// Where the data folder's content at the start of the service is kept.
  static func copy(of data: String) -> String { "\(data).copy" }

  /// Runs all steps.
  private func run() throws(PlayFailure) -> Seen {
    if item.session == .initialized { try placed(nil) { () throws(PlayFailure) in try handshake() } }
    for step in item.steps { try placed(step) { () throws(PlayFailure) in try play(step) } }
    try placed(nil) { () throws(PlayFailure) in try finish() }
    return conversation.seen
  }

  /// Adds the place of a failure, and what the service complained.
  private func placed(_ step: Step?, _ body: () throws(PlayFailure) -> Void) throws(PlayFailure) {
    do throws(PlayFailure) { try body() } catch {
      var error = error
      error.line = step?.line ?? 0
      error.expected = step?.text
      error.complaint = Incoming.tail(service.complaints)
      throw error
    }
  }

  /// `initialize` and `initialized`, which count for no coverage.
  private func handshake() throws(PlayFailure) {
    try own(#"{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"capabilities":{}}}"#)
    try flush()
    guard let answer = try next("the answer to initialize"), case .object(let object) = answer,
      object["id"] == .string("initialize"), object["result"] != nil
    else { throw PlayFailure("the handshake was not answered with a result", found: latest) }
    try own(#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#)
  }

  /// After the last step: the input is closed, and what the service says until its end has to be lawful too.
  private func finish() throws(PlayFailure) {
    try flush()
    if service.end == nil {
      service.closeInput()
      while try next("its end, as its input is closed") != nil {}
      _ = try end()
    }
  }

  /// Waits for the end of the process, which has to come by itself.
  func end() throws(PlayFailure) -> ProcessEnd {
    let end: ProcessEnd
    do throws(WireError) { end = try service.waitForEnd() } catch { throw PlayFailure(error) }
    if case .signal = end, !hasSignalled { throw PlayFailure("it crashed: \(end)") }
    return end
  }
}

extension Play {
  /// Sends a message of the runner's own.
  func own(_ text: String) throws(PlayFailure) {
    if let value = try? JSONValue(json: Array(text.utf8)) { conversation.ledger.note(value, isCounted: false) }
    try send(Launch.framed(text, framing), byteWise: false)
  }

  /// Sends a message of the case's.
  func send(message text: String) throws(PlayFailure) {
    noteRaw()
    conversation.ledger.note(text: text)
    try send(Launch.framed(text, framing), byteWise: variant == .byteWise)
  }

  /// Sends bytes as they are.
  func send(raw bytes: [UInt8], _ count: Int) throws(PlayFailure) {
    let filling = Filling(bytes, count)
    // A long filling is no request; what stands around it is.
    raw += filling.size <= 1 << 16 ? filling.whole : [0]
    // In pieces, as a filling may be larger than memory should be.
    var written = 0
    while written < filling.size {
      let piece = filling.piece(from: written)
      try send(piece, byteWise: variant == .byteWise)
      written += piece.count
    }
  }

  /// Notes the requests that stand in the bytes sent as they are.
  private func noteRaw() {
    if !raw.isEmpty { conversation.ledger.note(raw: raw) }
    raw = []
  }

  /// Writes bytes, or keeps them for the one write.
  private func send(_ bytes: [UInt8], byteWise: Bool) throws(PlayFailure) {
    if variant == .oneWrite {
      unsent += bytes
    } else {
      try write(bytes, byteWise: byteWise)
    }
  }

  /// Writes what was kept.
  func flush() throws(PlayFailure) {
    noteRaw()
    let bytes = unsent
    unsent = []
    try write(bytes, byteWise: false)
  }

  /// Writes bytes.
  private func write(_ bytes: [UInt8], byteWise: Bool) throws(PlayFailure) {
    do throws(WireError) { try service.write(bytes, byteWise: byteWise) } catch { throw PlayFailure(error) }
  }
}
