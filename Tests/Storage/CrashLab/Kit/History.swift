import FileStore
import FileStoreTesting

/// What a process does, or what happens to its disk.
package enum LabAction: Sendable {
  case open
  case commit([LabChange])
  /// The same with several transactions, and one wait for all.
  case commitTogether([[LabChange]])
  /// Gives the last transaction again of which nobody can tell whether it was stored; else the last that was answered.
  case retry
  /// Takes back the transaction that is so many back.
  case undo(Int)
  /// Asks for what changed in so many transactions.
  case changes(Int)
  /// Takes the right to write, and keeps it until it leaves: as a process that was stopped.
  case enter
  case leave
  /// Keeps what the store has now.
  case hold
  /// Compares everything held with what it was.
  case compare
  /// Compares what the store shows with what it should.
  case look
  case close
  case perform(LabVerb)
  /// The disk misbehaves from now on.
  case faults(LabFaults)
}

/// How the disk misbehaves in a history.
package struct LabFaults: Sendable {
  package var freeBytes: Int?
  package var longestAppend: Int?
  package var failingSyncs = 0
  package var rules: [DiskFault] = []
  /// What it is, for people.
  package var text: String

  package init(_ text: String) { self.text = text }

  /// The disk is in order.
  package static let none = LabFaults("none")

  /// What the first process writes is in the journal, and never synchronized.
  static var unsynced: LabFaults {
    var faults = LabFaults("no sync of a journal, nor another journal, for process 0")
    faults.rules = [
      DiskFault(.fails(.inputOutput), calls: [.synchronizeFile, .create], isForEver: true, process: 0, name: ".jsonl")
    ]
    return faults
  }
}

/// What breaks in upon an action.
package enum LabInterruption: Sendable {
  /// The process is killed before its so-many-th call, or when the action is over.
  case kill(afterCalls: Int)
  /// The same with the whole machine, and the disk is left as a seed says.
  case powerCut(afterCalls: Int, seed: UInt64)
}

/// One step of a history.
package struct LabStep: Sendable {
  package var process: Int
  package var action: LabAction
  package var interruption: LabInterruption?

  package init(_ process: Int, _ action: LabAction, _ interruption: LabInterruption? = nil) {
    self.process = process
    self.action = action
    self.interruption = interruption
  }
}

/// What some processes do, one after the other, in one folder.
package struct LabHistory: Sendable {
  package var settings: LabSettings
  package var steps: [LabStep]

  package init(settings: LabSettings = LabSettings(), steps: [LabStep] = []) {
    self.settings = settings
    self.steps = steps
  }
}

extension LabAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .open: "open"
    case .commit(let changes): "commit " + changes.map(\.description).joined(separator: ", ")
    case .commitTogether(let transactions):
      "commit together " + transactions.map { $0.map(\.description).joined(separator: ", ") }.joined(separator: "; ")
    case .retry: "retry"
    case .undo(let count): "undo \(count) back"
    case .changes(let count): "changes of the last \(count)"
    case .enter: "enter"
    case .leave: "leave"
    case .hold: "hold"
    case .compare: "compare"
    case .look: "look"
    case .close: "close"
    case .perform(let verb): verb.rawValue
    case .faults(let faults): "faults: " + faults.text
    }
  }
}

extension LabStep: CustomStringConvertible {
  package var description: String {
    let interruption =
      switch interruption {
      case nil: ""
      case .kill(let calls)?: " [killed before call \(calls)]"
      case .powerCut(let calls, let seed)?: " [power cut before call \(calls), seed \(seed)]"
      }
    return "process \(process): \(action)\(interruption)"
  }
}
