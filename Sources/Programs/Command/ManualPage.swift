import DaybookServer

/// The manual page in roff (man(7)).
enum ManualPage {
  /// The day of its last change of content.
  private static let date = "2026-11-28"

  static var text: String {
    var page = ".TH DAYBOOK 1 \(date) \"daybook \(ServiceOptions.version)\"\n"
    page += ".SH NAME\ndaybook \\- \(escaped(HelpTexts.about))\n.SH SYNOPSIS\n"
    page += CommandTable.shown.flatMap(\.synopsis).map { ".B " + line("daybook " + $0) }.joined(separator: ".br\n")
    page += ".SH DESCRIPTION\n" + line(HelpTexts.closing) + ".SH COMMANDS\n"
    for command in CommandTable.shown {
      page +=
        ".SS \(command.name)\n" + line(command.sentence.prefix(1).uppercased() + command.sentence.dropFirst() + ".")
      page += command.text.map { ".PP\n" + line($0) }.joined()
      let own = HelpTexts.options(of: command).filter { $0.reach == .named }
      page += terms(own.map { ($0.form, $0.sentence) })
      page += ".PP\nExit status:\n" + terms(HelpTexts.statuses(of: command).map { (String($0.status), $0.meaning) })
      page += ".PP\nExample:\n.PP\n.nf\n" + command.examples.map(line).joined() + ".fi\n"
    }
    page += ".SH OPTIONS\n" + terms(OptionTable.all.filter { $0.reach != .named }.map { ($0.form, $0.sentence) })
    page += ".SH ENVIRONMENT\n" + terms(HelpTexts.environment) + ".SH FILES\n" + terms(HelpTexts.files)
    return page
  }

  private static func terms(_ rows: [(String, String)]) -> String {
    rows.map { ".TP\n.B " + line($0.0) + line($0.1) }.joined()
  }

  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  /// Text without the meaning that roff gives to characters; other characters by their code points.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      }
    }
  }
}
