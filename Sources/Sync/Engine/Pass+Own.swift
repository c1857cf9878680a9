import CivilTime
import FileStore
import SyncRules

/// The own stream.
extension Pass {
  /// Checks that the own head, as it was read, is as it was written, and that its batches are there and whole; starts
  /// over if not.
  func checkOwn(_ own: StreamHead?, _ state: inout DeviceState) throws(PassFailure) {
    let before = state
    if let intent = state.intent, let own, own == intent.head {
      state = try step { replica throws(StoreError) in try replica.finish(intent, before) }
    } else if own != state.head {
      // A newer head is that of a copy at work; anything else was set back or lost.
      return try startOver(&state, leaves: own.map { $0.counter < before.counter } ?? true)
    }
    guard let head = state.head else { return }
    let prefix = RemoteLayout.batches(of: state.stream)
    let found = try asking(.pull) { () throws(RemoteFailure) in try remote.list(prefix) }
    let there = Set(found.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil })
    guard there.isSuperset(of: head.batches), try areWhole(head.batches, &state) else {
      return try startOver(&state, leaves: true)
    }
    for stray in there.subtracting(head.batches).sorted() where RemoteLayout.isBatch(stray) {
      try asking(.compact) { () throws(RemoteFailure) in try remote.delete(prefix + stray) }
    }
  }

  /// Whether own batches read as they were written: the small ones at a start and by hand, all of them once a day.
  private func areWhole(_ batches: [String], _ state: inout DeviceState) throws(PassFailure) -> Bool {
    let before = state
    let isDaily = try step { replica in
      before.verifiedAt.map { $0.advanced(by: 86_400_000) <= replica.now() } ?? true
    }
    guard isDaily || trigger == .hand || trigger == .start else { return true }
    for batch in batches where isDaily || !state.largeBatches.contains(batch) {
      let file = try fetch(RemoteLayout.batches(of: state.stream) + batch, of: sender.device)
      guard file.bytes.map({ BatchContent($0, name: batch) != nil }) == true else { return false }
    }
    guard isDaily else { return true }
    state = try step { replica throws(StoreError) in
      var state = before
      state.verifiedAt = replica.now()
      try replica.save(state)
      return state
    }
    return true
  }

  private func startOver(_ state: inout DeviceState, leaves: Bool) throws(PassFailure) {
    let before = state
    state = try step { replica throws(StoreError) in
      var state = before
      state.startOver(stream: replica.newStream(), leaves: leaves)
      try replica.save(state)
      return state
    }
  }
}
