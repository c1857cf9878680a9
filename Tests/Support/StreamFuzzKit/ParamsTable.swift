import DaybookClientCodecs
import DaybookProtocol

/// Decodes params by the type of their method, as the dispatch of a session does.
enum ParamsTable {
  /// Decodes and encodes; `isStable` is false unless the output decodes as equal.
  static func decode(_ method: Method, _ text: UnsafeRawBufferPointer, strict: Bool) throws(JSONError) -> Bool {
    switch method {
    case .initialize: try check(InitializeParams.self, text, strict)
    case .cancelRequest: try check(CancelRequestParams.self, text, strict)
    case .setTrace: try check(SetTraceParams.self, text, strict)
    case .progress: try check(ProgressParams.self, text, strict)
    case .sessionSelectDay: try check(SessionSelectDayParams.self, text, strict)
    case .changesSince: try check(ChangesSinceParams.self, text, strict)
    case .changesUndo: try check(ChangesUndoParams.self, text, strict)
    case .eventsSubscribe: try check(EventsSubscribeParams.self, text, strict)
    case .settingsUpdate: try check(SettingsUpdateParams.self, text, strict)
    case .mealsAdd: try check(MealsAddParams.self, text, strict)
    case .mealsUpdate: try check(MealsUpdateParams.self, text, strict)
    case .mealsDelete: try check(MealsDeleteParams.self, text, strict)
    case .mealsGet: try check(MealsGetParams.self, text, strict)
    case .mealsList: try check(MealsListParams.self, text, strict)
    case .mealsCopy: try check(MealsCopyParams.self, text, strict)
    case .mealsQuickAdd: try check(MealsQuickAddParams.self, text, strict)
    case .mealsCopyDays: try check(MealsCopyDaysParams.self, text, strict)
    case .daysGet: try check(DaysGetParams.self, text, strict)
    case .energyEstimate: try check(EnergyEstimateParams.self, text, strict)
    case .foodsSearch: try check(FoodsSearchParams.self, text, strict)
    case .foodsRecents: try check(FoodsRecentsParams.self, text, strict)
    case .foodsFrequent: try check(FoodsFrequentParams.self, text, strict)
    case .foodsSetFavourite: try check(FoodsSetFavouriteParams.self, text, strict)
    case .foodsFavourites: try check(FoodsFavouritesParams.self, text, strict)
    case .recipesAdd: try check(RecipesAddParams.self, text, strict)
    case .recipesFromMeals: try check(RecipesFromMealsParams.self, text, strict)
    case .recipesUpdate: try check(RecipesUpdateParams.self, text, strict)
    case .recipesDelete: try check(RecipesDeleteParams.self, text, strict)
    case .recipesGet: try check(RecipesGetParams.self, text, strict)
    case .recipesList: try check(RecipesListParams.self, text, strict)
    case .recipesLog: try check(RecipesLogParams.self, text, strict)
    case .weightsAdd: try check(WeightsAddParams.self, text, strict)
    case .weightsUpdate: try check(WeightsUpdateParams.self, text, strict)
    case .weightsDelete: try check(WeightsDeleteParams.self, text, strict)
    case .weightsGet: try check(WeightsGetParams.self, text, strict)
    case .weightsList: try check(WeightsListParams.self, text, strict)
    case .weightsTrend: try check(WeightsTrendParams.self, text, strict)
    case .weightsProgress: try check(WeightsProgressParams.self, text, strict)
    case .weightsSeries: try check(WeightsSeriesParams.self, text, strict)
    case .exercisesAdd: try check(ExercisesAddParams.self, text, strict)
    case .exercisesUpdate: try check(ExercisesUpdateParams.self, text, strict)
    case .exercisesDelete: try check(ExercisesDeleteParams.self, text, strict)
    case .exercisesGet: try check(ExercisesGetParams.self, text, strict)
    case .exercisesList: try check(ExercisesListParams.self, text, strict)
    case .waterAdd: try check(WaterAddParams.self, text, strict)
    case .waterUpdate: try check(WaterUpdateParams.self, text, strict)
    case .waterDelete: try check(WaterDeleteParams.self, text, strict)
    case .waterGet: try check(WaterGetParams.self, text, strict)
    case .waterList: try check(WaterListParams.self, text, strict)
    case .measurementsAdd: try check(MeasurementsAddParams.self, text, strict)
    case .measurementsUpdate: try check(MeasurementsUpdateParams.self, text, strict)
    case .measurementsDelete: try check(MeasurementsDeleteParams.self, text, strict)
    case .measurementsGet: try check(MeasurementsGetParams.self, text, strict)
    case .measurementsList: try check(MeasurementsListParams.self, text, strict)
    case .energyExpenditure: try check(EnergyExpenditureParams.self, text, strict)
    case .energySeries: try check(EnergySeriesParams.self, text, strict)
    case .energyAcceptProposal: try check(EnergyAcceptProposalParams.self, text, strict)
    default: try check(NoParams.self, text, strict)
    }
  }

  private static func check<Params: JSONDecodable & JSONEncodable>(
    _ type: Params.Type, _ text: UnsafeRawBufferPointer, _ strict: Bool
  ) throws(JSONError) -> Bool {
    let written = try Params(json: text, strict: strict).json
    return (try? Params(json: written).json) == written
  }
}
