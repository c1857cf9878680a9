import CivilTime

extension Backups {
  /// How many days, weeks and months of automatic backups are kept, the newest of each.
  static let (days, weeks, months) = (7, 4, 12)

  /// Removes the automatic backups that are too many; returns which. Manual ones stay until somebody deletes them.
  @discardableResult package func applyRetention() throws(StoreError) -> [BackupID] {
    try applyRetention(BackupPlace.open(forWriting: configuration))
  }

  func applyRetention(_ place: borrowing BackupPlace) throws(StoreError) -> [BackupID] {
    let superfluous = Backups.superfluous(try Backups.list(place))
    try StoreError.writing { () throws(FileSystemError) in for id in superfluous { try place.remove(id) } }
    return superfluous
  }

  /// Which of some backups, the newest first, are not to be kept.
  static func superfluous(_ backups: [Backup]) -> [BackupID] {
    let automatic = backups.filter { $0.reason != .manual && $0.created != nil }
    guard let newest = automatic.first?.created else { return [] }
    let verified = automatic.filter(\.isVerified)
    // Of a day on which something went wrong, all states may still be wanted: a week's are kept, beside the daily ones.
    let weekAgo = newest.advanced(by: -7 * 86_400_000)
    var kept = Set(
      automatic.filter { ($0.reason != .daily || !$0.isVerified) && ($0.created ?? newest) > weekAgo }.map(\.id))
    func keep(_ count: Int, _ period: (CivilDay) -> Int) {
      var seen: Set<Int> = []
      for backup in verified {
        guard let day = backup.created?.utc.day, seen.insert(period(day)).inserted else { continue }
        if seen.count > count { return }
        kept.insert(backup.id)
      }
    }
    keep(days) { Int($0.daysSinceEpoch) }
    // The epoch was a Thursday; weeks begin on Monday here.
    keep(weeks) { (Int($0.daysSinceEpoch) + 3) / 7 }
    keep(months) { day in
      let (year, month, _) = day.components
      return year * 12 + month
    }
    // Damaged ones do not go as long as there is nothing better.
    guard backups.contains(where: \.isVerified) else { return [] }
    return automatic.filter { !kept.contains($0.id) }.map(\.id)
  }
}
