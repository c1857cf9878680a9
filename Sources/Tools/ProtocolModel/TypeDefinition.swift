/// A named type of a domain.
package struct TypeDefinition: Sendable {
  package enum Kind: Sendable {
    case structure([Member])
    case enumeration([EnumerationValue])
  }

  package struct EnumerationValue: Sendable {
    package var name: String
    package var doc: String
    /// The service without which there is no such value; nil for a value that is always there.
    package var service: String?
    /// Whether a feature needs no premium.
    package var isFree = false
  }

  package var name: String
  package var doc: String
  package var kind: Kind
  /// Whether an enumeration may gain values.
  package var isOpen = false
  /// Whether an enumeration also has a value for each collection.
  package var listsCollections = false
  /// Whether an enumeration also has a value for each day measure.
  package var listsMeasures = false
  /// Whether an enumeration also has a value for each kind of entry.
  package var listsEntries = false
  /// Whether decoders of a struct skip unknown members.
  package var isLenient = false
  /// Whether an entity is also its stored form.
  package var isStored = false
  /// The collection of an entity.
  package var collection: Collection?
  /// Whether these are the params of a message, which may have the common members.
  package var isParams = false
  /// The file and the JSON Pointer of its definition.
  package var place: String

  /// The members of a struct; none for an enumeration.
  package var members: [Member] {
    if case .structure(let members) = kind { members } else { [] }
  }

  package init(name: String, doc: String, members: [Member], place: String) {
    self.name = name
    self.place = place
    self.doc = doc
    kind = .structure(members)
  }

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object([
      "name", "kind", "doc", "members", "values", "open", "lenient", "stored", "since", "collection", "collections",
      "measures", "entries",
    ])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
    isOpen = try node.bool("open")
    listsCollections = try node.bool("collections")
    listsMeasures = try node.bool("measures")
    listsEntries = try node.bool("entries")
    isLenient = try node.bool("lenient")
    isStored = try node.bool("stored")
    switch try node.string("kind") {
    case "struct":
      if let child = node.child("collection") { collection = try Collection(child) }
      var members = try TypeDefinition.members(node.elements("members"))
      // White space is trimmed from input, not from stored values.
      if collection != nil { for index in members.indices { members[index].isTrimmed = false } }
      kind = .structure(members)
    case "enum":
      var values: [EnumerationValue] = []
      for value in try node.elements("values") {
        _ = try value.object(["name", "doc", "since", "service", "free"])
        let name = try value.string("name")
        guard !values.contains(where: { $0.name == name }) else { throw value.fail("“\(name)” is there twice") }
        values.append(
          EnumerationValue(
            name: name, doc: try value.string("doc"), service: try value.optionalString("service"),
            isFree: try value.bool("free")))
      }
      guard !values.isEmpty || listsCollections || listsMeasures || listsEntries else {
        throw node.fail("there is no value")
      }
      kind = .enumeration(values)
    default: throw node.fail("kind is “struct” or “enum”")
    }
  }

  static func members(_ nodes: [SourceNode]) throws(SpecificationError) -> [Member] {
    var members: [Member] = []
    for node in nodes {
      // The codecs count members in the bits of a word.
      guard members.count < 60 else { throw node.fail("more than 60 members") }
      let member = try Member(node)
      guard !members.contains(where: { $0.name == member.name }) else {
        throw node.fail("“\(member.name)” is there twice")
      }
      members.append(member)
    }
    return members
  }
}
