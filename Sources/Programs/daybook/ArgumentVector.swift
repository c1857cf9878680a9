/// The arguments that the system passes to a program.
enum ArgumentVector {
  /// The arguments after the program's name; nil when even the name is missing, or when one is not UTF-8, because then
  /// the folder may be ambiguous.
  static func texts(_ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> [String]? {
    guard let values, count > 0 else { return nil }
    var texts: [String] = []
    for index in 1..<max(1, Int(count)) {
      guard let value = values[index], let text = String(validatingCString: value) else { return nil }
      texts.append(text)
    }
    return texts
  }
}
