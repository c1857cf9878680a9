import JSON

extension Play {
  /// The next message that no earlier `<<?` takes; nil at the end of the output.
  func next(_ what: String) throws(PlayFailure) -> JSONValue? {
    latest = nil
    while let message = try take(what) {
      latest = message
      if !isAllowed(message) { return message }
    }
    allowed = []
    return nil
  }

  /// Looks at the next message for the sake of `<<?` alone, and leaves it if it is another.
  func settle() throws(PlayFailure) {
    while !allowed.isEmpty, held == nil, let message = try take("a message that “<<?” may take") {
      latest = message
      if !isAllowed(message) { held = message }
    }
    allowed = []
  }

  /// Whether a `<<?` that is still open takes the message. Those it passes by are closed.
  private func isAllowed(_ message: JSONValue) -> Bool {
    while let pattern = allowed.first {
      allowed.removeFirst()
      do throws(Mismatch) {
        bindings = try matcher.match(message, pattern, bindings)
        return true
      } catch { continue }
    }
    return false
  }

  /// The next message, checked for being lawful.
  private func take(_ what: String) throws(PlayFailure) -> JSONValue? {
    if let message = held {
      held = nil
      return message
    }
    while true {
      let message: JSONValue
      do throws(WireError) {
        guard let bytes = try service.next(what) else { return nil }
        message = try Incoming.value(bytes)
      } catch { throw PlayFailure(error) }
      do throws(Mismatch) { try conversation.receive(message) } catch {
        throw PlayFailure("not lawful in any case: \(error)", found: message)
      }
      guard case .object(let object) = message, case .string(let method)? = object["method"] else { return message }
      if forbidden.contains(method) { throw PlayFailure("“\(method)” may not arrive any more", found: message) }
      if !conversation.schema.isPassedOver(method) || named.contains(method) { return message }
    }
  }

  /// Compares a message, or its absence, with what is expected.
  func match(_ message: JSONValue?, _ pattern: Pattern) throws(PlayFailure) {
    guard let message else { throw PlayFailure("expected a message, found the end of its output") }
    do throws(Mismatch) { bindings = try matcher.match(message, pattern, bindings) } catch {
      throw PlayFailure("\(error)", found: message)
    }
  }

  /// Takes as many messages as there are patterns, and finds each its own.
  func matchAnyOrder(_ patterns: [Pattern], _ text: String) throws(PlayFailure) {
    var messages: [JSONValue] = []
    for _ in patterns {
      guard let message = try next(text) else {
        let reason = "expected \(patterns.count) messages, found the end of its output after \(messages.count)"
        throw PlayFailure(reason, found: .array(messages))
      }
      messages.append(message)
    }
    var assignment = Assignment(matcher: matcher)
    do throws(Mismatch) { bindings = try assignment.match(messages, patterns, bindings) } catch {
      throw PlayFailure("\(error)", found: .array(messages))
    }
  }

  /// Passes over messages until one matches, which is remembered as the latest.
  func pass(_ pattern: Pattern, _ text: String) throws(PlayFailure) {
    var passed = 0
    var last: (message: JSONValue, difference: Mismatch)?
    while let message = try next(text) {
      do throws(Mismatch) {
        bindings = try matcher.match(message, pattern, bindings)
        return
      } catch { last = (message, error) }
      passed += 1
      guard passed < 1_000_000 else { break }
    }
    let nearest = last.map { "; the last passed over differs \($0.difference)" } ?? ""
    throw PlayFailure("it never came, in \(passed) messages\(nearest)", found: last?.message)
  }
}
