import DomainKit
import Estimation
import HTTPCarriage

/// The configuration and the choice of the estimator.
extension EstimationRoom {
  /// The configuration, read each time because another process may have changed it.
  func configuration(_ desk: Desk) -> EstimatorConfiguration {
    switch desk.file(.estimator).read() {
    case .missing: return EstimatorConfiguration()
    case .value(let object): return EstimatorConfiguration(object)
    // Nothing is sent while the endpoint that the user chose is unknown.
    case .damaged(let reason):
      desk.log.warning(.settings, "estimator.json counts as not there: \(public: reason)")
      return EstimatorConfiguration()
    }
  }

  /// Changes the configuration, and tells clients if that changes the status.
  func change(_ desk: inout Desk, _ body: (inout EstimatorConfiguration) -> Void) throws(RPCError) {
    try telling(&desk) { desk throws(RPCError) in
      try desk.update(.estimator) { content throws(StoreError) in
        var configuration = EstimatorConfiguration()
        if case .value(let object) = content { configuration = EstimatorConfiguration(object) }
        body(&configuration)
        return configuration.json
      }
    }
  }

  /// Resets the configuration to the defaults.
  func forget(_ desk: inout Desk) throws(RPCError) {
    if case .missing = desk.file(.estimator).read() { return }
    try change(&desk) { $0 = EstimatorConfiguration() }
  }

  /// Runs `body`, and tells clients if the status differs afterwards.
  private func telling(_ desk: inout Desk, _ body: (inout Desk) throws(RPCError) -> Void) throws(RPCError) {
    let before = status(desk)
    try body(&desk)
    let status = status(desk)
    if status != before { desk.emit(EstimatorChangedParams.method, EstimatorChangedParams(status: status)) }
  }

  func status(_ desk: Desk) -> EstimatorStatus {
    let configuration = configuration(desk)
    let source = keySource(desk)
    let needs = needs(configuration, desk)
    let state: EstimatorState = !configuration.isEnabled ? .off : needs.isEmpty ? .ready : .notConfigured
    return EstimatorStatus(
      state: state, needs: needs, enabled: configuration.isEnabled, provider: configuration.provider,
      baseURL: configuration.baseURL, allowUnencrypted: configuration.allowsUnencrypted ? true : nil,
      model: configuration.model, timeoutMs: configuration.timeout,
      retries: configuration.retries, keyFrom: source)
  }

  private func needs(_ configuration: EstimatorConfiguration, _ desk: Desk) -> [EstimatorNeed] {
    configuration.needs(
      hasKey: keySource(desk) != nil, hasCarrier: EstimationRoom.carrier(desk)?.isInstalled ?? false,
      hasFrontend: desk.client.abilities.estimatesMeals)
  }

  /// The program that carries HTTP requests.
  private static func carrier(_ desk: Desk) -> HTTPCarrier? {
    (desk.options.httpCarrier ?? HTTPCarrier.defaultPath()).map { HTTPCarrier(path: $0) }
  }

  // MARK: the key

  /// The source of the key; nil when there is none.
  private func keySource(_ desk: Desk) -> EstimatorKeySource? {
    if desk.client.abilities.keepsEstimatorKey { return .frontend }
    if SecretsRoom.value(of: secretName, desk) != nil { return .secret }
    return EstimationRoom.keyOfEnvironment(desk) == nil ? nil : .environment
  }

  private static func keyOfEnvironment(_ desk: Desk) -> String? {
    EstimatorKey.variables.lazy.compactMap { desk.options.environment($0) }
      .first { $0.contains { !$0.isWhitespace } }
  }

  /// The key that the client keeps; nil when it keeps none, or does not tell it.
  private static func keyOfClient(_ client: ClientLine, for endpoint: Endpoint) async throws(RPCError) -> EstimatorKey?
  {
    guard client.abilities.keepsEstimatorKey else { return nil }
    let reply = await client.ask(
      EstimatorKeyParams.method, EstimatorKeyParams(baseURL: endpoint.baseURL), timeout: RequestTimeout.estimatorKey)
    guard case .result(let text) = reply,
      let result = text.withUnsafeBytes({ try? EstimatorKeyResult(json: $0, strict: false) })
    else { return nil }
    return try key(result.key)
  }

