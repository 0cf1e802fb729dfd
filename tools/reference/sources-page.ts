// docs/sources.md: one table of the toolsets of the starter set, from what their files say.
import type { Toolset, ToolsetTool } from '@holdfast/sources/toolset.schema';
import { fill, type Values } from '@holdfast/sources/template';
import { code, pageHead, markdownTable } from './markdown.ts';

const words = `The systems that agents can read, one toolset each. Each takes settings, and several servers as
[instances](toolsets.md#instances); \`holdfast init\` finds those that answer on this machine, \`holdfast doctor\` asks each with a real
query, \`holdfast tools\` lists what is there. Every tool reads, but for those that act and are there [where the configuration says
so](toolsets.md#the-starter-set). A source that is not here: [a file of your own](toolsets.md#a-file-of-your-own), or an
[MCP server](mcp.md).`;

const legend = `*Needs*: programs on the worker, and settings without a default. *Permissions*: what to grant to the user or token, and
nothing more.
`;

const triedLegend = `*Real*: servers and programs themselves. *Documented shapes*: a local server that checks each request and answers as the vendor documents.
A source that nobody has run against a real one is a **preview**: run its checks with \`holdfast doctor\`, and tell what they say.
`;

export function makeSourcesPage(toolsets: readonly Toolset[]): string {
  const byKind = toolsets.toSorted((one, other) => kindOf(one).localeCompare(kindOf(other)));
  const rows = byKind.map((toolset) => [
    kindOf(toolset),
    `${code(toolset.name)}<br>${toolset.description}`,
    toolset.tools
      .filter(({ change, rowsAre }) => change === undefined && rowsAre === undefined)
      .map(({ name }) => code(name))
      .concat(toolset.tools.some(({ rowsAre }) => rowsAre === 'changes') ? [code('changes')] : [])
      .join(', '),
    needsOf(toolset).join(', ') || 'nothing',
    toolset.permissions?.trim() ?? 'none',
  ]);
  const tried = byKind.map(({ name, tried: { real, shapes, not = [] } = {} }) => [
    `${code(name)}${real === undefined ? ' **preview**' : ''}`,
    ...[real, shapes, not].map((versions = ['nothing']) => versions.join(', ')),
  ]);
  return [
    pageHead('Sources', words),
    legend,
    markdownTable(['kind', 'source', 'tools', 'needs', 'permissions'], rows),
    '',
    '## Tried against',
    '',
    triedLegend,
    markdownTable(['source', 'real', 'documented shapes', 'not tried'], tried),
    '',
  ].join('\n');
}

/** All kinds of data that it has. */
function kindOf({ tags = [] }: Toolset): string {
  return tags.join(', ');
}

function needsOf({ tools, settings = {}, prerequisites = [] }: Toolset): string[] {
  const defaults = Object.entries(settings).map(([name, { default: preset }]) => [
    `settings.${name}`,
    preset,
  ]);
  const declared = prerequisites.flatMap((each) => {
    if ('program' in each) return [each.program];
    if ('package' in each) return [`npm install ${each.package}`];
    return 'file' in each ? (fill(each.file, Object.fromEntries(defaults) as Values) ?? []) : [];
  });
  const programs = new Set([...declared, ...tools.flatMap(programOf)]);
  const needed = Object.entries(settings).filter(
    ([, { default: preset, optional }]) => preset === undefined && optional !== true,
  );
  const secret = Object.keys(settings).some((name) => /password|authorization|token|key/.test(name));
  return [
    ...[...programs].map(code),
    ...needed.map(([name]) => code(name)),
    ...(secret && needed.every(([name]) => !/password|authorization|token|key/.test(name))
      ? ['a password or token where the server wants one']
      : []),
  ];
}

function programOf({ command }: ToolsetTool): string[] {
  const [first] = command ?? [];
  return typeof first === 'string' && !first.includes('{{') ? [first] : [];
}
