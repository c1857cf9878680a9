import DomainKit
import Estimation

/// Estimates of meals described in words: their configuration on this folder, and whom to ask. Stateless: the
/// configuration is in a file, which another process may change too.
final class EstimationRoom {
  func estimatorGet(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> EstimatorStatus { status(desk) }

  func estimatorConfigure(
    _ params: EstimatorConfigureParams, _ desk: inout Desk
  ) throws(RPCError) -> EstimatorStatus {
    let allowsUnencrypted = params.allowUnencrypted ?? configuration(desk).allowsUnencrypted
    let endpoint = try EstimationRoom.endpoint(params.baseURL.value, allowsUnencrypted)
    try change(&desk) { configuration in
      configuration.isEnabled = params.enabled ?? configuration.isEnabled
      configuration.provider = params.provider ?? configuration.provider
      configuration.allowsUnencrypted = allowsUnencrypted
      switch params.baseURL {
      // An endpoint that is not allowed any longer is removed.
      case .absent: configuration.baseURL = configuration.endpoint?.baseURL
      case .null: configuration.baseURL = nil
      case .value: configuration.baseURL = endpoint?.baseURL
      }
      configuration.model = params.model.applied(to: configuration.model)
      configuration.timeout = params.timeoutMs ?? configuration.timeout
      configuration.retries = params.retries ?? configuration.retries
    }
    return status(desk)
  }

  private static func endpoint(_ text: String?, _ allowsUnencrypted: Bool) throws(RPCError) -> Endpoint? {
    guard let text else { return nil }
    do throws(Endpoint.Problem) { return try Endpoint(text, allowsUnencrypted: allowsUnencrypted) } catch {
      let isPrivate = (try? Endpoint(text, allowsUnencrypted: true)) != nil
      throw RPCError(
        .invalidParams, error.message, pointer: "/baseURL",
        allowed: allowsUnencrypted ? Endpoint.allowedUnencrypted : Endpoint.allowed,
        hint: isPrivate
          ? "“allowUnencrypted” allows it in a network of your own, where others in it could read what is sent"
          : "such as https://api.openai.com/v1, or http://localhost:11434/v1")
    }
  }

  func mealsEstimate(
    _ params: MealsEstimateParams, _ desk: inout Desk
  ) throws(RPCError) -> Deferred<MealsEstimateResult> {
    let log = desk.log
    let (makeEstimator, usualTimeout) = try estimator(desk)
    return Deferred { work throws(RPCError) in
      let question = MealQuestion(
        description: params.description, mealType: params.mealType, timeout: params.timeoutMs ?? usualTimeout)
      let saying: EstimatorReply
      let answer: EstimateAnswer
      switch try await makeEstimator(work).ask(question) {
      case .success(let said):
        saying = said
        do throws(EstimatorFailure) { answer = try EstimateAnswer(said.text) } catch {
          throw EstimationRoom.failed(error, log)
        }
      case .failure(let failure): throw EstimationRoom.failed(failure, log)
      }
      log.info(.network, "a meal was estimated")
      return MealsEstimateResult(params, answer, saying)
    }
  }

  /// The client's error for a failed estimate. The log gets its kind only, never content.
  private static func failed(_ failure: EstimatorFailure, _ log: Log) -> RPCError {
    guard let cause = failure.cause else { return RPCError(.requestCancelled, failure.message) }
    log.warning(.network, "a meal could not be estimated: \(public: cause.rawValue)")
    let name: ErrorName
    switch cause {
    case .unreachable, .timedOut, .rateLimited, .serverError: name = .estimatorUnavailable
    case .refused, .moved, .insecure, .carrier, .unknown: name = .estimatorRefused
    case .tooLarge, .badAnswer: name = .estimatorAnswerInvalid
    }
    return RPCError(
      name, failure.message, pointer: failure.pointer, allowed: failure.allowed, hint: hint(cause),
      retryAt: failure.retryAt, cause: cause.rawValue)
  }

  private static func hint(_ cause: EstimatorCause) -> String? {
    switch cause {
    case .refused: "look at the key and the model: “estimator/get”"
    case .moved, .insecure: "look at “baseURL”: “estimator/get”"
    case .carrier: "look whether daybook-http is beside daybook, of the same version"
    case .unreachable: "look at “baseURL” and the network"
    case .timedOut: "give it more time: “timeout”"
    case .rateLimited, .serverError, .tooLarge, .badAnswer: "ask again"
    case .unknown: nil
    }
  }

  func mealsAdjustEstimate(
    _ params: MealsAdjustEstimateParams, _ desk: inout Desk
  ) throws(RPCError) -> MealsAdjustEstimateResult {
    guard let factor = EstimateRules.factor(params.factor) else {
      throw RPCError(
        .invalidParams, "the factor is out of range", pointer: "/factor", allowed: EstimateRules.allowedFactor)
    }
    guard let calories = EstimateRules.adjusted(midpoint: params.midpoint, factor: factor) else {
      throw RPCError(
        .invalidParams, "that is more than a meal can have", pointer: "/factor",
        allowed: "calories from 0 to \(EstimateRules.mostCalories)")
    }
    return MealsAdjustEstimateResult(calories: calories, factor: factor)
  }
}

extension MealsEstimateResult {
  fileprivate init(_ params: MealsEstimateParams, _ answer: EstimateAnswer, _ saying: EstimatorReply) {
    let estimate = MealEstimate(
      low: answer.total.low, high: answer.total.high, confidence: answer.confidence, description: params.description,
      model: saying.model, items: answer.items, protein: answer.protein, carbs: answer.carbs, fat: answer.fat)
    self.init(
      estimate: estimate, midpoint: EstimateRules.midpoint(low: answer.total.low, high: answer.total.high),
      items: answer.items, total: answer.total, protein: answer.protein, carbs: answer.carbs, fat: answer.fat,
      confidence: answer.confidence, notes: answer.notes, rawText: params.raw == true ? saying.text : nil)
  }
}
