// Written by tools/cloud-facts.ts from azure-cli-2.91.0 of PyPI (2026-11-29). Not edited by hand.

/** Commands whose name says that they print a secret. */
export const azSecrets: ReadonlySet<string> = new Set(
  `account get-access-token
acr connected-registry list-client-tokens
acr credential show
acr credential-set list
acr credential-set show
acr task credential list
acr token credential generate
acr token list
acr token show
ad app credential list
ad sp credential list
aks get-credentials
ams asset get-encryption-key
ams asset get-sas-urls
ams content-key-policy list
ams content-key-policy show
ams streaming-locator list-content-keys
apim nv show-secret
appconfig credential list
aro get-admin-kubeconfig
aro list-credentials
batch account keys list
cognitiveservices account keys list
containerapp job secret list
containerapp job secret show
containerapp secret list
containerapp secret show
cosmosdb keys list
cosmosdb list-connection-strings
cosmosdb list-keys
cosmosdb list-read-only-keys
databoxedge device storage-account-credential list
databoxedge device storage-account-credential show
eventgrid domain key list
eventgrid partner namespace key list
eventgrid topic key list
eventhubs eventhub authorization-rule keys list
eventhubs georecovery-alias authorization-rule keys list
eventhubs namespace authorization-rule keys list
functionapp deployment list-publishing-credentials
functionapp deployment list-publishing-profiles
functionapp function keys list
functionapp keys list
hdinsight credentials show
identity federated-credential list
identity federated-credential show
iot hub show-connection-string
keyvault key list-deleted
keyvault key list-versions
keyvault key rotation-policy show
keyvault key show
keyvault key show-deleted
keyvault secret list-deleted
keyvault secret list-versions
keyvault secret show
keyvault secret show-deleted
lab secret list
lab secret show
maps account keys list
mariadb server show-connection-string
monitor log-analytics workspace get-shared-keys
mysql flexible-server show-connection-string
mysql server key list
mysql server key show
mysql server show-connection-string
netappfiles account get-key-vault-status
netappfiles volume bucket generate-akv-credential
netappfiles volume bucket generate-credential
network vpn-connection list-ike-sas
network vpn-connection shared-key show
postgres flexible-server show-connection-string
redis list-keys
relay hyco authorization-rule keys list
relay namespace authorization-rule keys list
relay wcfrelay authorization-rule keys list
search admin-key show
search query-key list
search service admin-key list
search service query-key list
servicebus georecovery-alias authorization-rule keys list
servicebus namespace authorization-rule keys list
servicebus queue authorization-rule keys list
servicebus topic authorization-rule keys list
signalr key list
sql db show-connection-string
sql mi key list
sql mi key show
sql mi tde-key show
sql server key list
sql server key show
sql server tde-key show
staticwebapp secrets list
storage account generate-sas
storage account keys list
storage account local-user list-keys
storage account show-connection-string
storage table generate-sas
synapse integration-runtime list-auth-key
synapse sql pool show-connection-string
synapse workspace key list
synapse workspace key show
vm secret list
webapp config connection-string list
webapp deployment list-publishing-credentials
webapp deployment list-publishing-profiles`.split('\n'),
);

