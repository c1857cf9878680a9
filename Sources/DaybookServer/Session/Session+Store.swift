import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Platform
import Values

extension Session {
  /// The store, opened if it is not yet. A folder that cannot be used now is tried again next time.
  func openStore() throws(RPCError) -> FileStore {
    if let store { return store }
    let configuration = FileStore.Configuration(
      folder: options.dataFolder, newID: options.newID, now: options.now,
      onDurable: { [gate] in gate.open(upTo: $0) },
      onCommitFailure: { [weak self] error in
        // Off the commit thread: the session decides what becomes of the requests.
        Task { await self?.commitFailed(error) }
      })
    do throws(StoreError) {
      let opened = try FileStore.open(configuration)
      store = opened
      latestRevision = opened.revision
      revisionAtOpening = opened.revision
      gate.begin(at: opened.revision)
      if opened.recoveryReport.isLossPossible {
        let message = "the data folder is damaged, and changes may be lost; everything readable is kept"
        log.error(message)
        tell(.error, message)
      }
      for finding in opened.recoveryReport.findings {
        log.warning("\(finding.file), byte \(finding.offset): \(finding.kind.rawValue): \(finding.reason)")
      }
      return opened
    } catch {
      throw RPCError(error)
    }
  }

  /// Lets go of a store that was opened when there was nothing in its folder, once another process has founded one there:
  /// opening took no lock then, and shows none of the other's changes.
  func dropIfFoundedElsewhere() {
    // The lock file comes first, and looking for it costs little.
    guard let opened = store, opened.revision == 0, Files.exists(options.dataFolder + "/lock"), gate.isEmpty,
      FileStore.journalSize(of: options.dataFolder) ?? 0 > 0
    else { return }
    opened.close()
    store = nil
    forget()
  }

  /// Makes changes and returns the revision they have, or the present one when there are none. In memory they are made
  /// at once; the answer waits for the disk.
  func commit(
    _ operations: [Operation], undoing undone: Int? = nil, _ call: inout Call
  ) throws(RPCError) -> Int {
    let store = try openStore()
    guard !operations.isEmpty else { return store.revision }
    let before = store.revision
    let revision: Int
    do throws(StoreError) {
      revision = try store.commit(
        Transaction(
          id: options.newID(), at: now(), author: author, label: "\(call.method.name)", undoes: undone,
          operations: operations))
    } catch {
      throw RPCError(error)
    }
    // The store takes a repeated id for a repeated request, which this is not.
    guard revision > before else { throw defect("the id of a new transaction was used before") }
    latestRevision = revision
    call.revision = revision
    forget()
    return revision
  }

  /// Drops what was remembered of what may have changed.
  private func forget() {
    settingsCache = nil
    summaries = [:]
  }

  /// Changes could not be made durable: takes them back, and answers again what was built on them.
  func commitFailed(_ error: StoreError) {
    store?.rollBack()
    forget()
    latestRevision = store?.revision ?? 0
    gate.begin(at: latestRevision)
    log.error("a change could not be stored: \(error)")
    tell(.error, "a change could not be stored: \(error.message)")
    refusal = RPCError(error)
    defer { refusal = nil }
    for reply in gate.takeBack() {
      if reply.isRepeatable {
        reply.message.withUnsafeBytes { receive($0) }
      } else {
        reply.frames.withUnsafeBytes { channel.send($0) }
      }
      flush()
    }
  }

  /// A body as it is to be stored: the entity, and whatever members of a later version the record had.
  func storedBody(_ entity: some JSONEncodable, names: [String], keeping old: Record?) -> [UInt8] {
    let body = entity.json
    guard let old, case .object(let before)? = old.body.withUnsafeBytes({ try? JSONValue(json: $0) }),
      before.members.contains(where: { !names.contains($0.name) }),
      case .object(var merged)? = try? JSONValue(json: body)
    else { return body }
    for member in before.members where !names.contains(member.name) { merged[member.name] = member.value }
    return JSONValue.object(merged).json
  }

  /// The entity a record holds. Members and values of a later version are passed over.
  nonisolated func decode<Entity: JSONDecodable>(_ type: Entity.Type, _ record: Record) throws(RPCError) -> Entity {
    do throws(JSONError) {
      return try record.body.withUnsafeBytes { text throws(JSONError) in
        try JSONReader.read(text) { reader throws(JSONError) in
          reader.refusesUnknownMembers = false
          reader.acceptsUnknownValues = true
          return try Entity(from: &reader)
        }
      }
    } catch {
      throw RPCError(
        .storeUnavailable, "the record \(record.id) cannot be read",
        hint: "its text is in the data folder's journal; a copy of the folder may have it whole")
    }
  }
}

extension RPCError {
  /// What a failure of the store is to a client.
  init(_ error: StoreError) {
    let name: ErrorName
    var hint: String?
    switch error.code {
    case .storeInUse:
      name = .storeInUse
      hint = "end the other process, or use another folder with --data"
    case .storeReadOnly:
      name = .storeReadOnly
      hint = "reading goes on; check the folder's permissions and the disk"
    case .diskFull:
      name = .diskFull
      hint = "make room and send the request again"
    case .revisionTooOld:
      name = .revisionTooOld
      hint = "read everything again, and go on from the revision that came with it"
    case .rollBackPending where error.details["cause"] == StoreError.Code.diskFull.rawValue: name = .diskFull
    case .rollBackPending where error.details["cause"] == StoreError.Code.storeReadOnly.rawValue: name = .storeReadOnly
    default:
      name = .storeUnavailable
      hint = error.path.map { "look at \($0), or use another folder with --data" }
    }
    let cause = error.systemText.map { " (\($0))" } ?? ""
    self.init(
      name, error.message + cause, pointer: name == .revisionTooOld ? "/revision" : nil, hint: hint,
      holder: error.details["holder"])
  }
}
