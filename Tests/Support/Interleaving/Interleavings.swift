/// A state of several threads and their shared data, as a value; every possible step of a thread leads to another
/// state.
package protocol Interleaved {
  associatedtype Key: Hashable

  /// What distinguishes this state, as far as it matters for later steps.
  var key: Key { get }
  /// The successor states, each with the step; none when all threads sleep or have ended.
  var next: [(step: String, state: Self)] { get }
  /// Whether all requested work is done.
  var isDone: Bool { get }
  /// The violation in this state, if any.
  var offence: String? { get }
}

/// Explores all interleavings of a model's threads, breadth first, each state once.
package struct Interleavings: CustomStringConvertible {
  /// The number of reached states.
  package private(set) var states = 0
  /// The number of states with all work done.
  package private(set) var done = 0
  /// The shortest path to a bad state, or to one that cannot reach the end: a lost wake-up.
  package private(set) var failure: (what: String, steps: [String])?

  /// Explores all states reachable from `first`; more than `limit` is an error.
  package init<State: Interleaved>(from first: State, limit: Int = 2_000_000) {
    var places = [first.key: 0]
    var origins: [(from: Int, step: String)] = [(0, "")]
    var sources: [[Int32]] = [[]]
    var ends: [Int] = []
    var queue = [first]
    var (reached, begun) = (0, 0)

    func steps(to place: Int) -> [String] {
      var (place, steps) = (place, [String]())
      while place != 0 {
        steps.append(origins[place].step)
        place = origins[place].from
      }
      return steps.reversed()
    }

    while begun < queue.count {
      let state = queue[begun]
      if begun > 4096 {
        queue.removeFirst(begun)
        begun = 0
      }
      begun += 1
      let place = reached
      reached += 1
      if state.isDone { ends.append(place) }
      if let offence = state.offence {
        failure = (offence, steps(to: place))
        break
      }
      for (step, next) in state.next {
        let key = next.key
        if let known = places[key] {
          sources[known].append(Int32(place))
          continue
        }
        guard places.count < limit else {
          failure = ("more than \(limit) states", [])
          states = reached
          return
        }
        let new = places.count
        places[key] = new
        origins.append((place, step))
        sources.append([Int32(place)])
        queue.append(next)
      }
    }
    (states, done) = (reached, ends.count)
    guard failure == nil else { return }
    // Backwards from the final states: states not reached this way loop or sleep forever.
    var comesToAnEnd = [Bool](repeating: false, count: places.count)
    for end in ends { comesToAnEnd[end] = true }
    while let place = ends.popLast() {
      for source in sources[place].lazy.map(Int.init) where !comesToAnEnd[source] {
        comesToAnEnd[source] = true
        ends.append(source)
      }
    }
    if let stuck = comesToAnEnd.firstIndex(of: false) {
      failure = ("nobody is going to do what was asked for", steps(to: stuck))
    }
  }

  package var description: String {
    guard let failure else { return "\(states) states, \(done) of them done" }
    return "\(failure.what), after: \(failure.steps.joined(separator: "; "))"
  }
}
