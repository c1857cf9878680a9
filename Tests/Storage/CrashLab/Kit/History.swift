import FileStore
import FileStoreTesting

/// An action of a process, or an event on its disk.
package enum LabAction: Sendable {
  case open
  case commit([LabChange])
  /// Commits several transactions, with one wait for all.
  case commitTogether([[LabChange]])
  /// Retries the last transaction whose outcome is unknown; else the last one answered.
  case retry
  /// Undoes the transaction that many back.
  case undo(Int)
  /// Asks for the changes of that many transactions.
  case changes(Int)
  /// Enters the write window and stays in it until it leaves, like a stopped process.
  case enter
  case leave
  /// Holds the store's present content.
  case hold
  /// Compares everything held with its original content.
  case compare
  /// Compares the store's content with the expected one.
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
  /// A description for people.
  package var text: String

  package init(_ text: String) { self.text = text }

  /// The disk works.
  package static let none = LabFaults("none")

  /// The first process's writes are in the journal but never synced.
  static var unsynced: LabFaults {
    var faults = LabFaults("no sync of a journal, nor another journal, for process 0")
    faults.rules = [
      DiskFault(.fails(.inputOutput), calls: [.synchronizeFile, .create], isForEver: true, process: 0, name: ".jsonl")
    ]
    return faults
  }
}

/// What interrupts an action.
package enum LabInterruption: Sendable {
  /// The process is killed before its nth call, or after the action.
  case kill(afterCalls: Int)
  /// The machine crashes there, and the disk is left as a seed decides.
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

/// The actions of some processes, one after the other, in one folder.
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
