/// Identifiers in generated code, derived from method names.
package enum Names {
  /// `meals/add` → `MealsAdd`, `$/cancelRequest` → `CancelRequest`, `rpc.discover` → `RpcDiscover`.
  package static func type(_ method: String) -> String {
    method.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The name in lower camel case, for functions and cases.
  package static func function(_ method: String) -> String {
    let name = type(method)
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}
