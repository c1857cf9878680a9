#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Error texts and environment variables of the system.
package enum SystemText {
  /// The text for an error number.
  package static func error(_ number: Int32 = errno) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// The value of an environment variable.
  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The environment of this process.
  package static var environment: [String: String] {
    var result: [String: String] = [:]
    var at = environ
    while let entry = at.pointee {
      let text = String(cString: entry)
      let name = text.prefix { $0 != "=" }
      result[String(name)] = String(text.dropFirst(name.count + 1))
      at += 1
    }
    return result
  }

  /// The factor for hang guards on slow machines, from `TIME_SCALE`; 1 by default.
  package static var timeScale: Double {
    let scale = variable("TIME_SCALE").flatMap { Double($0) } ?? 1
    return scale.isFinite && scale > 0 ? scale : 1
  }
}
