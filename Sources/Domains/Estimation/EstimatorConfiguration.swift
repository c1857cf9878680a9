import DaybookProtocol

/// A folder's settings for estimating meals, without the key.
package struct EstimatorConfiguration: Sendable, Equatable {
  /// Whether the user has turned it on.
  package var isEnabled = false
  package var provider = EstimatorProvider.http
  /// The address before `/chat/completions`, checked by `Endpoint`.
  package var baseURL: String?
  /// Whether the user permits http in private networks.
  package var allowsUnencrypted = false
  package var model: String?
  /// The timeout of an estimate, all retries included: 1000…600000 ms.
  package var timeout = RequestTimeout.estimatorEstimate
  /// 0…5.
  package var retries = 2

  package init() {}

  private enum Name {
    static let enabled = "enabled"
    static let provider = "provider"
    static let baseURL = "baseURL"
    static let model = "model"
    static let allowUnencrypted = "allowUnencrypted"
    static let timeout = "timeout"
    static let retries = "retries"
  }

  /// Parses the form of `json`. Invalid members count as absent, so that nothing is sent by mistake.
  package init(_ object: JSONObject) {
    isEnabled = object[Name.enabled] == .bool(true)
    if case .string(let name)? = object[Name.provider] {
      // A later version's provider.
      provider = EstimatorProvider.known.first { $0.rawValue == name } ?? .unknown(name)
    }
    allowsUnencrypted = object[Name.allowUnencrypted] == .bool(true)
    if case .string(let text)? = object[Name.baseURL] {
      baseURL = (try? Endpoint(text, allowsUnencrypted: allowsUnencrypted))?.baseURL
    }
    if case .string(let text)? = object[Name.model], !text.isEmpty { model = text }
    if case .number(let number)? = object[Name.timeout], let value = number.integer, (1000...600_000).contains(value) {
      timeout = value
    }
    if case .number(let number)? = object[Name.retries], let value = number.integer, (0...5).contains(value) {
      retries = value
    }
  }

  /// The stored form.
  package var json: JSONObject {
    var object = JSONObject([
      (Name.enabled, .bool(isEnabled)), (Name.provider, .string(provider.rawValue)),
      (Name.timeout, .number(JSONNumber(timeout))), (Name.retries, .number(JSONNumber(retries))),
    ])
    object[Name.baseURL] = baseURL.map { .string($0) }
    object[Name.model] = model.map { .string($0) }
    if allowsUnencrypted { object[Name.allowUnencrypted] = .bool(true) }
    return object
  }

  package var endpoint: Endpoint? { baseURL.flatMap { try? Endpoint($0, allowsUnencrypted: allowsUnencrypted) } }

  /// What is missing for estimates.
  ///
  /// - Parameters:
  ///   - hasKey: Whether a key is known, or can be requested from the client.
  ///   - hasCarrier: Whether `daybook-http` is installed.
  ///   - hasFrontend: Whether the client estimates meals.
  package func needs(hasKey: Bool, hasCarrier: Bool, hasFrontend: Bool) -> [EstimatorNeed] {
    var needs: [EstimatorNeed] = isEnabled ? [] : [.enabled]
    guard provider == .http else { return needs + (hasFrontend && provider == .frontend ? [] : [.frontend]) }
    if endpoint == nil { needs.append(.baseURL) }
    if model == nil { needs.append(.model) }
    if !hasKey, endpoint?.needsKey != false { needs.append(.key) }
    if !hasCarrier { needs.append(.carrier) }
    return needs
  }
}
