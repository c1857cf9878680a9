/// The commands that people type.
extension CommandTable {
  static let people: [CommandEntry] = []
}
