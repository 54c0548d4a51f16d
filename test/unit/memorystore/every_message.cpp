//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/backup_collection.hpp>
#include <backbeat/memorystore/certificate_authority.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/instance_auth_string.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_locations_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/location.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/status.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/json/serialize.hpp>
#include <boost/mp11/algorithm.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

namespace {

using namespace backbeat::memorystore;
namespace json = boost::json;

// Every message of the API that a method sends or answers with, under its name in the published schema.
#define BACKBEAT_EVERY_MESSAGE(X)                                                    \
    X(aof_config, "AOFConfig")                                                       \
    X(automated_backup_config, "AutomatedBackupConfig")                              \
    X(backup, "Backup")                                                              \
    X(backup_cluster_request, "BackupClusterRequest")                                \
    X(backup_collection, "BackupCollection")                                         \
    X(backup_file, "BackupFile")                                                     \
    X(cert_chain, "CertChain")                                                       \
    X(certificate_authority, "CertificateAuthority")                                 \
    X(cluster, "Cluster")                                                            \
    X(cluster_endpoint, "ClusterEndpoint")                                           \
    X(cluster_maintenance_policy, "ClusterMaintenancePolicy")                        \
    X(cluster_maintenance_schedule, "ClusterMaintenanceSchedule")                    \
    X(cluster_persistence_config, "ClusterPersistenceConfig")                        \
    X(cluster_weekly_maintenance_window, "ClusterWeeklyMaintenanceWindow")           \
    X(connection_detail, "ConnectionDetail")                                         \
    X(cross_cluster_replication_config, "CrossClusterReplicationConfig")             \
    X(discovery_endpoint, "DiscoveryEndpoint")                                       \
    X(empty, "Empty")                                                                \
    X(encryption_info, "EncryptionInfo")                                             \
    X(export_backup_request, "ExportBackupRequest")                                  \
    X(export_instance_request, "ExportInstanceRequest")                              \
    X(failover_instance_request, "FailoverInstanceRequest")                          \
    X(fixed_frequency_schedule, "FixedFrequencySchedule")                            \
    X(gcs_backup_source, "GcsBackupSource")                                          \
    X(gcs_destination, "GcsDestination")                                             \
    X(gcs_source, "GcsSource")                                                       \
    X(location_metadata, "GoogleCloudRedisV1LocationMetadata")                       \
    X(operation_metadata, "GoogleCloudRedisV1OperationMetadata")                     \
    X(zone_metadata, "GoogleCloudRedisV1ZoneMetadata")                               \
    X(import_instance_request, "ImportInstanceRequest")                              \
    X(input_config, "InputConfig")                                                   \
    X(instance, "Instance")                                                          \
    X(instance_auth_string, "InstanceAuthString")                                    \
    X(list_backup_collections_response, "ListBackupCollectionsResponse")             \
    X(list_backups_response, "ListBackupsResponse")                                  \
    X(list_clusters_response, "ListClustersResponse")                                \
    X(list_instances_response, "ListInstancesResponse")                              \
    X(list_locations_response, "ListLocationsResponse")                              \
    X(list_operations_response, "ListOperationsResponse")                            \
    X(location, "Location")                                                          \
    X(maintenance_policy, "MaintenancePolicy")                                       \
    X(maintenance_schedule, "MaintenanceSchedule")                                   \
    X(managed_backup_source, "ManagedBackupSource")                                  \
    X(managed_certificate_authority, "ManagedCertificateAuthority")                  \
    X(membership, "Membership")                                                      \
    X(node_info, "NodeInfo")                                                         \
    X(operation, "Operation")                                                        \
    X(cluster_operation_metadata, "OperationMetadata")                               \
    X(output_config, "OutputConfig")                                                 \
    X(persistence_config, "PersistenceConfig")                                       \
    X(psc_auto_connection, "PscAutoConnection")                                      \
    X(psc_config, "PscConfig")                                                       \
    X(psc_connection, "PscConnection")                                               \
    X(psc_service_attachment, "PscServiceAttachment")                                \
    X(rdb_config, "RDBConfig")                                                       \
    X(remote_cluster, "RemoteCluster")                                               \
    X(reschedule_cluster_maintenance_request, "RescheduleClusterMaintenanceRequest") \
    X(reschedule_maintenance_request, "RescheduleMaintenanceRequest")                \
    X(state_info, "StateInfo")                                                       \
    X(rpc::status, "Status")                                                         \
    X(time_of_day, "TimeOfDay")                                                      \
    X(tls_certificate, "TlsCertificate")                                             \
    X(update_info, "UpdateInfo")                                                     \
    X(upgrade_instance_request, "UpgradeInstanceRequest")                            \
    X(weekly_maintenance_window, "WeeklyMaintenanceWindow")                          \
    X(zone_distribution_config, "ZoneDistributionConfig")

template <class Message>
inline constexpr std::string_view schema_name{};

// The argument is a type, which must not stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define BACKBEAT_SCHEMA_NAME(type, name) \
    template <>                          \
    inline constexpr std::string_view schema_name<type> = name;
BACKBEAT_EVERY_MESSAGE(BACKBEAT_SCHEMA_NAME)
#undef BACKBEAT_SCHEMA_NAME

template <class Visit>
void for_each_message(Visit visit)
{
#define BACKBEAT_VISIT(type, name)         \
    {                                      \
        SCOPED_TRACE(name);                \
        visit(std::type_identity<type>()); \
    }
    BACKBEAT_EVERY_MESSAGE(BACKBEAT_VISIT)
#undef BACKBEAT_VISIT
}
// NOLINTEND(bugprone-macro-parentheses)

// What the API publishes: field and type, an enumeration by its values in the order of their numbers. A line that
// starts with "|" goes on with the one before.
constexpr std::string_view published = R"(AOFConfig
  appendFsync: APPEND_FSYNC_UNSPECIFIED|NO|EVERYSEC|ALWAYS
AutomatedBackupConfig
  automatedBackupMode: AUTOMATED_BACKUP_MODE_UNSPECIFIED|DISABLED|ENABLED
  fixedFrequencySchedule: FixedFrequencySchedule
  retention: STRING
Backup
  backupFiles: []BackupFile
  backupType: BACKUP_TYPE_UNSPECIFIED|ON_DEMAND|AUTOMATED
  cluster: STRING
  clusterUid: STRING
  createTime: STRING
  encryptionInfo: EncryptionInfo
  engineVersion: STRING
  expireTime: STRING
  name: STRING
  nodeType: NODE_TYPE_UNSPECIFIED|REDIS_SHARED_CORE_NANO|REDIS_HIGHMEM_MEDIUM|REDIS_HIGHMEM_XLARGE
    |REDIS_STANDARD_SMALL
  replicaCount: INT32
  shardCount: INT32
  state: STATE_UNSPECIFIED|CREATING|ACTIVE|DELETING|SUSPENDED
  totalSizeBytes: INT64
  uid: STRING
BackupClusterRequest
  backupId: STRING
  ttl: STRING
BackupCollection
  cluster: STRING
  clusterUid: STRING
  createTime: STRING
  kmsKey: STRING
  name: STRING
  uid: STRING
BackupFile
  createTime: STRING
  fileName: STRING
  sizeBytes: INT64
CertChain
  certificates: []STRING
CertificateAuthority
  managedServerCa: ManagedCertificateAuthority
  name: STRING
Cluster
  asyncClusterEndpointsDeletionEnabled: BOOL
  authorizationMode: AUTH_MODE_UNSPECIFIED|AUTH_MODE_IAM_AUTH|AUTH_MODE_DISABLED
  automatedBackupConfig: AutomatedBackupConfig
  backupCollection: STRING
  clusterEndpoints: []ClusterEndpoint
  createTime: STRING
  crossClusterReplicationConfig: CrossClusterReplicationConfig
  deletionProtectionEnabled: BOOL
  discoveryEndpoints: []DiscoveryEndpoint
  encryptionInfo: EncryptionInfo
  gcsSource: GcsBackupSource
  kmsKey: STRING
  maintenancePolicy: ClusterMaintenancePolicy
  maintenanceSchedule: ClusterMaintenanceSchedule
  managedBackupSource: ManagedBackupSource
  name: STRING
  nodeType: NODE_TYPE_UNSPECIFIED|REDIS_SHARED_CORE_NANO|REDIS_HIGHMEM_MEDIUM|REDIS_HIGHMEM_XLARGE
    |REDIS_STANDARD_SMALL
  ondemandMaintenance: BOOL
  persistenceConfig: ClusterPersistenceConfig
  preciseSizeGb: DOUBLE
  pscConfigs: []PscConfig
  pscConnections: []PscConnection
  pscServiceAttachments: []PscServiceAttachment
  redisConfigs: RedisConfigsValue
  replicaCount: INT32
  shardCount: INT32
  sizeGb: INT32
  state: STATE_UNSPECIFIED|CREATING|ACTIVE|UPDATING|DELETING
  stateInfo: StateInfo
  transitEncryptionMode: TRANSIT_ENCRYPTION_MODE_UNSPECIFIED|TRANSIT_ENCRYPTION_MODE_DISABLED
    |TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION
  uid: STRING
  zoneDistributionConfig: ZoneDistributionConfig
ClusterEndpoint
  connections: []ConnectionDetail
ClusterMaintenancePolicy
  createTime: STRING
  updateTime: STRING
  weeklyMaintenanceWindow: []ClusterWeeklyMaintenanceWindow
ClusterMaintenanceSchedule
  endTime: STRING
  startTime: STRING
ClusterPersistenceConfig
  aofConfig: AOFConfig
  mode: PERSISTENCE_MODE_UNSPECIFIED|DISABLED|RDB|AOF
  rdbConfig: RDBConfig
ClusterWeeklyMaintenanceWindow
  day: DAY_OF_WEEK_UNSPECIFIED|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY
  startTime: TimeOfDay
ConnectionDetail
  pscAutoConnection: PscAutoConnection
  pscConnection: PscConnection
CrossClusterReplicationConfig
  clusterRole: CLUSTER_ROLE_UNSPECIFIED|NONE|PRIMARY|SECONDARY
  membership: Membership
  primaryCluster: RemoteCluster
  secondaryClusters: []RemoteCluster
  updateTime: STRING
DiscoveryEndpoint
  address: STRING
  port: INT32
  pscConfig: PscConfig
Empty
EncryptionInfo
  encryptionType: TYPE_UNSPECIFIED|GOOGLE_DEFAULT_ENCRYPTION|CUSTOMER_MANAGED_ENCRYPTION
  kmsKeyPrimaryState: KMS_KEY_STATE_UNSPECIFIED|ENABLED|PERMISSION_DENIED|DISABLED|DESTROYED|DESTROY_SCHEDULED
    |EKM_KEY_UNREACHABLE_DETECTED|BILLING_DISABLED|UNKNOWN_FAILURE
  kmsKeyVersions: []STRING
  lastUpdateTime: STRING
ExportBackupRequest
  gcsBucket: STRING
ExportInstanceRequest
  outputConfig: OutputConfig
FailoverInstanceRequest
  dataProtectionMode: DATA_PROTECTION_MODE_UNSPECIFIED|LIMITED_DATA_LOSS|FORCE_DATA_LOSS
FixedFrequencySchedule
  startTime: TimeOfDay
GcsBackupSource
  uris: []STRING
GcsDestination
  uri: STRING
GcsSource
  uri: STRING
GoogleCloudRedisV1LocationMetadata
  availableZones: AvailableZonesValue
GoogleCloudRedisV1OperationMetadata
  apiVersion: STRING
  cancelRequested: BOOL
  createTime: STRING
  endTime: STRING
  statusDetail: STRING
  target: STRING
  verb: STRING
GoogleCloudRedisV1ZoneMetadata
ImportInstanceRequest
  inputConfig: InputConfig
InputConfig
  gcsSource: GcsSource
Instance
  alternativeLocationId: STRING
  authEnabled: BOOL
  authorizedNetwork: STRING
  availableMaintenanceVersions: []STRING
  connectMode: CONNECT_MODE_UNSPECIFIED|DIRECT_PEERING|PRIVATE_SERVICE_ACCESS
  createTime: STRING
  currentLocationId: STRING
  customerManagedKey: STRING
  displayName: STRING
  host: STRING
  labels: LabelsValue
  locationId: STRING
  maintenancePolicy: MaintenancePolicy
  maintenanceSchedule: MaintenanceSchedule
  maintenanceVersion: STRING
  memorySizeGb: INT32
  name: STRING
  nodes: []NodeInfo
  persistenceConfig: PersistenceConfig
  persistenceIamIdentity: STRING
  port: INT32
  readEndpoint: STRING
  readEndpointPort: INT32
  readReplicasMode: READ_REPLICAS_MODE_UNSPECIFIED|READ_REPLICAS_DISABLED|READ_REPLICAS_ENABLED
  redisConfigs: RedisConfigsValue
  redisVersion: STRING
  replicaCount: INT32
  reservedIpRange: STRING
  satisfiesPzi: BOOL
  satisfiesPzs: BOOL
  secondaryIpRange: STRING
  serverCaCerts: []TlsCertificate
  state: STATE_UNSPECIFIED|CREATING|READY|UPDATING|DELETING|REPAIRING|MAINTENANCE|IMPORTING|FAILING_OVER
  statusMessage: STRING
  suspensionReasons: []SUSPENSION_REASON_UNSPECIFIED|CUSTOMER_MANAGED_KEY_ISSUE
  tags: TagsValue
  tier: TIER_UNSPECIFIED|BASIC|STANDARD_HA
  transitEncryptionMode: TRANSIT_ENCRYPTION_MODE_UNSPECIFIED|SERVER_AUTHENTICATION|DISABLED
InstanceAuthString
  authString: STRING
ListBackupCollectionsResponse
  backupCollections: []BackupCollection
  nextPageToken: STRING
  unreachable: []STRING
ListBackupsResponse
  backups: []Backup
  nextPageToken: STRING
  unreachable: []STRING
ListClustersResponse
  clusters: []Cluster
  nextPageToken: STRING
  unreachable: []STRING
ListInstancesResponse
  instances: []Instance
  nextPageToken: STRING
  unreachable: []STRING
ListLocationsResponse
  locations: []Location
  nextPageToken: STRING
ListOperationsResponse
  nextPageToken: STRING
  operations: []Operation
Location
  displayName: STRING
  labels: LabelsValue
  locationId: STRING
  metadata: MetadataValue
  name: STRING
MaintenancePolicy
  createTime: STRING
  description: STRING
  updateTime: STRING
  weeklyMaintenanceWindow: []WeeklyMaintenanceWindow
MaintenanceSchedule
  canReschedule: BOOL
  endTime: STRING
  scheduleDeadlineTime: STRING
  startTime: STRING
ManagedBackupSource
  backup: STRING
ManagedCertificateAuthority
  caCerts: []CertChain
Membership
  primaryCluster: RemoteCluster
  secondaryClusters: []RemoteCluster
NodeInfo
  id: STRING
  zone: STRING
Operation
  done: BOOL
  error: Status
  metadata: MetadataValue
  name: STRING
  response: ResponseValue
OperationMetadata
  apiVersion: STRING
  createTime: STRING
  endTime: STRING
  requestedCancellation: BOOL
  statusMessage: STRING
  target: STRING
  verb: STRING
OutputConfig
  gcsDestination: GcsDestination
PersistenceConfig
  persistenceMode: PERSISTENCE_MODE_UNSPECIFIED|DISABLED|RDB
  rdbNextSnapshotTime: STRING
  rdbSnapshotPeriod: SNAPSHOT_PERIOD_UNSPECIFIED|ONE_HOUR|SIX_HOURS|TWELVE_HOURS|TWENTY_FOUR_HOURS
  rdbSnapshotStartTime: STRING
PscAutoConnection
  address: STRING
  connectionType: CONNECTION_TYPE_UNSPECIFIED|CONNECTION_TYPE_DISCOVERY|CONNECTION_TYPE_PRIMARY|CONNECTION_TYPE_READER
  forwardingRule: STRING
  network: STRING
  projectId: STRING
  pscConnectionId: STRING
  pscConnectionStatus: PSC_CONNECTION_STATUS_UNSPECIFIED|PSC_CONNECTION_STATUS_ACTIVE|PSC_CONNECTION_STATUS_NOT_FOUND
  serviceAttachment: STRING
PscConfig
  network: STRING
PscConnection
  address: STRING
  connectionType: CONNECTION_TYPE_UNSPECIFIED|CONNECTION_TYPE_DISCOVERY|CONNECTION_TYPE_PRIMARY|CONNECTION_TYPE_READER
  forwardingRule: STRING
  network: STRING
  port: INT32
  projectId: STRING
  pscConnectionId: STRING
  pscConnectionStatus: PSC_CONNECTION_STATUS_UNSPECIFIED|PSC_CONNECTION_STATUS_ACTIVE|PSC_CONNECTION_STATUS_NOT_FOUND
  serviceAttachment: STRING
PscServiceAttachment
  connectionType: CONNECTION_TYPE_UNSPECIFIED|CONNECTION_TYPE_DISCOVERY|CONNECTION_TYPE_PRIMARY|CONNECTION_TYPE_READER
  serviceAttachment: STRING
RDBConfig
  rdbSnapshotPeriod: SNAPSHOT_PERIOD_UNSPECIFIED|ONE_HOUR|SIX_HOURS|TWELVE_HOURS|TWENTY_FOUR_HOURS
  rdbSnapshotStartTime: STRING
RemoteCluster
  cluster: STRING
  uid: STRING
RescheduleClusterMaintenanceRequest
  rescheduleType: RESCHEDULE_TYPE_UNSPECIFIED|IMMEDIATE|SPECIFIC_TIME
  scheduleTime: STRING
RescheduleMaintenanceRequest
  rescheduleType: RESCHEDULE_TYPE_UNSPECIFIED|IMMEDIATE|NEXT_AVAILABLE_WINDOW|SPECIFIC_TIME
  scheduleTime: STRING
StateInfo
  updateInfo: UpdateInfo
Status
  code: INT32
  details: []DetailsValueListEntry
  message: STRING
TimeOfDay
  hours: INT32
  minutes: INT32
  nanos: INT32
  seconds: INT32
TlsCertificate
  cert: STRING
  createTime: STRING
  expireTime: STRING
  serialNumber: STRING
  sha1Fingerprint: STRING
UpdateInfo
  targetNodeType: NODE_TYPE_UNSPECIFIED|REDIS_SHARED_CORE_NANO|REDIS_HIGHMEM_MEDIUM|REDIS_HIGHMEM_XLARGE
    |REDIS_STANDARD_SMALL
  targetReplicaCount: INT32
  targetShardCount: INT32
UpgradeInstanceRequest
  redisVersion: STRING
WeeklyMaintenanceWindow
  day: DAY_OF_WEEK_UNSPECIFIED|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY
  duration: STRING
  startTime: TimeOfDay
ZoneDistributionConfig
  mode: ZONE_DISTRIBUTION_MODE_UNSPECIFIED|MULTI_ZONE|SINGLE_ZONE
  zone: STRING
)";

