import ChecksumInstructions
import Testing

@testable import FileStore

struct SHA256Tests {
  // The examples of FIPS 180-4; the last is a million times “a”.
  @Test(
    "The published vectors are reproduced",
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func vectors(_ text: String, _ times: Int, _ expected: String) {
    let bytes = [UInt8](String(repeating: text, count: times).utf8)
    #expect(SHA256.hash(bytes).description == expected)
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: 997) {
      bytes[start..<min(start + 997, bytes.count)].withUnsafeBytes { hash.update($0) }
    }
    #expect(hash.finish().description == expected)
  }

  @Test("In any two pieces, the hash is that of the whole; an intermediate result changes nothing")
  func pieces() {
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 150] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let whole = SHA256.hash(bytes)
      for cut in 0...length {
        var hash = SHA256()
        bytes[..<cut].withUnsafeBytes { hash.update($0) }
        #expect(hash.finish() == SHA256.hash(Array(bytes[..<cut])))
        bytes[cut...].withUnsafeBytes { hash.update($0) }
        #expect(hash.finish() == whole)
      }
    }
  }

  @Test("The text of a hash is read back, and no other text is accepted")
  func text() throws {
    let digest = SHA256.hash(Array("abc".utf8))
    #expect(SHA256Digest(digest.description) == digest)
    #expect(digest.bytes.count == 32)
    #expect(digest.bytes.starts(with: [0xBA, 0x78, 0x16, 0xBF]))
    let text = Array(digest.description.utf8)
    for index in text.indices {
      for byte in UInt8.min ... .max {
        var changed = text
        changed[index] = byte
        let read = changed.withUnsafeBufferPointer { SHA256Digest(utf8: $0) }
        let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        #expect((read != nil) == isDigit, "byte \(byte) at \(index)")
        #expect((read == digest) == (byte == text[index]))
      }
    }
    for bad in ["", String(digest.description.dropLast()), digest.description + "0"] {
      #expect(SHA256Digest(bad) == nil)
    }
  }

  @Test("The processor's instructions and the plain rounds agree, for any number of blocks")
  func instructions() {
    guard SHA256Instructions.isSupported else { return }
    for blocks in 0..<20 {
      let text = (0..<blocks * 64).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 3 &* blocks) }
      var (plain, fast) = (SHA256.State(), SHA256.State())
      text.withUnsafeBytes { text in
        guard let source = text.baseAddress else { return }
        fast.update(source, blocks: blocks)
        SHA256.constants.withUnsafeBufferPointer { constants in
          if let constants = constants.baseAddress { plain.updateByWords(source, blocks, constants) }
        }
      }
      #expect(plain.digest == fast.digest, "\(blocks) blocks")
    }
  }
}
