// A SKILL.md as others write them: YAML front matter between two lines of dashes, then Markdown. Front matter may have
// fields of every kind; Holdfast reads `name`, `description`, `triggers` and `allowed-tools`. Pure.
import { defined } from '@holdfast/base/defined';
import { expectedFrontMatter, splitFrontMatter } from '@holdfast/base/front-matter';
import { type Parsed, type Refused, isRecord, refuse } from '@holdfast/base/json';
import { parseFrontMatter } from '../base/parse-yaml.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';

export type ParsedSkill = {
  name: string;
  description?: string;
  triggers: string[];
  tools: string[];
  body: string;
};

/** Characters of a description in the prompt. */
const descriptionLength = 2_048;

/** The reason is the rest of a sentence that begins with the file. */
export function parseSkill(text: string): Parsed<ParsedSkill> {
  const found = splitFrontMatter(text);
  if (!found) return bad(`has no front matter: expected ${expectedFrontMatter}`);
  const read = parseFrontMatter(found);
  return 'value' in read
    ? toSkill(read.value, found.body.trim())
    : bad(`has front matter that is no YAML: ${toOneLine(read.fault.reason, 300)}`);
}

function toSkill(fields: unknown, body: string): Parsed<ParsedSkill> {
  if (!isRecord(fields)) return bad('has front matter without fields: expected name and description');
  const { name, description, triggers } = fields;
  if (typeof name !== 'string' || !isSkillName(name))
    return bad(`has the name ${shown(name)}: expected ${expectedSkillName}`);
  if (description !== undefined && description !== null && typeof description !== 'string')
    return bad(`has the description ${shown(description)}: expected a text`);
  if (body === '') return bad('has no text below its front matter');
  const line = toOneLine(description ?? '', descriptionLength);
  const words = Array.isArray(triggers) ? triggers : [triggers];
  // such as `Bash(git add:*), Read`
  const tools = [fields['allowed-tools']]
    .flat()
    .filter((each) => typeof each === 'string')
    .join(' ')
    .replaceAll(/\([^)]*\)/g, ' ')
    .match(/[\w-]{1,64}/g);
  return {
    ok: true,
    value: defined({
      name,
      body,
      description: line || undefined,
      tools: [...new Set(tools)].slice(0, 20),
      triggers: words.flatMap((word) =>
        typeof word === 'string' && word.trim() !== '' ? [word.trim()] : [],
      ),
    }),
  };
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : toOneLine(JSON.stringify(value), 100);
}

const bad = (reason: string): Refused => refuse('Skill.Bad', reason);

const expectedSkillName =
  'lower-case letters, digits and hyphens, at most 64, beginning and ending with a letter or digit';

function isSkillName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name);
}
