import CivilTime
import Synchronization

/// Candidates made once and kept with what they are made of. The days asked for only ever grow.
package final class RememberedCandidates: ReminderCandidates {
  private struct Visited {
    var start: Instant
    var end: CivilDay
    var candidates: [ReminderCandidate]
  }

  private let source: any ReminderCandidates
  private let visited = Mutex<Visited?>(nil)

  package init(_ source: any ReminderCandidates) {
    self.source = source
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    let candidates = visited.withLock { known in
      if let known, known.start <= start, known.end >= end { return known.candidates }
      var made = Visited(start: min(start, known?.start ?? start), end: max(end, known?.end ?? end), candidates: [])
      source.visit(from: made.start, through: made.end) { made.candidates.append($0) }
      known = made
      return made.candidates
    }
    for candidate in candidates { body(candidate) }
  }
}
