import ProtocolModel

/// Emits the catalogue of errors.
struct SwiftErrors {
  let specification: Specification

  func emit(into text: inout TextBuilder) {
    text.line("/// The errors of the protocol, by the name that identifies them.")
    text.block("package enum ErrorName: String, Sendable, CaseIterable {") { text in
      for error in specification.errors {
        text.doc(error.when)
        text.line("case \(error.name)")
      }
      text.line()
      text.line("/// The error code.")
      text.switchBlock("package var code: Int {") { text in
        for error in specification.errors { text.line("case .\(error.name): \(error.code)") }
      }
      text.line()
      text.line("/// Whether a retry can succeed.")
      text.switchBlock("package var retry: RetryAdvice {") { text in
        for error in specification.errors { text.line("case .\(error.name): .\(error.retry)") }
      }
    }
  }
}
