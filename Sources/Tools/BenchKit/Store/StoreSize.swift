/// The amount of data in a measured store.
package struct StoreSize: Sendable {
  package let records: Int
  let years: Int
  /// Its name in measures, also when `--smoke` uses less.
  let name: String

  /// Ten years of a diligent user.
  package static let tenYears = StoreSize(records: 160_000, years: 10, name: "160,000")
  static let million = StoreSize(records: 1_000_000, years: 20, name: "1,000,000")
  /// Forty years of three such users.
  static let lifetime = StoreSize(records: 2_000_000, years: 40, name: "2,000,000")

  /// The size, or a much smaller one for `--smoke`.
  package func scaled(_ options: Options) -> StoreSize {
    options.isSmoke ? StoreSize(records: records / 80, years: 1, name: name) : self
  }
}
