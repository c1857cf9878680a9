import Foundation
import HTTPCarriage

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the library's errors are to the caller.
enum Failures {
  /// Whether an error is about the connection's safety. On Linux the library has no code for that, only what libcurl says.
  private static func speaksOfTrust(_ error: any Error) -> Bool {
    let text = error.localizedDescription
    return ["SSL", "TLS", "certificate"].contains { text.contains($0) }
  }

  /// The kind of an error, with a sentence of our own: the library's may repeat what was sent.
  static func failure(_ error: any Error) -> CarriedFailure {
    guard let code = (error as? URLError)?.code else { return CarriedFailure(.lost, "the connection failed") }
    switch code {
    case .cannotFindHost, .dnsLookupFailed: return CarriedFailure(.dns, "there is no such host")
    case .cannotConnectToHost, .notConnectedToInternet:
      return CarriedFailure(.refused, "nobody listens there, or there is no way there")
    case .timedOut: return CarriedFailure(.timedOut, "no answer came in time")
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      return CarriedFailure(.tls, "there is no connection that can be trusted")
    case .cancelled: return CarriedFailure(.cancelled, "cancelled")
    case _ where speaksOfTrust(error): return CarriedFailure(.tls, "there is no connection that can be trusted")
    default: return CarriedFailure(.lost, "the connection broke, or what came is no HTTP (\(code.rawValue))")
    }
  }
}
