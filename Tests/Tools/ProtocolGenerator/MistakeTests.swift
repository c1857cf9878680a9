import ProtocolModel
import Testing

/// Mistakes in the protocol's sources are reported with their file and location.
struct MistakeTests {
  private static let toy = "domains/toy.json#"

  private func mistake(_ files: [String: [UInt8]]) -> SpecificationError? {
    do throws(SpecificationError) {
      _ = try Specification(files: files)
      return nil
    } catch {
      return error
    }
  }

  @Test("The toy protocol has no mistake")
  func none() {
    #expect(mistake(ToyProtocol.files()) == nil)
  }

  @Test(
    "A mistake in a domain is told with its place",
    arguments: [
      (#""stored": true"#, #""storde": true"#, "/types/0", "did you mean “stored”?"),
      (#""doc": "Its colour.""#, #""dok": "Its colour.""#, "/types/0/members/2", "“dok”"),
      (#"{"name": "red", "doc""#, #"{"name": "red", "dco""#, "/types/1/values/0", "“dco”"),
      (#""examples": [{"name": "None","#, #""examples": [{"nme": "None","#, "/requests/1/examples/0", "“nme”"),
      (#""type": "Colour""#, #""type": "Color""#, "/types/0/members/2/type", "no type “Color”"),
      (#""type": "array<Toy>""#, #""type": "array<Toi>""#, "/types/3/members/0/type", "no type “Toi”"),
      (#""type": "map<string>""#, #""type": "map<text>""#, "/types/3/members/1/type", "“map<text>” is not a type"),
      (#""type": "map<string>""#, #""type": "set<string>""#, "/types/3/members/1/type", "“set<string>” is not a type"),
      (#""type": "map<string>""#, #""type": "array<null>""#, "/types/3/members/1/type", "“array<null>” is not a type"),
      (#""type": "json""#, #""type": "null""#, "/types/3/members/3/type", "“null” is not a type"),
      (#""result": "int""#, #""result": "Number""#, "/requests/1/result", "no type “Number”"),
      (#""result": "int""#, #""result": "integer""#, "/requests/1/result", "“integer” is not a type"),
      (#""partialItem": "int""#, #""partialItem": "Item""#, "/requests/1/partialItem", "no type “Item”"),
      (#""partialItem": "int""#, #""partialItem": "item""#, "/requests/1/partialItem", "“item” is not a type"),
      (#""errors": ["boxFull"]"#, #""errors": ["boxEmpty"]"#, "/requests/0/errors/0", "no error “boxEmpty”"),
      (#""requires": "sounds""#, #""requires": "voice""#, "/requests/2/requires", "no capability “voice”"),
      (#""name": "lengthMs""#, #""name": "length""#, "/requests/2/params/0", "“length” is a duration"),
      (#""name": "default", "type""#, #""name": "isDefault", "type""#, "/types/0/members/5", "“isDefault” is a bool"),
      (
        #""name": "age", "type": "int", "minimum": 0, "maximum": 18"#, #""name": "box", "type": "id""#,
        "/types/0/members/4", "“box” is the id of something else"
      ),
      (
        #""name": "labels", "type": "map<string>""#, #""name": "ids", "type": "array<id>""#, "/types/3/members/1",
        "“ids” are the ids of something else"
      ),
      (#""name": "to", "type": "string""#, #""name": "id", "type": "id""#, "/requests/3/params/0", "“id” is the id of"),
      (
        #""heavy": true, "cancell"#, #""needs": ["toyBook"], "cancell"#, "/requests/1/needs/0",
        "no projection “toyBook”"
      ),
      (
        #""scope": ["toys"], "requires""#, #""scope": ["toys"], "needs": ["offers"], "requires""#, "/requests/0/needs",
        "only a read"
      ),
      (#""heavy": true, "cancell"#, #""planned": true, "cancell"#, "/requests/1/planned", "only a change"),
      (
        #""types": ["#, #""projections": [{"name": "toyBook", "doc": "All toys."}], "types": ["#, "/projections/0",
        "belongs to a service"
      ),
      (
        #""requests": ["#,
        #""measures": [{"name": "played", "unit": "count", "doc": "Games.", "events": ["toyBroke"]}], "requests": ["#,
        "/measures/0", "no service"
      ),
      (
        #""types": ["#,
        #""service": "Toys", "measures": [{"name": "played", "unit": "count", "doc": "Games.", "events": ["toyBroke"]}], "types": ["#,
        "/measures/0/events/0", "reports no collection"
      ),
      (
        #""types": ["#, #""offers": [{"name": "toyLoans", "doc": "Toys to lend."}], "types": ["#, "/offers/0",
        "no service"
      ),
      (
        #""types": ["#,
        #""service": "Toys", "offers": [{"name": "toyLoans", "doc": "A."}, {"name": "toyLoans", "doc": "B."}], "types": ["#,
        "/offers/1", "toyLoans"
      ),
      (
        #""types": ["#,
        #""service": "Toys", "agenda": {"title": "Toys", "doc": "Games.", "events": ["toyLost"]}, "types": ["#,
        "/agenda/events/0", "no notification “toyLost”"
      ),
      (
        #""types": ["#,
        #""service": "Toys", "agenda": {"title": "Toys", "doc": "Games.", "events": []}, "types": ["#,
        "/agenda/events", "no event"
      ),
      (#""method": "toys/count""#, #""method": "toys/add""#, "/requests/1", "“toys/add” is there twice"),
      (#""method": "toyBroke""#, #""method": "toys/sing""#, "/notifications/0", "“toys/sing” is there twice"),
      (#""name": "Mood""#, #""name": "Colour""#, "/types/2", "“Colour” is there twice"),
      (#""name": "blue""#, #""name": "red""#, "/types/1/values/1", "“red” is there twice"),
      (#""name": "zone""#, #""name": "day""#, "/requests/0/params/3", "“day” is there twice"),
      (#""code": 1000"#, #""code": 1100"#, "/errors/0/code", "1100"),
      (#""code": 1000"#, #""code": "1000""#, "/errors/0/code", "an integer"),
      (#""type": "bool""#, #""type": "bool", "maximum": 1"#, "/types/0/members/5", "minimum and maximum"),
      (#""type": "int", "minimum": 0"#, #""type": "int", "minimum": 19"#, "/types/0/members/4", "above maximum"),
      (#""type": "int", "minimum": 0"#, #""type": "int", "minLength": 0"#, "/types/0/members/4", "minLength"),
      (#""type": "int", "minimum": 0"#, #""type": "int", "trim": true"#, "/types/0/members/4", "trim"),
      (#""type": "int", "minimum": 0"#, #""type": "int", "scale": 2"#, "/types/0/members/4", "scale"),
      (#""minimum": "0""#, #""minimum": "0.5""#, "/types/0/members/3/minimum", "whole number"),
      (#""optional": true, "nullable""#, #""optional": 1, "nullable""#, "/types/0/members/2/optional", "true or false"),
      (#"[{"name": "None", "params": {}, "result": 0}]"#, "[]", "/requests/1", "“toys/count” has no example"),
      (#""params": {}, "result": 0}"#, #""params": {}}"#, "/requests/1/examples/0", "either a result or an error"),
      (
        #""name": "None", "params""#, #""name": "None", "build": "fast", "params""#, "/requests/1/examples/0/build",
        "any, debug or release"
      ),
      (
        #""name": "None", "params""#, #""name": "None", "capabilities": [], "params""#,
        "/requests/1/examples/0/capabilities", "an object"
      ),
      (
        #""name": "None", "params""#, #""name": "None", "session": "none", "capabilities": {}, "params""#,
        "/requests/1/examples/0/capabilities", "no handshake"
      ),
      (#""params": {}, "result": 0}"#, #""result": 0}"#, "/requests/1/examples/0", "“params” is missing"),
      (#", "delivery": "event""#, "", "/notifications/0", "delivery"),
      (#""delivery": "event""#, #""delivery": "often""#, "/notifications/0/delivery", "state, event, log, startup"),
      (#""errors": ["premiumRequired"]"#, #""errors": []"#, "/requests/3/feature", "“premiumRequired”"),
      (#""feature": "lending""#, #""feature": true"#, "/requests/3/feature", "a string is expected"),
      (#""sensitive": true"#, #""sensitive": "yes""#, "/requests/3/sensitive", "true or false"),
      (
        #""effect": "session", "requires""#, #""effect": "session", "whileLocked": true, "requires""#,
        "/requests/2/whileLocked", "requests of clients"
      ),
      (#""effect": "read""#, #""effect": "peek""#, "/requests/1", "no such effect"),
      (
        #""direction": "serverToClient", "effect""#, #""direction": "up", "effect""#, "/requests/2", "no such direction"
      ),
      (#""kind": "struct", "lenient""#, #""kind": "record", "lenient""#, "/types/3", "“struct” or “enum”"),
      (#""title": "Toy", "#, "", "", "“title” is missing"),
      (#""title": "Toy""#, #""title": ["Toy"]"#, "/title", "a string is expected"),
      (#""retry": "afterFix""#, #""retry": "afterFix", "code": 7"#, "/errors/0/code", "appears twice"),
    ])
  func domain(_ old: String, _ new: String, _ pointer: String, _ words: String) throws {
    let error = try #require(mistake(ToyProtocol.files(old, new)))
    #expect(error.place == Self.toy + pointer)
    #expect(error.message.contains(words), "\(error.message)")
    #expect("\(error)" == "\(error.place): \(error.message)")
  }

  @Test(
    "A mistake in how a collection is merged is told with its place",
    arguments: [
      (#""boards": "id""#, #""planks": "id""#, "/4/collection/parts/planks", "“Shelf” has no member “planks”"),
      (#""boards": "id""#, #""boards": "key""#, "/4/collection/parts/boards", "“Board” has no member “key”"),
      (#""boards": "id""#, #""boards": "width""#, "/4/collection/parts/boards", "“width” is not an id, a date or"),
      (#""boards": "id""#, #""boards": 1"#, "/4/collection/parts/boards", "a string is expected"),
      (#""boards": "id""#, #""corner": "id""#, "/4/collection/parts/corner", "“corner” stays on its device"),
      (#""array<Board>""#, #""array<int>""#, "/4/collection/parts/boards", "“boards” is not a list of structs"),
      (#""array<Board>""#, #""array<Colour>""#, "/4/collection/parts/boards", "“boards” is not a list of structs"),
      (#"{"boards": "id", "dustings": "day"}"#, "{}", "/4/collection/parts", "there is no list"),
      (#""parts": {"boards": "id", "dustings": "day"}, "#, "", "/4/collection", "“parts” is missing"),
      (#""merge": "byPart", "#, "", "/4/collection/parts", "“parts” belongs to “byPart”"),
      (#""merge": "byPart", "#, #""merge": "byParts", "#, "/4/collection", "unknown merge policy"),
      (#""syncPriority": 4"#, #""syncPriority": 0"#, "/4/collection", "invalid priority"),
      (#""quiet": true"#, #""loud": true"#, "/7/collection/defaults/loud", "“Nursery” has no member “loud”"),
      (#""quiet": true"#, #""quiet": null"#, "/7/collection/defaults/quiet", "“quiet” is never null"),
      (#""defaults": {"quiet": true, "light": null}"#, #""defaults": {}"#, "/7/collection", "needs the “defaults”"),
      (
        #""light": null}"#, #""light": null}, "groups": [{"members": ["light"]}]"#, "/7/collection/groups/0",
        "two members"
      ),
      (
        #""light": null}"#, #""light": null}, "groups": [{"members": ["light", "lamp"]}]"#, "/7/collection/groups/0",
        "no member “lamp”"
      ),
      (
        #""light": null}"#, #""light": null}, "groups": [{"members": ["light", "light"]}]"#, "/7/collection/groups/0",
        "in another group"
      ),
      (
        #""light": null}"#,
        #""light": null}, "groups": [{"members": ["light", "quiet"], "derivedWhen": {"lamp": "on"}}]"#,
        "/7/collection/groups/0", "“lamp” is not of the group"
      ),
      (
        #""light": null}"#, #""light": null}, "groups": [{"members": ["light", "quiet"], "derivedWhen": {}}]"#,
        "/7/collection/groups/0/derivedWhen", "one member"
      ),
      (#""merge": "byMember""#, #""merge": "whole""#, "/7/collection/defaults", "“defaults” belongs to “byMember”"),
      (
        #"{"name": "light", "type": "Colour","#,
        #"{"name": "dark", "type": "bool", "local": true, "doc": "At night."}, {"name": "light", "type": "Colour","#,
        "/7/collection/defaults", "“dark” stays on its device and has none"
      ),
      (#""number", "doc": "Metres."#, #""number", "local": true, "doc": "Metres."#, "/5/members/1/local", "only the"),
      (
        #""type": "id", "doc": "Its identity."}]}"#, #""type": "id", "local": true, "doc": "I."}]}"#,
        "/8/members/0/local", "synced"
      ),
    ])
  func merging(_ old: String, _ new: String, _ pointer: String, _ words: String) throws {
    let error = try #require(mistake(ToyProtocol.files(old, new)))
    #expect(error.place == Self.toy + "/types" + pointer)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test(
    "A mistake in protocol.json is told with its place",
    arguments: [
      (#""protocolVersion": 2"#, #""protocolVersion": "2""#, "/protocolVersion", "an integer"),
      (#""protocolVersion": 2,"#, "", "", "“protocolVersion” is missing"),
      (#""from": 1000"#, #""from": 1100"#, "/errorRanges/1", "from is above to"),
      (#""side": "server", "#, "", "/capabilities/0", "“side” is missing"),
      (#""title""#, #""titel""#, "", "“titel”"),
    ])
  func root(_ old: String, _ new: String, _ pointer: String, _ words: String) throws {
    let error = try #require(mistake(ToyProtocol.files(old, new, inRoot: true)))
    #expect(error.place == "protocol.json#" + pointer)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test("A file that is missing or no JSON is told by its name")
  func files() {
    #expect(mistake([:])?.place == "protocol.json")
    #expect(mistake(ToyProtocol.files(#"["toy"]"#, #"["toys"]"#, inRoot: true))?.place == "domains/toys.json")
    let broken = mistake(ToyProtocol.files(#""open": true"#, #""open": yes"#))
    #expect(broken?.place == Self.toy + "/types/2/open")
    #expect(broken?.message.hasPrefix("byte ") == true)
  }

  @Test(
    "The catalogue of products is an object with a list",
    arguments: [
      ("[]", "", "an object"), ("{}", "", "“products” is missing"), (#"{"products": 1}"#, "/products", "an array"),
    ])
  func products(_ text: String, _ pointer: String, _ words: String) throws {
    var files = ToyProtocol.files()
    files["products.json"] = Array(text.utf8)
    let error = try #require(mistake(files))
    #expect(error.place == "products.json#" + pointer)
    #expect(error.message.contains(words), "\(error.message)")
    files["products.json"] = nil
    #expect(mistake(files) == nil)
  }

  @Test("No more members than the codecs can count")
  func manyMembers() throws {
    let many = (0..<60).map { #"{"name": "m\#($0)", "type": "int", "doc": "."},"# }.joined()
    let error = try #require(
      mistake(ToyProtocol.files(#"{"name": "toys", "type""#, many + #"{"name": "toys", "type""#)))
    #expect(error.place == Self.toy + "/types/3/members/60")
  }
}
