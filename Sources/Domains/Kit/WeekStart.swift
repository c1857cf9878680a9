import DaybookProtocol

/// The first day of the week by region.
package enum WeekStart {
  /// The regions whose weeks start on a day other than Monday (CLDR week data).
  private static let regions: [Weekday: Set<String>] = [
    .sunday: [
      "AG", "AS", "AU", "BD", "BR", "BS", "BT", "BW", "BZ", "CA", "CO", "DM", "DO", "ET", "GT", "GU", "HK", "HN", "ID",
      "IL", "IN", "JM", "JP", "KE", "KH", "KR", "LA", "MH", "MM", "MO", "MT", "MX", "MZ", "NI", "NP", "PA", "PE", "PH",
      "PK", "PR", "PT", "PY", "SA", "SG", "SV", "TH", "TT", "TW", "UM", "US", "VE", "VI", "WS", "YE", "ZA", "ZW",
    ],
    .saturday: ["AE", "AF", "BH", "DJ", "DZ", "EG", "IQ", "IR", "JO", "KW", "LY", "OM", "QA", "SD", "SY"],
    .friday: ["MV"],
  ]

  /// The configured first day of the week, else that of the locale's region (`de-DE`, `en_US.UTF-8`), else Monday.
  package static func firstWeekday(set: Weekday?, locale: String?) -> Weekday {
    if let set { return set }
    let parts = locale?.split { $0 == "-" || $0 == "_" || $0 == "." || $0 == "@" }.dropFirst() ?? []
    guard let region = parts.first(where: { $0.count == 2 })?.uppercased() else { return .monday }
    return regions.first { $0.value.contains(region) }?.key ?? .monday
  }
}

extension Weekday {
  /// 0 for Monday to 6 for Sunday.
  package var index: Int { Weekday.known.firstIndex(of: self) ?? 0 }
}
