// Agents as Markdown files: the front matter has the fields of an agent in the config, the body its instructions. The
// file's name is the agent's. A mistake names the file and the field.
import { hasCode } from '../core/base/has-code.ts';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { agentSpecSchema } from '../core/agent/agent-spec.schema.ts';
import { splitFrontMatter } from '../core/base/front-matter.ts';
import { isRecord } from '../core/base/json.ts';
import { messageOf } from '../core/base/message-of.ts';
import { describeIssues } from '../core/base/schema-issues.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import { packageFolder } from './own-version.ts';

export type AgentFile = { name: string; path: string; spec: AgentSpec };

/** `message` is a whole sentence with the paths of the files, `names` are the agents concerned. */
export type AgentProblem = { names: string[]; message: string };

export type ReadAgents = { files: AgentFile[]; problems: AgentProblem[] };

const namePattern = /^[A-Za-z0-9][\w.-]*$/;

/** The agents that come with this package. */
export function packageAgents(): Promise<ReadAgents> {
  return readAgentFiles(join(packageFolder(), 'agents'));
}

/** Sorted by name; skips README.md. A missing folder has no agents. */
export async function readAgentFiles(folder: string): Promise<ReadAgents> {
  const names: string[] = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  const files: AgentFile[] = [];
  const problems: AgentProblem[] = [];
  for (const file of names.toSorted()) {
    if (!file.endsWith('.md') || file.toLowerCase() === 'readme.md') continue;
    const path = join(folder, file);
    const name = basename(file, '.md');
    const read = namePattern.test(name)
      ? toSpec(await readFile(path, 'utf8').catch((error: unknown) => new Error(messageOf(error))))
      : `expected a file name of letters, digits, ".", "_" and "-" before .md`;
    if (typeof read === 'string') problems.push({ names: [name], message: `${path} is no agent: ${read}.` });
    else files.push({ name, path, spec: read });
  }
  return { files, problems: [...problems, ...sameNames(files)] };
}

/** A string is the rest of a sentence about the fault. */
function toSpec(text: string | Error): AgentSpec | string {
  if (typeof text !== 'string') return `it cannot be read (${text.message})`;
  const { yaml, body } = splitFrontMatter(text) ?? { yaml: '', body: text };
  const document = parseDocument(yaml, { lineCounter: new LineCounter() });
  const [fault] = document.errors;
  // after the line of dashes
  if (fault) return `line ${(fault.linePos?.[0].line ?? 1) + 1} does not parse: ${reasonOf(fault)}`;
  let fields: unknown;
  try {
    fields = document.toJS() ?? {};
  } catch (error) {
    return `its front matter cannot be read: ${messageOf(error)}`;
  }
  if (!isRecord(fields)) return 'its front matter has no fields: expected description, tools and the like';
  if ('instructions' in fields) return 'instructions: expected them below the front matter';
  const parsed = agentSpecSchema.safeParse({ ...fields, instructions: body.trim() });
  return parsed.success
    ? parsed.data
    : describeIssues(parsed.error, 'front matter', agentSpecSchema).join('; ');
}

/** Drops the message's place, whose lines count from the start of the front matter. */
function reasonOf({ message }: Error): string {
  return message.replace(/ at line \d+, column \d+:?[^]*$/, '');
}

/** Names of agents must differ by more than their case. */
function sameNames(files: readonly AgentFile[]): AgentProblem[] {
  const groups = [...Map.groupBy(files, ({ name }) => name.toLowerCase()).values()];
  return groups
    .filter((group) => group.length > 1)
    .map((group) => ({
      names: group.map(({ name }) => name),
      message: `${group.map(({ path }) => path).join(' and ')} are agents of one name: expected one.`,
    }));
}
