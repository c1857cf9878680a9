import FileStore
import FileStoreTesting

/// Makes histories out of seeds. A new kind of action is added to `LabAction`, to `LabWorld.perform` and here.
struct HistoryMaker {
  private var generator: SeededGenerator
  private let processes: Int
  private let verbs: [LabVerb]
  /// The longest padding, so that some lines reach over several sectors.
  private var longest = 1200

  init(seed: UInt64, processes: Int, verbs: [LabVerb]) {
    generator = SeededGenerator(seed: seed, number: processes)
    self.processes = processes
    self.verbs = verbs
  }

  /// Few records in few months, so that they meet often.
  mutating func changes() -> [LabChange] {
    (0..<(generator.once(in: 4) ? generator.among(2...5) : 1)).map { _ in
      let key = LabKey(collection: generator.below(3), record: generator.below(6))
      if generator.once(in: 5) { return LabChange(key: key, padding: nil) }
      let day = key.collection == 2 ? nil : Int32(20_000 + generator.below(4) * 23)
      let padding = generator.below(generator.once(in: 8) ? longest : min(longest, 40))
      return LabChange(key: key, day: day, padding: padding)
    }
  }

  mutating func settings() -> LabSettings {
    LabSettings(seed: generator.next(), journalSizeLimit: [16 << 20, 350, 700, 1500][generator.below(4)])
  }

  mutating func faults() -> LabFaults {
    let reasons: [FileSystemError.Reason] = [.noSpace, .inputOutput, .other, .readOnly]
    let names: Set<DiskCall> = [.rename, .link, .unlink, .removeDirectory]
    let changes: [DiskCall] = [
      .create, .makeDirectory, .append, .synchronizeFile, .synchronizeDirectory, .rename, .link, .unlink, .setMode,
    ]
    switch generator.below(7) {
    case 0:
      var faults = LabFaults("room for \(generator.below(900)) bytes")
      faults.freeBytes = Int(faults.text.split(separator: " ")[2])
      return faults
    case 1:
      var faults = LabFaults("\(generator.among(1...3)) failing syncs")
      faults.failingSyncs = Int(faults.text.split(separator: " ")[0]) ?? 1
      return faults
    case 2:
      var faults = LabFaults("appends of at most \([1, 7, 100, 512][generator.below(4)]) bytes")
      faults.longestAppend = Int(faults.text.split(separator: " ")[4])
      return faults
    case 3:
      let (reason, after) = (reasons[generator.below(4)], generator.below(3))
      var faults = LabFaults("after \(after) changes of names one happens, yet answers \(reason)")
      faults.rules = [DiskFault(.happensYetFails(reason), calls: names, after: after)]
      return faults
    case 4:
      let (length, after) = (generator.below(200), generator.below(3))
      var faults = LabFaults("append \(after) takes \(length) bytes, the next none")
      faults.rules = [
        DiskFault(.isShort(length), calls: [.append], after: after), DiskFault(.fails(.noSpace), calls: [.append]),
      ]
      return faults
    default:
      let (call, reason) = (changes[generator.below(changes.count)], reasons[generator.below(4)])
      let (after, isForEver) = (generator.below(4), generator.once(in: 3))
      var faults = LabFaults("\(call.rawValue) \(after) answers \(reason)\(isForEver ? ", for ever" : "")")
      faults.rules = [DiskFault(.fails(reason), calls: [call], after: after, isForEver: isForEver)]
      return faults
    }
  }

  /// A script of one process for a sweep.
  mutating func script(commits: Int, withFaults: Bool = false, longest: Int = 1200) -> LabHistory {
    self.longest = longest
    var history = LabHistory(settings: settings())
    for _ in 0..<commits {
      if withFaults, generator.once(in: 2) {
        history.steps.append(LabStep(0, .faults(generator.once(in: 3) ? .none : faults())))
      }
      history.steps.append(LabStep(0, .commit(changes())))
      if withFaults, generator.once(in: 3) { history.steps.append(LabStep(0, .retry)) }
      if !verbs.isEmpty, generator.once(in: 2) {
        history.steps.append(LabStep(0, .perform(verbs[generator.below(verbs.count)])))
      }
      if generator.once(in: 5) { history.steps.append(LabStep(0, .close)) }
    }
    history.steps.append(LabStep(0, .close))
    return history
  }

  /// Anything that several processes may do; power cuts only if wanted, as a sweep makes its own.
  mutating func run(steps: Int, withPowerCuts: Bool, withFaults: Bool) -> LabHistory {
    var history = LabHistory(settings: settings())
    for _ in 0..<steps {
      var step = LabStep(generator.below(processes), .look)
      switch generator.below(20) {
      case 0: step.action = .open
      case 1, 2, 3: step.action = .close
      case 4: step.action = .retry
      case 5: break
      case 6, 7: if withFaults { step.action = .faults(generator.once(in: 2) ? .none : faults()) }
      case 8, 9, 10:
        step.action = verbs.isEmpty ? .commit(changes()) : .perform(verbs[generator.below(verbs.count)])
      default: step.action = .commit(changes())
      }
      switch generator.below(12) {
      case 0, 1:
        // An open store commits with two calls, so that the first few count most.
        step.interruption = .kill(afterCalls: generator.below(generator.once(in: 2) ? 4 : 24))
      case 2, 3, 4, 5:
        if withPowerCuts { step.interruption = .powerCut(afterCalls: generator.below(24), seed: generator.next()) }
      default: break
      }
      history.steps.append(step)
      if case .kill? = step.interruption, generator.once(in: 2) {
        history.steps.append(LabStep(generator.below(processes), .retry))
      }
    }
    return history
  }
}
