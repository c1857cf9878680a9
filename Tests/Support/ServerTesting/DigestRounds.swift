import DaybookServer
import FileStore
import Foundation

/// Operations of a history on a folder's digests.
package enum DigestRounds {
  /// Checkpoints the journals into segments with digests, as a service does eventually.
  package static func checkpoint(_ folder: String) {
    guard let store = try? FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration) else { return }
    try? store.checkpoint()
    store.close()
  }

  /// The number of digest files.
  package static func count(_ folder: String) -> Int { files(folder).count }

  /// Removes all digest files.
  package static func drop(_ folder: String) {
    for file in files(folder) { try? FileManager.default.removeItem(atPath: file) }
  }

  private static func files(_ folder: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0.hasPrefix("segments/digest-") && $0.hasSuffix(".jsonl") }.map { folder + "/" + $0 }
  }
}
