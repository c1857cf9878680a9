import DaybookProtocol

extension Feature {
  private static let free: Set<Feature> = [
    .unlimitedSubscriptions, .monthlyTotal, .upcoming, .oneDayReminder, .logging, .training, .nutritionExport,
    .jsonExport,
  ]

  /// Whether it takes premium. Getting one's own data out as JSON never does.
  package var isPremium: Bool { !Feature.free.contains(self) }
}
