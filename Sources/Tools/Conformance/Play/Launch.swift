import Spawning

/// How the service is started: the command under test, and what the runner adds.
package struct Launch: Sendable {
  /// The command under test.
  package let command: [String]
  /// The hang guard of every wait.
  package let guardTime: Duration

  /// A command; the hang guard is a minute times `TIME_SCALE`, unless a test needs it shorter.
  package init(command: [String], guardTime: Duration = Launch.usualGuardTime) {
    self.command = command
    self.guardTime = guardTime
  }

  /// A minute, times the environment's `TIME_SCALE`.
  package static var usualGuardTime: Duration {
    .seconds(60) * SystemText.timeScale
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
    var environment = SystemText.environment
    environment["TZ"] = zone
    let usual = ["--data", data, "--clock", clock, "--seed", "\(seed)"]
    return try ServiceProcess(
      command + usual + arguments, environment: environment, framing: framing, guardTime: guardTime)
  }
}
