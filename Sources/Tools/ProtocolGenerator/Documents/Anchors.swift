import ProtocolModel

/// Where the headings of the manual are: on which of its pages, and by which anchor. GitHub and most viewers make the anchor of the
/// heading's words; the second of one spelling on a page gets a number.
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

  /// The name of the first page.
  static let index = "README"

  private var places: [Heading: (page: String, slug: String)] = [:]

  /// Walks the headings of each page in the order in which it has them.
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

  /// What a link on `page` to a heading points at, nil when there is no such heading.
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
