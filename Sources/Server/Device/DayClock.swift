import CivilTime
import DomainKit

/// By which clock this connection counts days.
struct DayClock {
  /// The zone the device is in; nil until it was asked for.
  var zone: TimeZoneRules?
  /// Whether the client said so; the system's zone may change.
  var zoneIsTheClients = false
  /// The day and its zone as they were last worked out; nil when what they rest on may have changed.
  var days: DayContext?
}
