import JSON

extension SmallFile {
  /// The end of the file, after all other members: the checksum of all bytes before that line break.
  private static let opening: StaticString = "\n  \"checksum\": \""
  private static let ending: StaticString = "\"\n}\n"
  private static let digits = 8
  private static let suffixLength = opening.utf8CodeUnitCount + digits + ending.utf8CodeUnitCount

  /// The file's text: one line per member, so that it is readable.
  static func text(of object: JSONObject) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for member in object.members {
      writer.append("\n  ")
      writer.write(member.name)
      writer.append(": ")
      member.value.encode(to: &writer)
      writer.append(",")
    }
    let checksum = CRC32C.checksum(writer.buffer)
    writer.append(opening)
    FixedText.append(checksum, to: &writer)
    writer.append(ending)
    return writer.bytes
  }

  static func content(of bytes: [UInt8]) -> Content {
    bytes.withUnsafeBytes { file in
      let end = file.count - suffixLength
      guard end >= 1, file.hasText(opening, at: end), file.endsIn(ending) else {
        return .damaged("it does not end in a checksum")
      }
      let stated = FixedText.hexadecimal(
        file.loadUnaligned(fromByteOffset: end + opening.utf8CodeUnitCount, as: UInt64.self))
      guard stated == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: file[..<end])) else {
        return .damaged("its checksum does not match")
      }
      do throws(JSONError) {
        guard case .object(var object) = try JSONValue(json: file) else { return .damaged("it is not a JSON object") }
        object["checksum"] = nil
        return .value(object)
      } catch { return .damaged("it is not a JSON object: \(error.description)") }
    }
  }
}
