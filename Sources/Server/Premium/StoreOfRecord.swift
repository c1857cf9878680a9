import DaybookProtocol
import JSONRPC
import Platform
import Premium

/// The source that knows what the user has bought.
protocol StoreOfRecord: Sendable {
  var kind: StoreOfRecordKind { get }

  /// Asks for all purchases. `answer` is called at least once, on any thread, at the latest after `timeout`
  /// milliseconds; further calls are ignored.
  func ask(_ reason: VerificationReason, timeout: Int, answer: @escaping @Sendable (StoreAnswer) -> Void)
}

/// No store of record.
struct NoPurchaseStore: StoreOfRecord {
  var kind: StoreOfRecordKind { .none }

  func ask(_ reason: VerificationReason, timeout: Int, answer: @escaping @Sendable (StoreAnswer) -> Void) {
    answer(.unavailable(.nobodyToAsk))
  }
}

/// The client, which asks its platform's shop.
struct FrontendStore: StoreOfRecord {
  let requests: ClientRequests
  let traffic: Traffic
  let framing: Framing

  var kind: StoreOfRecordKind { .frontend }

  func ask(_ reason: VerificationReason, timeout: Int, answer: @escaping @Sendable (StoreAnswer) -> Void) {
    requests.ask(timeout: timeout) { id in
      var frames = OutgoingFrames(framing: framing, capacity: 256)
      frames.request(
        id, ShopCurrentEntitlementsParams.method, ShopCurrentEntitlementsParams(reason: reason))
      // Queued after the events of the last reply.
      traffic.send(frames.writer.bytes)
    } completion: { reply in
      answer(FrontendStore.answer(reply))
    }
  }

  private static func answer(_ reply: ClientRequests.Answer) -> StoreAnswer {
    switch reply {
    case .none: return .unavailable(.timedOut)
    case .refused: return .unavailable(.unreachable)
    case .result(let text): return StoreAnswer(result: text)
    }
  }
}

/// A file, for tests and for sellers without a shop.
struct FilePurchaseStore: StoreOfRecord {
  let path: String

  /// The maximum length of the file in bytes.
  private static let sizeLimit = 1 << 20

  var kind: StoreOfRecordKind { .file }

  func ask(_ reason: VerificationReason, timeout: Int, answer: @escaping @Sendable (StoreAnswer) -> Void) {
    let hasTimer = Threads.after(milliseconds: Int32(clamping: timeout)) { answer(.unavailable(.timedOut)) }
    let isStarted =
      hasTimer
      && Threads.start {
        guard let text else { return answer(.unavailable(.unreachable)) }
        let file: StoreFile
        do throws(PremiumError) { file = try StoreFile(file: text) } catch {
          return answer(.partly([], AnswerFault(pointer: error.pointer ?? "", message: error.message)))
        }
        switch file.delay {
        case .none: answer(file.answer)
        case .milliseconds(let time) where time < timeout:
          Threads.rest(milliseconds: Int32(clamping: time))
          answer(file.answer)
        // It would answer after the timeout.
        case .milliseconds: break
        case .forever: break
        }
      }
    // Without a thread to start, the file cannot be read.
    if !isStarted { answer(.unavailable(.unreachable)) }
  }

  /// The content of the file; nil when it cannot be read or decoded.
  func read() -> StoreFile? { text.flatMap { try? StoreFile(file: $0) } }

  /// The bytes of the file; nil when they cannot be read or are too many.
  private var text: [UInt8]? { Files.contents(of: path, limit: FilePurchaseStore.sizeLimit) }
}
