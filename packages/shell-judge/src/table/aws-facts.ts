// Written by tools/cloud-facts.ts from botocore-1.44.8 of PyPI (2026-11-29). Not edited by hand.

/** Reads whose answer has a password, a key or a token. */
export const awsSecrets: ReadonlySet<string> = new Set(
  `account-access-runtime get-role-credentials
acm export-certificate
acm get-acme-external-account-binding-credentials
amplify get-app
amplify get-branch
amplify get-webhook
amplify list-apps
amplify list-branches
amplify list-webhooks
amplifybackend get-backend-auth
apigateway get-api-key
apigateway get-api-keys
apigateway get-authorizer
apigateway get-authorizers
apigateway get-integration
apigateway get-method
apigateway get-resource
apigateway get-resources
appconfigdata get-latest-configuration
appmesh describe-virtual-gateway
appmesh describe-virtual-node
appstream describe-directory-configs
appsync list-api-keys
artifact export-compliance-inquiry
artifact get-report
artifact get-term-for-report
athena get-session-endpoint
autoscaling describe-launch-configurations
bedrock-agent get-knowledge-base
bedrock-agent-runtime get-document-content
bedrock-agentcore get-browser-session
bedrock-agentcore get-resource-api-key
bedrock-agentcore get-resource-oauth2-token
bedrock-agentcore get-resource-payment-token
bedrock-agentcore get-workload-access-token
bedrock-agentcore get-workload-access-token-for-jwt
bedrock-agentcore get-workload-access-token-for-user-id
chime get-bot
chime list-bots
chime-sdk-identity describe-app-instance-user-endpoint
chime-sdk-meetings get-attendee
chime-sdk-meetings list-attendees
cloudfront get-distribution
cloudfront get-distribution-config
cloudfront list-distributions
cloudfront list-distributions-by-anycast-ip-list-id
cloudfront list-distributions-by-connection-function
cloudfront list-distributions-by-connection-mode
cloudfront list-distributions-by-realtime-log-config
cloudfront list-distributions-by-trust-store
cloudfront list-distributions-by-web-acl-id
cloudhsmv2 describe-clusters
cloudwatchomni get-space-credentials-for-organization
cloudwatchomni get-space-data-access
codeartifact get-authorization-token
codebuild batch-get-projects
codepipeline get-job-details
codepipeline get-third-party-job-details
codepipeline list-webhooks
cognito-identity get-credentials-for-identity
cognito-identity get-open-id-token
cognito-identity get-open-id-token-for-developer-identity
cognito-idp describe-user-import-job
cognito-idp describe-user-pool-client
cognito-idp get-client-token
cognito-idp get-derived-token
cognito-idp get-tokens-from-refresh-token
cognito-idp list-user-import-jobs
cognito-idp list-user-pool-client-secrets
cognito-idp list-web-authn-credentials
cognito-sync list-records
configservice get-compliance-details-by-config-rule
configservice get-compliance-details-by-resource
connect get-federation-token
connect get-prompt-file
connecthealth get-patient-insights-job
dataexchange get-asset
dataexchange get-job
dataexchange list-jobs
dataexchange list-revision-assets
datasync describe-location-fsx-ontap
datasync describe-location-fsx-open-zfs
datasync describe-location-object-storage
datazone get-connection
datazone get-environment-credentials
datazone list-connections
deadline assume-fleet-role-for-read
deadline assume-fleet-role-for-worker
deadline assume-queue-role-for-read
deadline assume-queue-role-for-user
deadline assume-queue-role-for-worker
devops-agent list-webhooks
directconnect describe-virtual-interfaces
dms describe-endpoints
ds describe-directories
ec2 describe-bundle-tasks
ec2 describe-instance-attribute
ec2 describe-instance-sql-ha-history-states
ec2 describe-instance-sql-ha-states
ec2 describe-ipam-external-resource-verification-tokens
ec2 describe-launch-template-versions
ec2 describe-spot-fleet-requests
ec2 describe-spot-instance-requests
ec2 describe-verified-access-trust-providers
ec2 describe-vpn-connections
ec2 export-verified-access-instance-client-configuration
ec2 get-launch-template-data
ecr get-authorization-token
ecr-public get-authorization-token
eks describe-eks-anywhere-subscription
eks list-eks-anywhere-subscriptions
eks-auth assume-role-for-pod-identity
emr describe-cluster
emr get-cluster-session-credentials
emr get-on-cluster-app-ui-presigned-url
emr get-persistent-app-ui-presigned-url
emr get-session-endpoint
emr-containers get-managed-endpoint-session-credentials
emr-serverless get-session-endpoint
entityresolution get-policy
eventbridgev2 describe-event-source
evs get-depot-url
evs get-environment
firehose describe-delivery-stream
fsx describe-backups
fsx describe-file-systems
fsx describe-snapshots
fsx describe-storage-virtual-machines
fsx describe-volumes
gamelift describe-fleet-events
gamelift get-compute-access
gamelift get-compute-auth-token
gamelift get-game-session-log-url
gamelift get-instance-access
gamelift get-player-connection-details
glue batch-get-jobs
glue get-job
glue get-jobs
glue get-session-endpoint
grafana describe-workspace
grafana list-workspaces
greengrassv2 get-component-version-artifact
groundstation get-agent-task-response-url
iam list-virtual-mfa-devices
interconnect get-connection
invoicing get-procurement-portal-preference
iot get-topic-rule
iot get-topic-rule-destination
iot list-topic-rule-destinations
iot-managed-integrations get-managed-thing
iot-managed-integrations list-discovered-devices
ivs batch-get-channel
ivs batch-get-stream-key
ivs get-channel
ivs get-stream-key
ivs get-stream-session
ivs-realtime get-ingest-configuration
ivs-realtime get-public-key
kendra describe-data-source
kinesis-video-signaling get-ice-server-config
kms generate-data-key
kms generate-data-key-pair
kms generate-random
kms get-parameters-for-import
lakeformation assume-decorated-role-with-saml
lakeformation get-temporary-data-location-credentials
lakeformation get-temporary-glue-function-credentials
lakeformation get-temporary-glue-partition-credentials
lakeformation get-temporary-glue-table-credentials
lakeformation get-work-units
lexv2-models describe-bot-recommendation
license-manager get-access-token
lightsail get-bucket-access-keys
lightsail get-instance-access-details
lightsail get-relational-database
lightsail get-relational-database-master-user-password
lightsail get-relational-databases
location describe-key
mailmanager get-address-list-import-job
mailmanager get-rule-set
mailmanager list-address-list-import-jobs
managedblockchain get-accessor
marketplace-agreement get-agreement-entitlements
mediaconvert get-job
mediaconvert get-job-template
mediaconvert get-jobs-query-results
mediaconvert get-preset
mediaconvert list-job-templates
mediaconvert list-jobs
mediaconvert list-presets
mediaconvert search-jobs
medialive describe-channel
mediapackage describe-channel
mediapackage describe-origin-endpoint
mediapackage list-channels
mediapackage list-origin-endpoints
mediapackage-vod describe-packaging-group
mediapackage-vod list-packaging-groups
payment-cryptography export-key
payment-cryptography get-parameters-for-export
payment-cryptography get-parameters-for-import
payment-cryptography-data decrypt-data
pca-connector-scep get-challenge-password
pipes describe-pipe
qbusiness get-document-content
qconnect get-next-message
qconnect get-recommendations
qconnect query-assistant
quicksight describe-analysis
quicksight describe-analysis-definition
quicksight describe-asset-bundle-import-job
quicksight describe-dashboard
quicksight describe-dashboard-definition
quicksight describe-dlp-setting
quicksight describe-template
quicksight describe-template-definition
redshift get-cluster-credentials
redshift get-cluster-credentials-with-iam
redshift get-identity-center-auth-token
redshift-serverless get-credentials
redshift-serverless get-identity-center-auth-token
rolesanywhere get-subject
s3control get-data-access
sagemaker list-pipeline-execution-steps
secretsmanager batch-get-secret-value
secretsmanager get-random-password
secretsmanager get-secret-value
security-ir get-case-attachment-download-url
security-ir get-case-attachment-upload-url
securityagent batch-get-target-domains
securityagent get-integration
securityagent list-integrations
securityhub get-findings
servicecatalog describe-portfolio-share-status
ses describe-active-receipt-rule-set
ses describe-receipt-rule
ses describe-receipt-rule-set
ses get-identity-verification-attributes
ssm get-access-token
ssm get-parameter
ssm get-parameter-history
ssm get-parameters
ssm get-parameters-by-path
ssm-sap get-database
sso get-role-credentials
stepfunctions get-activity-task
storagegateway describe-chap-credentials
sts assume-role
sts assume-role-with-saml
sts assume-role-with-web-identity
sts assume-root
sts get-delegated-access-token
sts get-federation-token
sts get-scoped-credentials
sts get-session-token
sts get-web-identity-token
taxsettings get-tax-registration
taxsettings get-tax-registration-document
taxsettings list-tax-registrations
wafv2 get-decrypted-api-key
wafv2 list-api-keys
wickr get-oidc-info
wickr get-opentdf-config
workmail assume-impersonation-role
workspaces describe-connection-aliases`.split('\n'),
);

