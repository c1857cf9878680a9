import FileStore

extension ServiceOptions {
  /// A way to the data folder that has nothing to do with a session's own.
  package var folderConfiguration: FileStore.Configuration {
    var configuration = FileStore.Configuration(
      folder: dataFolder, newID: newID, now: now, onDurable: { _ in }, onCommitFailure: { _ in })
    configuration.digests = { [migrations] in Services.digests(migrations) }
    return configuration
  }

  /// The same, to be read only.
  package var readerConfiguration: FileStore.Configuration {
    var configuration = folderConfiguration
    configuration.isReader = true
    return configuration
  }
}
