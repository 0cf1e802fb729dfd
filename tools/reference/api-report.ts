// docs/reference/api/*.md: one report for each entry of the package, with the declarations of everything that it exports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import type ts from 'typescript';
import { byName } from '@holdfast/base/by-name';
import { Declarations, originalOf } from './declarations.ts';
import { readEntries } from './entries.ts';

export const apiFolder = 'docs/reference/api';

type Entry = { name: string; exports: ts.Symbol[] };

/** One sentence for each entry. */
const purposes: Record<string, string> = {
  holdfast: 'For `holdfast.config.ts`: the config, and the tools, hooks, model providers and stores in it.',
  'holdfast/client': 'For programs that start, watch and steer sessions over a Temporal connection.',
  'holdfast/core': 'For programs that run the loop of an agent without Temporal, with effects of their own.',
  'holdfast/artifacts': 'For programs that read stored sessions, without a server or a worker.',
  'holdfast/worker': 'For programs that run a worker in their own process.',
  'holdfast/workflow':
    'For workflows that call a session: the child, and every signal, query and update by name.',
  'holdfast/testing': 'For tests of an agent: models that play scripts, on the real loop.',
};

/** Pages by their path in the repository. The program needs `declarationOptions`. */
export async function makeApiReports(program: ts.Program, root: string): Promise<Map<string, string>> {
  const entries = [...readEntries(root)].map(([name, file]): Entry => ({
    name,
    exports: exportsOf(program, join(root, file)),
  }));
  const exported = new Set(entries.flatMap(({ exports }) => exports));
  const declarations = new Declarations(program, exported);
  const pages = new Map([[`${apiFolder}/README.md`, makeIndex(entries)]]);
  for (const [index, entry] of entries.entries()) {
    const before = entries.slice(0, index);
    const homeOf = (symbol: ts.Symbol): string | undefined =>
      before.find(({ exports }) => exports.includes(symbol))?.name;
    const code = await formatted(root, declare(entry, homeOf, declarations));
    const page = `# ${entry.name}\n\n${purposeOf(entry)}\n\n\`\`\`ts\n${code}\`\`\`\n`;
    pages.set(`${apiFolder}/${fileOf(entry)}`, page);
  }
  return pages;
}

/** In the order of their names; those of an earlier entry as exports of it. */
function exportsOf(program: ts.Program, path: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${path} is no module of the program: expected an entry of the package`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => originalOf(symbol, checker))
    .toSorted(byName);
}

function declare(
  { exports }: Entry,
  homeOf: (symbol: ts.Symbol) => string | undefined,
  declarations: Declarations,
): string {
  const groups = Map.groupBy(exports, homeOf);
  const own = (groups.get(undefined) ?? []).map((symbol) => declarations.textOf(symbol));
  const others = [...groups].flatMap(([home, symbols]) => {
    const names = symbols.map(({ name }) => name).join(', ');
    return home === undefined ? [] : [`export type { ${names} } from '${home}';`];
  });
  return [...others, ...own].join('\n');
}

/** In the form of the sources. */
async function formatted(root: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));
  const { code, errors } = await format('entry.d.ts', text, options);
  if (errors.length > 0) throw new Error(`oxfmt refuses a report: ${errors[0]?.message}`);
  return code;
}

function makeIndex(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => `| [${entry.name}](${fileOf(entry)}) | ${purposeOf(entry)} |`);
  return `# The entries of the package

Each page has the declarations of everything that an entry exports, as the compiler writes them. Descriptions are in the
declaration files of the package, where editors show them. A type that only another one uses is not exported: its owner
leads to it, as in \`Report['claims'][number]\` or \`Extract<AgentEvent, { type: 'turn_start' }>\`.

| Entry | Use |
|---|---|
${rows.join('\n')}
`;
}

function fileOf({ name }: Entry): string {
  return `${name.replace('holdfast/', '')}.md`;
}

function purposeOf({ name }: Entry): string {
  const purpose = purposes[name];
  if (purpose === undefined) throw new Error(`No purpose of ${name}: expected a sentence in api-report.ts`);
  return purpose;
}
