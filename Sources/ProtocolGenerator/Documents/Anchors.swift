import ProtocolModel

/// The anchors that GitHub and most viewers give the headings of the manual: the second of one spelling gets a number.
struct Anchors {
  /// A heading, by what it is about.
  enum Heading: Hashable {
    case domain(String)
    case message(String)
    case type(String)
    case chapter(String)

    /// The words of the heading.
    fileprivate var text: String {
      switch self {
      case .domain(let text), .message(let text), .type(let text), .chapter(let text): text
      }
    }
  }

  private var slugs: [Heading: String] = [:]

  /// Walks the headings in the order in which the manual has them.
  init(_ specification: Specification) {
    var headings: [Heading] = [.chapter("\(specification.title) protocol reference"), .chapter("Contents")]
    for domain in specification.domains {
      headings.append(.domain(domain.title))
      headings += (domain.requests + domain.notifications).map { .message($0.method) }
      headings += domain.types.map { .type($0.name) }
    }
    headings += [.chapter("Errors"), .chapter("Capabilities")]
    var times: [String: Int] = [:]
    for heading in headings {
      let slug = Anchors.slug(heading.text)
      let before = times[slug, default: 0]
      times[slug] = before + 1
      slugs[heading] = before == 0 ? slug : "\(slug)-\(before)"
    }
  }

  /// The anchor of a heading, nil when there is none.
  subscript(_ heading: Heading) -> String? { slugs[heading] }

  private static func slug(_ heading: String) -> String {
    String(
      heading.lowercased().compactMap {
        $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil
      })
  }
}