/** Commands that write their answer to the file that a further word names. */
export const awsFiles: ReadonlySet<string> = new Set(
  `apigateway get-export
apigateway get-sdk
apigatewayv2 export-api
appconfig create-hosted-configuration-version
appconfig get-configuration
appconfig get-hosted-configuration-version
appconfigdata get-latest-configuration
appsync get-introspection-schema
bedrock-agentcore invoke-agent-runtime
bedrock-runtime invoke-model
cloudfront get-connection-function
cloudfront get-function
codeartifact get-package-version-asset
codeguruprofiler get-profile
datazone get-lineage-event
ebs get-snapshot-block
geo-maps get-glyphs
geo-maps get-sprites
geo-maps get-static-map
geo-maps get-style-descriptor
geo-maps get-tile
glacier get-job-output
iot-data delete-thing-shadow
iot-data get-thing-shadow
iot-data update-thing-shadow
iotwireless get-position-estimate
iotwireless get-resource-position
kinesis-video-archived-media get-clip
kinesis-video-archived-media get-media-for-fragment-list
kinesis-video-media get-media
lakeformation get-work-unit-results
lambda invoke
lex-runtime post-content
lex-runtime put-session
lexv2-runtime put-session
lexv2-runtime recognize-utterance
location get-map-glyphs
location get-map-sprites
location get-map-style-descriptor
location get-map-tile
medialive describe-input-device-thumbnail
mediastore-data get-object
medical-imaging get-image-frame
medical-imaging get-image-set-metadata
neptune-graph execute-query
neptunedata execute-gremlin-explain-query
neptunedata execute-gremlin-profile-query
neptunedata execute-open-cypher-explain-query
omics get-read-set
omics get-reference
polly synthesize-speech
s3api get-object
s3api get-object-annotation
s3api get-object-torrent
sagemaker-gateway-runtime invoke-global-inference-gateway
sagemaker-geospatial get-tile
sagemaker-inference-router-runtime invoke-inference-router
sagemaker-runtime invoke-endpoint
sagemakerjobruntime sample
sagemakerjobruntime sample-with-response-stream
sagemakertrainingsessionruntime sample-training-session
sagemakertrainingsessionruntime sample-training-session-with-response-stream
schemas get-code-binding-source
workmailmessageflow get-raw-message-content`.split('\n'),
);