using fields_of_message = std::set<std::string>;

std::map<std::string, fields_of_message> published_messages()
{
    std::map<std::string, fields_of_message> result;
    fields_of_message* current = nullptr;
    std::string pending;
    std::istringstream lines{std::string(published)};
    for (std::string line; std::getline(lines, line);) {
        auto const start = line.find_first_not_of(' ');
        if (line.at(start) == '|') {
            pending += line.substr(start);
            continue;
        }
        if (!pending.empty()) current->insert(std::exchange(pending, {}));
        if (start == 0)
            current = &result[line];
        else
            pending = line.substr(start);
    }
    if (!pending.empty()) current->insert(pending);
    return result;
}

// memory_size_gb -> memorySizeGb; the library's own way of doing that is what is tested.
std::string camel(std::string_view name)
{
    std::string result;
    for (std::size_t i = 0; i != name.size(); ++i) {
        bool const raised = i != 0 && name[i - 1] == '_' && name[i] >= 'a' && name[i] <= 'z';
        if (name[i] != '_') result += raised ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
    }
    return result;
}

std::string capital(std::string name)
{
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

template <class Message, class Visit>
void for_each_field(Visit visit)
{
    using members = boost::describe::describe_members<Message, boost::describe::mod_public>;
    boost::mp11::mp_for_each<members>([&](auto member) {
        using type = std::remove_reference_t<decltype(std::declval<Message&>().*decltype(member)::pointer)>;
        visit(std::type_identity<type>(), std::string(decltype(member)::name));
    });
}

// The schema's name for the type of a field. The general case: a message.
template <class T>
class type_of {
public:
    static std::string name(std::string const& /*field*/) { return std::string(schema_name<T>); }
};

template <>
std::string type_of<bool>::name(std::string const& /*field*/)
{
    return "BOOL";
}

template <>
std::string type_of<std::int32_t>::name(std::string const& /*field*/)
{
    return "INT32";
}

template <>
std::string type_of<std::int64_t>::name(std::string const& /*field*/)
{
    return "INT64";
}

template <>
std::string type_of<double>::name(std::string const& /*field*/)
{
    return "DOUBLE";
}

template <>
std::string type_of<std::string>::name(std::string const& /*field*/)
{
    return "STRING";
}

template <>
std::string type_of<timestamp>::name(std::string const& /*field*/)
{
    return "STRING";
}

template <>
std::string type_of<duration>::name(std::string const& /*field*/)
{
    return "STRING";
}

template <>
std::string type_of<any>::name(std::string const& field)
{
    return capital(field) + "Value";
}

template <class T>
class type_of<std::map<std::string, T>> {
public:
    static std::string name(std::string const& field) { return capital(field) + "Value"; }
};

template <class T>
class type_of<std::optional<T>> {
public:
    static std::string name(std::string const& field) { return type_of<T>::name(field); }
};

template <class T>
class type_of<std::vector<T>> {
public:
    static std::string name(std::string const& field)
    {
        return "[]" + type_of<T>::name(field) + (std::is_same_v<T, any> ? "ListEntry" : "");
    }
};

template <class Enum>
class type_of<open_enum<Enum>> {
public:
    static std::string name(std::string const& /*field*/)
    {
        std::string result;
        std::int32_t last = -1;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<Enum>>([&](auto each) {
            EXPECT_LT(last, static_cast<std::int32_t>(each.value)) << each.name;
            last = static_cast<std::int32_t>(each.value);
            result += (result.empty() ? "" : "|") + open_enum<Enum>(each.value).name();
        });
        return result;
    }
};

// How a sample is spelled: as the library writes it, or as others may.
class spelling {
public:
    spelling() = default;
    bool snake_case = false;
    bool other_numbers = false;  // integers of 32 bits and fractions as strings, those of 64 bits as numbers
    bool other_times = false;
    bool enums_by_number = false;
    bool of_a_time_to_come = false;  // with fields and values that are not known yet
};

// A value for a field of this type that is not its default. The general case: a message with all of its fields.
template <class T>
class sample {
public:
    static json::value of(spelling const& how)
    {
        json::object result;
        for_each_field<T>([&](auto type, std::string const& name) {
            result[how.snake_case ? name : camel(name)] = sample<typename decltype(type)::type>::of(how);
        });
        if (how.of_a_time_to_come) result["fieldToCome"] = json::object{{"a", json::array{1, nullptr, "x"}}};
        return result;
    }
};

template <>
json::value sample<bool>::of(spelling const& /*how*/)
{
    return true;
}

template <>
json::value sample<std::int32_t>::of(spelling const& how)
{
    return how.other_numbers ? json::value("-7") : json::value(-7);
}

template <>
json::value sample<std::int64_t>::of(spelling const& how)
{
    return how.other_numbers ? json::value(1234567890123) : json::value("1234567890123");
}

template <>
json::value sample<double>::of(spelling const& how)
{
    return how.other_numbers ? json::value("2.5") : json::value(2.5);
}

template <>
json::value sample<std::string>::of(spelling const& /*how*/)
{
    return json::value("text");
}

template <>
json::value sample<timestamp>::of(spelling const& how)
{
    return how.other_times ? "2026-08-22T12:11:12.345000+02:00" : "2026-08-22T10:11:12.345Z";
}

template <>
json::value sample<duration>::of(spelling const& how)
{
    return how.other_times ? "3600.5s" : "3600.500s";
}

template <>
json::value sample<any>::of(spelling const& /*how*/)
{
    return json::object{{"@type", "type.googleapis.com/x.Y"}, {"snake_case", 1}};
}

template <class T>
class sample<std::map<std::string, T>> {
public:
    // Keys are the user's: they are never taken for names of fields.
    static json::value of(spelling const& how)
    {
        return json::object{{"snake_key", sample<T>::of(how)}, {"camelKey", sample<T>::of(how)}};
    }
};

template <class T>
class sample<std::optional<T>> {
public:
    static json::value of(spelling const& how) { return sample<T>::of(how); }
};

template <class T>
class sample<std::vector<T>> {
public:
    static json::value of(spelling const& how)
    {
        json::array result;
        result.push_back(sample<T>::of(how));
        result.push_back(sample<T>::of(how));
        return result;
    }
};

template <class Enum>
class sample<open_enum<Enum>> {
public:
    static json::value of(spelling const& how)
    {
        if (how.of_a_time_to_come) return how.enums_by_number ? json::value(4711) : json::value("VALUE_TO_COME");
        using last = boost::mp11::mp_back<boost::describe::describe_enumerators<Enum>>;
        if (how.enums_by_number) return static_cast<std::int32_t>(last::value);
        return json::value(open_enum<Enum>(last::value).name());
    }
};

template <class Message>
Message read(json::value const& input, bool reject_unknown)
{
    json_options options;
    options.reject_unknown = reject_unknown;
    Message result;
    from_json(input, result, options);
    return result;
}

}  // namespace

