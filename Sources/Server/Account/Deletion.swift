/// A deletion of everything that this client has prepared, or that is running for it.
struct Deletion {
  /// The token that confirms the deletion.
  var token: DeletionToken?
  /// While the deletion runs: how often the folder had been replaced before, as last announced.
  var since: Int?
}
