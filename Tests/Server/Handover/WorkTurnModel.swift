import Interleaving

@testable import DaybookServer

/// The turns of heavy work: requests that wait for one, work and leave, some of them cancelled at any time.
struct WorkTurnModel: Interleaved {
  /// A step that is left out, to see that the model finds what it leads to.
  enum Mistake {
    case none
    /// Who comes admits nobody, not even themselves.
    case entering
    /// Who leaves admits nobody.
    case leaving
  }

  struct Key: Hashable {
    fileprivate enum Place {
      case coming, waiting, working, over
    }

    fileprivate var places: [Place]
    fileprivate var cancels: [Int]
    fileprivate var free: Int
    /// How many are giving turns to those who wait.
    fileprivate var admitting = 0
  }

  private var state: WorkTurnState<Int>
  private var shared: Key
  private let free: Int
  /// The requests that do bulk work.
  private let bulk: Set<Int>
  private let mistake: Mistake

  init(requests: Int, free: Int, cancels: [Int] = [], bulk: Set<Int> = [], _ mistake: Mistake = .none) {
    state = WorkTurnState(free: free)
    shared = Key(places: Array(repeating: .coming, count: requests), cancels: cancels, free: free)
    // Each has its id before it does anything else.
    for request in 0..<requests { _ = state.arrive(isBulk: bulk.contains(request)) }
    self.free = free
    self.bulk = bulk
    self.mistake = mistake
  }

  var key: Key {
    var key = shared
    key.free = state.free
    return key
  }

  var isDone: Bool { shared.places.allSatisfy { $0 == .over } && shared.admitting == 0 && state.free == free }
  var offence: String? {
    if shared.places.count(where: { $0 == .working }) > free { return "too many work at a time" }
    let working = bulk.filter { shared.places[$0] == .working }
    if working.count > 1 { return "two do bulk work at a time" }
    guard let first = working.first else { return nil }
    return bulk.contains { $0 < first && shared.places[$0] == .waiting } ? "bulk work overtakes" : nil
  }

  var next: [(step: String, state: WorkTurnModel)] {
    var all = shared.places.indices.flatMap { request in
      after(request).map { (step: "\(request): \(shared.places[request])", state: $0) }
    }
    for request in shared.cancels {
      var model = self
      model.shared.cancels.removeAll { $0 == request }
      if let waiter = model.state.cancel(request + 1) { model.shared.places[waiter] = .over }
      // Others may have waited behind it.
      model.shared.admitting += 1
      all.append(("cancel \(request)", model))
    }
    if shared.admitting > 0 {
      var model = self
      if let waiter = model.state.admit() {
        model.shared.places[waiter] = .working
      } else {
        model.shared.admitting -= 1
      }
      all.append(("admit", model))
    }
    return all
  }

  private func after(_ request: Int) -> [WorkTurnModel] {
    var model = self
    switch shared.places[request] {
    case .coming:
      model.shared.places[request] = .over
      guard model.state.wait(request + 1, isBulk: bulk.contains(request), request) else {
        model.state.leave(request + 1)
        model.shared.admitting += 1
        break
      }
      model.shared.places[request] = .waiting
      if mistake != .entering { model.shared.admitting += 1 }
    case .working:
      model.state.leave(request + 1)
      model.shared.places[request] = .over
      if mistake != .leaving { model.shared.admitting += 1 }
    case .waiting, .over: return []
    }
    guard bulk.contains(request), shared.places[request] == .coming, mistake == .none else { return [model] }
    // It may be refused before its work.
    var refused = self
    refused.state.leave(request + 1)
    refused.shared.places[request] = .over
    refused.shared.admitting += 1
    return [model, refused]
  }
}
