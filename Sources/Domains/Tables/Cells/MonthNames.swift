/// The names of months in English, German, French and Spanish, in lower case without marks.
enum MonthNames {
  /// The names of each month from January on, and the abbreviations that are not prefixes.
  static let all: [[String]] = [
    ["january", "januar", "janner", "janvier", "enero"],
    ["february", "februar", "fevrier", "febrero"],
    ["march", "marz", "maerz", "mrz", "mars", "marzo"],
    ["april", "avril", "abril"],
    ["may", "mai", "mayo"],
    ["june", "juni", "juin", "junio"],
    ["july", "juli", "juillet", "juill", "julio"],
    ["august", "aout", "agosto"],
    ["september", "septembre", "septiembre", "setiembre"],
    ["october", "oktober", "octobre", "octubre"],
    ["november", "novembre", "noviembre"],
    ["december", "dezember", "decembre", "diciembre"],
  ]

  private static let prefixLengths = 3...4

  /// The month, from 1, whose name a word is or abbreviates; nil for an ambiguous abbreviation such as `jui`, and for others.
  static func month(_ word: String) -> Int? { months[word] ?? nil }

  private static let months: [String: Int?] = {
    var months: [String: Int?] = [:]
    for (index, names) in all.enumerated() {
      for short in Set(names.flatMap { name in prefixLengths.map { String(name.prefix($0)) } }) {
        months.updateValue(months[short] == nil ? index + 1 : nil, forKey: short)
      }
    }
    // A whole name takes precedence over a prefix.
    for (index, names) in all.enumerated() {
      for name in names { months.updateValue(index + 1, forKey: name) }
    }
    return months
  }()
}
