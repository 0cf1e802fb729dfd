// Agents as Markdown files: front matter with the fields that an agent of the config has, the body are its instructions. The
// name of the file is that of the agent. A mistake names the file and the field.
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

export type AgentFile = { name: string; path: string; spec: AgentSpec };

const namePattern = /^[A-Za-z0-9][\w.-]*$/;

/** Sorted by name. A folder that is not there has none; a README.md is for people. `problems` are whole sentences. */
export async function readAgentFiles(folder: string): Promise<{ files: AgentFile[]; problems: string[] }> {
  const names: string[] = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  const files: AgentFile[] = [];
  const problems: string[] = [];
  for (const file of names.toSorted()) {
    if (!file.endsWith('.md') || file.toLowerCase() === 'readme.md') continue;
    const path = join(folder, file);
    const name = basename(file, '.md');
    const read = namePattern.test(name)
      ? toSpec(await readFile(path, 'utf8').catch((error: unknown) => new Error(messageOf(error))))
      : `expected a file name of letters, digits, ".", "_" and "-" before .md`;
    if (typeof read === 'string') problems.push(`${path} is no agent: ${read}.`);
    else files.push({ name, path, spec: read });
  }
  return { files, problems: [...problems, ...sameNames(files)] };
}

/** The rest of a sentence where it is none. */
function toSpec(text: string | Error): AgentSpec | string {
  if (typeof text !== 'string') return `it cannot be read (${text.message})`;
  const { yaml, body } = splitFrontMatter(text) ?? { yaml: '', body: text };
  const document = parseDocument(yaml, { lineCounter: new LineCounter() });
  const [fault] = document.errors;
  // behind the line of dashes
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

/** Without its place: lines are counted from the front matter's first. */
function reasonOf({ message }: Error): string {
  return message.replace(/ at line \d+, column \d+:?[^]*$/, '');
}

/** Names of agents differ by more than their case. */
function sameNames(files: readonly AgentFile[]): string[] {
  const groups = Map.groupBy(files, ({ name }) => name.toLowerCase());
  return [...groups.values()].flatMap((group) =>
    group.length === 1
      ? []
      : [`${group.map(({ path }) => path).join(' and ')} are agents of one name: expected one.`],
  );
}
