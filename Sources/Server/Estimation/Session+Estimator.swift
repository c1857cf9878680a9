import DomainKit
import Estimation
import HTTPCarriage

/// The configuration and the choice of the estimator on this folder.
extension Session {
  /// The configuration, read each time because another process may have changed it.
  var estimatorConfiguration: EstimatorConfiguration {
    switch smallFile(.estimator).read() {
    case .missing: return EstimatorConfiguration()
    case .value(let object): return EstimatorConfiguration(object)
    // Nothing is sent while the endpoint that the user chose is unknown.
    case .damaged(let reason):
      log.warning(.settings, "estimator.json counts as not there: \(public: reason)")
      return EstimatorConfiguration()
    }
  }

  func changeEstimator(_ change: (inout EstimatorConfiguration) -> Void) throws(RPCError) {
    makeFolder()
    do throws(StoreError) {
      _ = try ownSmallFile(.estimator).update { content throws(StoreError) in
        var configuration = EstimatorConfiguration()
        if case .value(let object) = content { configuration = EstimatorConfiguration(object) }
        change(&configuration)
        return configuration.json
      }
    } catch { throw RPCError(error) }
  }

  /// Resets the configuration to the defaults.
  func forgetEstimator(_ call: inout Call) throws(RPCError) {
    let before = estimatorStatus
    if case .missing = smallFile(.estimator).read() { return }
    try changeEstimator { $0 = EstimatorConfiguration() }
    appendEstimatorChange(since: before, &call)
  }

  /// Adds the event for a changed status.
  func appendEstimatorChange(since before: EstimatorStatus, _ call: inout Call) {
    let status = estimatorStatus
    guard status != before else { return }
    call.emit(EstimatorChangedParams.method, EstimatorChangedParams(status: status))
  }

  var estimatorStatus: EstimatorStatus {
    let configuration = estimatorConfiguration
    let source = keySource
    let needs = needs(configuration, hasKey: source != nil)
    let state: EstimatorState = !configuration.isEnabled ? .off : needs.isEmpty ? .ready : .notConfigured
    return EstimatorStatus(
      state: state, needs: needs, enabled: configuration.isEnabled, provider: configuration.provider,
      baseURL: configuration.baseURL, allowUnencrypted: configuration.allowsUnencrypted ? true : nil,
      model: configuration.model, timeoutMs: configuration.timeout,
      retries: configuration.retries, keyFrom: source)
  }

  private func needs(_ configuration: EstimatorConfiguration, hasKey: Bool) -> [EstimatorNeed] {
    configuration.needs(
      hasKey: hasKey, hasCarrier: httpCarrier?.isInstalled ?? false, hasFrontend: client.abilities.estimatesMeals)
  }

  /// The program that carries HTTP requests.
  nonisolated var httpCarrier: HTTPCarrier? {
    (options.httpCarrier ?? HTTPCarrier.defaultPath()).map { HTTPCarrier(path: $0) }
  }

  // MARK: the key

  /// The source of the key; nil when there is none.
  private var keySource: EstimatorKeySource? {
    if client.abilities.keepsEstimatorKey { return .frontend }
    if storedKey != nil { return .secret }
    return keyOfEnvironment == nil ? nil : .environment
  }

  /// The key that was set as a secret.
  private var storedKey: String? {
    guard case .value(let object) = smallFile(.secrets).read(),
      case .string(let text)? = object[EstimatorKey.secretName]
    else { return nil }
    return text
  }

  private nonisolated var keyOfEnvironment: String? {
    EstimatorKey.variables.lazy.compactMap { [options] in options.environment($0) }
      .first { $0.contains { !$0.isWhitespace } }
  }

  /// The key: the client's if it keeps one, else the secret, else that of the environment; nil when there is none.
  private nonisolated func estimatorKey(
    for endpoint: Endpoint, _ work: HeavyWork
  ) async throws(RPCError) -> EstimatorKey? {
    if await client.abilities.keepsEstimatorKey {
      let reply = await clientRequests.ask(timeout: RequestTimeout.estimatorKey) { id in
        work.progress.request(id, EstimatorKeyParams.method, EstimatorKeyParams(baseURL: endpoint.baseURL))
      }
      try work.checkCancellation()
      if case .result(let text) = reply,
        let result = text.withUnsafeBytes({ try? EstimatorKeyResult(json: $0, strict: false) }),
        let key = try Session.estimatorKey(result.key)
      {
        return key
      }
    }
    if let key = try Session.estimatorKey(await storedKey) { return key }
    return try Session.estimatorKey(keyOfEnvironment)
  }

  private static func estimatorKey(_ text: String?) throws(RPCError) -> EstimatorKey? {
    guard let text else { return nil }
    do throws(EstimatorKey.Unusable) { return try EstimatorKey(text) } catch {
      throw RPCError(
        .estimatorNotConfigured, "the key has characters that cannot be sent",
        hint: "set it again with “secrets/set”, “name”: “\(EstimatorKey.secretName)”")
    }
  }

  /// Refuses a key that could not be sent.
  static func checkEstimatorKey(_ text: String) throws(RPCError) {
    do throws(EstimatorKey.Unusable) { _ = try EstimatorKey(text) } catch {
      throw RPCError(
        .invalidParams, "a key with such characters cannot be sent", pointer: "/value",
        allowed: "printable ASCII, with white space around it at most")
    }
  }

  // MARK: who is asked

  /// The estimator to ask, and its timeout in milliseconds.
  ///
  /// - Throws: `estimatorNotConfigured`, with what to set.
  nonisolated func estimator(
    _ work: HeavyWork
  ) async throws(RPCError) -> (estimator: any MealEstimator, timeout: Int) {
    let (configuration, needs) = await estimatorSetup
    if let estimator = options.estimator, configuration.isEnabled { return (estimator, configuration.timeout) }
    guard needs.isEmpty else { throw Session.notConfigured(needs) }
    guard configuration.provider == .http else {
      return (FrontendEstimator(requests: clientRequests, progress: work.progress), configuration.timeout)
    }
    guard let endpoint = configuration.endpoint, let model = configuration.model, let carrier = httpCarrier else {
      throw Session.notConfigured([.baseURL, .model])
    }
    let key = try await estimatorKey(for: endpoint, work)
    guard key != nil || !endpoint.needsKey else { throw Session.notConfigured([.key]) }
    let estimator = HTTPEstimator(
      carrier: carrier, endpoint: endpoint, model: model, key: key, retries: configuration.retries, now: options.now,
      random: options.randomFraction)
    return (estimator, configuration.timeout)
  }

  private var estimatorSetup: (EstimatorConfiguration, [EstimatorNeed]) {
    let configuration = estimatorConfiguration
    return (configuration, needs(configuration, hasKey: keySource != nil))
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
