import CivilTime
import DaybookProtocol

extension ProductPeriod {
  /// When a period that begins at `start` ends: the same time of day in UTC, a month's last day where it is shorter.
  func end(from start: Instant) -> Instant {
    switch unit {
    case .day: start.advanced(by: Int64(count) * 86_400_000)
    case .week: start.advanced(by: Int64(count) * 7 * 86_400_000)
    case .month: ProductPeriod.end(from: start, months: count)
    // A catalogue has no units of later versions.
    case .year, .unknown: ProductPeriod.end(from: start, months: count * 12)
    }
  }

  private static func end(from start: Instant, months: Int) -> Instant {
    let (day, millisecond) = start.utc
    let (year, month, dayOfMonth) = day.components
    let total = year * 12 + (month - 1) + months
    let (endYear, endMonth) = (total / 12, total % 12 + 1)
    let endDay = min(dayOfMonth, CivilDay.length(ofMonth: endMonth, year: endYear))
    // Outside the years 1 to 9999 there is no calendar; thirty days a month do there.
    guard let end = CivilDay(year: endYear, month: endMonth, day: endDay) else {
      return start.advanced(by: Int64(months) * 30 * 86_400_000)
    }
    return Instant(milliseconds: Int64(end.daysSinceEpoch) * 86_400_000 + Int64(millisecond))
  }
}
