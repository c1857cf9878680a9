/// A state of several threads and what they share, as a value: every step that one of them can take next leads to another one.
package protocol Interleaved {
  associatedtype Key: Hashable

  /// What tells this state from others, as far as it matters for what comes next.
  var key: Key { get }
  /// The states after one step of one thread, with what the step does. None when all threads sleep or have ended.
  var next: [(step: String, state: Self)] { get }
  /// Whether everything that was asked for is done.
  var isDone: Bool { get }
  /// What is wrong with this state itself, before any next step.
  var offence: String? { get }
}

/// All interleavings of the threads of a model, breadth first, each state once.
package struct Interleavings: CustomStringConvertible {
  /// How many states were reached.
  package private(set) var states = 0
  /// How many of them have everything done.
  package private(set) var done = 0
  /// The shortest way to a state that is wrong, or from which no way leads to the end: a wake-up was lost.
  package private(set) var failure: (what: String, steps: [String])?

  /// Goes through all states that can be reached from `first`; at most `limit`, beyond which the model is too large.
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
    // Backwards from the ends: what is not met there goes on for ever, or sleeps.
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
