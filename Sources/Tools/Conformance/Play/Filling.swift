/// Some bytes, many times over, made in pieces.
struct Filling {
  /// How many bytes it comes to.
  let size: Int
  /// The bytes so many times that a piece is large.
  private let block: [UInt8]

  /// The bytes so many times.
  init(_ bytes: [UInt8], _ count: Int) {
    size = bytes.count * count
    var block = bytes
    // Doubled, for a copy of many bytes is quick, and many copies of a few are not.
    while !block.isEmpty, block.count < min(size, 1 << 20) { block += block }
    self.block = block
  }

  /// The piece that begins at an offset, which is where another one ended.
  func piece(from offset: Int) -> [UInt8] { size - offset >= block.count ? block : Array(block.prefix(size - offset)) }

  /// All of it.
  var whole: [UInt8] {
    size <= block.count ? Array(block.prefix(size)) : stride(from: 0, to: size, by: block.count).flatMap(piece)
  }
}
