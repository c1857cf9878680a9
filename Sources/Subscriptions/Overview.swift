import CivilTime
import Premium
import Values

/// What subscriptions come to, at a glance. Money is one's own part, by currency, and rounded here and nowhere before.
package struct Overview: Sendable, Equatable {
  /// The day it is seen from.
  package let today: CivilDay
  /// How many subscriptions there are of each status.
  package let counts: StatusCounts
  /// What those that are active cost a month: a twelfth of their year.
  package let monthly: [Money]
  /// The same in one currency; nil without rates.
  package let monthlyConverted: ConvertedTotal?
  /// What those in a trial will add to it, a month.
  package let monthlyAfterTrials: [Money]
  /// The charges of the window asked for, ascending by day.
  package let upcoming: [Charge]
  /// Whether to hint at what premium shows: from three subscriptions on, without premium. The offer itself can be opened at any
  /// count.
  package let showUnlockHint: Bool
  /// What takes premium; nil without it.
  package let premium: PremiumOverview?
  /// What is absent for want of premium, with the feature that it takes.
  package let gatedFields: [GatedField]
}

/// How many subscriptions there are of each status.
package struct StatusCounts: Hashable, Sendable {
  /// In a trial.
  package internal(set) var trial = 0
  /// Active.
  package internal(set) var active = 0
  /// Paused.
  package internal(set) var paused = 0
  /// Cancelled and over.
  package internal(set) var cancelled = 0

  mutating func count(_ status: SubscriptionStatus) {
    switch status {
    case .trial: trial += 1
    case .active: active += 1
    case .paused: paused += 1
    case .cancelled: cancelled += 1
    }
  }
}

/// The part of an overview that takes premium.
package struct PremiumOverview: Sendable, Equatable {
  /// What those that are active cost a year: their price × (365, 52, 12, 1)/N.
  package let yearly: [Money]
  /// The same in one currency; nil without rates.
  package let yearlyConverted: ConvertedTotal?
  /// The charges of the twelve months from today on, added up as the calendar has them.
  package let projection: [Money]
  /// The present calendar month and the eleven after it, whole.
  package let months: [MonthCosts]
  /// The month of these that costs most, for each currency; the first of equal ones.
  package let heaviest: [MonthPeak]
  /// What those that are over cost a year when they ended.
  package let savings: [Money]
  /// A 365th of the year.
  package let costPerDay: [Money]
}

/// The month that costs most in a currency.
package struct MonthPeak: Hashable, Sendable {
  /// Its first day.
  package let month: CivilDay
  /// What it costs.
  package let total: Money
}

/// How an overview is asked for.
package struct OverviewRequest: Sendable {
  /// The day it is seen from.
  package var today: CivilDay
  /// How many days ahead charges are listed, 1…3,653, today counted.
  package var window: Int
  /// Rates, and the currency to tell totals in.
  package var conversion: (rates: RateTable, currency: Currency)?
  /// Whether what takes premium is computed.
  package var hasAccess: Bool

  package init(
    today: CivilDay, window: Int = ChargeCalendar.usualWindow,
    conversion: (rates: RateTable, currency: Currency)? = nil,
    hasAccess: Bool
  ) {
    self.today = today
    self.window = window
    self.conversion = conversion
    self.hasAccess = hasAccess
  }
}
