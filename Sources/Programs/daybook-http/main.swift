// daybook-http: sends one HTTP request for `daybook`, which starts this program on demand and ends it when it ends
// itself.
//
// Standard input carries a line of JSON and the bytes of the body (`HTTPRequest`), standard output likewise
// (`HTTPOutcome`). The end of standard input cancels the request.
import Dispatch
import HTTPCarriage
import Platform

Signals.ignoreBrokenPipes()
switch RequestReader.read() {
case .request(let request):
  RequestReader.exitAtEndOfInput()
  FatalMessage.prepare()
  Exchange(request).begin()
  dispatchMain()
case .nothing: Processes.end(0)
case .unusable(let reason): ResponseWriter.finish(.failure(HTTPFailure(.badRequest, reason)))
}
