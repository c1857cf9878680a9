import FileStore

extension SimulatedDisk.Guts {
  /// Counts a call; throws if it may not happen, else says what is odd about it.
  mutating func begin(
    _ call: DiskCall, _ place: DiskPlace, by process: Int
  ) throws(FileSystemError) -> DiskFault.Effect? {
    let number = state.calls
    state.calls += 1
    if let cut = state.faults.powerOffAtCall, number >= cut {
      state.isPowerOff = true
      throw failure(call, place, .inputOutput)
    }
    if let left = state.processes[process].callsLeft {
      if left <= 0 { state.kill(process) } else { state.processes[process].callsLeft = left - 1 }
    }
    if state.processes[process].isDead { throw failure(call, place, .inputOutput) }
    if isTracing { trace.append("\(call.rawValue) \(place.text)") }
    if isRecording, call.isChange {
      state.calls = number
      moments.append(state)
      state.calls = number + 1
    }
    let effect = state.faults.rules.isEmpty ? nil : state.effect(on: call, place, state.processes[process].id)
    if case .fails(let reason)? = effect { throw failure(call, place, reason) }
    guard call.isChange else { return effect }
    if state.faults.isReadOnly { throw failure(call, place, .readOnly) }
    state.changes += 1
    return effect
  }

  /// What is to happen before the next call of a process, if it is that call's turn.
  mutating func takeInterlude(of process: Int) -> (@Sendable () -> Void)? {
    guard let next = interlude, next.process == process else { return nil }
    interlude = next.calls > 0 ? (process, next.calls - 1, next.act) : nil
    return next.calls > 0 ? nil : next.act
  }
}

extension DiskState {
  /// What the rules say about a call.
  mutating func effect(on call: DiskCall, _ place: DiskPlace, _ process: Int32) -> DiskFault.Effect? {
    for (index, rule) in faults.rules.enumerated() {
      if let calls = rule.calls, !calls.contains(call) { continue }
      if let id = rule.process, id != process { continue }
      if let name = rule.name, !place.hasSuffix(name) { continue }
      if rule.after > 0 {
        faults.rules[index].after -= 1
        continue
      }
      if !rule.isForEver { faults.rules.remove(at: index) }
      return rule.effect
    }
    return nil
  }
}
