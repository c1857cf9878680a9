import DaybookProtocol
import Platform

/// What the start of this process consists of, how far it has come, and what each part of it took.
struct StartupTimeline {
  /// How long a launch screen should stay at least, in milliseconds, so that it does not flicker.
  static let minimumLaunchScreen = 250
  /// Microseconds to the answer of `initialize`, and to the end of the last task of high priority.
  static let bootstrapLimit = 300_000
  static let highTasksLimit = 500_000
  /// How many tasks that the device led to are remembered.
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

  /// Microseconds since the process began.
  var elapsed: Int { Int(clamping: (Clock.monotonicNanoseconds() &- origin) / 1000) }

  /// All tasks in the order they run; events last, oldest first.
  var tasks: [StartupTask] { bootstrap + launch + events }

  /// What the start may take, beside what it took.
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

  /// Notes a step of the first phase that is over. One that is done again, because the phase failed before its end, replaces the first.
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

  /// Notes that the first phase is over.
  mutating func endBootstrap() {
    bootstrapped = elapsed
    state = .launching
  }

  // MARK: the second phase

  /// How many tasks of the second phase are not over.
  var remaining: Int { launch.count { !$0.isOver } }

  /// Names of the tasks that failed, in their order.
  var failed: [String] { launch.filter { $0.state == .failed }.map(\.name) }

  mutating func begin(_ task: LaunchTask) {
    guard let place = place(of: task) else { return }
    launch[place].state = .running
    launch[place].startedAfterUs = elapsed
  }

  /// Notes that a task is over, and returns it; nil when it was before, or has not begun.
  mutating func end(_ task: LaunchTask, _ outcome: TaskOutcome) -> StartupTask? {
    guard let place = place(of: task), launch[place].state == .running else { return nil }
    launch[place].state = outcome.state
    launch[place].outcome = outcome.text
    launch[place].tookUs = elapsed - (launch[place].startedAfterUs ?? elapsed)
    return launch[place]
  }

  /// Notes that the start is over.
  mutating func finish() { state = .ready }

  private func place(of task: LaunchTask) -> Int? { launch.firstIndex { $0.name == task.rawValue } }

  // MARK: later

  /// Notes a task that the device led to.
  mutating func note(_ task: EventTask, of event: DeviceEvent, startedAfter start: Int, _ outcome: TaskOutcome) {
    events.append(
      StartupTask(
        name: task.rawValue, phase: .event, state: outcome.state, startedAfterUs: start, tookUs: elapsed - start,
        outcome: outcome.text, event: event.rawValue))
    if events.count > StartupTimeline.rememberedEvents { events.removeFirst() }
  }
}

/// How a task ended.
enum TaskOutcome: Equatable, Sendable {
  case done(String)
  /// There was nothing to do, and why.
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
  /// Whether its outcome is final.
  fileprivate var isOver: Bool { state != .pending && state != .running }
}
