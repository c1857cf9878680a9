import Values

/// Where an estimator is on the network: the address before `/chat/completions`.
package struct Endpoint: Sendable, Equatable {
  /// What is wrong with an address.
  package struct Problem: Error, Sendable, Equatable {
    /// One sentence for people.
    package let message: String
  }

  /// What an address has to be.
  package static let allowed = "https, or http on this machine: localhost, 127.0.0.1 or [::1]"
  /// What it may be besides where the user allows what can be read on its way.
  package static let allowedUnencrypted =
    "https, or http on this machine or a private network: 10.…, 172.16.… to 172.31.…, 192.168.…, 169.254.…, [fe80::…] or a name in .local"
  /// Characters of the longest address.
  package static let longest = 1000

  /// The address without a slash at its end.
  package let baseURL: String
  /// Whether it is on this machine, so that nothing leaves it.
  package let isLocal: Bool
  /// Whether it is in a network of one's own, spoken to by http.
  package let isPrivate: Bool

  /// Whether it is nobody's own, so that it takes a key.
  package var needsKey: Bool { !isLocal && !isPrivate }

  /// Where chat completions are asked for.
  package var completions: String { baseURL + Endpoint.path }

  private static let path = "/chat/completions"

  /// Reads an address as somebody typed it; `/chat/completions` at its end is taken off.
  ///
  /// - Parameter allowsUnencrypted: Whether the user allows http in a network of one's own, where others in it could read what is sent.
  /// - Throws: When a key could be read on its way there, or the address is none.
  package init(_ text: String, allowsUnencrypted: Bool = false) throws(Problem) {
    guard text.utf8.count <= Endpoint.longest, text.utf8.allSatisfy({ Endpoint.isOfAddress($0) }) else {
      throw Problem(message: "this is no address: it has characters that none has")
    }
    guard let separator = text.firstRange(ofText: "://") else {
      throw Problem(message: "the address begins with https:// or http://")
    }
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw Problem(message: "“\(scheme)” is not spoken here")
    }
    let rest = text[separator.upperBound...]
    guard !rest.contains("?"), !rest.contains("#") else {
      throw Problem(message: "the address has no query and no fragment: a key belongs into “secrets/set”")
    }
    let authority = rest.prefix { $0 != "/" }
    guard !authority.contains("@") else {
      throw Problem(message: "the address has no user: a key belongs into “secrets/set”")
    }
    let (host, port) = try Endpoint.split(String(authority))
    isLocal = Endpoint.isThisMachine(host)
    isPrivate = scheme == "http" && !isLocal && Endpoint.isPrivateNetwork(host)
    guard scheme == "https" || isLocal || (isPrivate && allowsUnencrypted) else {
      throw Problem(message: "what is sent to “\(host)” by http could be read on its way, the key with it")
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
    guard isHost(name) else { throw Problem(message: "the address has no proper host") }
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

  /// Whether the network of a host is the machine's own (RFC 6761 §6.3, RFC 1122 §3.2.1.3).
  private static func isThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { isDigit($0) } && (Int(part) ?? 256) < 256
      }
  }

  /// Whether a host is in a network of one's own: private (RFC 1918), link-local (RFC 3927, RFC 4291 §2.5.6), or named by multicast DNS
  /// (RFC 6762).
  package static func isPrivateNetwork(_ host: String) -> Bool {
    if host.hasSuffix(".local"), host.utf8.count > ".local".utf8.count { return true }
    if host.hasPrefix("["), host.hasSuffix("]") {
      let first = host.dropFirst().prefix { $0 != ":" }
      return first.utf8.count == 4 && Int(first, radix: 16).map { (0xFE80...0xFEBF).contains($0) } ?? false
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { isDigit($0) } && (part == "0" || !part.hasPrefix("0"))
        ? Int(part).flatMap { $0 < 256 ? $0 : nil } : nil
    }
    guard parts.count == 4, numbers.count == 4 else { return false }
    switch (numbers[0], numbers[1]) {
    case (10, _), (192, 168), (169, 254), (172, 16...31): return true
    default: return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Printable ASCII, but for what RFC 3986 leaves out.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
  }
}
