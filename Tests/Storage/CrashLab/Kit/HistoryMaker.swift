import FileStore
import FileStoreTesting

/// Makes histories from seeds. A new kind of action is added to `LabAction`, to `LabWorld.perform` and to its scripts.
struct HistoryMaker {
  var generator: SeededGenerator
  let processes: Int
  let verbs: [LabVerb]
  /// The longest padding, so that some lines span several sectors.
  var longest = 1200

  init(seed: UInt64, processes: Int, verbs: [LabVerb]) {
    generator = SeededGenerator(seed: seed, number: processes)
    self.processes = processes
    self.verbs = verbs
  }

  /// Few records in few months, so that changes often meet.
  mutating func changes() -> [LabChange] {
    (0..<(generator.once(in: 4) ? generator.among(2...5) : 1)).map { _ in
      let key = LabKey(collection: generator.below(LabKey.collections), record: generator.below(6))
      if generator.once(in: 5) { return LabChange(key: key, padding: nil) }
      let day = key.collection == 2 ? nil : Int32(20_000 + generator.below(4) * 23)
      let padding = generator.below(generator.once(in: 8) ? longest : min(longest, 40))
      return LabChange(key: key, day: day, padding: padding)
    }
  }

  mutating func settings() -> LabSettings {
    var settings = LabSettings(
      seed: generator.next(), journalSizeLimit: [16 << 20, 600, 1100, 2000][generator.below(4)])
    settings.historyLimit = [0, 0, 1500, 4 << 20][generator.below(4)]
    settings.segmentCacheLimit = [0, 3000, 24 << 20][generator.below(3)]
    settings.reserveSize = [0, 0, 300][generator.below(3)]
    settings.aheadSize = [0, 900, 2500, 9000][generator.below(4)]
    settings.aheadThreshold = generator.below(3)
    return settings
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

  /// The faults of the calls that make a journal durable.
  mutating func syncFaults() -> LabFaults {
    let count = generator.among(1...2)
    if generator.once(in: 3) {
      var faults = LabFaults("\(count) failing syncs")
      faults.failingSyncs = count
      return faults
    }
    let reasons: [FileSystemError.Reason] = [.noSpace, .inputOutput, .other]
    let reason = reasons[generator.below(reasons.count)]
    let calls: [DiskCall] = [.open, .create, .synchronizeFile, .synchronizeDirectory]
    var failing = Set(calls.filter { _ in generator.once(in: 2) })
    if failing.isEmpty { failing = [.synchronizeFile] }
    let isForEver = generator.once(in: 2)
    var faults = LabFaults(
      "\(failing.map(\.rawValue).sorted()) of journals answer \(reason)\(isForEver ? ", for ever" : "")")
    faults.rules = failing.map {
      DiskFault(.fails(reason), calls: [$0], isForEver: isForEver, process: 1, name: ".jsonl")
    }
    return faults
  }
}
