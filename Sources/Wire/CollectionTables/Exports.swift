// The module of the types that the declarations consist of.
@_exported import DaybookProtocol