TEST(EveryMessage, HasTheFieldsAndValuesThatThePublishedSchemaHas)
{
    auto expected = published_messages();
    // Newer definitions of long-running operations have it; the API's schema has not followed yet.
    expected["ListOperationsResponse"].insert("unreachable: []STRING");
    for_each_message([&]<class Message>(std::type_identity<Message>) {
        fields_of_message described;
        for_each_field<Message>([&](auto type, std::string const& name) {
            auto const field = camel(name);
            described.insert(field + ": " + type_of<typename decltype(type)::type>::name(field));
        });
        auto const found = expected.extract(std::string(schema_name<Message>));
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(described, found.mapped());
    });
    EXPECT_TRUE(expected.empty()) << expected.begin()->first;
}

TEST(EveryMessage, SurvivesWithAllOfItsFields)
{
    for_each_message([]<class Message>(std::type_identity<Message>) {
        auto const text = sample<Message>::of({});
        EXPECT_EQ(json::value(to_json(read<Message>(text, true))), text);
        EXPECT_EQ(read<Message>(text, true), parse_json<Message>(json::serialize(text)));
        EXPECT_EQ(read<Message>(text, true) == Message(), text.get_object().empty());
    });
}

TEST(EveryMessage, MayBeSpelledOtherwise)
{
    spelling how;
    how.snake_case = true;
    how.other_numbers = true;
    how.other_times = true;
    how.enums_by_number = true;
    for_each_message([&]<class Message>(std::type_identity<Message>) {
        EXPECT_EQ(json::value(to_json(read<Message>(sample<Message>::of(how), true))), sample<Message>::of({}));
    });
}

TEST(EveryMessage, KeepsFieldsAndValuesThatItDoesNotKnow)
{
    spelling how;
    how.of_a_time_to_come = true;
    for (bool const by_number : {false, true}) {
        how.enums_by_number = by_number;
        for_each_message([&]<class Message>(std::type_identity<Message>) {
            auto const text = sample<Message>::of(how);
            EXPECT_EQ(json::value(to_json(read<Message>(text, false))), text);
            EXPECT_THROW(static_cast<void>(read<Message>(text, true)), json_error);
        });
    }
}

TEST(EveryMessage, TakesNullForAbsent)
{
    for (bool const snake_case : {false, true})
        for_each_message([&]<class Message>(std::type_identity<Message>) {
            json::object nulls;
            for_each_field<Message>(
                [&](auto /*type*/, std::string const& name) { nulls[snake_case ? name : camel(name)] = nullptr; });
            auto const message = read<Message>(nulls, true);
            EXPECT_EQ(message, Message());
            EXPECT_EQ(to_json(message), json::object());
        });
}
