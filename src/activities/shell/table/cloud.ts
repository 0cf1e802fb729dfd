// Command lines of cloud providers. Verbs that describe read; what prints a secret or a token does not.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';

/** Services whose get- verbs print no secret and write no file. Elsewhere `get-` may do either. */
const getReads =
  /^(?:cloudwatch|iam|ce|route53|budgets|cloudtrail|autoscaling|elbv2|organizations|health|support)$/;
const getVerbs: Record<string, RegExp> = {
  sts: /^get-caller-identity$/,
  s3api:
    /^get-bucket-(?:acl|location|logging|policy|policy-status|tagging|versioning|encryption|replication)$/,
  logs: /^(?:get-log-events|get-query-results|get-log-group-fields|filter-log-events|tail)$/,
  lambda: /^get-(?:function-configuration|account-settings|function-concurrency)$/,
  ec2: /^get-(?:console-output|transit-gateway|instance-types|subnet|managed-prefix)[a-z-]*$/,
  eks: /^list-|^describe-/,
  s3: /^ls$/,
  cloudtrail: /^lookup-events$/,
};

/** Options that send the caller's credentials to another place, and the beginnings that argparse completes to them. */
const awsElsewhere: [RegExp, string] = [
  /^--(?:e(?:n(?:d(?:p.*)?)?)?|no-v.*|ca|ca-.*|cli-a.*|cli-i.*|generate.*)$/,
  'would reach another server or take its options from a file',
];

function judgeAws({ args }: Call): Finding | undefined {
  const [service, verb] = args.filter(
    ({ value }, index) => isWord(value) && !takesThis(args[index - 1]?.value),
  );
  if (service?.value === undefined || verb?.value === undefined)
    return { reason: 'aws needs a service and a verb' };
  const path = `aws ${service.value} ${verb.value}`;
  const reads =
    /^(?:describe|list)-[a-z0-9-]+$/.test(verb.value) ||
    getVerbs[service.value]?.test(verb.value) ||
    (getReads.test(service.value) && /^get-[a-z-]+$/.test(verb.value));
  if (!reads) return { reason: `${path} is not known to only read` };
  const unknown = args.slice(0, args.indexOf(verb) + 1).find(({ value }) => value === undefined);
  return unknown && { reason: `${unknown.text} may become the verb when bash expands it` };
}

const awsGlobal = /^--(?:output|region|profile|query|color|cli-read-timeout|cli-connect-timeout)$/;

function takesThis(before: string | undefined): boolean {
  return before !== undefined && awsGlobal.test(before);
}

function isWord(value: string | undefined): boolean {
  return value === undefined || !value.startsWith('-');
}

const azGroups =
  /^(?:account|group|resource|vm|vmss|disk|network|storage|aks|monitor|appservice|webapp|functionapp|keyvault|sql|acr|identity|cosmosdb|redis|postgres|mysql|eventhubs|servicebus|deployment|policy|tag|lock|containerapp|container|snapshot|image)$/;
const azVerbs =
  /^(?:list|show|list-(?:sizes|skus|usage|locations|runtimes|ip-addresses|instances|upgrades)|show-(?:usage|backend-health|usages)|get-(?:instance-view|versions|upgrades)|check-name|exists)$/;
const azSecrets =
  /key(?!vault)|secret|credential|token|password|connection-string|sas|appsettings|config|certificate/;

function judgeAz({ args, name }: Call): Finding | undefined {
  const end = args.findIndex(({ value }) => value === undefined || value.startsWith('-'));
  const path = (end === -1 ? args : args.slice(0, end)).map(({ value }) => value ?? '');
  const verb = path.at(-1) ?? '';
  if (path.length === 1 && verb === 'version') return undefined;
  if (!azGroups.test(path[0] ?? '') || !azVerbs.test(verb) || path.length < 2)
    return { reason: `${name} ${path.join(' ')} is not known to only read` };
  return path.slice(0, -1).some((word) => azSecrets.test(word))
    ? { reason: 'it may print a secret' }
    : undefined;
}

const gcloudFlags = `--project= --region= --zone= --zones= --regions= --format= --filter= --limit= --sort-by= --cluster=
  --location= --uri --global --page-size= --freshness= --order= --flatten=`;

function judgeGcloud({ operands }: Call): Finding | undefined {
  const path = operands.map(({ value }) => value ?? '');
  const at = path.findIndex((word) =>
    /^(?:list|describe|get-health|get-serial-port-output|read)$/.test(word),
  );
  const groups = path.slice(0, at);
  // `read` is a verb of logging alone
  const reads =
    at > 0 &&
    groups.every((word) => /^[a-z][a-z-]+$/.test(word)) &&
    (path[at] !== 'read' || groups[0] === 'logging');
  if (!reads) return { reason: 'gcloud only reads with list or describe' };
  return groups.some((word) => /secret|auth|versions|ssh|keys|tokens/.test(word))
    ? { reason: 'it may print a secret' }
    : undefined;
}

export const cloud: Record<string, CommandSpec> = {
  aws: { flags: 'any', unless: awsElsewhere, check: judgeAws },
  az: { flags: 'any', check: judgeAz },
  gcloud: { flags: gcloudFlags, check: judgeGcloud },
  vault: { subcommands: each('status version', {}) },
  consul: { subcommands: each('members version', {}) },
  terraform: { subcommands: each('version', {}) },
};
