// The modules of the types that the protocol's types consist of: a file that uses these needs no further import.
@_exported import CivilTime
@_exported import JSON
@_exported import Values
