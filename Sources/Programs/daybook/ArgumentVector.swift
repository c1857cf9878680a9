/// The arguments that the system hands to a program.
enum ArgumentVector {
  /// The arguments after the program's name; nil when there are none at all, not even that name, or one is not UTF-8: it cannot be told
  /// then which folder is meant.
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
