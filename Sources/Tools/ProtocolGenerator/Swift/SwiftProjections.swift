import ProtocolModel

/// Emits which projections each request needs before its handler runs.
struct SwiftProjections {
  let specification: Specification

  /// Emits the function of the session that has them built.
  func emit(into text: inout TextBuilder) {
    text.line("/// The work outside the session after which what a request needs is ready; nil when it is.")
    text.switchBlock(
      "func projection(for call: Call) throws(RPCError) -> (@Sendable () -> Void)? {", over: "call.method",
      default: "return nil"
    ) { text in
      for (projections, methods) in groups {
        text.line("case \(methods.map { "." + Names.function($0) }.joined(separator: ", ")):")
        text.line("  let context = context(call)")
        let works = projections.map { "try services.\($0).preparation(context, always: options.avoidsDigests)" }
        for (index, work) in works.enumerated() {
          let isLast = index == works.count - 1
          text.line(isLast ? "  return \(work)" : "  if let work = \(work) { return work }")
        }
      }
    }
  }

  /// The methods that need the same projections, in the order of the protocol. A projection is written as the path of
  /// the property that holds it.
  private var groups: [(projections: [String], methods: [String])] {
    var groups: [(projections: [String], methods: [String])] = []
    for domain in specification.domains {
      for message in domain.requests {
        let projections = specification.projections(neededBy: message, in: domain).map {
          "\(Names.function($0.service)).\($0.name)"
        }
        guard !projections.isEmpty else { continue }
        if let index = groups.firstIndex(where: { $0.projections == projections }) {
          groups[index].methods.append(message.method)
        } else {
          groups.append((projections, [message.method]))
        }
      }
    }
    return groups
  }
}
