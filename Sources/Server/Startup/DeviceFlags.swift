/// What this device remembers of a folder, beside what the store says: `flags.json`.
struct DeviceFlags {
  var flags = Flags()
  /// Whether some of it is not on disk, and what of it was when it last could be written.
  var hasUnsaved = false
  var written = Flags()
  /// Whether there was a file for it when it was last read or written.
  var hasFile = false
}
