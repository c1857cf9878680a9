import FileStoreTesting

extension LabWorld {
  /// Performs a step.
  func perform(_ step: LabStep) throws(Violation) {
    let seat = step.process
    switch step.action {
    case .open: _ = try open(seat)
    case .commit(let changes): try commit([changes], seat)
    case .commitTogether(let changes): try commit(changes, seat)
    case .retry: try retry(seat)
    case .undo(let count): try undo(count, seat)
    case .changes(let count): try askChanges(count, seat)
    case .enter: try enter(seat)
    case .leave:
      leave(seat)
      try checkSettled(seat)
    case .hold:
      guard try open(seat) != nil, let view = try look(seat) else { return }
      seats[seat].hold(view, model)
    case .compare: try compare(seat)
    case .look: try look(seat)
    case .close: try close(seat)
    case .perform(let verb): try perform(verb, seat)
    case .faults(let faults):
      areFaultsActive = faults.text != LabFaults.none.text
      hadFaults = hadFaults || areFaultsActive
      disk.setFaults { present in
        present.freeBytes = faults.freeBytes
        present.longestAppend = faults.longestAppend
        present.failingSyncs = faults.failingSyncs
        present.rules = faults.rules
      }
    }
  }

  private func perform(_ verb: LabVerb, _ seat: Int) throws(Violation) {
    guard let store = try open(seat) else { return }
    noteFolding(verb, store)
    if let problem = store.perform(verb), !isExcused(seat), !isRightlyRefused(problem, seat) {
      throw Violation("I10", "\(verb) fails: \(problem)")
    }
    // Whoever is in the write window has read everything; a follower without the mark may miss a journal whose creator
    // was killed.
    let isUpToDate = verb == .poll || verb == .follow && (!hadKills || disk.faults.mapsFiles)
    try look(seat, isUpToDate: isUpToDate)
  }

  /// Whether a process may ignore, while it runs, what its own failed syncs have made doubtful.
  private func isRightlyRefused(_ problem: String, _ seat: Int) -> Bool {
    seats[seat].isDoubtful && problem.hasPrefix("storeReadOnly")
  }

  private func noteFolding(_ verb: LabVerb, _ store: any LabStore) {
    // A backup begins with a checkpoint.
    guard verb == .checkpoint || verb == .checkpointStep || verb == .backup else { return }
    if verb != .checkpointStep || !store.isCheckpointing { foldings.append(0) }
    // No revision is above this one.
    let isCounted = !hasLossOnRecord && !hadFaults
    foldings[foldings.count - 1] = isCounted ? model.transactions.count : .max
  }

  /// Journals up to this revision may be removed: those folded by the last checkpoint are kept.
  private var forgottenRevision: Int {
    guard foldings.count > 1 else { return hadFaults && !foldings.isEmpty ? .max : 0 }
    return foldings[foldings.count - 2]
  }

  private func enter(_ seat: Int) throws(Violation) {
    guard let store = try open(seat), !seats[seat].isInside else { return }
    switch store.enter() {
    case .entered:
      if isShutOut(seat), !isGone(seat) { throw Violation("lock", "two processes are in the write window") }
      seats[seat].isInside = true
      try look(seat, isUpToDate: true)
    case .busy:
      if !isShutOut(seat), !isExcused(seat) { throw Violation("lock", "nobody else is writing, yet the lock is taken") }
    case .failed(let reason): if !isGone(seat), !hadFaults { throw Violation("I4", "writing is refused: \(reason)") }
    }
  }

  // MARK: writing

  private func commit(_ changes: [[LabChange]], _ seat: Int) throws(Violation) {
    guard let store = try open(seat) else { return }
    try commit(changes.map { model.begin($0) }, store, seat)
  }

  private func retry(_ seat: Int) throws(Violation) {
    guard var transaction = model.lastPossible ?? model.lastAcknowledged, let store = try open(seat) else { return }
    transaction.mayRepeat = true
    // A transaction too long ago is not recognised.
    if let view = try look(seat), let revision = view.revisions[transaction.number], revision <= forgottenRevision {
      return
    }
    try commit([transaction], store, seat, isRetry: true)
  }

