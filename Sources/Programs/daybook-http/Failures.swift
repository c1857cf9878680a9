import Foundation
import HTTPCarriage

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Maps the library's errors.
enum Failures {
  /// Whether an error concerns TLS. On Linux the library has no code for that, only libcurl's text.
  private static func concernsTrust(_ error: any Error) -> Bool {
    let text = error.localizedDescription
    return ["SSL", "TLS", "certificate"].contains { text.contains($0) }
  }

  private static var untrusted: HTTPFailure { HTTPFailure(.tls, "no trusted connection could be made") }
  /// The failure for an error, in our own words: the library's may quote the request.
  static func failure(_ error: any Error) -> HTTPFailure {
    guard let code = (error as? URLError)?.code else { return HTTPFailure(.lost, "the connection failed") }
    switch code {
    case .cannotFindHost, .dnsLookupFailed: return HTTPFailure(.dns, "the host does not exist")
    case .cannotConnectToHost, .notConnectedToInternet:
      return HTTPFailure(.refused, "the connection was refused, or there is no route to the host")
    case .timedOut: return HTTPFailure(.timedOut, "no response came in time")
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      return untrusted
    case .cancelled: return HTTPFailure(.cancelled, "cancelled")
    case _ where concernsTrust(error): return untrusted
    default: return HTTPFailure(.lost, "the connection broke, or the response is not HTTP (\(code.rawValue))")
    }
  }
}
