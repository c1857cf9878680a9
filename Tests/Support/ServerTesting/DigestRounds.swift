import DaybookServer
import FileStore
import Foundation

/// What a history does to the digests of its folder.
package enum DigestRounds {
  /// Folds the journals into segments with their digests, as a service does in time.
  package static func checkpoint(_ folder: String) {
    guard let store = try? FileStore.open(ServiceOptions(dataFolder: folder).folderConfiguration) else { return }
    try? store.checkpoint()
    store.close()
  }

  /// How many files of digests there are.
  package static func count(_ folder: String) -> Int { files(folder).count }

  /// Removes them all.
  package static func drop(_ folder: String) {
    for file in files(folder) { try? FileManager.default.removeItem(atPath: file) }
  }

  private static func files(_ folder: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0.hasPrefix("segments/digest-") && $0.hasSuffix(".jsonl") }.map { folder + "/" + $0 }
  }
}
