/// One line of a transcript.
package struct Step: Sendable {
  /// A signal that a case may send.
  package enum Signal: String, Sendable, CaseIterable {
    case terminate = "TERM"
    case interrupt = "INT"
  }

  /// What a step does.
  package enum Action: Sendable {
    /// `>> JSON`: send it, framed.
    case send(String)
    /// `>>*N JSON`: send it N times, `{{i}}` being the number of the time.
    case sendRepeatedly(String, Int)
    /// `raw "…"` and `repeat N TEXT`: send these bytes so many times.
    case raw([UInt8], Int)
    /// `<< JSON`: the next message must match.
    case expect(Pattern)
    /// `<<~ [JSON, …]`: the next messages match these in some order.
    case expectAnyOrder([Pattern])
    /// `<<? JSON`: the next message may match.
    case allow(Pattern)
    /// `<<! METHOD`: it may not arrive from here on.
    case forbid(String)
    /// `barrier`: silence is proven.
    case barrier
    /// `await JSON`: messages are passed over until one matches.
    case await(Pattern)
    /// `eof`: close standard input.
    case endOfInput
    /// `signal TERM`.
    case signal(Signal)
    /// `exit N`: it ends by itself with this status.
    case exit(Int)
    /// `stderr TEXT`: standard error contains the text.
    case standardError(String)
    /// `exchange`: the data folder is exchanged for what it was when the service was started.
    case exchange
    /// `restart ARGS…`: the service is ended in order, unless it has ended, and started again.
    case restart([String])
    /// `kill`: the service is killed.
    case kill
    /// `put PATH "…"`: a file of the data folder has these bytes.
    case put(String, [UInt8])
    /// `put PATH {…}`: a file of the data folder is a line of this JSON text.
    case putLine(String, String)
    /// `take PATH`: a file of the data folder is removed.
    case take(String)
    /// `zone NAME`: the time zone of the next start.
    case zone(String)
    /// `undrained stdout`: standard output is not read for a while.
    case undrained
  }

  /// Where it stands in its file, counted from 1.
  package let line: Int
  /// Its line as written.
  package let text: String
  /// What it does.
  package let action: Action

  /// A step.
  package init(line: Int, text: String, action: Action) {
    self.line = line
    self.text = text
    self.action = action
  }

  /// Whether it only adds to what is sent, so that the sends around it may go out in one write.
  package var isSend: Bool {
    switch action {
    case .send, .sendRepeatedly, .raw, .undrained, .forbid: true
    default: false
    }
  }

  /// The pattern it holds against one message.
  package var patterns: [Pattern] {
    switch action {
    case .expect(let pattern), .allow(let pattern), .await(let pattern): [pattern]
    case .expectAnyOrder(let patterns): patterns
    default: []
    }
  }

  /// The methods that its expectations name.
  var methods: [String] {
    if case .forbid(let method) = action { [method] } else { patterns.flatMap(\.methods) }
  }

  /// Whether it prepares a start rather than speaks with a service: such steps on top come before the first one.
  var isPreparation: Bool {
    switch action {
    case .put, .putLine, .take, .zone: true
    default: false
    }
  }

  /// Whether it exchanges the data folder.
  var isExchange: Bool {
    if case .exchange = action { true } else { false }
  }
}
