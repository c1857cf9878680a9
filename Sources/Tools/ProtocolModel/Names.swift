/// Names in the languages we generate, made out of method names.
package enum Names {
  /// `meals/add` → `MealsAdd`, `$/cancelRequest` → `CancelRequest`, `rpc.discover` → `RpcDiscover`.
  package static func type(_ method: String) -> String {
    method.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The same beginning in lower case: a function or case.
  package static func function(_ method: String) -> String {
    let name = type(method)
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}
