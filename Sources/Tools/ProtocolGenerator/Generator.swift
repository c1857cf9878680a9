import JSON
import ProtocolModel

/// Generates all files from the protocol.
package struct Generator {
  let specification: Specification

  /// Reads the protocol; `files` maps paths below `Protocol/` to their bytes.
  package init(files: [String: [UInt8]]) throws(SpecificationError) { specification = try Specification(files: files) }

  /// All generated files: path below the package, and text.
  package func files() -> [String: String] {
    var files: [String: String] = [:]
    let types = "Sources/Wire/DaybookProtocol/Generated"
    let others = "Clients/Swift/Sources/DaybookClientCodecs/Generated"
    let server = "Sources/Server/Generated"
    let swiftTypes = SwiftTypes(specification: specification)
    for domain in specification.domains {
      let name = Names.type(domain.name)
      if !specification.allTypes(of: domain).isEmpty {
        files["\(types)/\(name)Types.swift"] = swiftFile(["CivilTime", "JSON", "Values"], domain) {
          swiftTypes.emit(domain, into: &$0)
        }
        var isAny = false
        let codecs = swiftFile(["CivilTime", "DaybookProtocol", "JSON", "Values"], domain) {
          isAny = swiftTypes.emitOthers(domain, into: &$0)
        }
        if isAny { files["\(others)/\(name)Codecs.swift"] = codecs }
      }
      let collections = SwiftCollections(specification: specification)
      if collections.hasPatches(domain) {
        files["\(types)/\(name)Types+Patches.swift"] = swiftFile(["CivilTime", "Values"], domain) {
          collections.emitPatches(domain, into: &$0)
        }
      }
      guard SwiftHandlers(specification: specification).hasProtocol(domain) else { continue }
      files["\(server)/\(name)Handlers.swift"] = swiftFile(["DaybookProtocol", "DomainKit", "JSON", "JSONRPC"], domain)
      {
        SwiftHandlers(specification: specification).emitProtocol(domain, into: &$0)
      }
    }
    if specification.domains.contains(where: { $0.types.contains { $0.collection != nil } }) {
      let collections = SwiftCollections(specification: specification)
      files["Sources/Wire/CollectionTables/Generated/Collections.swift"] = swiftFile(["DaybookProtocol"]) {
        collections.emitTable(into: &$0)
        collections.emitMerging(into: &$0)
      }
      files["Sources/Domains/Kit/Generated/CollectionEntities.swift"] = swiftFile([
        "CivilTime", "DaybookProtocol", "FileStore", "Values",
      ]) { collections.emitEntities(into: &$0) }
      files["\(server)/StoredEntities.swift"] = swiftFile(["DaybookProtocol", "DomainKit"]) {
        SwiftHandlers(specification: specification).emitEntities(into: &$0)
      }
    }
    let offers = SwiftDayMeasureRegistry(specification: specification)
    if offers.isAny {
      files["Sources/Domains/Kit/Generated/DayMeasures.swift"] = swiftFile(["DaybookProtocol"]) {
        offers.emit(into: &$0)
      }
    }
    let services = SwiftAnswerers(specification: specification, kind: .service)
    for service in services.names {
      let imports =
        (offers.isOffered(by: service) ? ["CivilTime"] : []) + ["DaybookProtocol", "DomainKit"]
        + (offers.readsEntries(service) ? ["EntryWords"] : []) + ["JSON", "JSONRPC"]
      files["Sources/Domains/\(service)/Service/Generated/\(service)Handlers.swift"] = swiftFile(imports) {
        services.emit(service, into: &$0)
        offers.emit(service, into: &$0)
      }
    }
    let rooms = SwiftAnswerers(specification: specification, kind: .room)
    for room in rooms.names {
      files["\(server)/\(room)RoomHandlers.swift"] = swiftFile(["DaybookProtocol", "DomainKit", "JSON", "JSONRPC"]) {
        rooms.emit(room, into: &$0)
      }
    }
    files["\(types)/Method.swift"] = swiftFile([]) { SwiftMethods(specification: specification).emit(into: &$0) }
    files["\(types)/Method+Ordering.swift"] = swiftFile([]) {
      SwiftMethods(specification: specification).emitOrdering(into: &$0)
    }
    files["\(types)/RequestTimeout.swift"] = swiftFile([]) {
      SwiftMethods(specification: specification).emitTimeouts(into: &$0)
    }
    files["\(types)/ErrorName.swift"] = swiftFile([]) { SwiftErrors(specification: specification).emit(into: &$0) }
    files["\(types)/OpenRPCDocument.swift"] = swiftFile([]) {
      SwiftOpenRPC(specification: specification).emit(into: &$0)
    }
    if let products = specification.products {
      files["\(types)/ProductsDocument.swift"] = swiftFile([]) { SwiftProducts(products: products).emit(into: &$0) }
    }
    let serviceModules = services.names.map { "\($0)Service" }
    files["\(server)/Services.swift"] = swiftFile(["DomainKit"] + serviceModules) {
      SwiftHandlers(specification: specification).emitServices(into: &$0)
    }
    files["\(server)/Dispatch.swift"] = swiftFile(["DaybookProtocol", "DomainKit", "JSON", "JSONRPC"] + serviceModules)
    {
      SwiftHandlers(specification: specification).emitDispatch(into: &$0)
    }
    files["\(others)/WireTypes.swift"] = swiftFile(["DaybookProtocol", "JSON"]) {
      SwiftWireTypes(specification: specification).emit(into: &$0)
    }
    let document = OpenRPC(specification: specification).document
    files["Protocol/generated/openrpc.json"] = document.indented(width: 100) + "\n"
    for (name, text) in Reference(specification: specification).pages {
      files["Protocol/generated/reference/\(name).md"] = text
    }
    return files
  }

  /// The folders that contain only generated files.
  package var folders: [String] {
    let services = SwiftAnswerers(specification: specification, kind: .service).names
    return services.map { "Sources/Domains/\($0)/Service/Generated" } + [
      "Sources/Wire/DaybookProtocol/Generated", "Sources/Wire/CollectionTables/Generated",
      "Clients/Swift/Sources/DaybookClientCodecs/Generated",
      "Sources/Domains/Kit/Generated", "Sources/Server/Generated", "Protocol/generated",
    ]
  }

  private func swiftFile(
    _ imports: [String], _ domain: Domain? = nil, _ body: (inout TextBuilder) -> Void
  ) -> String {
    var text = TextBuilder()
    text.line("// Generated by protocol-gen from Protocol/. Do not edit.")
    text.line("// swift-format-ignore-file")
    text.line()
    for module in imports { text.line("import \(module)") }
    if !imports.isEmpty { text.line() }
    if domain?.isDebugOnly == true { text.line("#if DEBUG\n") }
    body(&text)
    if domain?.isDebugOnly == true { text.line("\n#endif") }
    return text.text
  }
}