/** Options that take several words. */
export const azLists: ReadonlySet<string> = new Set(
  `--a-records
--aaaa-records
--aad-allowed-token-audiences
--account-key
--action
--action-group
--action-groups
--actionable-remediation
--actions
--active-directories
--add
--add-capabilities
--add-client-token-list
--add-client-tokens
--add-db
--add-gateway
--add-notifications
--add-repos
--add-repository
--additional-capabilities
--additional-context
--additional-locations-profile
--additional-nics
--address-exclude
--address-include
--address-prefix
--address-prefixes
--admin-client-thumbprints
--admin-client-tps
--administrators
--advanced-filter
--advertised-public-prefixes
--ag-address-pools
--aggregation
--alert-notifications
--alert-sync-settings
--all-of
--allow
--allowed-aad-tenant-ids
--allowed-audiences
--allowed-external-redirect-urls
--allowed-headers
--allowed-host-ports
--allowed-methods
--allowed-origins
--allowed-tenant-ids
--alp
--alt-rsa-token-keys
--alt-symmetric-token-keys
--alt-x509-token-keys
--always-ready-instances
--amw-accounts
--api-key-only
--api-permissions
--app-config-overrides
--app-gateway-address-pools
--app-gateway-ip-configs
--app-version-ids
--application-configuration-overrides
--application-gateway-backend-address-pools
--application-gateway-ip-configurations
--application-package-references
--application-profile
--application-security-groups
--application-version-ids
--archives
--args
--arguments
--arm-role-receivers
--artifacts-org
--asg-ids
--asgs
--asgs-obj
--assign-identities
--assign-identity
--associated-id
--associated-route-table
--attach-data-disks
--audiences
--auth-certs
--auth-configuration
--authentication-certificates
--authorizations
--auto-approval
--auto-scale-config
--automatic-repairs-policy
--automation-runbook-receivers
--autoscale-configuration
--aux-subs
--aux-subscriptions
--aux-tenants
--availability-policy
--availability-set
--azure-app-push-receivers
--azure-container-info
--azure-function-receivers
--backend-address-pool
--backend-address-pools
--backend-addresses
--backend-http-settings
--backend-http-settings-collection
--backend-pool-name
--backend-pools-name
--backend-settings-collection
--background
--backup-operators
--bandwidth
--baseline-properties
--bearer-token-sending-methods
--bill-to
--billing-profile
--blob-range
--blob-ranges
--boot-blobs
--boot-strap-config-blobs
--build-vm-identities
--bulk-creation-parameters
--bypass
--ca-profile
--caa-records
--capabilities
--capacity-reservation
--capture-settings
--categories
--cbcs-protocols
--cenc-protocols
--cert-auth
--cert-issuer-thumbprint
--cert-issuer-tp
--certificate-authentication
--certificate-permissions
--cipher-suites
--classifications-to-include-linux
--classifications-to-include-win
--client-access-rights
--client-cert-issuer-thumbprint
--client-certificates
--client-protocol
--client-root-certificates
--client-token-list
--client-tokens
--cloud-blobs
--cloud-init-config-blobs
--cluster-autoscaler-profile
--cluster-users-group-dns
--cname-record
--colocation-status
--columns
--command
--command-line-arguments
--common-name
--communities
--component-version
--compute-profile
--condition
--conditions
--config-map
--configuration
--configuration-list
--connection-draining
--connection-name
--connection-state
--connections
--copy-completion-error
--cp
--creation-data
--criteria
--custom-error-configurations
--custom-error-pages
--custom-headers
--custom-host-names
--custom-routes
--custom-rules
--daily-recurrence
--data--protections
--data-caching
--data-delete-option
--data-disk-caching
--data-disk-delete-option
--data-disk-encryption-sets
--data-disk-iops
--data-disk-mbps
--data-disk-parameters
--data-disk-restore-point-encryption-set
--data-disk-restore-point-encryption-type
--data-disk-sizes-gb
--data-disk-sources
--data-disks-to-attach
--data-disks-to-detach
--data-exfiltration-protections
--data-export-settings
--data-snapshot-luns
--data-snapshots
--data-vhds-luns
--data-vhds-sa
--data-vhds-storage-accounts
--data-vhds-uris
--database-names
--databases
--databases-to-restore
--days
--db-names
--dbs
--ddos-custom-policy
--ddos-settings
--defaults
--definition-groups
--definitions
--delegated-services
--delegation
--delegations
--deny
--deployment-properties
--desired-locations
--desired-sizes
--dest-addr-prefixes
--dest-port-ranges
--dest-test-groups
--destination
--destination-address-prefixes
--destination-amw-accounts
--destination-application-security-groups
--destination-asgs
--destination-port-ranges
--destinations
--details
--detection-rules
--diagnostics-profile
--dimension
--dimension-list
--disabled-protocols
--disabled-rule-groups
--disabled-rules
--disabled-ssl-protocols
--disallowed
--disallowed-disk-types
--disk-caching
--disk-ids
--disks
--distribution
--dns-servers
--drop-capabilities
--ds-records
--egress-nat-rule
--email-list
--email-receivers
--enable-auto-upgrade
--enable-automatic-upgrade
--enabled-azure-plans
--encrypted-password
--encryption
--encryption-config
--encryption-settings-collection
--encryption-with-cmk
--endpoint-connections
--endpoint-pairs
--endpoints
--entity
--entra-jwt-config
--entra-jwt-configs
--entra-jwt-validation-config
--entra-jwt-validation-configs
--env-vars
--envelope-protocols
--environment-data
--environment-settings
--environment-variables
--event-hub-receivers
--event-system-properties
--evidence
--exception-windows
--exclude
--exclude-disks
--exclude-principal-ids
--exclude-principal-types
--exclude-zones
--excluded-namespaces
--excluded-ns
--exclusion
--exclusions
--exit-codes
--export-policy-rules
--expose-headers
--exposed-headers
--extended-location
--extensions
--external-dns-suffix-search-list
--external-dns-suffixes
--external-evaluation-enforcement-settings
--external-gossip-certificates
--external-health-policy
--external-mappings
--external-mappings-ip
--external-seed-nodes
--external-settings
--facebook-oauth-scopes
--features
--file-list
--file-name
--file-paths
--files
--filter-items
--filter-values
--filters
--firewall-policy
--flow-analytics-configuration
--fqdns
--frontend-ip-configs
--frontend-ip-configurations
--frontend-ports
--gallery-image-reference
--gallery-replication-regions
--gateway
--gateway-actions-list
--gateway-ip-configurations
--generic-configurations
--geo-data-replication
--geo-data-replication-config
--geo-mapping
--global-configuration
--global-placement-rules
--google-oauth-scopes
--gp-rules
--gremlin-databases-to-restore
--group-by-user-session
--group-id
--group-ids
--group-meta-data
--group-properties
--groups
--hardware-profile
--headers
--headers-obj
--host
--host-group
--host-names
--hosting-environment-profile
--hosts
--hourly-recurrence
--hsm
--http-headers
--http-listeners
--http-request-header
--http-request-headers
--http-valid-status-codes
--identifier
--identifier-uris
--identities
--identity
--identity-scopes
--ids
--inbound-ip-rules
--inbound-nat-pools
--inbound-nat-rules
--inbound-route-map
--incident-receivers
--include
--include-zones
--index
--ingress-nat-rule
--inline-script
--install-script
--install-scripts
--instance-ids
--instance-view
--intent-vm-sizes
--interconnect-block-profile
--interface-configs
--internal-mappings
--internal-mappings-ip
--internet-ingress-ips
--inventory-list
--ip-address
--ip-allocations
--ip-allow-list
--ip-configs
--ip-configuration
--ip-configurations
--ip-range-filter
--ip-rule
--ip-rules
--ip-rules-internal
--ip-tags
--ip-tags-list
--ipam-allocations
--ipam-pool-prefix-allocations
--ipam-prefix-allocs
--ips
--ipsec-policies
--ipv6-address
--ipv6-peering-config
--issuer-thumbprint
--itsm-receivers
--kb-numbers-to-exclude
--kb-numbers-to-include
--key-ops
--key-permissions
--key-vault-private-endpoints
--kube-environment-profile
--label-weight
--label-weights
--labels
--lb-address-pools
--lb-frontend-ip-configs
--lb-inbound-nat-rules
--ldap-search-scope
--ldaps-urls
--lifecycle-hooks-profile
--linked-resources
--linux-parameters
--listeners
--load-balancer-backend-address-pools
--load-balancer-frontend-ip-configurations
--load-balancer-inbound-nat-rules
--load-balancing-rules
--load-distribution-policies
--load-distribution-policy
--load-policy
--local-address-prefixes
--local-subnet-names
--locations
--logic-app-receivers
--logs
--maintenance-window
--maintenance-windows
--managed-image-destinations
--managed-rules
--manual-private-link-service-connections
--marker
--match-conditions
--match-status-codes
--match-variables
--metadata
--methods
--metrics
--mi-user-assigned
--microsoft-account-oauth-scopes
--monitor-custom-headers
--move-ip-configuration-items
--move-items
--mx-records
--naptr-records
--nat-gateway
--nat-rules
--network
--network-acl-bypass-resource-ids
--network-acls-ips
--network-acls-vnets
--network-interface
--network-profile
--network-profile-configuration
--new-names-of-rp
--new-names-of-source-disk-restore-point
--new-names-of-source-snapshots-or-disks
--new-names-of-sr
--next-hop
--nic-delete-option
--nics
--no-encryption-protocols
--node-name
--nodepool-allowed-host-ports
--nodepool-asg-ids
--nodepool-labels
--nodepool-tags
--non-compliance-messages
--not-actions
--not-scopes
--notification-settings
--notifications
--notifications-by-role
--ns-records
--nsg
--nva-interface-configurations
--offerings
--operation-ids
--ops
--optimized-autoscale
--order-by
--origin
--origins
--os-profile
--outbound-route-map
--outbound-rules
--outputs
--overrides
--package
--package-name-masks-to-exclude
--package-name-masks-to-include
--parameters
--params
--partner-server-ids
--passwords
--paths
--peer-addresses
--peer-ip-addresses
--permission-scope
--permissions
--pip-addresses
--pip-addresses-v6
--pip-addrs-v6
--pip-extra-index-urls
--pip-prefixes
--pip-prefixes-v6
--pip-prefs-v6
--placement
--placement-rules
--plan
--plan-default-identity
--platform-capabilities
--policies
--policy
--policy-config
--policy-definition-reference-ids
--policy-settings
--ports
--preview-ips
--priority-mix-policy
--private-dns-zone-configs
--private-endpoint
--private-endpoint-connections
--private-link-configurations
--private-link-service-connection-state
--private-link-service-connections
--probes
--product-details
--profiles
--propagated
--propagated-ids
--propagated-route-table-ids
--propagated-route-table-labels
--propagated-route-tables
--properties
--protected-parameters
--protected-settings
--protected-settings-from-key-vault
--protection-policy
--protocol-types
--protocols
--provision-after-extensions
--proximity-placement-group
--ptr-records
--public-client-redirect-uris
--public-ip-address
--public-ip-addresses
--public-ip-prefixes
--publisher-filter
--publishing-profile
--purchase-plan
--python-files
--queries
--ransomware-protection
--read-write-database
--readonly-client-thumbprints
--readonly-client-tps
--recommended
--recurrence
--redirect-configuration
--redirect-configurations
--reference-files
--refresh-details
--registry-adapter
--registry-adapters
--regular-priority-profile
--remote-subnet-names
--remove
--remove-action
--remove-actions
--remove-client-token-list
--remove-client-tokens
--remove-conditions
--remove-db
--remove-env-vars
--remove-gateway
--remove-identities
--remove-notifications
--remove-repos
--remove-repository
--replace-env-vars
--replica-config
--repositories
--repository
--repository-actions-list
--request
--request-header-configurations
--request-headers
--request-routing-rules
--resiliency-policy
--resiliency-profile
--resource-files
--resource-ids
--resource-restriction
--resource-selectors
--resource-types
--response-header-configurations
--response-headers
--restored-logs
--results
--retention-policy
--revision-weight
--revision-weights
--rewrite-rule-set
--rewrite-rule-sets
--rights
--roles
--root-certs
--routing-rules
--rpp
--rule
--rule-config-filter-values
--rule-ids
--rule-sets
--rules
--running-operation-ids
--safety-profile
--scale
--scale-in-policy
--schedule-list
--schedule-parameters
--scheduled-events-policy
--scheduled-events-profile
--schema
--scope
--scope-exclude
--scope-include
--scopes
--script
--scripts
--scrubbing-rules
--sd-wrapping-keys
--search-results
--secondary-locations
--secret-names
--secret-permissions
--secrets
--secure-environment-variables
--security-operators
--security-posture-reference-exclude-extensions
--security-profile
--select
--self-serve
--self-serve-exemption-settings
--servers
--service-endpoint-policy
--service-endpoints
--service-gateway
--service-resources
--set-env-vars
--setting-names
--settings
--sgp
--shared-image-destinations
--sharing-profile
--sku
--sku-profile
--skuprofile-rank
--skuprofile-vmsizes
--sli-properties
--slot-settings
--sms-receivers
--soa-record
--sold-to
--solutions
--source
--source-addr-prefixes
--source-address-prefixes
--source-application-security-groups
--source-asgs
--source-data-disk-resource
--source-disk-restore-point
--source-disk-restore-point-size-gb
--source-disk-rp
--source-file-path
--source-metadata
--source-paths
--source-port-ranges
--source-resource
--source-resource-size
--source-restore-point
--source-rp-size
--source-snapshots-or-disks
--source-snapshots-or-disks-size-gb
--source-test-groups
--source-virtual-machine
--source-vnet
--sources
--spot-priority-profile
--spot-restore-policy
--spp
--srv-records
--ssh-authorized-key
--ssh-key-value
--ssh-key-values
--ssl-certificates
--ssl-policy
--ssl-profile
--ssl-profiles
--start-task-environment-settings
--start-task-resource-files
--startup-command
--status-code-ranges
--storage-account-ids
--storage-accounts
--storage-location
--storage-mount
--storage-mounts
--storage-permissions
--storage-profile
--storage-sku
--stream-options
--subnet
--subnet-prefix
--subnet-prefixes
--subnets
--subscription-ids
--summarized-gateway-prefixes
--supported-capabilities
--table-level-sharing-properties
--tables
--tables-to-restore
--tags
--target-edge-zones
--target-locations
--target-region-cvm-encryption
--target-region-encryption
--target-regions
--target-resources
--target-zone-encryption
--template
--tenant-ids
--test-configurations
--test-groups
--throttling-policy
--throttling-policy-config
--thumbprint
--thumbprints
--time-period
--timegrain
--tlsa-records
--traffic-weight
--transforms
--transport
--transport-mapping
--treat-deployment-as-failure
--trigger-settings
--trusted-client-cert
--trusted-client-certificates
--trusted-origins
--trusted-root-certificates
--tunnel-interfaces
--txt-records
--uami-id
--upgrade-policy
--uri-parameters
--url-parameters
--url-path-maps
--user-access-rights
--user-assigned
--user-assigned-identities
--user-assigned-identity-id
--user-identities
--user-ids
--valid-exit-codes
--valid-status-codes
--validator
--value
--value-list
--values
--variables
--virtual-machine-profile
--virtual-machine-scale-set
--virtual-network
--virtual-network-gateway-migration-status
--virtual-network-rules
--visibility
--vm
--vm-attributes
--vm-sizes-profile
--vma
--vmsizeprof
--vnet-prefixes
--vnets
--voice-receivers
--volumes
--vpn-auth-type
--vpn-client-ipsec-policies
--vpn-client-root-certificates
--vpn-connections
--web-application-firewall-configuration
--web-redirect-uris
--webhook-receivers
--weekly-recurrence
--windows-parameters
--workspace-ids
--write-accelerator
--zone
--zone-allocation-policy
--zone-placement-policy
--zones`.split('\n'),
);
