import DaybookProtocol
import Premium

extension ProductCatalogue {
  /// The catalogue that the program is built with; a test holds that it can be read.
  package static let embedded = (try? ProductCatalogue(json: ProductsDocument.text)) ?? ProductCatalogue.empty
}
