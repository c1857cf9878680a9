/// What names of foods have beside Latin letters that is written in several ways.
enum FoodNameTables {
  /// The plain one of a typographic quote or dash; nil for anything else.
  static func plainSign(_ value: UInt32) -> UInt8? {
    switch value {
    case 0x2018...0x201B, 0x2032, 0xB4: UInt8(ascii: "'")
    case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: UInt8(ascii: "\"")
    case 0x2010...0x2015, 0x2212: UInt8(ascii: "-")
    default: nil
    }
  }

  /// A lower-case letter without its mark.
  static func unmarked(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    marked.firstIndex(of: scalar).map { unmarked[$0] } ?? scalar
  }

  /// Lower-case letters of Greek and Cyrillic with a mark, the last sigma, and an iota that stands for one.
  private static let marked = Array("άέήίόύώϊϋΐΰς\u{1FBE}йѐёѓїќѝўӂӑӓӗӝӟӣӥӧӭӯӱӳӵӹ".unicodeScalars)
  /// The same letters without.
  private static let unmarked = Array("αεηιουωιυιυσιиеегікиужааежзииоэууучы".unicodeScalars)
}
