import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC
import Values

extension TrainingService {
  /// A measure of training on some days, ascending.
  func values(
    of measure: TrainingMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] { [] }

  /// What is scheduled and was done on some days, ascending.
  func trainingNumbersAgenda(
    of days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [AgendaItem] { [] }
}
