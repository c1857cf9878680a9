import Estimation
import JSON
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Estimators behind one protocol")
struct EstimatorSeamTests {
  /// Gives the same estimate for every meal, and counts the calls.
  private struct Fake: MealEstimator {
    let text: String
    let asked = Count()

    func ask(_ question: MealQuestion) async -> Result<EstimatorReply, EstimatorFailure> {
      asked.add()
      return .success(EstimatorReply(text: text, model: "fake"))
    }
  }

  @Test("Every estimator has to be enabled first, and its answer is checked in the same way")
  func fake() throws {
    let folder = try TemporaryFolder()
    let good = Fake(
      text: """
        ```
        {"items": [], "total": {"calories": {"low": 300.6, "high": 420.2}}, "confidence": "high"}
        ```
        Enjoy
        """)
    let service = try #require(InProcessService(folder: folder.data) { $0.estimator = good })
    let refused = service.call("meals/estimate", #"{"description":"soup"}"#)
    #expect(refused.errorName == "estimatorNotConfigured" && good.asked.value == 0)
    _ = service.call("estimator/configure", #"{"enabled":true}"#)
    let result = service.call("meals/estimate", #"{"description":"soup"}"#)["result"]
    #expect(result?["midpoint"]?.integer == 360)
    #expect(result?["estimate"]?["model"]?.string == "fake")
    #expect(service.call("meals/estimate", #"{"description":"soup"}"#)["result"] == result, "the same every time")
    service.close()
    let bad = try #require(InProcessService(folder: folder.data) { $0.estimator = Fake(text: "{}") })
    let error = bad.call("meals/estimate", #"{"description":"soup"}"#)
    #expect(error.errorName == "estimatorAnswerInvalid" && error["error"]?["data"]?["pointer"]?.string == "/items")
    bad.close()
  }
}
