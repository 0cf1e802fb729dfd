// Writes what the judge of shell commands knows of the clouds' own clients, from their service descriptions:
//   pip download --no-deps botocore azure-cli, unpack both wheels into FOLDER, node tools/cloud-facts.ts FOLDER
// AWS: reads that print a secret, commands that take the name of a file to write, options that take several words. Azure:
// commands whose names say that they print a secret, options that take several words.
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const target = 'packages/shell-judge/src/table';
const [folder = ''] = process.argv.slice(2);

/** The version, and the day on which its wheel was unpacked. */
function sourceOf(name: string): string {
  const [info = ''] = globSync(`${name}-*.dist-info`, { cwd: folder });
  const at = statSync(join(folder, info, 'METADATA'))
    .mtime.toISOString()
    .slice(0, 10);
  return `${info.replace('.dist-info', '').replace('_', '-')} of PyPI (${at})`;
}

function write(
  file: string,
  source: string,
  lists: Record<string, [comment: string, items: Iterable<string>]>,
): void {
  const parts = Object.entries(lists).map(([name, [comment, items]]) => {
    const sorted = [...new Set(items)].toSorted();
    return `/** ${comment} */\nexport const ${name}: ReadonlySet<string> = new Set(\n  \`${sorted.join('\n')}\`.split('\\n'),\n);\n`;
  });
  const head = `// Written by tools/cloud-facts.ts from ${source}. Not edited by hand.\n`;
  writeFileSync(join(target, file), [head, ...parts].join('\n'));
}

type Shape = {
  type: string;
  members?: Record<string, { shape: string }>;
  member?: { shape: string };
  value?: { shape: string };
  payload?: string;
  enum?: string[];
  sensitive?: boolean;
};
type Service = {
  shapes: Record<string, Shape>;
  operations: Record<string, { input?: { shape: string }; output?: { shape: string } }>;
};

/** Names of members that hold a secret: they end so. A token of a page or of a repeated request is none. */
const secret =
  /(?:password|passphrase|credentials|secret|secret(?:value|string|binary|key|to\w+)|private_?key(?:plaintext|pem)?|token|tokenvalue|auth_?key|access_?key|api_?key|shared_?key|service_?key|signing_?key|key_?material|connection_?string|string_?seed|qrcodepng|authentication_?material|gateway_?configuration|policy_?signature|header_?value|webhook_?url|presigned\w*url|plaintext)$/i;
/** These may be structures. */
const secretParts = /^(?:credentials|user_?data)$/i;
const noSecret =
  /(?:next|page|pagination|continuation|cursor|client|request|update|lock|creation|idempotency|purchase|offer|conditional|anomaly|sequence|change|block|invoke|reservation|version|upload|forward|backward)_?token$|^(?:pre_?token|use_)/i;
/** Keys that the description calls sensitive, by the name of the member or of its type. */
const key = /key(?:_?value)?$/i;
const noKey = /(?:tag|object|metadata|pub|public)_?key(?:_?value)?$/i;
/** Whose identifier is the key. */
const apiKeys = /(?:^|-)api-keys?$/;
/** Taken to be masked or never returned, which no description says; the last is the mark of a manual approval. */
const masked = new Set([
  'MasterUserPassword',
  'elbv2 ClientSecret',
  'logs tokenString',
  'codepipeline token',
]);
const reading =
  /^(?:batch-)?(?:assume|decrypt|describe|download|export|generate|get|issue|list|lookup|query|redeem|retrieve|search|select|view)-/;
/** The command's name, where it is not the service's. */
const commands: Record<string, string> = { s3: 's3api', codedeploy: 'deploy', config: 'configservice' };

