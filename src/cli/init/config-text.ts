// The text of a new holdfast.config.ts: the choices, and the alternatives in comments.
import type { Choices } from './ask-choices.ts';

/** A literal in the style of TypeScript's formatters. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

export function configText({ logFolders, prometheus, kubeContext }: Choices, ending: string): string {
  const roots = logFolders.map(quoted).join(', ');
  const host = prometheus === undefined ? undefined : hostOf(prometheus);
  return `// What the agent may look at, and what it must ask about. Every key: node_modules/holdfast/docs/configuration.md
import { defineConfig } from 'holdfast';
import { diskUsage } from './tools/disk-usage.${ending}';

export default defineConfig({
  // Tools of your own, beside the built-in ones. "npx holdfast tools" lists them all.
  tools: [diskUsage],

  // Folders that the agent may read. It writes to none.
  ${logFolders.length === 0 ? `// files: { roots: ['/var/log'] },` : `files: { roots: [${roots}] },`}

  // Ready-made tools that only read. There are more: systemd, nginx, postgresql, redis, docker, git, network.
  toolsets: {
    host: {},
    ${line(prometheus, (url) => `prometheus: { settings: { url: ${quoted(url)} } },`, 'http://127.0.0.1:9090')}
    ${line(kubeContext, (context) => `kubernetes: { settings: { context: ${quoted(context)} } },`, 'staging')}
  },

  // Hosts that tools may reach.
  ${line(host, (name) => `http: { allow: [${quoted(name)}] },`, '127.0.0.1:9090')}

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

function line(value: string | undefined, write: (value: string) => string, example: string): string {
  return value === undefined ? `// ${write(example)}` : write(value);
}

/** In the form of `http.allow`. */
function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
