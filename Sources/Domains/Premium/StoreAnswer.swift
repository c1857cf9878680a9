import DaybookProtocol
import JSON

/// What a store of record answered when it was asked for its transactions.
package enum StoreAnswer: Equatable, Sendable {
  /// It answered, and this is all there is; an empty list means nothing was ever bought.
  case answered([ShopTransaction])
  /// It answered, and these are the transactions that could be read; others could not. What is at fault is named.
  case partly([ShopTransaction], AnswerFault)
  /// It did not answer.
  case unavailable(UnknownReason)

  /// What in the answer could not be read.
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

  /// The transactions of an answer that can be read, if nothing else in it is at fault.
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
