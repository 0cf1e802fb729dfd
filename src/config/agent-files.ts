// Agents as Markdown files: the front matter has the fields of an agent in the config, the body its instructions. The
// file's name is the agent's. A mistake names the file and the field.
import { ifMissing } from '@holdfast/base/has-code';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { parseFrontMatter } from '../activities/base/parse-yaml.ts';
import { agentSpecSchema } from '../core/agent/agent-spec.schema.ts';
import { splitFrontMatter } from '@holdfast/base/front-matter';
import { isRecord } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { describeIssues } from '@holdfast/base/schema-issues';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { packageFolder } from './own-version.ts';

export type AgentFile = { name: string; path: string; spec: AgentSpec };

/** `message` is a whole sentence with the paths of the files, `names` are the agents concerned. */
export type AgentProblem = { names: string[]; message: string };

export type ReadAgents = { files: AgentFile[]; problems: AgentProblem[] };

const namePattern = /^[A-Za-z0-9][\w.-]*$/;

/** The folder beside a config file whose Markdown files are agents. */
export function agentsFolder(configFile: string): string {
  return join(dirname(configFile), 'agents');
}

/** The agents that come with this package. */
export function packageAgents(): Promise<ReadAgents> {
  return readAgentFiles(join(packageFolder(), 'catalog/agents'));
}

/** Texts about a folder, and what systems and editors leave in it. */
const noAgents = /^(?:\.|(?:readme|agents|claude)\.md$)/i;

/** Sorted by name. A missing folder has no agents. */
export async function readAgentFiles(folder: string): Promise<ReadAgents> {
  const files: AgentFile[] = [];
  const problems: AgentProblem[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([], 'ENOTDIR'));
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  for (const file of names.toSorted()) {
    if (extname(file).toLowerCase() !== '.md' || noAgents.test(file)) continue;
    const path = join(folder, file);
    const name = basename(file, extname(file));
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
  const found = splitFrontMatter(text) ?? { yaml: '', body: text };
  const read = parseFrontMatter(found);
  if ('fault' in read) return `line ${read.fault.line} does not parse: ${read.fault.reason}`;
  const fields = read.value ?? {};
  if (!isRecord(fields)) return 'its front matter has no fields: expected description, tools and the like';
  if ('instructions' in fields) return 'instructions: expected them below the front matter';
  const parsed = agentSpecSchema.safeParse({ ...fields, instructions: found.body.trim() });
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error, 'front matter', agentSpecSchema).join('; ');
  return foreignField.test(found.yaml) ? `${issues}. ${foreign}` : issues;
}

const foreign =
  'It looks like an agent of another program. Here the name of the file is that of the agent, tools is a list of the names ' +
  'that "holdfast tools" prints, and model is <provider>:<model id>; leave the other fields out';

/** Fields that agents of Claude Code, OpenCode or Cursor have, and those of Holdfast in their form. */
const foreignField =
  /^(?:name|color|temperature|globs|alwaysApply)\s*:|^mode:\s*(?:primary|subagent|all)\b|^tools:\s*(?:[A-Z]|\s[\w*-]+:)/m;

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
