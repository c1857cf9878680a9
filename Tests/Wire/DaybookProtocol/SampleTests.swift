import DaybookClientCodecs
import DaybookProtocol
import Foundation
import ProtocolGenerator
import Testing

/// The samples that follow from each type's definition, run through the codecs.
struct SampleTests {
  static let all: [Sample] = (try? Sample.all(files: sources())) ?? []

  @Test("There are samples of many types")
  func present() {
    #expect(Set(Self.all.map(\.type)).count > 500)
    #expect(Self.all.count { $0.pointer != nil } > 3000)
  }

  @Test("A valid sample survives reading, writing and reading", arguments: all.filter { $0.pointer == nil })
  func valid(_ sample: Sample) throws {
    guard let type = WireTypes.named(sample.type) else { return isAbsent(sample) }
    let written = try roundTrip(type, sample.json)
    #expect(try roundTrip(type, written) == written)
    #expect(try normalized(written) == normalized(sample.json))
  }

  @Test("An invalid sample is refused at the right place", arguments: all.filter { $0.pointer != nil })
  func invalid(_ sample: Sample) throws {
    guard let type = WireTypes.named(sample.type) else { return isAbsent(sample) }
    do throws(JSONError) {
      _ = try roundTrip(type, sample.json)
      Issue.record("accepted: \(String(decoding: sample.json, as: UTF8.self))")
    } catch {
      #expect(!error.isMalformed)
      let pointer = sample.json.withUnsafeBytes { error.pointer(in: $0) }
      #expect(pointer == sample.pointer)
    }
  }

  /// Reads a value and writes it again.
  private func roundTrip<Value: JSONDecodable & JSONEncodable>(
    _ type: Value.Type, _ json: [UInt8]
  ) throws(JSONError) -> [UInt8] {
    try Value(json: json).json
  }

  /// Types of debug builds are not in a release build; any other type has to be there.
  private func isAbsent(_ sample: Sample) {
    #expect(sample.type.hasPrefix("Debug"))
  }

  /// The value without the member that lenient types pass over, and with trimmed texts.
  private func normalized(_ json: [UInt8]) throws -> JSONValue {
    guard case .object(var object) = try JSONValue(json: json) else { return try JSONValue(json: json) }
    object["noSuchMember"] = nil
    return .object(object)
  }

  /// The files of the protocol, by path below `Protocol/`.
  private static func sources() throws -> [String: [UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Protocol").standardized
    let domains = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("domains").path)
    var files: [String: [UInt8]] = [:]
    for path in ["protocol.json"] + domains.filter({ $0.hasSuffix(".json") }).map({ "domains/\($0)" }) {
      files[path] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }
    return files
  }
}

extension Sample: CustomTestStringConvertible {
  public var testDescription: String {
    "\(type): \(why ?? "valid")\(pointer.map { " at \($0)" } ?? ""), \(String(decoding: json.prefix(200), as: UTF8.self))"
  }
}
