// The modules that every domain service is written with.
@_exported import CollectionTables
@_exported import DaybookProtocol
@_exported import FileStore
@_exported import JSONRPC
