// Command lines of cloud providers. Describing verbs read; commands that print a secret or a token do not.
import { each, splitWords, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';
import { awsFiles, awsLists, awsSecrets } from './aws-facts.ts';
import { azLists, azSecrets } from './az-facts.ts';
import { awsHosts, azHosts, gcloudHosts, notKnown } from '../programs/cloud-hosts.ts';

/** Services whose get- verbs print no secret and write no file. Elsewhere `get-` may do either. */
const getReads =
  /^(?:cloudwatch|iam|ce|route53|budgets|cloudtrail|autoscaling|elbv2|organizations|health|support|pi|xray)$/;
const getVerbs: Record<string, RegExp> = {
  sts: /^get-caller-identity$/,
  s3api:
    /^get-bucket-(?:acl|location|logging|policy|policy-status|tagging|versioning|encryption|replication)$/,
  // start-query begins work that is paid for
  logs: /^(?:get-log-events|get-query-results|get-log-group-fields|filter-log-events|tail)$/,
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

/** As the list from the service descriptions: values that have no name there, or scripts in which a secret usually is. */
const awsMore =
  /^(?:ec2 describe-fleets|sagemaker describe-notebook-instance-lifecycle-config|elasticbeanstalk describe-configuration-settings|opsworks describe-\S+|configure list)$/;

/**
 * Options that send the caller's credentials to another place or print them or what logs mask, and the abbreviations
 * that argparse completes to them.
 */
const awsElsewhere: [RegExp, string] = [
  /^--(?:e(?:n(?:d(?:p.*)?)?)?|no-v.*|ca|ca-.*|cli-a.*|cli-i.*|generate.*|d|de|deb|debu|debug|u|un|unm.*)$/s,
  'would reach another server, print a token or masked data, or take its options from a file',
];

function judgeAws({ args }: Call): Finding | undefined {
  const [service, verb] = awsWords(args);
  const elsewhere = args.find(({ value, prefix }) => /^(?:--[\w-]+=)?https?:/i.test(value ?? prefix));
  if (elsewhere) return { reason: `aws may fetch ${elsewhere.text}` };
  if (service?.value === undefined || verb?.value === undefined)
    return { reason: 'aws needs a service and a verb' };
  const path = `aws ${service.value} ${verb.value}`;
  const line = `${service.value} ${verb.value}`;
  if (awsSecrets.has(line) || awsMore.test(line)) return { reason: `${path} may print a secret` };
  if (awsFiles.has(line)) return { reason: `${path} writes its answer to a file` };
  const reads =
    /^(?:describe|list)-[a-z0-9-]+$/.test(verb.value) ||
    getVerbs[service.value]?.test(verb.value) ||
    (getReads.test(service.value) && /^get-[a-z-]+$/.test(verb.value));
  if (!reads) return { reason: `${path} is not known to only read` };
  const words = args.slice(args.indexOf(verb) + 1);
  const extra = wordBehind(words, awsLists, /^aws (?:s3 ls|logs tail)$/.test(path) ? 1 : 0);
  if (extra) return { reason: `${path} may write to what ${extra.text} names` };
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

/** A word that no option takes and that the command has no place for. Options have a value at least, unless it is inline. */
function wordBehind(words: Argument[], lists: ReadonlySet<string>, places = 0): Argument | undefined {
  let takes = 0;
  let left = places;
  return words.find(({ value = '' }) => {
    const [name = '', inline] = value.split('=', 2);
    if (/^--?[A-Za-z]/.test(value)) {
      takes = inline !== undefined || /^-\w./s.test(value) ? 0 : lists.has(name) ? Infinity : 1;
      return false;
    }
    if (takes-- > 0) return false;
    return left-- <= 0;
  });
}

const azGroups =
  /^(?:account|group|resource|vm|vmss|disk|network|storage|aks|monitor|appservice|webapp|functionapp|keyvault|sql|acr|identity|cosmosdb|redis|postgres|mysql|eventhubs|servicebus|deployment|policy|tag|lock|containerapp|container|snapshot|image)$/;
const azVerbs =
  /^(?:list|show|list-(?:sizes|skus|usage|locations|runtimes|ip-addresses|instances|upgrades)|show-(?:usage|backend-health|usages)|get-(?:instance-view|versions|upgrades)|check-name|exists)$/;
/** Queries in Kusto, whose language only reads, and logs. */
const azReads = new Set(['monitor log-analytics query', 'monitor app-insights query', 'container logs']);
const azMore =
  /key(?!vault)|\bauth\b|secret|credential|token|password|connection-string|sas|appsettings|config|certificate/;

/**
 * The identifier of a resource, and functions of Kusto for another workspace, may be of another subscription; `graph
 * query` and a management group reach several.
 */
const azOther =
  /(?:^|[^\w])(?:subscriptions|managementgroups|\.\.)\/|\b(?:workspace|app|resource|adx|arg)\s*\(/is;

/** A connection string or a URL names another server. */
const azElsewhere = /:\/\/|^--(?:conn|deb|[a-z-]*endpoint)/;

function judgeAz({ args, name }: Call): Finding | undefined {
  const elsewhere = args.find(({ value, prefix }) => azElsewhere.test(value ?? prefix));
  if (elsewhere) return { reason: `az may reach another server: ${elsewhere.text}` };
  const file = args.find(({ value, prefix }) => /^(?:[^=]*=)?@/.test(value ?? prefix));
  if (file) return { reason: `az reads and sends the file that ${file.text} names` };
  const end = args.findIndex(({ value }) => value === undefined || value.startsWith('-'));
  const path = (end === -1 ? args : args.slice(0, end)).map(({ value }) => value ?? '');
  const verb = path.at(-1) ?? '';
  if (path.length === 1 && verb === 'version') return undefined;
  if (azSecrets.has(path.join(' ')) || path.slice(0, -1).some((word) => azMore.test(word)))
    return { reason: `${name} ${path.join(' ')} may print a secret` };
  const other = args.find(({ value, prefix }) => azOther.test(value ?? prefix));
  if (other) return { reason: `${name}: ${other.text} may be of another subscription`, decision: 'ask' };
  if (path.join(' ') === 'graph query')
    return { reason: `${name} graph query reads all subscriptions of the account`, decision: 'ask' };
  const reads = path.length > 1 && azGroups.test(path[0] ?? '') && azVerbs.test(verb);
  if (!reads && !azReads.has(path.join(' ')))
    return { reason: `${name} ${path.join(' ')} is not known to only read` };
  const extra = wordBehind(args.slice(path.length), azLists);
  if (extra) return { reason: `${name} ${path.join(' ')} has no place for ${extra.text}` };
  return notKnown(name, args) ?? { hosts: azHosts(args) };
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
  return splitWords(names).map((name) => parent + name);
}

/** Log entries, with a filter or a name behind it. */
const gcloudLogs = /^(?:logging read|(?:run services|run jobs|functions|app) logs read|builds log)(?: |$)/;

/** Texts about what is found, which choose nothing. */
const gcloudTexts = /^--(?:filter|format|flatten|sort-by|limit)$/;

function judgeGcloud({ name, args, operands, flags }: Call): Finding | undefined {
  const path = operands.map(({ value }) => value ?? '');
  const at = path.findIndex(
    (_, index) => gcloudGroups.has(path.slice(0, index).join(' ')) && !isGroup(path, index),
  );
  const verb = path[at] ?? '';
  const reads = at > 0 && /^(?:list|describe|get-health|get-serial-port-output)$/.test(verb);
  const logs = gcloudLogs.exec(path.join(' '))?.[0].trim();
  const named =
    logs === undefined ? at + (verb === 'list' && path[0] !== 'storage' ? 1 : 2) : logs.split(' ').length + 1;
  if ((reads || logs !== undefined) && path.length > named)
    return { reason: `gcloud ${path.slice(0, named).join(' ')} has no place for ${path[named]}` };
  const values = flags.flatMap((flag) => (gcloudTexts.test(flag.name) ? [] : (flag.value?.value ?? [])));
  const names = logs === 'logging read' ? values : [...path, ...values];
  // `--instance=PROJECT:NAME` is of another project, too
  const other = names.find((word) =>
    /(?:^|\/)(?:projects|organizations|folders|\.\.)\/[^/]+\/|^[\w.-]+:[^/]/.test(word),
  );
  if (other) return { reason: `gcloud: ${other} may be of another project`, decision: 'ask' };
  if (reads || logs !== undefined) return notKnown(name, args) ?? { hosts: gcloudHosts(args) };
  return { reason: 'gcloud only reads with list or describe right behind a known group' };
}

function isGroup(path: string[], index: number): boolean {
  return gcloudGroups.has(path.slice(0, index + 1).join(' '));
}

export const cloud: Record<string, CommandSpec> = {
  aws: {
    flags: 'any',
    chooses: { options: '--profile --region', abbreviated: true },
    unless: awsElsewhere,
    check: judgeAws,
  },
  az: {
    flags: 'any',
    chooses: { options: '--subscription --subscriptions --management-groups --tenant', abbreviated: true },
    check: judgeAz,
  },
  gcloud: {
    flags: gcloudFlags,
    chooses: {
      options:
        '--project --account --configuration --impersonate-service-account --billing-project --access-token-file --organization --folder --billing-account --resource-names',
    },
    check: judgeGcloud,
  },
  vault: { subcommands: each('status version', {}) },
  consul: { subcommands: each('members version', {}) },
  terraform: {
    subcommands: {
      ...each('version', {}),
      ...each('apply destroy import taint untaint', { changes: 'changes what its files describe' }),
    },
  },
};
