// A Markdown file that begins with YAML between two lines of dashes, as skills, agents and templates are written. Pure.

const form = /^\uFEFF?---[ \t]*\r?\n(?:(?<yaml>[\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/;

export const expectedFrontMatter = 'a first line "---", YAML, and a further line "---"';

/** Undefined for a text without front matter. */
export function splitFrontMatter(text: string): { yaml: string; body: string } | undefined {
  const found = form.exec(text)?.groups;
  return found && { yaml: found['yaml'] ?? '', body: found['body'] ?? '' };
}
