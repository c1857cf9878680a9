// daybook-http: sends one HTTP request for `daybook`, which starts this program on demand and ends it when it ends
// itself.
//
// Standard input carries a line of JSON and the bytes of the body (`HTTPRequest`), standard output likewise
// (`HTTPOutcome`). The end of standard input cancels the request.
import Dispatch
import HTTPCarriage
import Platform

Signals.ignoreBrokenPipes()
switch Intake.read() {
case .request(let request):
  Intake.exitAtEndOfInput()
  LastWords.prepare()
  Exchange(request).begin()
  dispatchMain()
case .nothing: Processes.end(0)
case .unusable(let reason): Outlet.finish(.failure(HTTPFailure(.badRequest, reason)))
}
