import Values

/// The address of an estimator on the network, without `/chat/completions`.
package struct Endpoint: Sendable, Equatable {
  package struct Problem: Error, Sendable, Equatable {
    /// One sentence for people.
    package let message: String
  }

  /// The allowed addresses, in words.
  package static let allowed = "https, or http on this machine: localhost, 127.0.0.1 or [::1]"
  /// The allowed addresses if the user permits unencrypted requests in private networks.
  package static let allowedUnencrypted =
    "https, or http on this machine or a private network: 10.…, 172.16.… to 172.31.…, 192.168.…, 169.254.…, [fe80::…] or a name in .local"
  /// The longest address, bytes.
  package static let longest = 1000

  /// The address without a trailing slash.
  package let baseURL: String
  /// Whether it is on this machine.
  package let isLocal: Bool
  /// Whether it is in a private network, reached by http.
  package let isPrivate: Bool

  /// Whether it is a public service, which needs a key.
  package var needsKey: Bool { !isLocal && !isPrivate }

  /// The address for chat completions.
  package var completions: String { baseURL + Endpoint.path }

  private static let path = "/chat/completions"

  /// Parses a typed address; a trailing `/chat/completions` is removed.
  ///
  /// - Parameter allowsUnencrypted: Whether the user permits http in private networks, where others could read the requests.
  /// - Throws: When the address is invalid, or a key sent to it could be read on the way.
  package init(_ text: String, allowsUnencrypted: Bool = false) throws(Problem) {
    guard text.utf8.count <= Endpoint.longest, text.utf8.allSatisfy({ Endpoint.isOfAddress($0) }) else {
      throw Problem(message: "the address has invalid characters, or is too long")
    }
    guard let separator = text.firstRange(ofText: "://") else {
      throw Problem(message: "the address begins with https:// or http://")
    }
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw Problem(message: "the scheme “\(scheme)” is not supported")
    }
    let rest = text[separator.upperBound...]
    guard !rest.contains("?"), !rest.contains("#") else {
      throw Problem(message: "the address may not have a query or a fragment; set a key with “secrets/set”")
    }
    let authority = rest.prefix { $0 != "/" }
    guard !authority.contains("@") else {
      throw Problem(message: "the address may not have a user; set a key with “secrets/set”")
    }
    let (host, port) = try Endpoint.split(String(authority))
    isLocal = Endpoint.isThisMachine(host)
    isPrivate = scheme == "http" && !isLocal && Endpoint.isPrivateNetwork(host)
    guard scheme == "https" || isLocal || (isPrivate && allowsUnencrypted) else {
      throw Problem(message: "requests to “\(host)” by http, and the key in them, could be read on the way")
    }
    var path = String(rest[authority.endIndex...])
    while path.hasSuffix("/") { path.removeLast() }
    if path.hasSuffix(Endpoint.path) { path.removeLast(Endpoint.path.utf8.count) }
    while path.hasSuffix("/") { path.removeLast() }
    baseURL = "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
  }

  private static func split(_ authority: String) throws(Problem) -> (host: String, port: Int?) {
    var host = Substring(authority)
    var port: Int?
    let afterBracket = host.lastIndex(of: "]").map { host.index(after: $0) } ?? host.startIndex
    if let colon = host[afterBracket...].firstIndex(of: ":") {
      let digits = host[host.index(after: colon)...]
      guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ isDigit($0) }), let number = Int(digits),
        (1...65535).contains(number)
      else { throw Problem(message: "the port is a number from 1 to 65535") }
      port = number
      host = host[..<colon]
    }
    let name = host.lowercased()
    guard isHost(name) else { throw Problem(message: "the address has no valid host") }
    return (name, port)
  }

  private static func isHost(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      let inside = name.dropFirst().dropLast().utf8
      return inside.contains(UInt8(ascii: ":"))
        && inside.allSatisfy {
          isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) || $0 == 58 || $0 == 46
        }
    }
    let isPlain = name.utf8.allSatisfy {
      isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
    }
    return isPlain && !name.isEmpty && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.contains(text: "..")
  }

  /// Whether a host is the loopback interface (RFC 6761 §6.3, RFC 1122 §3.2.1.3).
  private static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]" || octets(host)?.first == "127"
  }

  /// The four parts of an IPv4 address.
  private static func octets(_ host: String) -> [Substring]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let areValid = parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { isDigit($0) } && (Int(part) ?? 256) < 256
    }
    return parts.count == 4 && areValid ? parts : nil
  }

  /// Whether a host is in a private network (RFC 1918), link-local (RFC 3927, RFC 4291 §2.5.6), or named by multicast DNS (RFC 6762).
  private static func isPrivateNetwork(_ host: String) -> Bool {
    if host.hasSuffix(".local"), host.utf8.count > ".local".utf8.count { return true }
    if host.hasPrefix("["), host.hasSuffix("]") {
      let first = host.dropFirst().prefix { $0 != ":" }
      return first.utf8.count == 4 && Int(first, radix: 16).map { (0xFE80...0xFEBF).contains($0) } ?? false
    }
    // Some resolvers read a leading zero as octal.
    guard let parts = octets(host), parts.allSatisfy({ $0 == "0" || !$0.hasPrefix("0") }) else { return false }
    let numbers = parts.compactMap { Int($0) }
    switch (numbers[0], numbers[1]) {
    case (10, _), (192, 168), (169, 254), (172, 16...31): return true
    default: return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Whether RFC 3986 allows a byte: printable ASCII with exceptions.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
  }
}
