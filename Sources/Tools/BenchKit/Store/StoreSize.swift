/// How much data a store is measured with.
package struct StoreSize: Sendable {
  package let records: Int
  let years: Int
  /// What it is called in the names of measures, also where `--smoke` uses less.
  let name: String

  /// What a diligent person writes down in ten years.
  package static let tenYears = StoreSize(records: 160_000, years: 10, name: "160,000")
  static let million = StoreSize(records: 1_000_000, years: 20, name: "1,000,000")
  /// What three of them would in forty years.
  static let lifetime = StoreSize(records: 2_000_000, years: 40, name: "2,000,000")

  /// The same, or far less for `--smoke`.
  package func scaled(_ options: Options) -> StoreSize {
    options.isSmoke ? StoreSize(records: records / 80, years: 1, name: name) : self
  }
}
