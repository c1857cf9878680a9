import Foundation
import JSON
import Testing

@testable import DaybookProtocol

/// The samples that `protocol-gen` derives from each type's definition, run through the codecs.
struct SampleTests {
  struct Sample: CustomTestStringConvertible {
    let type: String
    let json: [UInt8]
    /// Where an invalid value is at fault; nil for a valid one.
    let pointer: String?
    let testDescription: String
  }

  static let all: [Sample] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Protocol/generated/samples").standardized
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().flatMap { name -> [Sample] in
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
        case .object(let file)? = try? JSONValue(json: Array(data)), case .string(let type)? = file["type"],
        case .array(let valid)? = file["valid"], case .array(let invalid)? = file["invalid"]
      else { return [] }
      let good = valid.enumerated().map {
        Sample(type: type, json: $1.json, pointer: nil, testDescription: "\(type) \($0)")
      }
      let bad = invalid.enumerated().compactMap { index, entry -> Sample? in
        guard case .object(let entry) = entry, case .string(let why)? = entry["why"],
          case .string(let pointer)? = entry["pointer"], let value = entry["value"]
        else { return nil }
        return Sample(
          type: type, json: value.json, pointer: pointer, testDescription: "\(type) \(index): \(why) at \(pointer)")
      }
      return good + bad
    }
  }()

  @Test("There are samples of many types")
  func present() {
    #expect(Set(Self.all.map(\.type)).count > 40)
    #expect(Self.all.count { $0.pointer != nil } > 300)
  }

  @Test("A valid sample is read, written and read again as the same", arguments: all.filter { $0.pointer == nil })
  func valid(_ sample: Sample) throws {
    guard let written = try SampleCodecs.roundTrip(sample.type, sample.json) else { return isAbsent(sample) }
    #expect(try SampleCodecs.roundTrip(sample.type, written) == written)
    #expect(try normalized(written) == normalized(sample.json))
  }

  @Test("An invalid sample is refused at the right place", arguments: all.filter { $0.pointer != nil })
  func invalid(_ sample: Sample) throws {
    do throws(JSONError) {
      if try SampleCodecs.roundTrip(sample.type, sample.json) == nil { return isAbsent(sample) }
      Issue.record("accepted: \(String(decoding: sample.json, as: UTF8.self))")
    } catch {
      #expect(!error.isMalformed)
      let pointer = sample.json.withUnsafeBytes { error.pointer(in: $0) }
      #expect(pointer == sample.pointer)
    }
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
}
