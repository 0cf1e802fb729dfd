// A Markdown file that begins with YAML between two lines of dashes, as skills, agents and templates are written. Pure.

/** Editors and templates leave blank lines before it. */
const form =
  /^\uFEFF?(?<above>(?:[ \t]*\r?\n)*)---[ \t]*\r?\n(?:(?<yaml>[\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/;

export const expectedFrontMatter = 'a first line "---", YAML, and a further line "---"';

/** `yaml` begins with a line break for each line above it, so that places in it are those of the file. */
export type FrontMatter = { yaml: string; body: string };

/** Undefined for a text without front matter. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const found = form.exec(text)?.groups;
  if (!found) return undefined;
  const above = found['above']?.replaceAll(/[^\n]/g, '') ?? '';
  return { yaml: `${above}\n${found['yaml'] ?? ''}`, body: found['body'] ?? '' };
}
