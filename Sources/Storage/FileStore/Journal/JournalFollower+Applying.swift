import Platform
import Values

extension JournalFollower {
  /// Applies a transaction unless it was applied already.
  mutating func apply(_ entry: JournalEntry, _ range: Range<Int>, _ memory: inout StoreMemory) {
    Threads.yieldIfDue()
    if !readsCopies, let first = lostFrom, entry.revision >= first { return }
    let id = entry.transaction.id
    if recent[id] == entry.revision {
      note(.duplicate, currentName, range, "transaction \(id), number \(entry.revision), is already present")
      return
    }
    if joins { sequence = entry.revision - 1 }
    joins = false
    if let last = deferred.last, last.file != currentName {
      let fillsGap =
        entry.revision < last.entry.revision && !deferred.contains { $0.entry.revision == entry.revision }
      if fillsGap {
        // This file repeats everything from the gap on, as after a failed sync.
        deferred.removeAll { $0.entry.revision >= entry.revision }
      } else {
        applyDeferred(&memory)
      }
    }
    if entry.revision > sequence + 1 || !deferred.isEmpty {
      deferred.append((entry, range, currentName))
    } else {
      apply(entry, range, currentName, &memory)
    }
  }

  /// Applies the lines after a gap that no later file fills.
  mutating func applyDeferred(_ memory: inout StoreMemory) {
    let entries = deferred
    deferred = []
    for (entry, range, file) in entries { apply(entry, range, file, &memory) }
  }

  mutating func apply(_ entry: JournalEntry, _ range: Range<Int>, _ file: String, _ memory: inout StoreMemory) {
    let next = sequence + 1
    var revision = entry.revision
    if revision > next {
      note(.sequenceGap, file, range.lowerBound..<range.lowerBound, "numbers \(next) to \(revision - 1) are missing")
      memory.noteLoss(before: revision)
    } else if revision < next {
      note(.sequenceFork, file, range, "number \(revision) comes after \(sequence); it counts as \(next)")
      revision = next
    }
    report.reached(revision)
    recent.append(entry.transaction, revision: entry.revision)
    let isInJournal = file == currentName && !readsCopies
    let place = current.flatMap { isInJournal ? JournalPlace(journal: $0, range: range) : nil }
    memory.apply(entry, revision: revision, isDurable: true, told: place)
    report.transactions += 1
    sequence = revision
    damaged = 0
    // Parsing the number from the name costs more than everything else here.
    guard let number = isInJournal ? position?.file : JournalFile.number(of: file) else { return }
    func extend(_ range: inout (first: Int, last: Int)) {
      range = (range.last < range.first ? revision : range.first, revision)
    }
    extend(&ranges[number, default: (revision, revision)])
  }
}
