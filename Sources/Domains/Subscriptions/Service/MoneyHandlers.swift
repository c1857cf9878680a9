import DomainKit
import Subscriptions

extension SubscriptionsService {
  func currenciesList(_ params: CurrenciesListParams, _ context: inout Context) throws(RPCError) -> CurrenciesListResult
  {
    var currencies = CurrencyOption.all.map { option in
      CurrencyInfo(
        code: option.currency.code, symbol: option.symbol, name: option.name, minorDigits: option.currency.minorDigits)
    }
    if params.all == true {
      let ten = Set(CurrencyOption.all.map(\.currency))
      currencies += Currency.allListed.filter { !ten.contains($0) }.map { currency in
        CurrencyInfo(code: currency.code, symbol: currency.symbol, minorDigits: currency.minorDigits)
      }
    }
    return CurrenciesListResult(currencies: currencies)
  }

  func amountsParse(_ params: AmountsParseParams, _ context: inout Context) throws(RPCError) -> AmountsParseResult {
    let (style, locale) = SubscriptionsService.amountStyle(params.locale, context.locale)
    let preferred = try params.currency.map { code throws(RPCError) in
      try SubscriptionsService.listedCurrency(code, pointer: "/currency")
    }
    // A shared symbol means the named currency, else that of the locale, else that of the settings.
    let own = try preferred == nil ? Currency(context.settings().currency) : nil
    switch AmountReader.read(
      params.text, style: style, preferred: preferred.map { [$0] } ?? [style?.home, own].compactMap { $0 })
    {
    case .amount(let read):
      let style = style ?? .english
      let text = read.currency.map { style.fullText(Price(read.amount, $0)) } ?? style.text(read.amount)
      return AmountsParseResult(understood: UnderstoodAmount(read), text: text, locale: locale)
    case .ambiguous(let decimal, let grouped):
      throw RPCError(
        .ambiguousNumber, "the number may be \(decimal.amount) or \(grouped.amount)", pointer: "/text",
        allowed: "a number that can be read in one way only",
        hint: "say the “locale” it was typed in, or ask which of the “readings” is meant",
        readings: [UnderstoodAmount(decimal), UnderstoodAmount(grouped)])
    case .unreadable(let fault): throw RPCError(fault)
    }
  }

  func amountsFormat(_ params: AmountsFormatParams, _ context: inout Context) throws(RPCError) -> AmountsFormatResult {
    let (style, locale) = SubscriptionsService.amountStyle(params.locale, context.locale)
    let currency = try SubscriptionsService.listedCurrency(params.currency, pointer: "/currency")
    let text = (style ?? .english).text(Price(params.amount, currency))
    return AmountsFormatResult(text: text, locale: locale)
  }

  /// The amount style of a locale, or of the client's, and the locale in effect; nil for none or an unknown one.
  private static func amountStyle(_ name: String?, _ own: String?) -> (style: AmountStyle?, locale: String?) {
    guard let name = name ?? own, let style = AmountStyle(locale: name) else { return (nil, nil) }
    return (style, name)
  }

  package static func checkCurrency(_ code: String, pointer: String) throws(RPCError) {
    _ = try listedCurrency(code, pointer: pointer)
  }

  /// The currency of a code in a request; refused unless ISO 4217 lists it.
  static func listedCurrency(_ code: String, pointer: String) throws(RPCError) -> Currency {
    do throws(Refusal) { return try Currency(listed: code, pointer: pointer) } catch {
      throw RPCError(error, hint: error.rule == .form ? SubscriptionsService.codesHint : nil)
    }
  }

  static let codesHint = "“currencies/list” with “all” lists the codes"
}

extension UnderstoodAmount {
  init(_ read: ReadAmount) {
    self.init(
      amount: read.amount, currency: read.currency?.code, decimalSeparator: read.decimalSeparator.map { String($0) },
      groupSeparator: read.groupSeparator.map { String($0) })
  }
}

extension RPCError {
  /// The error for a text that is no amount.
  init(_ fault: AmountFault) {
    let (message, hint) =
      switch fault {
      case .noNumber: ("there is no number in the text", "type the digits from 0 to 9")
      case .separators:
        ("the separators are misplaced", "thousands are separated in groups of three")
      case .twoCurrencies: ("two currencies are named", "name one")
      case .tooLong: ("the number or the text is too long", "leave out what is not the amount")
      case .unknownText, .unknown:
        (
          "the text beside the number is not a currency",
          "leave it out; “currencies/list” has the codes and symbols"
        )
      }
    self.init(
      .amountUnreadable, message, pointer: "/text",
      allowed:
        "a number of at most 18 digits, 9 of them after the point, and one currency or none; at most 100 characters",
      hint: hint, fault: fault)
  }
}
