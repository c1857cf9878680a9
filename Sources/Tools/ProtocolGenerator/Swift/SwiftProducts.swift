import JSON

/// Emits the catalogue of products as constant text.
struct SwiftProducts {
  let products: JSONValue

  func emit(into text: inout TextBuilder) {
    text.line("/// The catalogue of products that the service is built with, from `Protocol/products.json`.")
    text.block("package enum ProductsDocument {") { text in
      text.line("/// Its JSON text.")
      text.line("package static var text: [UInt8] { document.withUTF8Buffer { Array($0) } }")
      text.line()
      let document = String(decoding: products.json, as: UTF8.self)
      text.line("private static let document: StaticString = ##\"\(document)\"##")
    }
  }
}
