import DaybookProtocol
import DomainKit
import JSONRPC
import Subscriptions
import Values

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
    let usual = try params.currency.map { code throws(RPCError) in
      try SubscriptionsService.listedCurrency(code, pointer: "/currency")
    }
    // A symbol that several share means the currency that is named, else that of the place, else that of the settings.
    let own = try usual == nil ? Currency(context.settings().currency) : nil
    switch AmountReader.read(
      params.text, style: style, usual: usual.map { [$0] } ?? [style?.home, own].compactMap { $0 })
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

  /// How amounts are written where somebody lives, by a locale or the client's, and the one followed; nil and nil without one,
  /// or without one that is known.
  private static func amountStyle(_ name: String?, _ own: String?) -> (style: AmountStyle?, locale: String?) {
    guard let name = name ?? own, let style = AmountStyle(locale: name) else { return (nil, nil) }
    return (style, name)
  }

  /// The currency of a code that a client sent; refused unless ISO 4217 lists it.
  package static func listedCurrency(_ code: String, pointer: String) throws(RPCError) -> Currency {
    do throws(Refusal) { return try Currency(listed: code, pointer: pointer) } catch {
      throw RPCError(error, hint: error.rule == .form ? SubscriptionsService.codesHint : nil)
    }
  }

  /// Where the codes of currencies are.
  static let codesHint = "“currencies/list” with “all” has the codes"
}

extension UnderstoodAmount {
  /// What was understood, to a client.
  init(_ read: ReadAmount) {
    self.init(
      amount: read.amount, currency: read.currency?.code, decimalSeparator: read.decimalSeparator.map { String($0) },
      groupSeparator: read.groupSeparator.map { String($0) })
  }
}

extension RPCError {
  /// Why a text is no amount, to a client.
  init(_ fault: AmountReading.Fault) {
    let (name, message, hint): (AmountFault, String, String) =
      switch fault {
      case .noNumber: (.noNumber, "there is no number in the text", "type the digits from 0 to 9")
      case .separators:
        (.separators, "the separators stand where no number has them", "thousands are parted in groups of three")
      case .unknownText:
        (
          .unknownText, "there is something beside the number that is no currency",
          "leave it out; “currencies/list” has the codes and symbols"
        )
      case .twoCurrencies: (.twoCurrencies, "two currencies are named", "name one")
      case .tooLong: (.tooLong, "the number or the text is too long", "leave out what is not the amount")
      }
    self.init(
      .amountUnreadable, message, pointer: "/text",
      allowed:
        "a number of at most 18 digits, 9 of them after the point, and one currency or none; at most 100 characters",
      hint: hint, fault: name)
  }
}
