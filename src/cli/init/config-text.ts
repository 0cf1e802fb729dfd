// The text of a new holdfast.config.ts: the choices, and the alternatives in comments.
import type { Choices } from './ask-choices.ts';
import type { FoundSource } from './find-sources.ts';

/** A literal in the style of TypeScript's formatters. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

export function configText({ logFolders, sources, kubeContext }: Choices, ending: string): string {
  const roots = logFolders.map(quoted).join(', ');
  const isOn = (source: FoundSource): boolean =>
    source === sources.find(({ name, needsToken }) => name === source.name && !needsToken);
  const open = sources.flatMap((source) => (source.address && isOn(source) ? [source.address] : []));
  const isNamed = (name: string): boolean => sources.some((source) => source.name === name);
  const hosts = open.map((address) => quoted(hostOf(address))).join(', ');
  return `// What the agent may look at, and what it must ask about. Every key: node_modules/holdfast/docs/configuration.md
import { defineConfig } from 'holdfast';
import { diskUsage } from './tools/disk-usage.${ending}';

export default defineConfig({
  // Tools of your own, beside the built-in ones. "npx holdfast tools" lists them all.
  tools: [diskUsage],

  // Folders that the agent may read. It writes to none.
  ${logFolders.length === 0 ? `// files: { roots: ['/var/log'] },` : `files: { roots: [${roots}] },`}

  // Ready-made tools that only read. "npx holdfast tools" lists those that are on; docs/sources.md of the package has all.
  // From about four on, the investigator loads the tools of each when it needs them.
  toolsets: {
    host: {},
    ${[...sources, ...examples.filter(({ name }) => !isNamed(name))].map((source) => (isOn(source) ? '' : '// ') + sourceLine(source)).join('\n    ')}
    ${line(kubeContext, (context) => `kubernetes: { settings: { context: ${quoted(context)} } },`, 'staging')}
  },

  // Hosts that tools may reach.
  ${open.length > 0 ? `http: { allow: [${hosts}] },` : `// http: { allow: ['127.0.0.1:9090'] },`}

  // A call that changes something asks a person. Rules can allow it, or deny it; the strictest rule that matches counts.
  policy: [
    // { tool: 'restart_*', decision: 'deny', reason: 'Restarts are done by people.' },
  ],

  // The model is that of the key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY), or the one that is named here.
  // model: 'anthropic:claude-sonnet-5-5',

  // Plays the model where neither is there, so that everything can be tried. Remove it once you have one.
  script: 'script.yaml',
});
`;
}

const examples: FoundSource[] = [
  { name: 'prometheus', place: '', settings: { url: 'http://127.0.0.1:9090' }, needsToken: false },
];

/** A comment if it needs a token, which a person adds, or if another of its name is on. */
function sourceLine({ name, settings }: FoundSource): string {
  const words = Object.entries(settings).map(([setting, value]) => `${setting}: ${quoted(value)}`);
  return words.length === 0 ? `${name}: {},` : `${name}: { settings: { ${words.join(', ')} } },`;
}

function line(value: string | undefined, write: (value: string) => string, example: string): string {
  return value === undefined ? `// ${write(example)}` : write(value);
}

/** In the form of `http.allow`. */
function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
