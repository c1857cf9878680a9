import DaybookProtocol

/// The answer of a store of record.
package enum StoreAnswer: Equatable, Sendable {
  /// Every transaction; none means that nothing was ever bought.
  case answered([ShopTransaction])
  /// The readable transactions, and what could not be read.
  case partly([ShopTransaction], AnswerFault)
  /// No answer.
  case unavailable(UnknownReason)

  /// What could not be read.
  package var fault: AnswerFault? {
    guard case .partly(_, let fault) = self else { return nil }
    return fault
  }
}

extension StoreAnswer {
  /// Reads the result of `shop/currentEntitlements`.
  package init(result text: [UInt8]) {
    do throws(JSONError) {
      self = StoreAnswer(try ShopCurrentEntitlementsResult(json: text, strict: false))
    } catch {
      let fault = AnswerFault(
        pointer: text.withUnsafeBytes { error.pointer(in: $0) }, message: error.description)
      self = .partly(StoreAnswer.readable(text), fault)
    }
  }

  private init(_ result: ShopCurrentEntitlementsResult) {
    self = result.available == false ? .unavailable(.unreachable) : .answered(result.transactions)
  }

  /// The readable transactions of an answer; none if another member is invalid.
  private static func readable(_ text: [UInt8]) -> [ShopTransaction] {
    guard case .object(var answer)? = try? JSONValue(json: text), case .array(let all)? = answer["transactions"] else {
      return []
    }
    let readable = all.filter { (try? ShopTransaction(json: $0.json, strict: false)) != nil }
    answer["transactions"] = .array(readable)
    let text = JSONValue.object(answer).json
    guard let result = try? ShopCurrentEntitlementsResult(json: text, strict: false), result.available != false else {
      return []
    }
    return result.transactions
  }
}
