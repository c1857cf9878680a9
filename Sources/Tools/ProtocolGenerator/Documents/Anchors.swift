import ProtocolModel

/// The pages and anchors of the manual's headings. As on GitHub, an anchor is derived from the heading's words, with a
/// number for repetitions on a page.
struct Anchors {
  /// A heading, by its subject.
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

  /// The name of the first page.
  static let index = "README"

  private var places: [Heading: (page: String, slug: String)] = [:]

  /// Collects the headings of each page in order.
  init(_ specification: Specification) {
    let chapters = ["\(specification.title) protocol reference", "Domains", "Errors", "Capabilities"]
    add(chapters.map { .chapter($0) }, to: Anchors.index)
    for domain in specification.domains {
      let messages = (domain.requests + domain.notifications).map { Heading.message($0.method) }
      add([.domain(domain.title)] + messages + domain.types.map { .type($0.name) }, to: domain.name)
    }
  }

  private mutating func add(_ headings: [Heading], to page: String) {
    var times: [String: Int] = [:]
    for heading in headings {
      let slug = Anchors.slug(heading.text)
      let before = times[slug, default: 0]
      times[slug] = before + 1
      places[heading] = (page, before == 0 ? slug : "\(slug)-\(before)")
    }
  }

  /// The link target of a heading on `page`; nil when there is no such heading.
  func target(_ heading: Heading, from page: String) -> String? {
    guard let place = places[heading] else { return nil }
    return (place.page == page ? "" : "\(place.page).md") + "#\(place.slug)"
  }

  private static func slug(_ heading: String) -> String {
    String(
      heading.lowercased().compactMap {
        $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil
      })
  }
}
