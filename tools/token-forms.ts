// Writes the kept list of token forms from a release of gitleaks, with its licence beside it:
//   node tools/token-forms.ts FOLDER     (its Go module, as `go mod download -json github.com/zricethezav/gitleaks/v8@VERSION`
//                                          names it under "Dir")
// Only rules whose form alone tells the token are taken. Those that need a vendor's name before any value are left to the
// patterns by name (credential-names.ts).
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const target = 'packages/redaction/src/token-forms';

/** Rules for public values, without a distinct form, or covered by patterns that know more of the surrounding text. */
const leftOut = new Set([
  'flutterwave-public-key',
  'pkcs12-file',
  'curl-auth-header',
  'curl-auth-user',
  'kubernetes-secret-yaml',
  'nuget-config-password',
  'private-key',
  'freemius-secret-key',
  'facebook-access-token',
  'sidekiq-sensitive-url',
  'slack-webhook-url',
  // any two words that begin with "ey" match; our own pattern knows how a JSON header begins
  'jwt',
  // a bare commit hash is one of its forms
  'sourcegraph-access-token',
]);

type Rule = { id: string; regex: string; keywords: string[]; entropy: number };

function readRules(toml: string): Rule[] {
  return toml
    .split('[[rules]]\n')
    .slice(1)
    .flatMap((block): Rule[] => {
      const [own = ''] = block.split(/\n *\[\[/);
      const id = /^id = "([^"]+)"/m.exec(own)?.[1] ?? '';
      const regex = /^regex = '''(.*)'''$/m.exec(own)?.[1];
      const keywords = /^keywords = \[([^\]]*)\]/m.exec(own)?.[1] ?? '';
      const entropy = Number(/^entropy = ([\d.]+)/m.exec(own)?.[1] ?? 0);
      const needsName = regex?.includes(String.raw`(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`) ?? true;
      if (regex === undefined || needsName || leftOut.has(id)) return [];
      return [
        {
          id,
          regex,
          keywords: Array.from(keywords.matchAll(/"([^"]+)"/g), ([, word = '']) => word),
          entropy,
        },
      ];
    });
}

/** A token may also end before a full stop, a comma or a bracket; only characters that could continue it prevent an end. */
const ends = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
  String.raw`(?:$|[\\'"\x60\s<),])`,
];

/** Translates Go to JavaScript: `(?i)` applies to the end of its group, and the surroundings of a token become lookarounds. */
function toSource(regex: string): string {
  let source = regex;
  for (const end of ends) if (source.endsWith(end)) source = `${source.slice(0, -end.length)}(?![A-Za-z0-9])`;
  source = source
    .replace(String.raw`(?:^|[\\'"\x60\s>=:(,)])`, '(?<![A-Za-z0-9])')
    .replaceAll('[[:alnum:]]', '[a-zA-Z0-9]')
    .replaceAll(/\(\?P<\w+>/g, '(?:');
  for (let at = source.indexOf('(?i)'); at >= 0; at = source.indexOf('(?i)')) {
    const end = endOfGroup(source, at);
    source = `${source.slice(0, at)}(?i:${source.slice(at + 4, end)})${source.slice(end)}`;
  }
  return source;
}

function endOfGroup(source: string, from: number): number {
  let depth = 0;
  let isClass = false;
  for (let at = from; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')' && (depth -= 1) < 0) return at;
  }
  return source.length;
}

function write(folder: string): void {
  const rules = readRules(readFileSync(join(folder, 'config/gitleaks.toml'), 'utf8'));
  const rows = rules.map(({ id, regex, keywords, entropy }) => {
    const pattern = toSource(regex);
    // finds a mistake of the translation here, and not in a worker
    if (new RegExp(pattern, 'g').test('')) throw new Error(`${id} matches nothing at all`);
    return JSON.stringify({ id, pattern, keywords, entropy });
  });
  const licence = readFileSync(join(folder, 'LICENSE'), 'utf8').trim();
  const head = [
    `Forms of tokens by vendor, from gitleaks ${basename(folder).split('@')[1]} (https://github.com/gitleaks/gitleaks), config/gitleaks.toml.`,
    'Made by tools/token-forms.ts: not edited by hand. Their licence:',
    '',
    ...licence.split('\n'),
  ];
  const words = head.map((line) => `// ${line}`.trimEnd()).join('\n');
  const type =
    'export type TokenForm = { id: string; pattern: string; keywords: readonly string[]; entropy: number };';
  const list = `// oxfmt-ignore\nexport const tokenForms: readonly TokenForm[] = [\n${rows.join(',\n')},\n];`;
  writeFileSync(join(target, 'forms.ts'), `${words}\n\n${type}\n\n${list}\n`);
  copyFileSync(join(folder, 'LICENSE'), join(target, 'LICENSE'));
  execFileSync(join('node_modules', '.bin', 'oxfmt'), [join(target, 'forms.ts')], { stdio: 'inherit' });
  console.log(`${rules.length} forms`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Expected the folder of a release of gitleaks.');
write(folder);
