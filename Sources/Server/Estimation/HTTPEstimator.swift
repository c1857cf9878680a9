import CivilTime
import DaybookProtocol
import Estimation
import HTTPCarriage
import Platform

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