  private static func key(_ text: String?) throws(RPCError) -> EstimatorKey? {
    guard let text else { return nil }
    do throws(EstimatorKey.Unusable) { return try EstimatorKey(text) } catch {
      throw RPCError(
        .estimatorNotConfigured, "the key has characters that cannot be sent",
        hint: "set it again with “secrets/set”, “name”: “\(EstimatorKey.secretName)”")
    }
  }

  // MARK: who is asked

  /// Makes the estimator to ask, off the session, as the client may have to be asked for the key.
  typealias EstimatorMaking = @Sendable (any Work) async throws(RPCError) -> any MealEstimator

  /// The way to the estimator to ask, and its timeout in milliseconds.
  ///
  /// - Throws: `estimatorNotConfigured`, with what to set.
  func estimator(_ desk: Desk) throws(RPCError) -> (make: EstimatorMaking, timeout: Int) {
    let configuration = configuration(desk)
    let (options, client) = (desk.options, desk.client)
    if let estimator = options.estimator, configuration.isEnabled { return ({ _ in estimator }, configuration.timeout) }
    let needs = needs(configuration, desk)
    guard needs.isEmpty else { throw EstimationRoom.notConfigured(needs) }
    guard configuration.provider == .http else {
      return ({ _ in FrontendEstimator(client: client) }, configuration.timeout)
    }
    guard let endpoint = configuration.endpoint, let model = configuration.model,
      let carrier = EstimationRoom.carrier(desk)
    else { throw EstimationRoom.notConfigured([.baseURL, .model]) }
    // The client's key if it keeps one, else the secret, else that of the environment.
    let ownKey = SecretsRoom.value(of: secretName, desk) ?? EstimationRoom.keyOfEnvironment(desk)
    let make: EstimatorMaking = { work throws(RPCError) in
      var key = try await EstimationRoom.keyOfClient(client, for: endpoint)
      try work.checkCancellation()
      if key == nil { key = try EstimationRoom.key(ownKey) }
      guard key != nil || !endpoint.needsKey else { throw EstimationRoom.notConfigured([.key]) }
      return HTTPEstimator(
        carrier: carrier, endpoint: endpoint, model: model, key: key, retries: configuration.retries, now: options.now,
        random: options.randomFraction)
    }
    return (make, configuration.timeout)
  }

  private static func notConfigured(_ needs: [EstimatorNeed]) -> RPCError {
    let hints = needs.compactMap { need -> String? in
      switch need {
      case .enabled: "turn it on with “estimator/configure”, “enabled”: true"
      case .baseURL: "say where to ask: “baseURL”"
      case .model: "say which model: “model”"
      case .key: "give a key: “secrets/set”, “name”: “\(EstimatorKey.secretName)”, or \(EstimatorKey.variables[0])"
      case .carrier: "put \(HTTPCarrier.programName) beside daybook"
      case .frontend: "declare the capability “estimateMeals” in “initialize”, or set “provider”: “http”"
      case .unknown: nil
      }
    }
    return RPCError(
      .estimatorNotConfigured,
      needs.contains(.enabled) ? "the estimator is turned off" : "the estimator lacks something",
      hint: hints.joined(separator: "; "))
  }
}

extension EstimationRoom: SecretUser {
  var secretName: String { EstimatorKey.secretName }

  func check(secret: String) throws(RPCError) {
    do throws(EstimatorKey.Unusable) { _ = try EstimatorKey(secret) } catch {
      throw RPCError(
        .invalidParams, "a key with such characters cannot be sent", pointer: "/value",
        allowed: "printable ASCII, with white space around it at most")
    }
  }

  func whileChanging(_ desk: inout Desk, _ change: (inout Desk) throws(RPCError) -> Void) throws(RPCError) {
    try telling(&desk, change)
  }
}
