import DomainKit

/// A room that uses a secret.
protocol SecretUser: AnyObject {
  /// The name of the secret.
  var secretName: String { get }
  /// Refuses a value that it could not use.
  func check(secret: String) throws(RPCError)
  /// Runs `change`, which changes the secret, and tells clients what that means.
  func whileChanging(_ desk: inout Desk, _ change: (inout Desk) throws(RPCError) -> Void) throws(RPCError)
}

/// Keys and passwords, in a file of their own. Clients write and remove them, but never read them.
final class SecretsRoom {
  private let users: [any SecretUser]

  init(users: [any SecretUser]) { self.users = users }

  /// The value of a secret; nil when there is none, or the file cannot be read.
  static func value(of name: String, _ desk: Desk) -> String? {
    guard case .value(let object) = desk.file(.secrets).read(), case .string(let text)? = object[name] else {
      return nil
    }
    return text
  }

  /// The names of all secrets, ascending.
  ///
  /// - Throws: `storeUnavailable` when the file cannot be read.
  func names(_ desk: Desk) throws(RPCError) -> [String] {
    switch desk.file(.secrets).read() {
    case .missing: return []
    case .value(let object): return object.members.map(\.name).sorted()
    case .damaged(let reason):
      throw RPCError(
        .storeUnavailable, "secrets.json cannot be read: \(reason)", hint: "“daybook doctor” tells more")
    }
  }
}

extension SecretsRoom {
  func secretsSet(_ params: SecretsSetParams, _ desk: inout Desk) throws(RPCError) -> SecretsSetResult {
    guard params.name.utf8.allSatisfy(SecretsRoom.isOfName), params.name != SecretsRoom.checksumName else {
      throw RPCError(
        .invalidParams, "the name is not that of a secret", pointer: "/name",
        allowed: "letters, digits, “.”, “-” and “_”", hint: "such as estimator.key")
    }
    if params.value == "" {
      throw RPCError(
        .invalidParams, "the secret is empty", pointer: "/value", allowed: "1 to 10000 characters, or null")
    }
    if let user = users.first(where: { $0.secretName == params.name }) {
      if let value = params.value { try user.check(secret: value) }
      try user.whileChanging(&desk) { desk throws(RPCError) in try SecretsRoom.set(params, desk) }
    } else {
      try SecretsRoom.set(params, desk)
    }
    return SecretsSetResult(name: params.name, stored: params.value != nil)
  }

  func secretsList(_ params: NoParams, _ desk: inout Desk) throws(RPCError) -> SecretsListResult {
    SecretsListResult(names: try names(desk))
  }

  private static func set(_ params: SecretsSetParams, _ desk: Desk) throws(RPCError) {
    try desk.update(.secrets) { content throws(StoreError) in
      var secrets = JSONObject()
      switch content {
      case .missing: break
      case .value(let object): secrets = object
      // A damaged file is not overwritten: it may contain a key that can still be rescued.
      case .damaged(let reason): throw StoreError(.storeUnavailable, "secrets.json is damaged: \(reason)")
      }
      secrets[params.name] = params.value.map { .string($0) }
      return secrets
    }
    desk.log.info(.settings, "a secret was \(public: params.value == nil ? "forgotten" : "set")")
  }

  private static let checksumName = "checksum"

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