/** Options of reads that take several words. */
export const awsLists: ReadonlySet<string> = new Set(
  `--acceptance-state
--accepted-media-types
--access-level-filter
--account-id-filter
--account-id-list
--account-identifiers
--account-ids
--accounts
--action-target-arns
--active-time-range
--activity-ids
--activity-type
--actor-ids
--additional-attribute-names
--additional-attributes
--additional-dashboard-ids
--additional-features
--additional-metrics
--additional-plan-options-map
--additional-response-fields
--additional-search-keys
--address-identifier-filter
--advanced-configuration
--agent-ids
--agent-space-ids
--agent-status-types
--aggregate-types
--aggregation-duration
--aggregation-request
--aggregations
--aggregators
--alarm-names
--alarm-types
--alias-ids
--allocation-ids
--allocation-types
--allowed-domains
--alternate-identifier
--analysis-ids
--analysis-scheme-names
--analysis-template-arns
--anomaly-detector-ids
--anomaly-detector-types
--api-passthrough
--api-pattern-filters
--application-ids
--application-names
--application-sources
--application-status-check-ids
--architecture-types
--arns
--artifact-ids
--assessment-report-types
--assessment-run-arns
--assessment-status
--assessment-statuses
--assessment-target-arns
--assessment-target-filter
--assessment-template-arns
--asset-id-filter
--asset-model-types
--asset-type-filter
--asset-types
--assignment-statuses
--associated-account-ids
--associated-resource-arns
--associated-resource-identifiers
--associated-resource-types
--associated-resources
--association-filter
--association-filter-list
--association-ids
--association-types
--at-blockchain-instant
--attach-point
--attribute-filter
--attribute-filters
--attribute-identifiers
--attribute-ids
--attribute-names
--attribute-suggestions-config
--attribute-types
--attribute-values
--attributes
--attributes-to-get
--audience
--audiences
--audit-context
--audit-targets
--auditors
--authorized-actions
--authorized-resource-arns
--auto-scaling-group-arns
--auto-scaling-group-names
--automation-rules-arns
--availability-zone-filter
--availability-zone-id-filter
--aws-account-ids
--aws-config-connector-arns
--aws-marketplace-solution-arn
--aws-service-filter
--aws-services
--backup-ids
--baseline-override
--baseline-time-period
--batch-import-status
--benefit-application-identifiers
--benefit-identifiers
--bgp-peers
--bias-position
--billing-period-range
--billing-view-types
--bin-by
--blacklist-item-names
--blueprint-filter
--bot-versions
--bucket-criteria
--buckets-aggregation-type
--bundle-ids
--cache-cluster-ids
--calendar-names
--campaign-identifiers
--campaign-ids
--candidate-ids
--capacity-availability-zone-ids
--capacity-block-ids
--capacity-manager-data-export-ids
--capacity-provider-arns
--capacity-providers
--capacity-reservation-cancellation-quote-ids
--capacity-reservation-fleet-ids
--capacity-reservation-ids
--capacity-reservation-modification-quote-ids
--capacity-task-status-filter
--carrier-gateway-ids
--case-id-list
--case-rules
--category
--cell-towers
--certificate-hashes
--certificate-key-pair-origins
--certificate-statuses
--certificate-subject
--channel-name-condition
--channels
--check-ids
--client-metadata
--client-vpn-endpoint-ids
--clip-fragment-selector
--close-status-filter
--close-time-filter
--cluster-ids
--cluster-names
--cluster-states
--cluster-versions
--clusters
--code-review-ids
--code-review-job-ids
--code-review-job-task-ids
--collection
--collection-filters
--column-names
--command-execution-ids
--commit-ids
--common-control-filter
--community-matches
--comparison-time-period
--completed-time-filter
--compliance-types
--compute-environments
--compute-type-names
--condition-overrides
--conditions
--config-rule-names
--configuration
--configuration-aggregator-names
--configuration-ids
--configuration-policy-association-identifiers
--configuration-recorder-names
--configuration-set-attribute-names
--configuration-set-names
--confirmation-status-filter
--conflict-resolution
--conformance-pack-names
--connect-peer-ids
--connection-ids
--connection-options
--connector-profile-names
--connector-types
--consolidation
--contact-flow-types
--container-instances
--contains-labels
--content-source
--context
--context-filters
--context-identifier
--context-types
--contract-filter
--contract-identifier
--contract-type-filters
--contract-type-sort
--conversion-task-ids
--crawler-name-list
--crawler-names
--create-time-range
--created-at
--created-at-filter
--created-by
--created-date
--criteria
--currencies
--current-metrics
--custom-parameters
--customer-aws-account-id-filters
--customer-company-name
--customer-defined-values
--customer-gateway-arns
--customer-gateway-ids
--customer-segments
--daemon-deployment-arns
--daemon-revision-arns
--dash-fragment-selector
--data-binding-value-filter
--data-locations
--data-queries
--data-source-ids
--data-sources
--data-type
--date-interval
--db-groups
--db-servers
--decryption-attributes
--delivery-channel-names
--delivery-destination-types
--delivery-source-names
--dependency-config
--dependent-services
--deployment-group-names
--deployment-ids
--derivation-method-attributes
--descriptions
--destination-filters
--destination-phone-numbers
--destination-s3-file
--destination-s3-location
--destination-s3-presigned-url
--detector-id
--detector-version-id
--dev-endpoint-names
--device-ids
--dhcp-options-ids
--dimensions
--directory-ids
--directory-names
--display-names
--diversity
--diversity-config
--document-filter-list
--document-identifiers
--document-info-list
--domain-control-validation-resource
--domain-controller-ids
--domain-names
--durations
--ec2-family-filter
--ecr-repository-prefixes
--edge-filters
--egress-only-internet-gateway-ids
--elastic-gpu-ids
--embed
--embedding-domains
--emissions-types
--encryption-context
--encryption-wrapped-key
--end-time
--engagement-group-identifiers
--engagement-identifier
--engagement-invitation-identifier
--entities
--entity
--entity-identifier-filters
--entity-request-list
--entity-type-filters
--entity-type-sort
--entity-types
--entries
--environment-ids
--environment-names
--environment-templates
--ephemeris
--event-arns
--event-categories
--event-data-stores
--event-id
--event-ids
--event-type
--event-types
--event-variables
--events
--exact-as-path-matches
--exact-cidr-matches
--exact-prefix-matches
--exclude-context-types
--exclude-created-by
--exclude-resource-tags
--exclusion-arns
--exclusion-ids
--executable-users
--execution
--execution-filter
--execution-ids
--execution-status-filter
--execution-statuses
--experience-configuration
--expires-at-filter
--export
--export-attributes
--export-destination-configuration
--export-ids
--export-image-task-ids
--export-task-ids
--expression
--expression-attribute-names
--expression-attribute-values
--expression-names
--extended-statistics
--extensions
--external-model-endpoint-data-blobs
--face-ids
--facet-filter
--facet-types
--fca-policy-association-ids
--fca-policy-ids
--feature-names
--features
--field-index-names
--field-names
--field-paths
--fields
--fields-to-export
--file-cache-ids
--file-ids
--file-paths
--file-share-arn-list
--file-system-association-arn-list
--file-system-ids
--filter
--filter-activity-statuses
--filter-attribute-ranges
--filter-b-box
--filter-by
--filter-categories
--filter-clause
--filter-condition-list
--filter-conditions
--filter-countries
--filter-criteria
--filter-expressions
--filter-geometry
--filter-list
--filter-specification
--filter-statement
--filter-typed-link
--filter-values
--filters
--filters-with-operator
--finding-arns
--finding-criteria
--finding-identifier
--finding-identifiers
--finding-ids
--finding-statistic-types
--first-schema-version-number
--first-slot-start-time-range
--fleet-ids
--flow-log-ids
--format-config
--format-settings
--fpga-image-ids
--fragment-selector
--fragments
--frame-metrics
--framework-filters
--from-blockchain-instant
--fulfillment-types
--function-arns
--generation-attributes
--get-token-balance-inputs
--global-network-ids
--gnss
--gnss-multi-frame
--grant-arns
--grant-tokens
--granularity-configuration
--graph-arns
--group-by
--group-by-rules
--group-id
--group-id-filter
--group-ids
--group-names
--groupings
--handshake-type-filters
--handshake-type-sort
--hapg-list
--historical-metrics
--hls-fragment-selector
--host-id-filter
--host-id-set
--host-ids
--host-reservation-id-set
--identifier
--identifiers
--identities
--identity-provider
--identity-provider-config
--ids
--image
--image-assets
--image-frame-information
--image-id
--image-ids
--import-task-ids
--include
--include-only-statuses
--include-status
--includes
--inclusion-filters
--incremental-export-specification
--index-categories
--index-reference
--industry
--input
--input-list
--input-serialization
--insight-arns
--instance-arns
--instance-configuration-filter
--instance-connect-endpoint-ids
--instance-event-window-ids
--instance-group-types
--instance-ids
--instance-information-filter-list
--instance-name-filter
--instance-names
--instance-property-filter-list
--instance-refresh-ids
--instance-requirements
--instance-requirements-with-metadata
--instance-state-filter
--instance-states
--instance-status-filter
--instance-type-filter
--instance-type-preferences
--instance-types
--instances
--integrate-services
--internet-gateway-ids
--interpolation
--interval
--invoice-billing-period
--ip
--ipam-external-resource-verification-token-ids
--ipam-ids
--ipam-internet-registry-association-ids
--ipam-policy-ids
--ipam-pool-allocation-ids
--ipam-pool-ids
--ipam-prefix-list-resolver-ids
--ipam-prefix-list-resolver-target-ids
--ipam-prefix-list-resolver-versions
--ipam-resource-discovery-association-ids
--ipam-resource-discovery-ids
--ipam-scope-ids
--iso-country-codes
--issue-destination
--item-class-filter
--item-identifiers
--job-definitions
--job-flow-ids
--job-flow-states
--job-ids
--job-names
--job-queues
--job-statuses
--jobs
--kek-validation-type
--key
--key-attributes
--key-material
--key-names
--key-pair-ids
--key-values
--keys
--keywords
--label-options
--language
--last-modified-date
--launch-configuration-names
--launch-configuration-template-ids
--launch-template-ids
--launch-template-names
--library-filter
--license-arns
--license-configuration-arns
--life-cycle-review-status
--life-cycle-stage
--life-cycle-status-filter
--lifecycle-hook-names
--limit-definition
--link-ids
--link-status-filter
--list-filter
--list-searches-filters
--listener-arns
--load-balancer-arns
--load-balancer-names
--local-gateway-ids
--local-gateway-route-table-ids
--local-gateway-route-table-virtual-interface-group-association-ids
--local-gateway-route-table-vpc-association-ids
--local-gateway-virtual-interface-group-ids
--local-gateway-virtual-interface-ids
--local-preference-matches
--location
--location-identifier
--locations
--log-group-identifiers
--log-group-tags
--log-types
--logical-resource-id
--logins
--longest-prefix-matches
--lookup-attributes
--mac-modification-task-ids
--mapping
--match
--med-matches
--member-account-ids
--member-id
--members
--memory-strategies
--metadata
--metadata-columns
--metadata-config
--metadata-filters
--metadata-list
--metric-category-ids
--metric-data-queries
--metric-names
--metric-queries
--metric-source
--metric-source-types
--metric-types
--metrics
--model-package-arn-list
--monitor-arn-list
--named-query-ids
--names
--nat-gateway-ids
--neighbor-configuration-ids
--network-acl-ids
--network-insights-access-scope-analysis-ids
--network-insights-access-scope-ids
--network-insights-analysis-ids
--network-insights-path-ids
--network-interface-ids
--network-interface-permission-ids
--next-hop-filters
--node-filters
--notification
--notify-configuration-ids
--number-capabilities
--number-preference
--object-attributes
--object-filter
--object-ids
--object-reference
--objective-filter
--offering-ids
--operating-address-city-filter
--operating-address-country-code-filter
--operating-address-state-or-region-filter
--operating-system-names
--operations
--opportunity-identifier
--ops-item-filters
--opt-out-list-names
--opted-out-numbers
--optional-object-attributes
--options
--order-by
--organization-config-rule-names
--organization-conformance-pack-names
--organization-entity-account-filters
--organization-entity-filters
--organization-event-detail-filters
--organization-scope
--organizational-unit-ids
--other-attributes
--other-participant-identifiers
--outpost-lag-ids
--output-config
--output-keys
--output-serialization
--overrides
--owner-filter
--owner-identifier
--owner-ids
--owners
--parameter-filters
--parameter-group-names
--parameters
--partition
--partition-by
--partition-values
--partitions-to-get
--payload-type
--payment-options
--payment-token-request
--pentest-ids
--pentest-job-ids
--percents
--permission-template-parameters
--permissions
--phone-number-country-codes
--phone-number-ids
--phone-number-types
--pipeline-ids
--plan-arns
--plan-types
--player-ids
--poi-categories
--policy-arns
--policy-ids
--policy-input-list
--policy-levels
--policy-names
--policy-reference
--policy-type-names
--policy-types
--pool-arns
--pool-ids
--position
--prediction-time-range
--prefix-list-ids
--prefixes
--prepared-statement-names
--primary-attribute-values
--principal
--principal-tags
--principals
--product-codes
--product-descriptions
--product-ids
--products
--profile-ids
--program-management-account-identifiers
--programs
--project-filter
--project-ids
--project-names
--promotions
--property-filters
--protect-configuration-ids
--protocols
--provided-contexts
--provider
--provider-types
--providers
--provision-states
--public-ips
--publishers
--qualities
--queries
--query
--query-condition
--query-execution-ids
--query-generation-input
--query-identifiers
--query-input-data
--query-options
--query-position
--query-scopes
--query-session-context
--query-texts
--query-vector
--queue-ids
--queue-types
--quick-connect-types
--ranges-on-indexed-values
--raster-data-collection-query
--rcs-agent-ids
--reasons
--recipient
--recommendation-ids
--recommendation-preferences
--recommended-action-types
--recommender
--recommender-filters
--recommender-promotional-filters
--record
--record-ids
--record-types
--records
--recurrence
--reference-types
--region-filters
--region-names
--region-opt-status-contains
--regions
--registration-attachment-ids
--registration-ids
--registration-types
--registry-id
--registry-ids
--remote-domain-names
--replace-root-volume-task-ids
--replication-configuration-template-ids
--replication-group-ids
--report-arns
--report-group-arns
--report-ids
--repository-names
--request-items
--request-progress
--requested-dimensions
--requests
--reservation-types
--reserved-instance-ids
--reserved-instances-ids
--reserved-instances-modification-ids
--reserved-instances-offering-ids
--resource
--resource-arn-list
--resource-arns
--resource-config
--resource-group-arns
--resource-id-list
--resource-identifier
--resource-identifiers
--resource-ids
--resource-keys
--resource-owners
--resource-query
--resource-request-status-filter
--resource-share-arns
--resource-share-invitation-arns
--resource-tag
--resource-tag-status
--resource-tags
--resource-type-filters
--resource-types
--resources
--restorable-by-user-ids
--result-attributes
--result-filter-by
--result-ids
--retention-configuration-names
--retrieve-and-generate-configuration
--revision
--revisions
--revocation-ids
--root-hierarchy-types
--route-server-endpoint-ids
--route-server-ids
--route-server-peer-ids
--route-table-identifier
--route-table-ids
--rule-arns
--rules-package-arns
--run-ids
--s3-destination-config
--s3-export-location
--sampling-boost-statistics-documents
--sampling-statistics-documents
--sampling-strategy
--savings-plan-arns
--savings-plan-ids
--savings-plan-offering-ids
--savings-plan-payment-options
--savings-plan-types
--scaling-plan-names
--scaling-policy-objective
--scan-range
--scheduled-action-names
--scheduled-instance-ids
--schema-analysis-rule-requests
--schema-facet
--schema-id
--schema-version-number
--scope
--scopes
--search-attributes
--search-criteria
--search-expression
--search-filter
--search-in
--search-vector
--second-schema-version-number
--secondary-interface-ids
--secondary-network-ids
--secondary-subnet-ids
--secret-id-list
--section-paths
--security-control-ids
--security-group-rule-ids
--security-requirement-names
--segment
--segment-types
--selected-fields
--selected-properties
--selector
--sender-aws-account-id
--sender-ids
--service-arns
--service-code-list
--service-codes
--service-deployment-arns
--service-environments
--service-ids
--service-link-virtual-interface-ids
--service-names
--service-namespaces
--service-regions
--service-revision-arns
--service-specification
--service-update-status
--service-update-time-range
--services
--session-configuration
--session-ids
--session-key-derivation-attributes
--session-states
--session-tags
--settlement-statuses
--shard-filter
--shared-aws-account-ids
--shared-directory-ids
--single-master-channel-endpoint-configuration
--sinks
--site-ids
--slo-ids
--slot-start-time-range
--snapshot-ids
--sort
--sort-by
--sort-condition
--sort-criteria
--sort-expressions
--sorting-entities
--sorts
--source
--source-account-ids
--source-organization-unit-ids
--sources
--spot-fleet-request-ids
--spot-instance-request-ids
--stack-instance-resource-drift-statuses
--stack-resource-drift-status-filters
--stack-status-filter
--stages
--standards-control-association-ids
--standards-subscription-arns
--start-arns
--start-position
--start-selector
--start-time
--start-time-filter
--start-time-range
--started-time-filter
--state
--states
--statistics
--statistics-type
--status
--status-filter
--status-list
--statuses
--step-ids
--step-states
--storage-virtual-machine-ids
--stream-filter
--stream-name-condition
--subject-id
--subjects
--subnet-group-names
--subnet-ids
--subnet-of-matches
--subscription-arn-list
--subscription-provider-sources
--suggester-names
--suggestion-query
--suggestion-types
--summary-metric-queries
--supernet-of-matches
--support-permit-statuses
--supported-dialect
--supported-permission-types
--supported-resource-types
--supported-storage-filter
--table
--table-properties
--tabular-conditions
--tag-filter
--tag-filters
--tag-key-filters
--tag-keys
--tag-specifications
--tag-values
--tags
--tags-to-add
--tape-arns
--target
--target-accounts
--target-close-date
--target-configurations
--target-domain-ids
--target-filters
--target-group-arns
--target-id-filters
--target-ids
--target-reference
--target-resources
--target-scopes
--target-tags
--targets
--task-id-list
--task-identifier
--task-ids
--task-name
--task-policy-arn
--task-sets
--task-status
--tasks
--tax-document-metadata
--telemetry-configuration-state
--template-ids
--template-summary-config
--test
--themes
--threat-ids
--threat-model-ids
--threat-model-job-ids
--threat-model-job-task-ids
--ticket-ids
--time-filter
--time-period
--time-range
--time-range-value
--time-window
--timestamp-filter
--to-blockchain-instant
--token-filter
--token-identifier
--token-ids
--token-properties
--topic-names
--total-impact
--trace-ids
--traffic-mirror-filter-ids
--traffic-mirror-filter-rule-ids
--traffic-mirror-session-ids
--traffic-mirror-target-ids
--trail-name-list
--transformation-configuration
--transit-gateway-arns
--transit-gateway-attachment-ids
--transit-gateway-connect-peer-arns
--transit-gateway-connect-peer-ids
--transit-gateway-ids
--transit-gateway-metering-policy-ids
--transit-gateway-multicast-domain-ids
--transit-gateway-policy-table-ids
--transit-gateway-route-table-announcement-ids
--transit-gateway-route-table-ids
--transitive-tag-keys
--travel-modes
--trigger-names
--trust-ids
--trust-store-arns
--type
--type-configuration-identifiers
--type-filter
--typed-link-specifier
--types
--unames
--update-action-status
--update-status
--upload-range
--usage
--usage-criteria
--usage-types
--use-case
--use-cases
--user-context
--user-defined-function-arns
--user-identifier
--user-ids
--users
--validity
--validity-not-before
--values
--verified-access-endpoint-ids
--verified-access-group-ids
--verified-access-instance-ids
--verified-access-trust-provider-ids
--verified-destination-number-ids
--version-labels
--version-names
--version-numbers
--versions
--versions-to-include
--view-arns
--virtualization-types
--volume-arns
--volume-ids
--vout-filter
--vpc-encryption-control-ids
--vpc-endpoint-filters
--vpc-endpoint-ids
--vpc-ids
--vpc-peering-connection-ids
--vpn-concentrator-ids
--vpn-connection-ids
--vpn-gateway-ids
--vtl-device-arns
--wi-fi-access-points
--work-ids
--workflow-type
--workgroup-names
--workspace-directory-names
--workspace-ids
--wrapped-key
--zone-ids
--zone-names`.split('\n'),
);