  private func commit(
    _ transactions: [LabTransaction], _ store: any LabStore, _ seat: Int, isRetry: Bool = false
  ) throws(Violation) {
    disk.setMark(model.mark)
    // After a failed sync the cache may show what the medium lacks, and no later process can know that.
    let isFalse = transactions.filter { disk.failedSyncs > 0 && store.revision(of: $0.number) != nil }.map(\.number)
    let answers = store.commit(transactions)
    // Answers to dead processes do not count.
    if isGone(seat) { return }
    var isAnswered = false
    for (transaction, answer) in zip(transactions, answers) {
      let number = transaction.number
      switch answer {
      case .acknowledged(let revision):
        if isShutOut(seat), !isRetry { throw Violation("lock", "two processes write at once") }
        if isFalse.contains(number) { continue }
        if case .acknowledged(let before) = model.statuses[number], before != revision {
          throw Violation("I1", "transaction \(number), answered as revision \(before), is now answered as \(revision)")
        }
        isAnswered = true
        set(number, .acknowledged(revision))
      case .refused(let reason):
        if !hadFaults { throw Violation("I4", "a commit is refused: \(reason)") }
        // A refusal does not undo what an earlier attempt left.
        if !isRetry { set(number, .absent) }
      case .busy(let reason):
        if !isShutOut(seat), !hadFaults { throw Violation("lock", "nobody else is writing, yet: \(reason)") }
        if !isRetry { set(number, .absent) }
      case .unknown(let reason):
        if !hadFaults { throw Violation("I4", "a commit fails: \(reason)") }
        seats[seat].isDoubtful = true
      }
    }
    try checkSettled(seat)
    guard let view = try look(seat, isUpToDate: isAnswered) else { return }
    // An answer means that everything before it is durable too, unless a failed sync dropped it unnoticed.
    guard isAnswered, disk.failedSyncs == 0 else { return }
    for number in model.transactions.indices where model.statuses[number] == .possible {
      if let revision = view.revisions[number] { set(number, .acknowledged(revision)) }
    }
  }

  private func set(_ number: Int, _ status: LabModel.Status) {
    model.set(number, status)
    disk.setMark(model.mark)
  }

  // MARK: asking

  private func undo(_ count: Int, _ seat: Int) throws(Violation) {
    guard let store = try open(seat), let view = try look(seat) else { return }
    let target = view.revision - count
    guard target > 0, let number = view.revisions.firstIndex(of: target) else { return }
    let plan = store.planUndo(of: target)
    // The previous version in a line may be of a lost transaction.
    if hasLossOnRecord { return }
    if isExcused(seat) { return }
    switch plan {
    case .failed(let reason): throw Violation("undo", "revision \(target) cannot be undone: \(reason)")
    case .nothing:
      // Only a folded transaction can be too long ago.
      let isForgotten = target <= forgottenRevision || hasLossOnRecord || view.revision - target >= 100
      if !isForgotten { throw Violation("undo", "revision \(target) of \(view.revision) is no longer known") }
    case .alreadyUndone, .conflict:
      let expected = model.undo(of: target, view.revisions)
      if plan != expected { throw Violation("undo", "of revision \(target): \(plan) instead of \(expected)") }
    case .ready(var records):
      // The witness record of the transaction stays.
      let witness = LabKey(collection: LabKey.witnesses, record: number)
      let isWitnessGone = if case .some(nil) = records.removeValue(forKey: witness) { true } else { false }
      if !isWitnessGone {
        throw Violation("undo", "revision \(target) would be undone in part")
      }
      let expected = model.undo(of: target, view.revisions)
      if expected != .ready(records) {
        throw Violation("undo", "of revision \(target): \(records) instead of \(expected)")
      }
      try commit([model.begin(undoing: target, records)], store, seat)
    }
  }

  private func askChanges(_ count: Int, _ seat: Int) throws(Violation) {
    guard let store = try open(seat), let view = try look(seat) else { return }
    let since = max(0, view.revision - count)
    let feed = store.changes(since: since)
    if isExcused(seat) || hasLossOnRecord { return }
    switch feed {
    case .failed(let reason): throw Violation("changes", "those since \(since) cannot be had: \(reason)")
    case .tooOld(let oldest):
      if oldest <= since { throw Violation("changes", "\(since) is called too old, but \(oldest) is not") }
      if oldest > forgottenRevision, !hadFaults {
        throw Violation("changes", "those since \(since) are no longer known")
      }
    case .changes(let changes):
      let expected = model.changes(since: since, view.revisions)
      for key in Set(changes.keys).union(expected.keys) where changes[key] != expected[key] {
        throw Violation(
          "changes", "since \(since), \(key): \(describe(changes[key])) instead of \(describe(expected[key]))")
      }
    }
  }

  private func describe(_ changed: LabChanged?) -> String { changed.map { "\($0)" } ?? "nothing" }
}
