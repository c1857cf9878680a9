/// The names of months in English, German, French and Spanish, in small letters without marks.
enum MonthNames {
  /// Each month's, from January on. What is short in another way than by its end stands among them.
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

  /// How long what is left of a name can be.
  private static let shortened = 3...4

  /// The month, from 1, that a word is the name of, or the beginning of the names of; nil for what begins several, as `jui` does, and
  /// what begins none.
  static func month(_ word: String) -> Int? { months[word] ?? nil }

  private static let months: [String: Int?] = {
    var months: [String: Int?] = [:]
    for (index, names) in all.enumerated() {
      for short in Set(names.flatMap { name in shortened.map { String(name.prefix($0)) } }) {
        months.updateValue(months[short] == nil ? index + 1 : nil, forKey: short)
      }
    }
    // What is whole is no beginning of something else.
    for (index, names) in all.enumerated() {
      for name in names { months.updateValue(index + 1, forKey: name) }
    }
    return months
  }()
}
