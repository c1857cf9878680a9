/// The limits of a subscription's members.
package enum SubscriptionLimits {
  /// Characters of a name.
  package static let name = 1...200
  /// Characters of a way to pay.
  package static let paymentMethod = 100
  /// Characters of a note.
  package static let note = 10_000
  /// Characters of an address.
  package static let url = 2000
  /// Tags.
  package static let tags = 20
  /// Characters of a tag.
  package static let tag = 1...50
  /// Days before a charge, 0 for the day itself.
  package static let reminderDays = 0...30
  /// Characters of a category of the user's own.
  package static let ownCategory = 50
  /// Characters of somebody's name.
  package static let person = 100
  /// Others of a household.
  package static let household = 20
  /// Digits after the point of an amount.
  package static let amountDigits = 4
  /// Prices, shares, pauses or former terms.
  package static let history = 1000
  /// Days that a charge can be ahead and be paid: ten years.
  package static let daysPaidAhead = 3653
  /// Days that a payment can lie before both the charge and today.
  package static let daysPaidBefore = 366
  /// Marks: those of a daily charge for over twenty-five years.
  package static let marks = 10_000
}
