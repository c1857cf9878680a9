import DaybookProtocol
import Platform

/// The tasks of this process's start, their progress, and their durations.
struct StartupTimeline {
  static let minimumLaunchScreen = 250
  /// The budgets in microseconds: until the reply to `initialize`, and until the last task of high priority has ended.
  static let bootstrapLimit = 300_000
  static let highTasksLimit = 500_000
  /// The maximum number of device event tasks in the report.
  private static let rememberedEvents = 50

  /// When the process began, in monotonic nanoseconds.
  private let origin: UInt64
  private var bootstrap: [StartupTask] = []
  private var launch: [StartupTask] = LaunchTask.allCases.map { task in
    StartupTask(name: task.rawValue, phase: .launch, priority: task.priority, state: .pending)
  }
  private var events: [StartupTask] = []
  private(set) var state = StartupState.bootstrapping
  var launchReason = LaunchReason.user
  /// Microseconds from the start of the process to the end of the first phase.
  private var bootstrapped: Int?

  init(origin: UInt64) { self.origin = origin }

  var elapsed: Int { Int(clamping: (Clock.monotonicNanoseconds() &- origin) / 1000) }

  /// All tasks in the order they run; event tasks last, oldest first.
  var tasks: [StartupTask] { bootstrap + launch + events }

  /// The budgets of the start, with the measured times.
  var budgets: [StartupBudget] {
    let high = launch.filter { $0.priority == .high }
    let ends = high.compactMap { task in task.tookUs.map { $0 + (task.startedAfterUs ?? 0) } }
    return [
      budget("bootstrap", StartupTimeline.bootstrapLimit, bootstrapped),
      budget("highTasks", StartupTimeline.highTasksLimit, ends.count == high.count ? ends.max() : nil),
    ]
  }

  private func budget(_ name: String, _ limit: Int, _ measured: Int?) -> StartupBudget {
    StartupBudget(name: name, limitUs: limit, measuredUs: measured, met: measured.map { $0 <= limit })
  }

  // MARK: the first phase

  /// Records a completed step of the first phase; a repeated step replaces the first, because the phase failed in
  /// between.
  mutating func note(_ step: BootstrapStep, startedAfter start: Int, _ outcome: TaskOutcome) {
    let task = StartupTask(
      name: step.rawValue, phase: .bootstrap, state: outcome.state, startedAfterUs: start, tookUs: elapsed - start,
      outcome: outcome.text)
    if let place = bootstrap.firstIndex(where: { $0.name == task.name }) {
      bootstrap[place] = task
    } else {
      bootstrap.append(task)
    }
  }

  mutating func endBootstrap() {
    bootstrapped = elapsed
    state = .launching
  }

  // MARK: the second phase

  /// The number of tasks of the second phase that have not ended.
  var remaining: Int { launch.count { !$0.isOver } }

  var failed: [String] { launch.filter { $0.state == .failed }.map(\.name) }

  mutating func begin(_ task: LaunchTask) {
    guard let place = index(of: task) else { return }
    launch[place].state = .running
    launch[place].startedAfterUs = elapsed
  }

  /// Ends a task, and returns it; nil when it is not running.
  mutating func end(_ task: LaunchTask, _ outcome: TaskOutcome) -> StartupTask? {
    guard let place = index(of: task), launch[place].state == .running else { return nil }
    launch[place].state = outcome.state
    launch[place].outcome = outcome.text
    launch[place].tookUs = elapsed - (launch[place].startedAfterUs ?? elapsed)
    return launch[place]
  }

  mutating func finish() { state = .ready }

  private func index(of task: LaunchTask) -> Int? { launch.firstIndex { $0.name == task.rawValue } }

  // MARK: later

  /// Records a task that followed a device event.
  mutating func note(_ task: EventTask, of event: DeviceEvent, startedAfter start: Int, _ outcome: TaskOutcome) {
    events.append(
      StartupTask(
        name: task.rawValue, phase: .event, state: outcome.state, startedAfterUs: start, tookUs: elapsed - start,
        outcome: outcome.text, event: event.rawValue))
    if events.count > StartupTimeline.rememberedEvents { events.removeFirst() }
  }
}

enum TaskOutcome: Equatable, Sendable {
  case done(String)
  /// There was nothing to do, for the reason given.
  case skipped(String)
  case failed(String)

  var state: StartupTaskState {
    switch self {
    case .done: .done
    case .skipped: .skipped
    case .failed: .failed
    }
  }

  var text: String {
    switch self {
    case .done(let text), .skipped(let text), .failed(let text): text
    }
  }
}

extension StartupTask {
  fileprivate var isOver: Bool { state != .pending && state != .running }
}
