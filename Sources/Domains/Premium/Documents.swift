import JSON

extension JSONDecodable {
  /// A document that is read strictly. Throws with the place of the first thing wrong.
  init(document text: [UInt8]) throws(PremiumError) {
    do throws(JSONError) { self = try Self(json: text) } catch { throw PremiumError(error, in: text) }
  }
}

extension JSONEncodable {
  /// The members of a document, which is an object.
  package var jsonObject: JSONObject {
    guard case .object(let object)? = try? JSONValue(json: json) else { return JSONObject() }
    return object
  }
}
