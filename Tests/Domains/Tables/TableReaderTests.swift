import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Tables

@Suite("Reading tables")
struct TableReaderTests {
  private func rows(_ text: String, delimiter: UInt8? = nil) throws -> [[String]] {
    try TableReader.rows(Array(text.utf8), delimiter: delimiter)
  }

  private func refusal(_ bytes: [UInt8], encoding: TableEncoding? = nil, limits: TableLimits = TableLimits())
    -> TableError?
  {
    do throws(TableError) {
      _ = try TableReader.rows(bytes, encoding: encoding, limits: limits)
      return nil
    } catch { return error }
  }

  @Test(
    "Rows end in CR LF, LF or CR, quoted cells hold anything, blank lines are passed over",
    arguments: [
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]), ("a\r\n\r\n\n\rb\n", [["a"], ["b"]]),
      ("a,\"b,c\"\n\"x\r\ny\",\"say \"\"hi\"\"\"\n", [["a", "b,c"], ["x\r\ny", "say \"hi\""]]),
      ("a,b,\n,,\n", [["a", "b", ""], ["", "", ""]]), ("\"\"\n", [[""]]), ("\"a\" ,b\n", [["a", "b"]]),
      ("5\" pan,b\n", [["5\" pan", "b"]]), ("a,b\n1\n1,2,3\n", [["a", "b"], ["1"], ["1", "2", "3"]]),
      ("🥣,ü\n", [["🥣", "ü"]]), ("\u{FEFF}a,b\n", [["a", "b"]]),
    ] as [(String, [[String]])])
  func forms(_ text: String, _ expected: [[String]]) throws { #expect(try rows(text) == expected) }

  @Test(
    "The delimiter is the most frequent one in the first row outside quotes, or the one that the first line names",
    arguments: [
      ("a;b;c\n1,5;2;3\n", ";"), ("a\tb\n", "\t"), ("\"a;b;c;d\",b\n", ","), ("a\n1\n", ","), ("sep=;\na;b\n", ";"),
      ("sep=;\r\na,a;b\r\n", ";"), ("SEP=|\na|b\n", "|"), ("\"sep=;\"\na;b\n", ";"), ("\n\na;b,c;d\n", ";"),
      ("sep=;", ";"), ("\u{FEFF}sep=\t\na\tb,c\n", "\t"),
    ])
  func delimiters(_ text: String, _ expected: String) throws {
    #expect(try TableReader(Array(text.utf8)).delimiter == expected.utf8.first)
  }

  @Test("A line that names the delimiter counts as a line, but not as a row")
  func separatorLine() throws {
    var reader = try TableReader(Array("sep=;\r\na;b\r\n\"x\ny\";2\r\n\r\n3;4".utf8))
    var places: [[Int]] = []
    while let row = try reader.next() { places.append([row.number, row.line]) }
    #expect(places == [[1, 2], [2, 3], [3, 6]])
  }

  @Test("Any bytes are read or refused without trapping", arguments: 0..<60)
  func garbage(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed), number: 7)
    let alphabet: [UInt8] = [0, 9, 10, 13, 32, 34, 39, 44, 59, 61, 65, 0x80, 0xBF, 0xC3, 0xE2, 0xEF, 0xF0, 0xFE, 0xFF]
    let bytes = (0..<random.among(0...80)).map { _ in alphabet[random.below(alphabet.count)] }
    for encoding in [nil] + TableEncoding.known.map(Optional.some) {
      _ = try? TableReader.rows(bytes, encoding: encoding)
    }
  }

  @Test("UTF-16 is detected by its mark or its zeros, Windows-1252 has to be stated")
  func encodings() throws {
    let text = "Name,kcal\r\nMüsli 🥣,350\r\n"
    let expected = [["Name", "kcal"], ["Müsli 🥣", "350"]]
    let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [little, [0xFF, 0xFE] + little, big, [0xFE, 0xFF] + big] {
      #expect(try TableReader.rows(bytes) == expected)
    }
    let windows: [UInt8] = Array("Caf".utf8) + [0xE9, 0x20, 0x80, 0x0A]
    #expect(try TableReader.rows(windows, encoding: .windows1252) == [["Café €"]])
    // A byte order mark takes precedence.
    #expect(try TableReader.rows([0xEF, 0xBB, 0xBF] + Array(text.utf8), encoding: .windows1252) == expected)
  }

  @Test("Malformed UTF-8 is refused with its place, and binary data with its kind")
  func noText() {
    let error = refusal(Array("a,b\n1,2\nx,Caf".utf8) + [0xE9, 0x0A])
    #expect(error?.code == .notText && error?.place == TablePlace(row: 3, line: 3, column: 2))
    #expect(refusal([0x50, 0x4B, 3, 4, 1, 2])?.code == .notATable)
    #expect(refusal([0xFF, 0xFE, 0x41])?.code == .notText)
    #expect(refusal([])?.code == .empty && refusal([0x0A, 0x0D])?.code == .empty)
  }

  @Test(
    "A null character is ordinary except in the first line, where it reveals another encoding",
    arguments: TableEncoding.known)
  func nullCharacters(_ encoding: TableEncoding) throws {
    func bytes(_ text: String) -> [UInt8] {
      switch encoding {
      case .utf8, .unknown, .windows1252: Array(text.utf8)
      case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      }
    }
    for end in ["\n", "\r", "\r\n"] {
      let rows = try TableReader.rows(bytes("a,b\(end)\0,1\0\02\(end)"), encoding: encoding)
      #expect(rows == [["a", "b"], ["\0", "1\0\02"]])
    }
    #expect(refusal(bytes("a,b\0\n1,2\n"), encoding: encoding)?.code == .notText)
  }

  @Test("Unclosed quotes, and text after a closing quote, are refused with their place")
  func quotes() {
    let open = refusal(Array("a,b\n1,\"2\n3,4\n".utf8))
    #expect(open?.code == .unclosedQuote && open?.place == TablePlace(row: 2, line: 2, column: 2))
    let behind = refusal(Array("a,b\n\n\"1\"x,2\n".utf8))
    #expect(behind?.code == .textBehindQuote && behind?.place == TablePlace(row: 2, line: 3, column: 1))
  }

  @Test("Tables beyond the limits are refused, tables at the limits are not")
  func limits() {
    var limits = TableLimits()
    (limits.rows, limits.columns, limits.rowBytes, limits.bytes) = (3, 2, 10, 40)
    func code(_ text: String) -> TableError.Code? { refusal(Array(text.utf8), limits: limits)?.code }
    #expect(code("a,b\n1,2\n3,4\n") == nil && code("a,b\n1,2\n3,4\n5,6\n") == .tooManyRows)
    #expect(code("a,b,c\n") == .tooManyColumns)
    #expect(
      code("a,123456789\n") == nil && code("a,1234567890\n") == .rowTooLong && code("\"12345678901\"\n") == .rowTooLong)
    #expect(code(String(repeating: "\n", count: 38) + "a\n") == nil)
    #expect(code(String(repeating: "\n", count: 39) + "a\n") == .tooLarge)
  }
}