function readAws(): void {
  const root = join(folder, 'botocore');
  const special = new Map(
    [...readFileSync(join(root, '__init__.py'), 'utf8').matchAll(/'(\w+)',\s*'-',?\s*\): '([\w-]+)'/g)].map(
      ([, name = '', option = '']) => [name, option],
    ),
  );
  const dashed = (name: string): string =>
    special.get(name) ??
    name
      .replace(/[A-Z]{2,}s$/, (plural) => `-${plural.toLowerCase()}`)
      .replaceAll(/([^-])([A-Z][a-z]+)/g, '$1-$2')
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replaceAll('--', '-');
  const printing: string[] = [];
  const writing: string[] = [];
  const several: string[] = [];
  for (const name of readdirSync(join(root, 'data'))) {
    const versions = globSync(`${name}/*/service-2.json.gz`, { cwd: join(root, 'data') }).toSorted();
    const newest = versions.at(-1);
    if (newest === undefined) continue;
    const { shapes, operations }: Service = JSON.parse(
      gunzipSync(readFileSync(join(root, 'data', newest))).toString(),
    );
    for (const [operation, { input, output }] of Object.entries(operations)) {
      const verb = dashed(operation);
      const line = `${commands[name] ?? name} ${verb}`;
      const result = output && shapes[output.shape];
      const payload = result?.payload === undefined ? undefined : result.members?.[result.payload];
      if (payload && shapes[payload.shape]?.type === 'blob') writing.push(line);
      if (!reading.test(verb)) continue;
      for (const [member, { shape }] of Object.entries((input && shapes[input.shape]?.members) ?? {}))
        if (/^(?:list|map|structure)$/.test(shapes[shape]?.type ?? '')) several.push(`--${dashed(member)}`);
      const decrypts = input && shapes[input.shape]?.members?.['WithDecryption'] !== undefined;
      if (decrypts || apiKeys.test(verb) || (output && printsSecret(output.shape, name, shapes)))
        printing.push(line);
    }
  }
  write('aws-facts.ts', sourceOf('botocore'), {
    awsSecrets: ['Reads whose answer has a password, a key or a token.', printing],
    awsFiles: ['Commands that write their answer to the file that a further word names.', writing],
    awsLists: ['Options of reads that take several words.', several],
  });
}

function isSecret(member: string, type: string): boolean {
  if (noSecret.test(member)) return false;
  if (secretParts.test(member)) return /^(?:string|blob|structure|list)$/.test(type);
  return secret.test(member) && /^(?:string|blob)$/.test(type);
}

function isKey(member: string, name: string, shapes: Service['shapes']): boolean {
  const names = [member, name];
  return (
    shapes[name]?.sensitive === true &&
    names.some((each) => key.test(each)) &&
    !names.some((each) => noKey.test(each))
  );
}

function printsSecret(
  shape: string,
  service: string,
  shapes: Service['shapes'],
  seen = new Set<string>(),
): boolean {
  const found = shapes[shape];
  if (found === undefined || seen.has(shape)) return false;
  seen.add(shape);
  const members = Object.entries(found.members ?? {});
  const inner = [...members.map(([, each]) => each), found.member, found.value].flatMap(
    (each) => each?.shape ?? [],
  );
  return (
    members.some(
      ([member, each]) =>
        (isSecret(member, shapes[each.shape]?.type ?? '') || isKey(member, each.shape, shapes)) &&
        !masked.has(member) &&
        !masked.has(`${service} ${member}`) &&
        shapes[each.shape]?.enum === undefined,
    ) || inner.some((each) => printsSecret(each, service, shapes, seen))
  );
}

/** Words of a command's name that say so. */
const azSecret =
  /(?:^|[ -])(?:keys?|secrets?|credentials?|passwords?|tokens?|sas|connection-strings?|authkey|shared-key|publishing-profiles|publishing-credentials|kubeconfig)(?:$|[ -])/;
const azReading = /(?:^|-)(?:list|show|get|generate|download|export|access|print)(?:$|-)/;

function readAzure(): void {
  const root = join(folder, 'azure/cli/command_modules');
  const names: string[] = [];
  const several: string[] = [];
  for (const file of globSync('**/*.py', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/@register_command\(\s*"([^"]+)"/g)) names.push(name);
    let group = '';
    for (const [, entered, own] of text.matchAll(
      /\bcommand_group\(\s*'([^']*)'|\bg\.\w*(?:command|show\w*)\(\s*'([^']*)'/g,
    )) {
      if (entered !== undefined) group = entered;
      else if (own !== undefined) names.push(`${group} ${own}`.trim());
    }
    for (const [, options = ''] of text.matchAll(
      /= AAZ(?:List|Dict|Object|FreeFormDict)Arg\(\s*options=\[([^\]]*)\]/g,
    ))
      several.push(...optionsIn(options));
    for (const [, argument = '', rest = ''] of text.matchAll(/c\.argument\('(\w+)'([^\n]*)/g))
      if (/nargs='[+*]'/.test(rest)) several.push(`--${argument.replaceAll('_', '-')}`, ...optionsIn(rest));
  }
  const printing = names.filter(
    (name) => azSecret.test(name) && azReading.test(name.split(' ').at(-1) ?? ''),
  );
  write('az-facts.ts', sourceOf('azure_cli'), {
    azSecrets: ['Commands whose name says that they print a secret.', printing],
    // one command alone takes several names
    azLists: ['Options that take several words.', [...several.filter((each) => each !== '--name'), '--ids']],
  });
}

/** One letter has many meanings. */
function optionsIn(text: string): string[] {
  return [...text.matchAll(/['"](--[a-z][\w-]*)['"]/g)].map(([, option = '']) => option);
}

if (!existsSync(join(folder, 'botocore')))
  throw new Error(`"${folder}" has no botocore: expected unpacked wheels`);
readAws();
readAzure();
