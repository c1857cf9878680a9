import CivilTime

extension Backups {
  /// The number of days, weeks and months for which the newest automatic backup is kept.
  static let (days, weeks, months) = (7, 4, 12)

  /// Removes surplus automatic backups and returns their ids. Manual ones stay until deleted by the user.
  func applyRetention(_ place: borrowing BackupPlace) throws(StoreError) -> [BackupID] {
    let surplus = Backups.surplus(try Backups.list(place))
    try StoreError.writing { () throws(FileSystemError) in for id in surplus { try place.remove(id) } }
    return surplus
  }

  /// The backups to remove, given all of them, newest first.
  static func surplus(_ backups: [Backup]) -> [BackupID] {
    let automatic = backups.filter { $0.reason != .manual && $0.created != nil }
    guard let newest = automatic.first?.created else { return [] }
    let verified = automatic.filter(\.isVerified)
    // After something went wrong, any state of that week may be wanted: besides daily backups, all of the last week
    // are kept.
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
    // Damaged ones stay while there is no verified one.
    guard backups.contains(where: \.isVerified) else { return [] }
    return automatic.filter { !kept.contains($0.id) }.map(\.id)
  }
}
