import DaybookProtocol
import Estimation
import HTTPCarriage
import Platform

/// The client as an estimator: by a model of its platform, or by asking the user.
struct FrontendEstimator: MealEstimator {
  let client: ClientLine

  func ask(_ question: MealQuestion) async -> Result<EstimatorReply, EstimatorFailure> {
    let params = EstimatorEstimateParams(description: question.description, mealType: question.mealType)
    let reply = await client.ask(EstimatorEstimateParams.method, params, timeout: question.timeout)
    guard !Task.isCancelled else { return .failure(.cancelled) }
    switch reply {
    case .none:
      return .failure(EstimatorFailure(.timedOut, "the client gave no estimate within \(question.timeout) ms"))
    case .refused: return .failure(EstimatorFailure(.unreachable, "the client cannot estimate it"))
    case .result(let text):
      guard let result = text.withUnsafeBytes({ try? EstimatorEstimateResult(json: $0, strict: false) }) else {
        return .failure(
          EstimatorFailure(.badAnswer, "the client's answer has no estimate", pointer: "/answer", allowed: "any JSON"))
      }
      let model = result.model.flatMap {
        $0.isEmpty ? nil : String(String.UnicodeScalarView($0.unicodeScalars.prefix(200)))
      }
      if case .string(let said) = result.answer { return .success(EstimatorReply(text: said, model: model)) }
      return .success(EstimatorReply(text: String(decoding: result.answer.json, as: UTF8.self), model: model))
    }
  }
}

/// An endpoint on the network, reached through `daybook-http`, on a thread that ends with the answer.
struct HTTPEstimator: MealEstimator {
  let carrier: HTTPCarrier
  let endpoint: Endpoint
  let model: String
  let key: EstimatorKey?
  let retries: Int
  let now: @Sendable () -> Instant
  let random: @Sendable () -> Double

  func ask(_ question: MealQuestion) async -> Result<EstimatorReply, EstimatorFailure> {
    let cancellation = HTTPCancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = Threads.start { continuation.resume(returning: ask(question, cancellation)) }
        if !isStarted {
          continuation.resume(returning: .failure(EstimatorFailure(.carrier, "the system gives no thread")))
        }
      }
    } onCancel: {
      cancellation.set()
    }
  }

  private func ask(
    _ question: MealQuestion, _ cancellation: HTTPCancellation
  ) -> Result<EstimatorReply, EstimatorFailure> {
    let client = EndpointClient(
      endpoint: endpoint, model: model, key: key, retries: retries,
      carry: { carrier.carry($0, cancellation) }, rest: { cancellation.rest($0) },
      elapsed: { Clock.continuousMilliseconds() }, now: now, random: random)
    do throws(EstimatorFailure) { return .success(try client.ask(question)) } catch { return .failure(error) }
  }
}
