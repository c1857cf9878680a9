import CivilTime
import DaybookProtocol
import DomainKit
import JSONRPC

extension HabitsService {
  func habitsAdd(_ params: HabitsAddParams, _ context: inout Context) throws(RPCError) -> HabitsAddResult { throw RPCError(.internalError, "not yet") }
  func habitsUpdate(_ params: HabitsUpdateParams, _ context: inout Context) throws(RPCError) -> HabitsUpdateResult { throw RPCError(.internalError, "not yet") }
  func habitsDelete(_ params: HabitsDeleteParams, _ context: inout Context) throws(RPCError) -> HabitsDeleteResult { throw RPCError(.internalError, "not yet") }
  func habitsList(_ params: HabitsListParams, _ context: inout Context) throws(RPCError) -> HabitsListResult { throw RPCError(.internalError, "not yet") }
  func habitsArchive(_ params: HabitsArchiveParams, _ context: inout Context) throws(RPCError) -> HabitsArchiveResult { throw RPCError(.internalError, "not yet") }
  func habitsRestore(_ params: HabitsRestoreParams, _ context: inout Context) throws(RPCError) -> HabitsRestoreResult { throw RPCError(.internalError, "not yet") }
  func habitsPause(_ params: HabitsPauseParams, _ context: inout Context) throws(RPCError) -> HabitsPauseResult { throw RPCError(.internalError, "not yet") }
  func habitsResume(_ params: HabitsResumeParams, _ context: inout Context) throws(RPCError) -> HabitsResumeResult { throw RPCError(.internalError, "not yet") }
  func habitsReorder(_ params: HabitsReorderParams, _ context: inout Context) throws(RPCError) -> HabitsReorderResult { throw RPCError(.internalError, "not yet") }
  func habitsDuplicate(_ params: HabitsDuplicateParams, _ context: inout Context) throws(RPCError) -> HabitsDuplicateResult { throw RPCError(.internalError, "not yet") }
  func habitsAddSuggested(_ params: HabitsAddSuggestedParams, _ context: inout Context) throws(RPCError) -> HabitsAddSuggestedResult { throw RPCError(.internalError, "not yet") }
  func habitSuggestionsList(_ params: HabitSuggestionsListParams, _ context: inout Context) throws(RPCError) -> HabitSuggestionsListResult { throw RPCError(.internalError, "not yet") }
  func habitCategoriesAdd(_ params: HabitCategoriesAddParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesAddResult { throw RPCError(.internalError, "not yet") }
  func habitCategoriesUpdate(_ params: HabitCategoriesUpdateParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesUpdateResult { throw RPCError(.internalError, "not yet") }
  func habitCategoriesDelete(_ params: HabitCategoriesDeleteParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesDeleteResult { throw RPCError(.internalError, "not yet") }
  func habitCategoriesGet(_ params: HabitCategoriesGetParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesGetResult { throw RPCError(.internalError, "not yet") }
  func habitCategoriesList(_ params: NoParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesListResult { throw RPCError(.internalError, "not yet") }
  func habitLogsAdd(_ params: HabitLogsAddParams, _ context: inout Context) throws(RPCError) -> HabitLogsAddResult { throw RPCError(.internalError, "not yet") }
  func habitLogsUpdate(_ params: HabitLogsUpdateParams, _ context: inout Context) throws(RPCError) -> HabitLogsUpdateResult { throw RPCError(.internalError, "not yet") }
  func habitLogsList(_ params: HabitLogsListParams, _ context: inout Context) throws(RPCError) -> HabitLogsListResult { throw RPCError(.internalError, "not yet") }
  func habitLogsSetValue(_ params: HabitLogsSetValueParams, _ context: inout Context) throws(RPCError) -> HabitLogsSetValueResult { throw RPCError(.internalError, "not yet") }
  func habitLogsIncrement(_ params: HabitLogsIncrementParams, _ context: inout Context) throws(RPCError) -> HabitLogsIncrementResult { throw RPCError(.internalError, "not yet") }
  func habitLogsComplete(_ params: HabitLogsCompleteParams, _ context: inout Context) throws(RPCError) -> HabitLogsCompleteResult { throw RPCError(.internalError, "not yet") }
  func habitLogsSkip(_ params: HabitLogsSkipParams, _ context: inout Context) throws(RPCError) -> HabitLogsSkipResult { throw RPCError(.internalError, "not yet") }
  func habitLogsSetNote(_ params: HabitLogsSetNoteParams, _ context: inout Context) throws(RPCError) -> HabitLogsSetNoteResult { throw RPCError(.internalError, "not yet") }
  func habitLogsSetMany(_ params: HabitLogsSetManyParams, _ context: inout Context) throws(RPCError) -> HabitLogsSetManyResult { throw RPCError(.internalError, "not yet") }
  func cardsOpen(_ params: CardsOpenParams, _ context: inout Context) throws(RPCError) -> CardsOpenResult { throw RPCError(.internalError, "not yet") }
  func cardsGet(_ params: CardsGetParams, _ context: inout Context) throws(RPCError) -> CardsGetResult { throw RPCError(.internalError, "not yet") }
  func cardsShift(_ params: CardsShiftParams, _ context: inout Context) throws(RPCError) -> CardsShiftResult { throw RPCError(.internalError, "not yet") }
  func cardsSeek(_ params: CardsSeekParams, _ context: inout Context) throws(RPCError) -> CardsSeekResult { throw RPCError(.internalError, "not yet") }
  func cardsClose(_ params: CardsCloseParams, _ context: inout Context) throws(RPCError) -> CardsCloseResult { throw RPCError(.internalError, "not yet") }
  func cardsCheck(_ params: CardsCheckParams, _ context: inout Context) throws(RPCError) -> CardsCheckResult { throw RPCError(.internalError, "not yet") }
  func dashboardGet(_ params: DashboardGetParams, _ context: inout Context) throws(RPCError) -> DashboardGetResult { throw RPCError(.internalError, "not yet") }
  func dashboardUpdate(_ params: DashboardUpdateParams, _ context: inout Context) throws(RPCError) -> DashboardUpdateResult { throw RPCError(.internalError, "not yet") }
  func habitsStats(_ params: HabitsStatsParams, _ context: inout Context) throws(RPCError) -> HabitsStatsResult { throw RPCError(.internalError, "not yet") }
  func habitsStreaks(_ params: HabitsStreaksParams, _ context: inout Context) throws(RPCError) -> HabitsStreaksResult { throw RPCError(.internalError, "not yet") }
  func habitsSeries(_ params: HabitsSeriesParams, _ context: inout Context) throws(RPCError) -> HabitsSeriesResult { throw RPCError(.internalError, "not yet") }
  func habitsHeatMap(_ params: HabitsHeatMapParams, _ context: inout Context) throws(RPCError) -> HabitsHeatMapResult { throw RPCError(.internalError, "not yet") }
  func habitsOverview(_ params: HabitsOverviewParams, _ context: inout Context) throws(RPCError) -> HabitsOverviewResult { throw RPCError(.internalError, "not yet") }
  func personalityGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> PersonalityGetResult { throw RPCError(.internalError, "not yet") }
  func personalityConfigure(_ params: PersonalityConfigureParams, _ context: inout Context) throws(RPCError) -> PersonalityConfigureResult { throw RPCError(.internalError, "not yet") }
  func personalityDelete(_ params: NoParams, _ context: inout Context) throws(RPCError) -> PersonalityDeleteResult { throw RPCError(.internalError, "not yet") }
  func placesPlan(_ params: PlacesPlanParams, _ context: inout Context) throws(RPCError) -> PlacesPlanResult { throw RPCError(.internalError, "not yet") }
  func deviceLocationEvent(_ params: DeviceLocationEventParams, _ context: inout Context) throws(RPCError) -> DeviceLocationEventResult { throw RPCError(.internalError, "not yet") }
}

extension HabitsService {
  func values(of measure: HabitsMeasure, in days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [DayValue] { [] }
  func habitsAgenda(of days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [AgendaItem] { [] }
}
