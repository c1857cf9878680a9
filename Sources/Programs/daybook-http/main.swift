// daybook-http: carries one HTTP request for `daybook`, which starts it when there is something to send and ends it with itself.
//
// Standard input has a line of JSON and the bytes of a body (`CarriedRequest`), standard output gets the same (`CarriedAnswer`). When
// standard input ends before the answer is there, nobody waits for it any more.
import Dispatch
import HTTPCarriage
import Platform

Signals.ignoreBrokenPipes()
switch Intake.read() {
case .request(let request):
  Intake.watchForTheEnd()
  LastWords.prepare()
  Exchange(request).begin()
  dispatchMain()
case .nothing: Processes.end(0)
case .unusable(let reason): Outlet.finish(.failure(CarriedFailure(.badRequest, reason)))
}
