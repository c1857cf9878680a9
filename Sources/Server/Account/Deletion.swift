/// A deletion of everything that this client prepares, or that is under way for it.
struct Deletion {
  /// The token of a deletion that may be made now.
  var token: DeletionToken?
  /// While everything is deleted for this client: how often the folder had been exchanged before, as far as it was told.
  var since: Int?
}
