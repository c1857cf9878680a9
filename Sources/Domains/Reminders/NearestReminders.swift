/// The nearest so many of any number of reminders: a heap with the farthest of them on top.
///
/// Taking n of them costs O(n log limit) time, and room for `limit`.
struct NearestReminders {
  private let limit: Int
  private var heap: [ScheduledReminder] = []

  /// Keeps at most `limit`; none when it is not positive.
  init(limit: Int) {
    self.limit = max(limit, 0)
  }

  /// Keeps it if it is among the nearest so far.
  mutating func take(_ reminder: ScheduledReminder) {
    if heap.count < limit {
      heap.append(reminder)
      rise()
    } else if let farthest = heap.first, reminder.isNearer(than: farthest) {
      heap[0] = reminder
      sink()
    }
  }

  /// Those that were kept, the nearest first.
  var ascending: [ScheduledReminder] { heap.sorted { $0.isNearer(than: $1) } }

  /// Brings the last to its place.
  private mutating func rise() {
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[parent].isNearer(than: heap[index]) else { return }
      heap.swapAt(parent, index)
      index = parent
    }
  }

  /// Brings the first to its place.
  private mutating func sink() {
    var index = 0
    while true {
      var farthest = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[farthest].isNearer(than: heap[child]) { farthest = child }
      }
      guard farthest != index else { return }
      heap.swapAt(farthest, index)
      index = farthest
    }
  }
}
