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
  private let mistake: Mistake

  init(requests: Int, free: Int, cancels: [Int] = [], _ mistake: Mistake = .none) {
    state = WorkTurnState(free: free)
    shared = Key(places: Array(repeating: .coming, count: requests), cancels: cancels, free: free)
    // Each has its id before it does anything else.
    for _ in 0..<requests { _ = state.begin() }
    self.free = free
    self.mistake = mistake
  }

  var key: Key {
    var key = shared
    key.free = state.free
    return key
  }

  var isDone: Bool { shared.places.allSatisfy { $0 == .over } && shared.admitting == 0 && state.free == free }
  var offence: String? { shared.places.count { $0 == .working } > free ? "too many work at a time" : nil }

  var next: [(step: String, state: WorkTurnModel)] {
    var all = shared.places.indices.flatMap { request in
      after(request).map { (step: "\(request): \(shared.places[request])", state: $0) }
    }
    for request in shared.cancels {
      var model = self
      model.shared.cancels.removeAll { $0 == request }
      if let waiter = model.state.cancel(request + 1) { model.shared.places[waiter] = .over }
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
      guard model.state.wait(request + 1, request) else { break }
      model.shared.places[request] = .waiting
      if mistake != .entering { model.shared.admitting += 1 }
    case .working:
      model.state.free += 1
      model.shared.places[request] = .over
      if mistake != .leaving { model.shared.admitting += 1 }
    case .waiting, .over: return []
    }
    return [model]
  }
}
