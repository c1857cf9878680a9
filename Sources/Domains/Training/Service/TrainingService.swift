import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

/// Answers what is asked of exercises, plans, the running workout and finished ones, and remembers what that takes.
/// Dropping any of what it remembers changes no answer.
package final class TrainingService {
  var libraryMemory = Followed<TrainingLibrary>()
  var searchMemory = Followed<LibrarySearch>()
  var sessionMemory = SessionMemory()

  package init() {}
}
