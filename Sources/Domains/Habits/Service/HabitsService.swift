import CivilTime
import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Habits

/// Answers what is asked of habits, their logs, cards, numbers and places, and remembers what that takes.
/// Dropping any of what it remembers changes no answer.
package final class HabitsService {
  package init() {}
}
