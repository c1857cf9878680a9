import JSON
import Spawning

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
  /// The service; after a `restart` another.
  var service: ServiceProcess
  /// Its data folder.
  let data: String
  /// How it is started.
  let launch: Launch
  /// The time zone of the next start.
  var zone: String
  /// What is remembered.
  var bindings: Bindings = [:]
  /// Methods that may not arrive any more.
  var forbidden: Set<String> = []
  /// Methods that the case names, which are not passed over.
  let named: Set<String>
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
  /// How often the service was started again.
  var restarts = 0
  /// Whether the case sent a signal.
  var hasSignalled = false
  /// The message last taken.
  var latest: JSONValue?

  /// A run that is about to begin.
  private init(
    _ item: Case, _ framing: WireFraming, _ variant: SendVariant, _ schema: Schema, _ service: ServiceProcess,
    _ launch: Launch, data: String, zone: String
  ) {
    self.data = data
    self.launch = launch
    self.zone = zone
    self.item = item
    self.framing = framing
    self.variant = variant
    self.service = service
    named = Set(item.steps.flatMap(\.methods))
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
    // A folder that files are put into has to be a service's already.
    let fixture = Fixture(schema: suite.schema, launch: launch)
    try fixture.apply(suite.fixtures[item.fixture] ?? [], data: data, isNeeded: !item.preparations.isEmpty)
    let folderState = FolderState(state: item.folder, data: data, launch: launch)
    let holder = try folderState.establish()
    // Kept to the end, for it holds the folder as long as it lives.
    defer { withExtendedLifetime(holder) {} }
    if item.steps.contains(where: \.isExchange), !Files.copy(folder: data, to: copy(of: data)) {
      throw PlayFailure("the data folder cannot be copied")
    }
    let zone = try prepare(item, data: data)
    let launch = folderState.launchInState
    let service = try start(item, framing, launch, data: data, zone: zone)
    return try Play(item, framing, variant, suite.schema, service, launch, data: data, zone: zone).run()
  }

  /// Starts the service as a case wants it.
  static func start(
    _ item: Case, _ framing: WireFraming, _ launch: Launch, data: String, zone: String, further: [String] = []
  ) throws(PlayFailure) -> ServiceProcess {
    let arguments = (item.session == .noHandshake ? ["--no-handshake"] : []) + item.args + further
    do throws(WireError) {
      return try launch.start(data: data, framing: framing, clock: item.clock, zone: zone, further: arguments)
    } catch { throw PlayFailure(error) }
  }

  /// Where the data folder's content at the start of the service is kept.
  static func copy(of data: String) -> String { "\(data).copy" }

  /// Runs all steps.
  private func run() throws(PlayFailure) -> Seen {
    if item.session == .initialized { try placed(nil) { () throws(PlayFailure) in try handshake() } }
    for step in item.steps.dropFirst(item.preparations.count) {
      try placed(step) { () throws(PlayFailure) in try play(step) }
    }
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
  func handshake() throws(PlayFailure) {
    let params = JSONObject(
      [("capabilities", JSONValue.object(item.capabilities))] + item.initialize.members.map { ($0.name, $0.value) })
    let text = String(decoding: JSONValue.object(params).json, as: UTF8.self)
    try own(#"{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":\#(text)}"#)
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
  func end() throws(PlayFailure) -> ExitStatus {
    let end: ExitStatus
    do throws(WireError) { end = try service.waitForEnd() } catch { throw PlayFailure(error) }
    if case .killed = end, !hasSignalled { throw PlayFailure("it crashed: \(end)") }
    return end
  }
}

extension Play {
  /// Sends a message of the runner's own.
  func own(_ text: String) throws(PlayFailure) {
    if let value = try? JSONValue(json: Array(text.utf8)) { conversation.ledger.note(value, isCounted: false) }
    try send(framing.framed(text), byteWise: false)
  }

  /// Sends a message of the case's.
  func send(message text: String) throws(PlayFailure) {
    noteRaw()
    conversation.ledger.note(text: text)
    try send(framing.framed(text), byteWise: variant == .byteWise)
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
