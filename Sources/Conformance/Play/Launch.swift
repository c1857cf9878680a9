/// How the service is started: the command under test, and what the runner adds.
package struct Launch: Sendable {
  /// The command under test.
  package let command: [String]
  /// The hang guard of every wait.
  package let guardTime: Duration

  /// A command; the hang guard is 10 seconds times `TIME_SCALE`, unless a test needs it shorter.
  package init(command: [String], guardTime: Duration = Launch.usualGuardTime) {
    self.command = command
    self.guardTime = guardTime
  }

  /// 10 seconds, times the environment's `TIME_SCALE`.
  package static var usualGuardTime: Duration {
    let scale = SystemText.variable("TIME_SCALE").flatMap { Double($0) } ?? 1
    return .seconds(10) * (scale.isFinite && scale > 0 ? scale : 1)
  }

  /// What `--clock` says, unless a case says otherwise.
  package static let usualClock = "2026-01-05T12:00:00Z"
  /// The environment's `TZ`, unless a case says otherwise.
  package static let usualZone = "UTC"

  /// Starts the service on a data folder.
  func start(
    data: String, framing: WireFraming, seed: Int = 1, clock: String = usualClock, zone: String = usualZone,
    further arguments: [String] = []
  ) throws(WireError) -> ServiceProcess {
    var environment = Spawn.inheritedEnvironment()
    environment["TZ"] = zone
    let usual = ["--data", data, "--clock", clock, "--seed", "\(seed)"]
    return try ServiceProcess(
      command + usual + arguments, environment: environment, framing: framing, guardTime: guardTime)
  }

  /// A message as a framing puts it on the wire.
  package static func framed(_ text: String, _ framing: WireFraming) -> [UInt8] {
    let body = Array(text.utf8)
    switch framing {
    case .header: return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    case .newline: return body + [UInt8(ascii: "\n")]
    }
  }
}
