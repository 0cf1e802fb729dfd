// Command lines of cloud providers. Describing verbs read; commands that print a secret or a token do not.
import { each, words, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';
import { awsHosts, azHosts, gcloudHosts, notKnown } from '../programs/cloud-hosts.ts';

/** Services whose get- verbs print no secret and write no file. Elsewhere `get-` may do either. */
const getReads =
  /^(?:cloudwatch|iam|ce|route53|budgets|cloudtrail|autoscaling|elbv2|organizations|health|support|pi|xray)$/;
const getVerbs: Record<string, RegExp> = {
  sts: /^get-caller-identity$/,
  s3api:
    /^get-bucket-(?:acl|location|logging|policy|policy-status|tagging|versioning|encryption|replication)$/,
  // a query of Logs Insights changes nothing: its result is read by its id
  logs: /^(?:get-log-events|start-query|get-query-results|get-log-group-fields|filter-log-events|tail)$/,
  lambda: /^get-(?:function-configuration|account-settings|function-concurrency)$/,
  ec2: /^get-(?:console-output|transit-gateway|instance-types|subnet|managed-prefix)[a-z-]*$/,
  eks: /^list-|^describe-/,
  s3: /^ls$/,
  cloudtrail: /^lookup-events$/,
  rds: /^download-db-log-file-portion$/,
  xray: /^batch-get-traces$/,
  codedeploy: /^(?:get-deployment(?:-group|-config)?|batch-get-deployments)$/,
  codepipeline: /^get-pipeline-(?:state|execution)$/,
};

/** Describing verbs that print a password, a key, or a script in which they usually are. */
const awsSecrets =
  /^(?:ec2 describe-(?:instance-attribute|launch-template-versions|vpn-connections|spot-fleet-requests|spot-instance-requests|fleets)|sagemaker describe-notebook-instance-lifecycle-config|autoscaling describe-launch-configurations|cognito-idp describe-user-pool-client|directconnect describe-\S*virtual-interfaces|elasticbeanstalk describe-configuration-settings|storagegateway describe-chap-credentials|opsworks describe-\S+)$/;

/**
 * Options that send the caller's credentials to another place or print them, and the abbreviations that argparse
 * completes to them.
 */
const awsElsewhere: [RegExp, string] = [
  /^--(?:e(?:n(?:d(?:p.*)?)?)?|no-v.*|ca|ca-.*|cli-a.*|cli-i.*|generate.*|d|de|deb|debu|debug)$/s,
  'would reach another server, print a token or take its options from a file',
];

function judgeAws({ args }: Call): Finding | undefined {
  const [service, verb] = awsWords(args);
  const elsewhere = args.find(({ value, prefix }) => /^(?:--[\w-]+=)?https?:/i.test(value ?? prefix));
  if (elsewhere) return { reason: `aws may fetch ${elsewhere.text}` };
  if (service?.value === undefined || verb?.value === undefined)
    return { reason: 'aws needs a service and a verb' };
  const path = `aws ${service.value} ${verb.value}`;
  const reads =
    /^(?:describe|list)-[a-z0-9-]+$/.test(verb.value) ||
    getVerbs[service.value]?.test(verb.value) ||
    (getReads.test(service.value) && /^get-[a-z-]+$/.test(verb.value));
  if (!reads) return { reason: `${path} is not known to only read` };
  if (awsSecrets.test(`${service.value} ${verb.value}`)) return { reason: `${path} may print a secret` };
  return notKnown('aws', args) ?? { hosts: awsHosts(args) };
}

const awsGlobal = /^--(?:output|region|profile|query|color|cli-read-timeout|cli-connect-timeout)$/;
const awsSwitches = /^--(?:no-paginate|no-cli-pager|no-sign-request)$/;

/** Service and verb. aws completes abbreviated options, so only whole ones may precede them. */
function awsWords(args: Argument[]): Argument[] {
  const found: Argument[] = [];
  for (let index = 0; index < args.length && found.length < 2; index += 1) {
    const word = args[index];
    if (word?.value === undefined) return [];
    const [name = '', inline] = word.value.split('=', 2);
    if (!word.value.startsWith('-')) found.push(word);
    else if (awsGlobal.test(name)) {
      if (inline !== undefined) continue;
      index += 1;
      const value = args[index];
      if (value === undefined || value.many || (value.value ?? '').startsWith('-')) return [];
    } else if (!awsSwitches.test(word.value)) return [];
  }
  return found;
}

const azGroups =
  /^(?:account|group|resource|vm|vmss|disk|network|storage|aks|monitor|appservice|webapp|functionapp|keyvault|sql|acr|identity|cosmosdb|redis|postgres|mysql|eventhubs|servicebus|deployment|policy|tag|lock|containerapp|container|snapshot|image)$/;
const azVerbs =
  /^(?:list|show|list-(?:sizes|skus|usage|locations|runtimes|ip-addresses|instances|upgrades)|show-(?:usage|backend-health|usages)|get-(?:instance-view|versions|upgrades)|check-name|exists)$/;
/** Queries in Kusto, whose language only reads, and logs. */
const azReads = new Set([
  'monitor log-analytics query',
  'monitor app-insights query',
  'graph query',
  'container logs',
]);
const azSecrets =
  /key(?!vault)|\bauth\b|secret|credential|token|password|connection-string|sas|appsettings|config|certificate/;

/** A connection string or a URL names another server. */
const azElsewhere = /:\/\/|^--(?:conn|deb|[a-z-]*endpoint)/;

function judgeAz({ args, name }: Call): Finding | undefined {
  const elsewhere = args.find(({ value, prefix }) => azElsewhere.test(value ?? prefix));
  if (elsewhere) return { reason: `az may reach another server: ${elsewhere.text}` };
  const end = args.findIndex(({ value }) => value === undefined || value.startsWith('-'));
  const path = (end === -1 ? args : args.slice(0, end)).map(({ value }) => value ?? '');
  const verb = path.at(-1) ?? '';
  if (path.length === 1 && verb === 'version') return undefined;
  const reads = path.length > 1 && azGroups.test(path[0] ?? '') && azVerbs.test(verb);
  if (!reads && !azReads.has(path.join(' ')))
    return { reason: `${name} ${path.join(' ')} is not known to only read` };
  return path.slice(0, -1).some((word) => azSecrets.test(word))
    ? { reason: 'it may print a secret' }
    : (notKnown(name, args) ?? { hosts: azHosts(args) });
}

const gcloudFlags = `--project= --region= --zone= --zones= --regions= --format= --filter= --limit= --sort-by= --cluster=
  --location= --uri --global --page-size= --freshness= --order= --flatten= --instance= --service= --delivery-pipeline= --release=`;

/** Groups without secrets. The verb follows the group: a word after the verb is a name. */
const gcloudGroups = new Set([
  ...nested('', 'projects builds organizations config functions services'),
  ...nested(
    'compute ',
    `instances disks networks firewall-rules addresses routers routes forwarding-rules backend-services health-checks
      target-pools target-http-proxies target-https-proxies url-maps snapshots images instance-groups instance-templates
      zones regions machine-types accelerator-types disk-types operations project-info ssl-certificates security-policies
      vpn-tunnels vpn-gateways interconnects reservations resource-policies`,
  ),
  ...nested('compute networks ', 'subnets peerings'),
  ...nested('compute instance-groups ', 'managed unmanaged'),
  ...nested('container ', 'clusters node-pools operations images'),
  ...nested('sql ', 'instances databases backups operations users'),
  ...nested('logging ', 'logs sinks metrics buckets views'),
  ...nested('monitoring ', 'dashboards policies'),
  ...nested('iam ', 'roles service-accounts'),
  ...nested('run ', 'services revisions jobs regions'),
  ...nested('run jobs ', 'executions'),
  ...nested('app ', 'services instances regions operations'),
  ...nested('pubsub ', 'topics subscriptions snapshots'),
  ...nested('storage ', 'buckets objects'),
  ...nested('dns ', 'managed-zones record-sets'),
  ...nested('artifacts ', 'repositories packages'),
  ...nested('redis ', 'instances regions operations'),
  ...nested('spanner ', 'instances databases'),
  ...nested('dataproc ', 'clusters jobs'),
  ...nested('bigtable ', 'instances clusters'),
  ...nested('composer ', 'environments'),
  ...nested('filestore ', 'instances'),
  ...nested('deploy ', 'delivery-pipelines releases rollouts targets'),
  ...nested('scheduler ', 'jobs'),
  ...nested('tasks ', 'queues'),
  ...nested('billing ', 'accounts'),
]);

function nested(parent: string, names: string): string[] {
  return words(names).map((name) => parent + name);
}

/** Log entries, with a filter or a name behind it. */
const gcloudLogs = /^(?:logging read|(?:run services|run jobs|functions|app) logs read|builds log)(?: |$)/;

function judgeGcloud({ name, args, operands }: Call): Finding | undefined {
  const path = operands.map(({ value }) => value ?? '');
  const at = path.findIndex(
    (_, index) => gcloudGroups.has(path.slice(0, index).join(' ')) && !isGroup(path, index),
  );
  const verb = path[at] ?? '';
  const reads = at > 0 && /^(?:list|describe|get-health|get-serial-port-output)$/.test(verb);
  if (reads || gcloudLogs.test(path.join(' '))) return notKnown(name, args) ?? { hosts: gcloudHosts(args) };
  return { reason: 'gcloud only reads with list or describe right behind a known group' };
}

function isGroup(path: string[], index: number): boolean {
  return gcloudGroups.has(path.slice(0, index + 1).join(' '));
}

export const cloud: Record<string, CommandSpec> = {
  aws: { flags: 'any', unless: awsElsewhere, check: judgeAws },
  az: { flags: 'any', check: judgeAz },
  gcloud: { flags: gcloudFlags, check: judgeGcloud },
  vault: { subcommands: each('status version', {}) },
  consul: { subcommands: each('members version', {}) },
  terraform: {
    subcommands: {
      ...each('version', {}),
      ...each('apply destroy import taint untaint', { changes: 'changes what its files describe' }),
    },
  },
};
